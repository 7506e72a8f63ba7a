"""Three questions to a study, answered in plain words with intervals, and what to do."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from scipy.special import chdtri

from optisplit.errors import OptionError
from optisplit.measures.widths import WIDE, Z, positives_for
from optisplit.methods.base import get_method
from optisplit.methods.variants import as_variant, variant_name
from optisplit.studies.impact.inputs import not_kept
from optisplit.studies.impact.results import CONFIDENCE, ImpactResult
from optisplit.text import counted, from_to, listed, percent, short_number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from optisplit.methods.base import Method
    from optisplit.studies.impact.parts_results import PartsImpact

QUESTIONS = {
    "luck": "How much do estimates differ by the luck of the split?",
    "unscored": "Which labels cannot be scored?",
    "distance": "How far is the estimate from the score on rows never seen?",
}
"""The questions, by their keys."""

SMALL_LUCK = 0.005
"""A standard deviation of estimates between splits that hardly matters."""

MOST_REPEATS = 20
_PAIR = Z * math.sqrt(2)  # standard deviations that two draws differ by at most, in 95 of 100 cases


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question."""

    key: str  # of the question
    question: str
    sentences: tuple[str, ...]
    figures: Mapping[str, float]  # what the sentences rest on


@dataclass(frozen=True, slots=True)
class Advice:
    """What to do, and the figure that says so."""

    kind: Literal["method", "repeat", "more-folds", "sizes", "merge-or-drop", "nothing"]
    sentence: str
    figure: float  # NaN where none is meant


@dataclass(frozen=True, slots=True)
class Answers:
    """What a study says to the three questions, and what to do."""

    questions: tuple[Answer, ...]
    advice: tuple[Advice, ...]
    caveat: str = ""  # what is to be known before all of it; empty where nothing is


def answer(
    result: ImpactResult | PartsImpact,
    *,
    score: str = "macro_f1",
    label_counts: Any = None,
    label_names: Sequence[str] | None = None,
) -> Answers:
    """Answer the three questions of people who split data, from a study.

    - Where the study shows no difference, that is said.
    - Each advice rests on a figure of the study. Methods between which no difference is shown are advised together.
    - Where rows of the data seem to belong together, as those of a patient, that comes first; only methods that can
      keep groups together are advised then.

    Parameters
    ----------
    result : ImpactResult or PartsImpact
        A study of folds, or of parts.
    score : str, default="macro_f1"
        Key of the score to look at.
    label_counts : array-like of shape (n_labels,), optional
        Positives of each label in the data, to name labels that no split can have in every fold.
    label_names : sequence of str, optional
        Names of the labels.

    Returns
    -------
    Answers
        The answers, and advice.

    Raises
    ------
    OptionError
        If the study has no such score.

    Examples
    --------
    >>> from optisplit.studies.impact import measure_impact
    >>> study = measure_impact("emotions", ["is"], seeds=range(3), n_holdouts=2)
    >>> [each.question for each in answer(study).questions][1]
    'Which labels cannot be scored?'
    """
    if score not in result.score_names:
        what = "score"
        raise OptionError.unknown(what, score, result.score_names)
    lines = result.summary[result.summary["score"] == score].to_dict("records")
    by_chance = next(line for line in lines if line["method"] == "random")
    others = [line for line in lines if line["method"] != "random"]
    facts = _Facts(result, result.score_names[score], by_chance, others)
    too_rare = _too_rare(facts, label_counts, label_names)
    questions = (_luck(facts), _unscored(facts, too_rare), _distance(facts))
    caveat = not_kept(result.rows_of)
    if caveat:
        caveat += " The advice holds for splits that keep them together, as Compare makes them with groups."
    return Answers(questions, tuple(_advice(facts, too_rare, label_counts)), caveat)


