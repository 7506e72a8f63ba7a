"""The command ``optisplit convert``."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from optisplit.cli.answer import is_stdout, stdout_stream
from optisplit.cli.reading import has_split, load_data, load_split
from optisplit.cli.terminal import transfer
from optisplit.cli.writing import check_form, check_outputs, write_split
from optisplit.errors import FoldAssignmentError
from optisplit.io.writers.labels import save

if TYPE_CHECKING:
    import argparse

    from optisplit.cli.answer import Answer

_LOSSY = ("missing", "two parts", "overlap")
"""Faults of a split that one fold a row cannot say."""


def run(options: argparse.Namespace, answer: Answer) -> int:
    """Write labels or a split in another form, as the command line asks."""
    check_outputs(options, can_do_without=False)
    if has_split(options):
        _convert_split(options, answer)
    else:
        _convert_labels(options, answer)
    return 0


def _convert_split(options: argparse.Namespace, answer: Answer) -> None:
    _refuse(options, ("to", "to_layout", "to_separator"), "is for labels, not for a split")
    data, split, given = load_split(options, answer)
    form = check_form(options, given)
    wrong = [fault for fault in split.faults if fault.severity == "fault" and fault.kind in _LOSSY]
    if wrong:
        msg = f"The split cannot be written in another form as it is: {wrong[0].sentence} Use optisplit repair first."
        raise FoldAssignmentError(msg)
    answer.note(*(fault.sentence for fault in split.faults))
    write_split(
        split.folds, data, options, answer, form=form, given=given, kind=split.kind, n_splits=split.n_parts,
        fold_names=split.part_names,
    )  # fmt: skip
    answer.put(what="split", files=[] if is_stdout(options.output) else [options.output], options=None)


def _convert_labels(options: argparse.Namespace, answer: Answer) -> None:
    _refuse(options, ("form", "fold_pairs", "kind", "rows"), "is for a split; give one with --folds")
    if is_stdout(options.output) and options.to is None:
        options.usage_error("give the format with --to, or a file whose ending tells it with -o")
    data, _ = load_data(options, answer)
    how: dict[str, Any] = {
        "format": options.to, "layout": options.to_layout, "label_separator": options.to_separator
    }  # fmt: skip
    is_piped = is_stdout(options.output)
    doing = "writing labels" if is_piped else f"writing {options.output.name}"
    with transfer(doing, answer.progress) as on_progress, stdout_stream() if is_piped else nullcontext() as stream:
        saved = save(data, stream or options.output, on_progress=on_progress, **how)
    answer.note(*saved.notes)
    answer.put(what="labels", files=saved.paths, options=saved.options)
    answer.tell(*(f"optisplit: {path} is written" for path in saved.paths))


def _refuse(options: argparse.Namespace, names: tuple[str, ...], why: str) -> None:
    for name in names:
        if getattr(options, name):
            options.usage_error(f"--{name.replace('_', '-')} {why}")
