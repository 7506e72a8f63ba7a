"""The command ``optisplit repair``."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from optisplit.cli.files import check_outputs, write_text
from optisplit.cli.reading import absences_of, given_only, load_split, measures_of, read_constraints
from optisplit.cli.terminal import INTERRUPTED, Watch
from optisplit.cli.writing import check_output, write_repaired
from optisplit.errors import Stopped

if TYPE_CHECKING:
    import argparse

    from optisplit.cli.answer import Answer


def run(options: argparse.Namespace, answer: Answer) -> int:
    """Repair a split, as the command line asks."""
    from optisplit.check.repairs import repair
    from optisplit.cli.text import absence_lines, repair_lines
    from optisplit.text import MEASURE_NAMES

    check_output(options)
    check_outputs(options)
    data, split, _ = load_split(options, answer)
    answer.note(*(fault.sentence for fault in split.faults))
    constraints = read_constraints(options, data, answer)
    measure = options.measure or "rld"
    mended = None
    with Watch(MEASURE_NAMES[measure], progress=answer.progress) as watch, suppress(Stopped):
        mended = repair(
            data,
            split.folds,
            n_splits=len(constraints["fold_sizes"]) if "fold_sizes" in constraints else split.n_parts,
            max_moved=options.max_moved,
            random_state=options.seed,
            on_progress=watch.of_search,
            **given_only(measure=options.measure, effort=options.effort),
            **constraints,
        )
    answer.put(stopped_early=mended is None)
    if mended is None:
        answer.tell("optisplit: stopped early; the split was left as it is, and nothing is written")
        return INTERRUPTED
    write_repaired(mended.folds, split, data, options, answer)
    answer.tell(*repair_lines(mended, measure))
    absences = absences_of(data, mended.folds, mended.after.n_splits, constraints)
    answer.tell(*absence_lines(absences, was_sought=True))
    for table, path in ((mended.moves, options.moves), (mended.gains, options.gains)):
        if path is not None:
            write_text(table.to_csv(index=False), path)
    answer.put(
        n_splits=mended.after.n_splits,
        n_moved=mended.n_moved,
        before=measures_of(mended.before),
        after=measures_of(mended.after),
        moves=mended.moves,
        gains=mended.gains,
        absences=absences,
    )
    return INTERRUPTED if watch.is_asked_to_stop else 0
