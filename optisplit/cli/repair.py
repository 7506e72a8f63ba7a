"""The command ``optisplit repair``."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from optisplit.check.missing import advice_on, find_missing, missing_table, never_everywhere
from optisplit.check.repairs import repair
from optisplit.cli.answer import measures_of
from optisplit.cli.constraints import read_constraints
from optisplit.cli.options import given_only
from optisplit.cli.reading import load_split
from optisplit.cli.spelling import in_options
from optisplit.cli.terminal import INTERRUPTED, Watch
from optisplit.cli.text import missing_lines, repair_lines
from optisplit.cli.writing import check_outputs, write_repaired, write_table
from optisplit.errors import OptionError, Stopped, argument, worded
from optisplit.measures.registry import name_of
from optisplit.text import counted

if TYPE_CHECKING:
    import argparse

    from optisplit.cli.answer import Answer


def run(options: argparse.Namespace, answer: Answer) -> int:
    """Repair a split, as the command line asks."""
    check_outputs(options)
    data, split, _ = load_split(options, answer)
    answer.note(*(fault.sentence for fault in split.faults))
    constraints = read_constraints(options, data, answer)
    measure = options.measure or "rld"
    sizes = constraints.get("fold_sizes")
    if sizes is not None and len(sizes) < split.n_parts:
        msg = argument("fold_sizes", of="split") + f" has {counted(len(sizes), 'entry')}, but the split has "
        raise OptionError(msg + counted(split.n_parts, split.noun) + "; give one for each.")
    repaired = None
    with Watch(name_of(measure), progress=answer.progress) as watch, suppress(Stopped):
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
    answer.tell(*repair_lines(repaired, measure))
    bound_by = {name: constraints.get(name) for name in ("groups", "fixed")}
    after = repaired.after
    found = find_missing(data, repaired.folds, after.n_splits, **bound_by)
    missing = missing_table(found, data.label_names, after.fold_names, split.noun)
    n_drawn = sum(each.n_drawn for each in found)
    answer.tell(*missing_lines(missing, was_sought=True, n_drawn=n_drawn, noun=split.noun))
    never = never_everywhere(missing)
    answer.tell(*([worded(advice_on(never, split.noun), in_options)] if never else []))
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
        missing_labels=missing,
    )
    return INTERRUPTED if watch.is_asked_to_stop else 0