@dataclass(frozen=True, slots=True)
class _Facts:
    """What answers are made of."""

    result: ImpactResult | PartsImpact
    score: str  # its name
    random: Mapping[Any, Any]  # the line of random folds or parts
    others: Sequence[Mapping[Any, Any]]  # those of the other methods

    @property
    def is_folds(self) -> bool:
        return isinstance(self.result, ImpactResult)

    @property
    def splits(self) -> str:
        return "folds" if self.is_folds else "parts"

    def spread(self) -> tuple[float, float, float]:
        """Give the standard deviation by the luck of random splits, and its interval."""
        if not isinstance(self.result, ImpactResult):
            return self.random["sd"], self.random["sd_low"], self.random["sd_high"]
        sd, freedom = self.random["sd"], self.result.n_holdouts * (self.result.n_seeds - 1)
        tail = (1 - CONFIDENCE) / 2
        return sd, sd * math.sqrt(freedom / chdtri(freedom, tail)), sd * math.sqrt(freedom / chdtri(freedom, 1 - tail))

    def best(self) -> list[Mapping[Any, Any]]:
        """Find the method with fewest labels that cannot be scored, or with a spread that is shown to be smaller.

        Several, where no difference between them is shown; none that cannot keep groups where rows seem to be in some.
        """
        can = [line for line in self.others if not self.result.rows_of or _method(line).keeps("groups")]
        found = [line for line in can if self.n_unscored(line) < self.n_unscored(self.random) - self.least]
        if found:
            fewest = min(map(self.n_unscored, found))
            found = [line for line in found if self.n_unscored(line) <= fewest + self.least]
        else:
            steadier = [line for line in can if self.is_steadier(line)]
            low, high = ("ratio_low", "ratio_high") if self.is_folds else ("rmse_change_low", "rmse_change_high")
            most = min(steadier, key=lambda line: line["sd"])[high] if steadier else math.nan
            found = [line for line in steadier if line[low] <= most]
        return sorted(found, key=lambda line: (self.n_unscored(line), line["sd"]))

    @property
    def fewer_rows(self) -> str:
        """Why labels may be missing that no split of all rows lacks."""
        away = "held out" if self.is_folds else "set aside"
        share = percent(self.result.holdout_size, 2)
        return f"{share} of the rows are {away} first, so that fewer are left for {self.splits}"

    @property
    def least(self) -> float:
        """A difference in labels that cannot be scored which is worth a word."""
        return 0.5 if self.is_folds else 0.5 / max(self.result.n_labels, 1)

    def n_unscored(self, line: Mapping[Any, Any]) -> float:
        return float(line["unscored"])

    def is_steadier(self, line: Mapping[Any, Any]) -> bool:
        return bool(line["ratio_high"] < 1 if self.is_folds else line["rmse_change_high"] < 0)

    def in_words(self, line: Mapping[Any, Any]) -> str:
        """Labels that cannot be scored."""
        return f"{line['unscored']:.1f} labels" if self.is_folds else f"{percent(line['unscored'], 2)} of the labels"


def _method(line: Mapping[Any, Any]) -> Method:
    return get_method(as_variant(line["method"]).method)


def _luck(facts: _Facts) -> Answer:
    sd, low, high = facts.spread()
    if math.isnan(sd):
        return _answer("luck", (f"{facts.score}: no label could be scored in some run, so that nothing can be said.",))
    what = "estimates" if facts.is_folds else "errors of the test estimate"
    who = "two people who split the same rows" if facts.is_folds else "two such splits"
    said = [
        f"With random {facts.splits}, {what} of {facts.score} have a standard deviation of {short_number(sd, 2)} "
        f"between seeds (95 % interval {from_to(low, high, 2)}): {who} differ by up to "
        f"{short_number(_PAIR * sd, 2)} in 19 of 20 cases, by luck alone."
    ]
    for line in facts.others:
        name = variant_name(line["method"])
        if not facts.is_folds:
            said.append(_change_in_words(name, line))
        elif line["ratio_high"] < 1 or line["ratio_low"] > 1:
            ends = f"95 % interval {percent(line['ratio_low'], 2)} to {percent(line['ratio_high'], 2)}"
            said.append(f"{name}: the spread is {percent(line['ratio'], 2)} of that ({ends}).")
        else:
            said.append(f"{name}: no difference in spread is shown.")
    return _answer("luck", said, sd=sd, sd_low=low, sd_high=high)


