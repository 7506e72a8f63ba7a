"""The command ``optisplit repair``."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from optisplit.check.checks import check_split
from optisplit.check.missing import advice_on, find_missing, missing_table, never_everywhere
from optisplit.check.repairs import repair
from optisplit.check.verdict import repaired_sentences, repaired_title
from optisplit.cli.answer import measures_of
from optisplit.cli.check import verdict_document
from optisplit.cli.constraints import read_constraints, shares_of
from optisplit.cli.options import given_only
from optisplit.cli.reading import load_split, row_digests_of
from optisplit.cli.spelling import in_options
from optisplit.cli.terminal import INTERRUPTED, Watch
from optisplit.cli.text import in_one, missing_lines, repair_lines
from optisplit.cli.writing import check_outputs, write_repaired, write_table
from optisplit.errors import OptionError, Stopped, argument, worded
from optisplit.measures.registry import name_of
from optisplit.text import counted

if TYPE_CHECKING:
    import argparse
    from typing import Any

    from optisplit.check.checks import SplitCheck
    from optisplit.check.repairs import Repair
    from optisplit.cli.answer import Answer
    from optisplit.io.splits import SplitFile
    from optisplit.labels import MultilabelDataset


def run(options: argparse.Namespace, answer: Answer) -> int:
    """Repair a split, as the command line asks."""
    check_outputs(options)
    data, split, given = load_split(options, answer)
    answer.note(*(fault.sentence for fault in split.faults))
    constraints = read_constraints(options, data, answer)
    sizes = constraints.get("fold_sizes")
    _refuse_few(sizes, split)
    check = partial(
        check_split, data, groups=constraints.get("groups"), row_digests=row_digests_of(options, data, given)
    )
    repaired = None
    with Watch(name_of(options.measure or "rld"), progress=answer.progress) as watch, suppress(Stopped):
        asked = constraints if sizes is None or len(sizes) == split.n_parts else {}
        before = check(split, shares=shares_of(split.folds, split.n_parts, asked), on_progress=watch.of_search)
        repaired = repair(
            data,
            split,
            n_splits=None if sizes is None else len(sizes),
            max_moved=options.max_moved,
            place_missing=not options.leave_missing,
            random_state=options.seed,
            on_progress=watch.of_search,
            **given_only(measure=options.measure, effort=options.effort, rare=options.rare),
            **constraints,
        )
    answer.put(stopped_early=repaired is None)
    if repaired is None:
        answer.tell("optisplit: stopped early; the split was left as it is, and nothing is written")
        return INTERRUPTED
    write_repaired(repaired, split, data, options, answer)
    answer.tell(*repair_lines(repaired, options.measure or "rld"))
    _tell_missing(repaired, split, data, constraints, answer)
    after = check(repaired.split, shares=shares_of(repaired.folds, repaired.after.n_splits, constraints))
    _tell_verdict(before, after, repaired, answer)
    write_table(repaired.moves, options.moves)
    write_table(repaired.gains, options.gains)
    answer.put(
        n_splits=repaired.after.n_splits,
        n_moved=repaired.n_moved,
        n_placed=repaired.n_placed,
        before=measures_of(repaired.before),
        after=measures_of(repaired.after),
        moves=repaired.moves,
        gains=repaired.gains,
    )
    return INTERRUPTED if watch.is_asked_to_stop else 0


def _refuse_few(sizes: Any, split: SplitFile) -> None:
    """Refuse fewer sizes than there are parts."""
    if sizes is not None and len(sizes) < split.n_parts:
        msg = argument("fold_sizes", of="split") + f" has {counted(len(sizes), 'entry')}, but the split has "
        raise OptionError(msg + counted(split.n_parts, split.noun) + "; give one for each.")


def _tell_missing(
    repaired: Repair, split: SplitFile, data: MultilabelDataset, constraints: dict[str, Any], answer: Answer
) -> None:
    """Say which labels are still missing from parts, and what can be done about them."""
    bound_by = {name: constraints.get(name) for name in ("groups", "fixed")}
    found = find_missing(data, repaired.folds, repaired.after.n_splits, **bound_by)
    missing = missing_table(found, data.label_names, repaired.after.fold_names, split.noun)
    n_drawn = sum(each.n_drawn for each in found)
    answer.tell(*missing_lines(missing, was_sought=True, n_drawn=n_drawn, noun=split.noun))
    never = never_everywhere(missing)
    answer.tell(*([worded(advice_on(never, split.noun), in_options)] if never else []))
    answer.put(missing_labels=missing)


def _tell_verdict(before: SplitCheck, after: SplitCheck, repaired: Repair, answer: Answer) -> None:
    """Say what checks of the split find before and after."""
    title, sentences = repaired_title(before, after), repaired_sentences(before, after, repaired)
    answer.tell(f"Verdict: {title}. {in_one(sentences)}")
    grades = {"before": verdict_document(before.verdict), "after": verdict_document(after.verdict)}
    answer.put(verdict={"title": title, "sentences": [worded(each, in_options) for each in sentences], **grades})
