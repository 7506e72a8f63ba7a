"""What measures there are: all that the library, the command line, the app and the guide say of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from optisplit.measures import bounds, fair_bounds, formulas, representative

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any


@dataclass(frozen=True, slots=True)
class Measure:
    r"""A measure of a split, and what is to be known of it. Less is better in each.

    Functions are given the positives of each label in each fold (shape (n_splits, n_labels)), the rows in each fold
    and the share of the rows that is due to each; those of bounds are given the positives of each label (shape
    (n_labels,)) first. Where the measure is of rows, rows with 0, 1, 2, ... labels stand for the positives.

    Parameters
    ----------
    key : str
        Short name, as users type it.
    name : str
        Name to show.
    title : str
        What it is, in a few words.
    formula : str
        Its formula in LaTeX, without the name; empty where words say it all. p_j is the share of fold j's rows that
        have the label, d that of all rows, c_j and c the positives in the fold and overall, n_j and n the rows, C_j and
        C the positives of all labels of about the label's size, r_jm and r_m the rows with m labels.
    help : str
        What it says, in a sentence or two.
    unit : str
        What it counts: ``positives``, ``rows``, ``folds`` or ``pairs``; empty for a ratio.
    per_label : callable or None
        Gives one score a label, of which the measure is the mean if it is not said overall; None for a measure of the
        whole split.
    overall : callable or None
        Gives the score, where it is no mean over labels.
    bound_per_label : callable or None
        Gives the lowest score that each label can have; None where that is not known.
    bound_overall : callable or None
        Gives the lowest score, where it is no mean over labels.
    fair_cost : callable or None
        Gives what has to be added to the mean of the labels' lowest scores where labels of one size get what is due to
        them together, as in the split whose positives it is given.
    is_objective : bool
        Whether methods can lower it: then ``optisplit.kernels`` has its loss.
    is_fixed_by_sizes : bool
        Whether it is the same in all splits of the same sizes, so that random splits say nothing.
    is_for_amounts : bool
        Whether it means something for amounts, of which a row may have more than one, such as objects in images.
    is_of_rows : bool
        Whether it is of the rows' numbers of labels, and not of positives.
    is_of_parts : bool
        Whether it is of how much parts look like the whole, and not of labels one by one: such measures stand in a
        table of their own, and their bounds are mostly next to 0.
    """

    key: str
    name: str
    title: str
    help: str
    formula: str = ""
    unit: str = ""
    per_label: Callable[..., Any] | None = None
    overall: Callable[..., float] | None = None
    bound_per_label: Callable[..., Any] | None = None
    bound_overall: Callable[..., float] | None = None
    fair_cost: Callable[..., float] | None = None
    is_objective: bool = False
    is_fixed_by_sizes: bool = False
    is_for_amounts: bool = True
    is_of_rows: bool = False
    is_of_parts: bool = False

    @property
    def has_bound(self) -> bool:
        """Whether the lowest possible score is known."""
        return self.bound_per_label is not None or self.bound_overall is not None

    @property
    def equation(self) -> str:
        """Its name and its formula, in LaTeX."""
        name = self.name.replace(" ", r"\ ")
        return rf"\mathrm{{{name}}} = {self.formula}"

    @property
    def heading(self) -> str:
        """Its name with its unit, for the head of a table."""
        return f"{self.name}, {self.unit}" if self.unit else self.name


MEASURES: dict[str, Measure] = {
    measure.key: measure
    for measure in (
        Measure(
            "rld",
            "rLD",
            "mean relative deviation of the label's share",
            "How far the share of rows with a label differs between a fold and all rows, relative to that share; the "
            "mean over labels. 0 is perfect. The same for rare and frequent labels.",
            r"\frac{1}{k}\sum_{j}\left|\frac{d-p_j}{d}\right|",
            per_label=formulas.rld_per_class,
            bound_per_label=bounds.rld_bound_per_class,
            fair_cost=fair_bounds.fair_rld_cost,
            is_objective=True,
        ),
        Measure(
            "dcp",
            "DCP",
            "fullest fold's part of the positives, above its share",
            "How much more of a label's rows than its due share (1/folds, or the share asked for) the fullest fold "
            "holds; the mean over labels.",
            r"\max_j\frac{c_j}{c}-\frac{1}{k}",
            per_label=formulas.dcp_per_class,
            bound_per_label=bounds.dcp_bound_per_class,
            is_objective=True,
        ),
        Measure(
            "ld",
            "LD",
            "mean deviation of the label's odds",
            "Like rLD but of odds, not relative: frequent labels dominate it, so it hardly sees what happens to rare "
            "ones. The page *Learn* shows why.",
            r"\frac{1}{k}\sum_{j}\left|\frac{p_j}{1-p_j}-\frac{d}{1-d}\right|",
            per_label=formulas.ld_per_class,
            is_objective=True,
            is_for_amounts=False,  # odds are of rows that have it or not
        ),
        Measure(
            "ed",
            "ED",
            "mean deviation of the folds' rows",
            "By how many rows the folds differ from equal sizes, or parts from those asked for.",
            r"\frac{1}{k}\sum_{j}\left|n_j-\frac{n}{k}\right|",
            unit="rows",
            overall=formulas.ed,
            is_fixed_by_sizes=True,
        ),
        Measure(
            "fz",
            "FZ",
            "folds without a positive of some label",
            "Folds without a single row of at least one label.",
            unit="folds",
            overall=formulas.fz,
        ),
        Measure(
            "flz",
            "FLZ",
            "pairs of fold and label without a positive",
            "Pairs of fold and label without a single row that has the label.",
            unit="pairs",
            overall=formulas.flz,
            bound_overall=bounds.flz_bound,
        ),
        Measure(
            "beyond_rounding",
            "Beyond rounding",
            "positives that are not where they are due",
            "Positives that a fold has beyond what is due to it, or lacks: the label's positives times the fold's part "
            "of the rows, rounded up or down. 0 is as even as whole rows can be.",
            r"\frac{1}{2}\sum_{i,j}\max\left(0,\;\left\lfloor c_i\frac{n_j}{n}\right\rfloor-c_{ij},\;"
            r"c_{ij}-\left\lceil c_i\frac{n_j}{n}\right\rceil\right)",
            unit="positives",
            per_label=representative.beyond_rounding_per_label,
            overall=representative.beyond_rounding,
            bound_overall=representative.beyond_rounding_bound,
            is_of_parts=True,
        ),
        Measure(
            "rare_shares",
            "Rare shares",
            "how far labels of one size together are from their due",
            "Labels of about one size (1, 2, ..., 9, 10 to 19, 20 to 49, 50 to 99, ... rows) taken together: the share "
            "of their positives that would have to be in another fold for each to have as large a part of them as of "
            "the rows; the mean over labels. It shows where rare labels leave a part all at once.",
            r"\frac{1}{2}\sum_{j}\left|\frac{C_j}{C}-\frac{n_j}{n}\right|",
            overall=representative.rare_shares,
            bound_overall=representative.rare_shares_bound,
            is_of_parts=True,
        ),
        Measure(
            "row_shape",
            "Row shape",
            "how far a fold's numbers of labels a row are from those of all",
            "The share of a fold's rows that would have to have another number of labels for it to hold rows with 0, "
            "1, 2, ... labels as the whole does; in the fold where that is largest.",
            r"\max_j\frac{1}{2}\sum_{m}\left|\frac{r_{jm}}{n_j}-\frac{r_m}{n}\right|",
            overall=representative.row_shape,
            bound_overall=representative.row_shape_bound,
            is_of_rows=True,
            is_of_parts=True,
        ),
    )
}
"""All measures by key, in the order in which they are shown, best first. A measure that is added here is computed for
every report, and shown wherever measures are."""


PARTS_TITLE = "Do the parts look like the whole?"
"""Title of the table of what is measured of the parts, and not of labels one by one."""


def objectives() -> tuple[str, ...]:
    """Give the keys of the measures that methods can lower."""
    return tuple(key for key, measure in MEASURES.items() if measure.is_objective)


def measures_per_label() -> tuple[str, ...]:
    """Give the keys of the measures that are means over labels."""
    return tuple(key for key, measure in MEASURES.items() if measure.overall is None)


def with_excess() -> tuple[str, ...]:
    """Give the keys of the measures that may be said to be so many per cent above their bounds: means over labels.

    The bounds of others are often 0, or next to it.
    """
    return tuple(key for key in measures_per_label() if MEASURES[key].has_bound)


def name_of(key: str) -> str:
    """Give the name of a measure."""
    return MEASURES[key].name


def in_words(keys: Iterable[str]) -> str:
    """Say in Markdown what measures are, in a few words each."""
    return " · ".join(f"**{MEASURES[key].name}**: {MEASURES[key].title}" for key in keys)


def help_text() -> str:
    """Explain all measures in Markdown, an item each."""
    symbols = (
        "In the formulas, $p_j$ is the share of fold $j$'s rows that have a label, $d$ that of all rows, $k$ the "
        "number of folds, $c_j$ the rows in fold $j$ that have the label, $c$ all of them, $n_j$ the rows in fold $j$, "
        "$n$ all rows; $C_j$ and $C$ the positives of all labels of about the label's size, $r_{jm}$ and $r_m$ the "
        "rows with $m$ labels. Parts of given sizes count as folds."
    )
    items = [
        f"- **{measure.name}**{f' $= {measure.formula}$' if measure.formula else ''}: {measure.help}"
        for measure in MEASURES.values()
    ]
    return "\n".join([symbols, "", *items, ""])