def _change_in_words(name: str, line: Mapping[Any, Any]) -> str:
    low, high = line["sd_change_low"], line["sd_change_high"]
    if not (high < 0 or low > 0):
        return f"{name}: no difference in spread is shown."
    way = "less" if high < 0 else "more"
    ends = f"95 % interval {from_to(low, high, 2)}"
    return f"{name}: the standard deviation is {short_number(abs(line['sd_change']), 2)} {way} ({ends})."


def _unscored(facts: _Facts, too_rare: NDArray[Any]) -> Answer:
    lines = [facts.random, *facts.others]
    if not any(line["unscored"] for line in lines):
        where = "every fold" if facts.is_folds else "the test part"
        return _answer("unscored", (f"None: with every method each label could be scored in {where}.",), random=0.0)
    where = "some fold" if facts.is_folds else "the test part"
    each = "; ".join(f"{variant_name(line['method'])}: {facts.in_words(line)}" for line in lines)
    said = [f"Labels that cannot be scored in {where}, on average of all runs: {each} ({facts.fewer_rows})."]
    if len(too_rare):
        have = counted(len(too_rare), "label", "has")
        said.append(f"{have} fewer positives than there are {facts.splits}: {listed(list(too_rare))}.")
    return _answer("unscored", said, **{str(line["method"]): float(line["unscored"]) for line in lines},
                   too_rare=float(len(too_rare)))  # fmt: skip


def _distance(facts: _Facts) -> Answer:
    line = facts.random
    bias, low, high = line["bias"], line["bias_low"], line["bias_high"]
    if math.isnan(bias):
        return _answer("distance", ("Too few runs to say.",))
    interval = f"95 % interval {from_to(low, high, 2)}"
    if low <= 0 <= high:
        said = [f"With random {facts.splits}, no bias of {facts.score} is shown ({interval})."]
    else:
        way = "above" if bias > 0 else "below"
        said = [
            f"With random {facts.splits}, estimates of {facts.score} are {short_number(abs(bias), 2)} {way} the score "
            f"on rows never seen, on average ({interval})."
        ]
    off = line["error"] if facts.is_folds else line["rmse"]
    said.append(f"A single one is off by {short_number(off, 2)}{'' if facts.is_folds else ' (root mean square)'}.")
    for other in facts.others:
        gain, low, high = (
            (other["gain"], other["gain_low"], other["gain_high"])
            if facts.is_folds
            else (-other["rmse_change"], -other["rmse_change_high"], -other["rmse_change_low"])
        )
        name = variant_name(other["method"])
        if low > 0 or high < 0:
            ends = f"95 % interval {from_to(low, high, 2)}"
            said.append(
                f"{name}: {'nearer' if gain > 0 else 'farther'} by {short_number(abs(gain), 2)} ({ends} nearer)."
            )
        else:
            said.append(f"{name}: no difference is shown.")
    return _answer("distance", said, bias=bias, bias_low=line["bias_low"], bias_high=line["bias_high"], error=off)


def _answer(key: str, sentences: Sequence[str], **figures: float) -> Answer:
    return Answer(key, QUESTIONS[key], tuple(sentences), {name: float(value) for name, value in figures.items()})


def _too_rare(facts: _Facts, label_counts: Any, label_names: Sequence[str] | None) -> NDArray[Any]:
    """Names of labels with fewer positives than folds, or than parts: no split has them everywhere."""
    if label_counts is None:
        return np.empty(0, dtype=object)
    counts = np.asarray(label_counts)
    n_parts = facts.result.n_splits if isinstance(facts.result, ImpactResult) else len(facts.result.fold_sizes)
    names = [f"label {j}" for j in range(len(counts))] if label_names is None else list(label_names)
    return np.asarray(names, dtype=object)[(counts > 0) & (counts < n_parts)]


