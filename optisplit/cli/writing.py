"""How commands write a split."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optisplit.cells import table_csv
from optisplit.cli.answer import STDOUT, is_binary, is_stdout
from optisplit.cli.options import file_and_column
from optisplit.cli.reading import STDIN
from optisplit.io.registry import FORMS
from optisplit.io.target import check_targets, write_file
from optisplit.io.writers.splits import form_of, save_split, split_bytes, split_file

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    import pandas as pd

    from optisplit.check.repairs import Repair
    from optisplit.cli.answer import Answer
    from optisplit.cli.reading import Input
    from optisplit.folds.arrays import FoldArray
    from optisplit.io.splits import SplitFile
    from optisplit.labels import MultilabelDataset


OUTPUTS = {
    "-o": "output", "--missing-labels": "missing_labels", "--report": "report", "--moves": "moves", "--gains": "gains",
    "--save-recipe": "save_recipe",
}  # fmt: skip
INPUTS = {
    "DATA": "data", "--folds": "folds", "--train": "train", "--test": "test", "--groups": "groups", "--fixed": "fixed",
    "--recipe": "recipe", "--names": "names", "--xml": "label_file",
}  # fmt: skip
"""What files are called on the command line, and by the parser."""


def check_outputs(options: argparse.Namespace, *, can_do_without: bool = True) -> None:
    """Refuse, before any work, files that could not be written after it, or would destroy one another."""
    output = getattr(options, "output", None)
    if options.json and (output == STDOUT or (output is None and not can_do_without)):
        options.usage_error("with --json the document goes to standard output; give a file with -o")
    outputs = {called: getattr(options, name, None) for called, name in OUTPUTS.items()}
    inputs = {called: getattr(options, name, None) for called, name in INPUTS.items()}
    inputs |= {f"--part {given}": given.partition("=")[2] for given in getattr(options, "part", None) or ()}
    check_targets(
        {called: path for called, path in outputs.items() if not is_stdout(path)},
        {called: _file_of(given) for called, given in inputs.items() if given is not None},
    )


def _file_of(given: object) -> Any:
    """Give the file that was named, or standard input, which may be a file too."""
    return sys.stdin if str(given) == STDIN else file_and_column(str(given))[0]


def write_table(table: pd.DataFrame, path: Path | None) -> None:
    """Write a table, if it was asked for, packed as the file's name says."""
    if path is not None:
        write_file(path, table_csv(table))


def check_form(options: argparse.Namespace, given: Input | None) -> str:
    """Choose the form of a split that is to be written, before any work."""
    form = options.form or form_of(None if is_stdout(options.output) else options.output)
    if FORMS[form].needs_file and given is None:
        options.usage_error(f"the form {form} is made from the data's own file, so DATA is needed")
    if options.fold_pairs and form != "files":
        options.usage_error("--fold-pairs goes with the form files")
    return str(form)


def write_split(
    folds: FoldArray,
    data: MultilabelDataset,
    options: argparse.Namespace,
    answer: Answer,
    *,
    form: str,
    given: Input | None,
    kind: Any = "folds",
    n_splits: int | None = None,
    fold_names: Sequence[str] | None = None,
) -> None:
    """Write a split to the file asked for, or to standard output; or leave it to the document."""
    more: dict[str, Any] = {"kind": kind, "n_splits": n_splits, "pairs": options.fold_pairs, "fold_names": fold_names}
    more |= {"source": None if given is None else given.file, "label_file": options.label_file}
    if not is_stdout(options.output):
        save_split(folds, options.output, data, form=form, **more)
    elif not answer.as_json:
        answer.write(split_file(folds, data, form, **more)[1], None)


def put_folds(folds: FoldArray, data: MultilabelDataset, options: argparse.Namespace, answer: Answer) -> None:
    """Say in the document where the split is, or which it is."""
    is_here = answer.as_json and is_stdout(options.output)
    answer.put(
        output=None if is_stdout(options.output) else options.output,
        folds=folds if is_here else None,
        row_ids=data.row_ids if is_here else None,
    )


def write_repaired(
    repaired: Repair, given: SplitFile, data: MultilabelDataset, options: argparse.Namespace, answer: Answer
) -> None:
    """Write a repaired split in the form that it came in, or in another where the file's name asks for one."""
    folds, split = repaired.folds, repaired.split
    assert split is not None
    put_folds(folds, data, options, answer)
    answer.put(fold_names=split.part_names)
    path: Path | None = None if is_stdout(options.output) else options.output
    if path is None and answer.as_json:
        return
    if folds.max(initial=0) < given.n_parts:
        name, content = repaired.write_back()
        if path.suffix == Path(name).suffix if path is not None else not is_binary(content):
            answer.write(content, path)
            return
    form: Any = form_of(path)
    if FORMS[form].needs_file:  # the data's own file was not what came in
        form = "csv"
    if path is None:
        answer.write(split_bytes(folds, data, form, split.kind, split.part_names), None)
    else:
        save_split(folds, path, data, form=form, kind=split.kind, n_splits=split.n_parts, fold_names=split.part_names)
