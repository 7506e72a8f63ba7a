"""The command ``optisplit split``."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optisplit.check.costs import costs_of
from optisplit.check.missing import find_missing, missing_table
from optisplit.cli.answer import balanced_of, measures_of
from optisplit.cli.constraints import read_balance, read_constraints, report_of, told_of_balance
from optisplit.cli.options import READING, file_and_column, given_only
from optisplit.cli.reading import STDIN, Input, input_of, load_data, put_data
from optisplit.cli.terminal import INTERRUPTED, Watch, transfer
from optisplit.cli.text import missing_lines, pair_line, score_line
from optisplit.cli.writing import check_form, check_outputs, put_folds, write_split, write_table
from optisplit.errors import OptisplitError, Stopped
from optisplit.io.keys import own_columns
from optisplit.measures.pairs import label_pairs
from optisplit.measures.registry import name_of
from optisplit.measures.report import evaluate
from optisplit.methods.api import choose_n_splits, split
from optisplit.methods.base import DEFAULT_METHOD, rare_of
from optisplit.methods.make_recipe import make_recipe
from optisplit.methods.optisplit_sa import FEWEST_PAIRED
from optisplit.methods.recipes import Recipe

if TYPE_CHECKING:
    import argparse

    import pandas as pd

    from optisplit.cli.answer import Answer
    from optisplit.folds.arrays import FoldArray
    from optisplit.io.encoding.encode import Balance
    from optisplit.labels import MultilabelDataset
    from optisplit.measures.report import Report

_IN_RECIPE = ("n_splits", "fold_sizes", "measure", "method", "effort", "seed", "pairs", "rare", "no_cover_rare",
              "balance")  # fmt: skip


@dataclass(frozen=True)
class Order:
    """A split that is to be made: how, of what."""

    data: MultilabelDataset  # the data
    given: Input  # where they come from
    method: str  # key of the method
    seed: int  # the random_state
    n_splits: int  # number of folds
    kind: str  # what the parts are, folds or parts
    options: dict[str, Any] = field(default_factory=dict)  # the method's own options
    constraints: dict[str, Any] = field(default_factory=dict)  # sizes, groups and fixed rows, as far as given
    recipe: Recipe | None = None  # the recipe that says so
    balance: Balance | None = None  # what is balanced beside the labels

    @property
    def measure(self) -> str:
        """The score to lower."""
        return str(self.options.get("measure") or "rld")

    @property
    def rare(self) -> str | None:
        """What becomes of labels too rare for a part; None where the method has no say."""
        return rare_of(self.method, self.options)

    @property
    def bound_by(self) -> dict[str, Any]:
        """Groups and fixed rows."""
        return {name: self.constraints.get(name) for name in ("groups", "fixed")}

    def split(self, differing: str | None, watch: Watch) -> FoldArray:
        """Make the split."""
        if self.recipe is not None:
            choice: Any = differing or "error"
            return self.recipe.split(
                self.data, **self.bound_by, balance=self.balance, differing=choice, on_progress=watch.of_search
            )
        return split(
            self.data,
            self.n_splits,
            method=self.method,
            random_state=self.seed,
            on_progress=watch.of_search,
            balance=self.balance,
            **self.options,
            **self.constraints,
        )


def run(options: argparse.Namespace, answer: Answer) -> int:
    """Make a split, as the command line asks."""
    _check_usage(options)
    order = _typed_order(options, answer) if options.recipe is None else _order_of_recipe(options, answer)
    form = check_form(options, order.given)
    folds: FoldArray | None = None
    is_early = False
    with Watch(name_of(order.measure), progress=answer.progress) as watch:
        try:
            folds = order.split(options.if_different, watch)
        except OptisplitError as error:  # also of another package's process, which Ctrl-C ends too
            if not watch.is_asked_to_stop:
                raise
            is_early = True
            folds = error.folds if isinstance(error, Stopped) else None
    answer.put(
        method=order.method, rare=order.rare, seed=order.seed, n_splits=order.n_splits, kind=order.kind,
        stopped_early=is_early,
    )  # fmt: skip
    if folds is None:
        answer.tell(f"optisplit: stopped early; {order.method} has no split yet, so nothing is written")
        return INTERRUPTED
    write_split(
        folds, order.data, options, answer, form=form, given=order.given, kind=order.kind, n_splits=order.n_splits
    )
    put_folds(folds, order.data, options, answer)
    report = report_of(order.data, folds, order.n_splits, order.constraints, order.balance)
    if is_early:
        answer.tell(f"optisplit: stopped early; the best split so far is written: {score_line(report, order.measure)}")
    elif watch.is_asked_to_stop:
        answer.tell("optisplit: Ctrl-C came when the split was done; it is written as it was to be")
    missing = _missing(order, folds, report, answer)
    write_table(missing, options.missing_labels)
    answer.put(sizes=report.fold_sizes, measures=measures_of(report), missing_labels=missing, pairs=None)
    answer.put(balanced=None if report.balanced is None else balanced_of(report.balanced))
    if order.options.get("balance_pairs"):
        _measure_pairs(order, folds, answer)
    answer.put(recipe=None)
    if options.save_recipe is not None:
        _save_recipe(options, order, folds, answer, is_early=is_early)
    return INTERRUPTED if watch.is_asked_to_stop else 0


def _missing(order: Order, folds: FoldArray, report: Report, answer: Answer) -> pd.DataFrame:
    """Look for labels that are missing from folds, and say so below the scores, and what rules cost."""
    found = find_missing(order.data, folds, order.n_splits, **order.bound_by)
    missing = missing_table(found, order.data.label_names, report.fold_names, "fold")
    n_drawn = sum(each.n_drawn for each in found) if order.rare != "cover" else 0
    lines = missing_lines(missing, was_sought=order.rare in ("share", "cover"), n_drawn=n_drawn)
    answer.tell(repr(report), *lines)
    costs = None
    if order.rare == "share":
        pairs = bool(order.options.get("balance_pairs"))
        costs = costs_of(report, order.data.labels, folds, **order.bound_by, balance_pairs=pairs)
        answer.tell(*([] if costs is None else [costs.sentence]))
    answer.put(rule_costs=None if costs is None else asdict(costs))
    return missing


def _check_usage(options: argparse.Namespace) -> None:
    check_outputs(options)
    if options.data is None and options.recipe is None:
        options.usage_error("the following arguments are required: DATA (or --recipe)")
    if options.recipe is None:
        if options.if_different is not None:
            options.usage_error("--if-different goes with --recipe")
        return
    for name in _IN_RECIPE:
        value = getattr(options, name)
        if value is not None and value is not False:  # 0 is a seed
            options.usage_error(f"--{name.replace('_', '-')} does not go with --recipe, which says so itself")
    if options.save_recipe is not None:
        options.usage_error("--save-recipe does not go with --recipe, which is one already")


def _typed_order(options: argparse.Namespace, answer: Answer) -> Order:
    data, given = load_data(options, answer)
    constraints = read_constraints(options, data, answer)
    return Order(
        data,
        given,
        options.method or DEFAULT_METHOD,
        0 if options.seed is None else options.seed,
        choose_n_splits(data.n_rows, options.n_splits, constraints.get("fold_sizes")),
        _kind(options, constraints),
        given_only(
            measure=options.measure,
            effort=options.effort,
            balance_pairs=options.pairs or None,
            rare=_rare(options, answer),
        ),
        constraints,
        balance=read_balance(options, data, answer),
    )


def _rare(options: argparse.Namespace, answer: Answer) -> str | None:
    """Take what becomes of rare labels, also by the option's old name."""
    if not options.no_cover_rare:
        return None if options.rare is None else str(options.rare)
    if options.rare not in (None, "score"):
        options.usage_error(f"--no-cover-rare is --rare score, which contradicts --rare {options.rare}")
    answer.note("--no-cover-rare is called --rare score since 0.4.0; the old name goes in 0.5.0.")
    return "score"