def _advice(facts: _Facts, too_rare: NDArray[Any], label_counts: Any) -> list[Advice]:
    """Say what to do, most important first."""
    found = [*_about_rare(facts, too_rare), *_about_method(facts), *_about_sizes(facts, label_counts)]
    found += _about_luck(facts, has_said_folds=any(each.kind == "repeat" for each in found))
    bias, high = facts.random["bias"], facts.random["bias_high"]
    if facts.is_folds and high < 0 and not facts.random["unscored"]:
        sentence = f"Take more folds: estimates are {short_number(-bias, 2)} too low, as models of fewer rows can be."
        found.append(Advice("more-folds", sentence, bias))
    none = "Nothing to change is shown: random splits would do, and any seed."
    return found or [Advice("nothing", none, float("nan"))]


def _about_luck(facts: _Facts, *, has_said_folds: bool) -> list[Advice]:
    """Say how often to repeat folds, or to take them in place of one test part."""
    sd = facts.spread()[0]
    if facts.is_folds and sd > SMALL_LUCK:
        n_repeats = min(MOST_REPEATS, math.ceil((sd / SMALL_LUCK) ** 2 - 1e-9))
        sentence = (
            f"Repeat the folds with {n_repeats} seeds and report the mean: its luck is "
            f"{short_number(sd / math.sqrt(n_repeats), 2)}, that of one seed {short_number(sd, 2)}."
        )
        return [Advice("repeat", sentence, sd)]
    if not facts.is_folds and sd > 4 * SMALL_LUCK and not has_said_folds:
        sentence = f"Take repeated folds instead of one test part: its luck alone is {short_number(sd, 2)}."
        return [Advice("repeat", sentence, sd)]
    return []


def _about_rare(facts: _Facts, too_rare: NDArray[Any]) -> list[Advice]:
    if not len(too_rare):
        return []
    have = counted(len(too_rare), "label", "has")
    sentence = (
        f"Merge or drop labels that are too rare: {have} fewer positives than there are {facts.splits}, and no split "
        f"has them in each: {listed(list(too_rare))}."
    )
    return [Advice("merge-or-drop", sentence, float(len(too_rare)))]


def _about_method(facts: _Facts) -> list[Advice]:
    found = facts.best()
    if not found:
        return []
    best, name = found[0], " or ".join(variant_name(line["method"]) for line in found)
    if facts.result.rows_of:
        name += " (of the methods that can keep groups together)"
    if facts.n_unscored(best) < facts.n_unscored(facts.random) - facts.least:
        each = " or ".join(dict.fromkeys(map(facts.in_words, found)))
        sentence = (
            f"Split with {name}: {each} cannot be scored everywhere, with random {facts.splits} "
            f"{facts.in_words(facts.random)}."
        )
        return [Advice("method", sentence, facts.n_unscored(facts.random) - facts.n_unscored(best))]
    return [Advice("method", f"Split with {name}: estimates differ less by luck, or are nearer.", float(best["sd"]))]


def _about_sizes(facts: _Facts, label_counts: Any) -> list[Advice]:
    """Say how large the test part has to be for half of the labels to be scored well enough."""
    if isinstance(facts.result, ImpactResult) or label_counts is None:
        return []
    middle, share = float(np.median(label_counts)), facts.result.fold_sizes[-1]
    needed = positives_for(WIDE) / max(middle, 1)
    if needed <= share:
        return []
    if needed > 0.5:
        sentence = (
            f"Take repeated folds instead of a test part: half of the labels have {short_number(middle)} positives or "
            f"fewer, and a test part of half of the rows would leave intervals of their recall wider than {WIDE}."
        )
        return [Advice("repeat", sentence, middle)]
    sentence = (
        f"Take a test part of {percent(math.ceil(100 * needed) / 100, 2)}: then half of the labels have "
        f"{positives_for(WIDE)} positives in it, and intervals of their recall of {WIDE} or less."
    )
    return [Advice("sizes", sentence, needed)]