def _order_of_recipe(options: argparse.Namespace, answer: Answer) -> Order:
    recipe = Recipe.read(options.recipe)
    data, given = _data_of_recipe(options, recipe, answer)
    for name in ("groups", "fixed"):
        origin = getattr(recipe, f"{name}_from")
        # a recipe from elsewhere must not choose any file of this machine
        is_here = bool(origin) and os.path.basename(origin) == origin and Path(file_and_column(origin)[0]).is_file()
        is_column = name == "groups" and bool(origin) and bool(own_columns(data, [origin]))
        if getattr(options, name) is None and (is_here or is_column):
            setattr(options, name, origin)
    constraints = read_constraints(options, data, answer)
    if recipe.fold_sizes is not None:
        constraints["fold_sizes"] = list(recipe.fold_sizes)
    return Order(
        data, given, recipe.method, recipe.seed, recipe.n_splits, _kind(options, constraints), dict(recipe.options),
        constraints, recipe, told_of_balance(recipe.find_balance(data), answer),
    )  # fmt: skip


def _data_of_recipe(options: argparse.Namespace, recipe: Recipe, answer: Answer) -> tuple[MultilabelDataset, Input]:
    if any(getattr(options, name) is not None for name in READING):  # somebody knows better how to read them
        options.data = options.data or recipe.source
        return load_data(options, answer)
    given = Input(recipe.source) if options.data is None else input_of(options)
    with transfer(f"reading {given.typed}", answer.progress) as on_progress:
        data = recipe.load(None if options.data is None else given.source, on_progress=on_progress)
    put_data(data, answer)
    return data, given


def _kind(options: argparse.Namespace, constraints: dict[str, Any]) -> str:
    if options.kind is not None:
        return str(options.kind)
    sizes = constraints.get("fold_sizes")
    return "folds" if sizes is None or max(sizes) - min(sizes) <= (1 if min(sizes) >= 1 else 1e-9) else "parts"


def _measure_pairs(order: Order, folds: FoldArray, answer: Answer) -> None:
    pairs = label_pairs(order.data, min_rows=FEWEST_PAIRED)
    report = evaluate(pairs, folds, n_splits=order.n_splits) if pairs.n_labels else None
    answer.tell(pair_line(pairs.n_labels, report, "rld"))
    answer.put(pairs={"n_pairs": pairs.n_labels, "measures": None if report is None else measures_of(report)})


def _save_recipe(
    options: argparse.Namespace, order: Order, folds: FoldArray, answer: Answer, *, is_early: bool
) -> None:
    if is_early:
        answer.note("No recipe was written, since the split was stopped early and would come out otherwise.")
        return
    made = make_recipe(
        order.data,
        folds,
        method=order.method,
        seed=order.seed,
        n_splits=order.n_splits,
        options=order.options,
        groups_from=options.groups or "",
        fixed_from=options.fixed or "",
        balance=order.balance,
        source=None if order.given.typed == STDIN else order.given.typed,
        **order.constraints,
    )
    made.save(options.save_recipe)
    answer.put(recipe=options.save_recipe)
    if options.label_file is not None or options.names is not None:
        answer.note("The recipe does not hold --xml and --names; give them again with --recipe.")
