"""The command line: ``optisplit info | split | check | compare``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from optisplit import __version__
from optisplit.errors import OptionError, OptisplitError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optisplit.data import MultilabelDataset
    from optisplit.experiment import Progress

METHOD_KEYS = ("random", "skml-is", "optisplit", "optisplit-sa")
OPTIMISERS = ("optisplit", "optisplit-sa")

EXAMPLES = """\
examples:
  optisplit info bibtex
  optisplit split data.arff -k 5 --seed 1 -o folds.csv
  optisplit check data.arff --folds folds.csv
  optisplit compare delicious --methods random,optisplit --seeds 10 -o table.csv
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        What was typed after the command's name; default: that of this process.

    Returns
    -------
    int
        Exit code: 0 for success, 2 for bad input or usage.
    """
    options = _parser().parse_args(arguments)
    try:
        options.command(options)
    except OptisplitError as error:
        print(f"optisplit: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\noptisplit: interrupted", file=sys.stderr)
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="optisplit",
        description="Split multilabel data into folds, and measure how good a split is.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"optisplit {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    data = argparse.ArgumentParser(add_help=False)
    data.add_argument("data", help="a sample's name, or a file: .arff (with its .xml), .npz, .csv, also .gz")
    data.add_argument("--xml", help="MULAN's XML that names the labels, where it is not beside the .arff")
    data.add_argument(
        "--label-columns",
        help="labels of an .arff or table: N for the last N columns, -N for the first N, or names with commas between",
    )
    splitting = argparse.ArgumentParser(add_help=False)
    splitting.add_argument("-k", "--n-splits", type=int, default=5, help="number of folds (default: 5)")
    splitting.add_argument("--measure", choices=("rld", "dcp", "ld"), help="score to lower (default: rld)")
    splitting.add_argument("-o", "--output", type=Path, help="file to write (default: standard output)")

    info = commands.add_parser("info", parents=[data], help="say what the data is")
    info.set_defaults(command=_info)
    split = commands.add_parser("split", parents=[data, splitting], help="divide the rows into folds")
    split.add_argument("--method", default="optisplit-sa", help="default: optisplit-sa")
    split.add_argument("--effort", choices=("quick", "normal", "thorough"), help="how long optisplit-sa looks")
    split.add_argument("--seed", type=int, default=0, help="default: 0")
    split.set_defaults(command=_split)
    check = commands.add_parser("check", parents=[data], help="measure a split that exists")
    check.add_argument("--folds", type=Path, required=True, help="CSV with a column 'fold', or NPZ with 'test_fold'")
    check.set_defaults(command=_check)
    compare = commands.add_parser("compare", parents=[data, splitting], help="compare methods")
    compare.add_argument(
        "--methods",
        default="random,skml-is,optisplit,optisplit-sa",
        help="keys, with commas between: " + ", ".join(METHOD_KEYS),
    )
    compare.add_argument("--seeds", type=int, default=3, help="number of seeds, from 0 (default: 3)")
    compare.add_argument("--time-limit", type=float, help="most seconds for one run")
    compare.set_defaults(command=_compare)
    return parser


def _load(options: argparse.Namespace) -> MultilabelDataset:
    from optisplit.formats.columns import parse_label_columns
    from optisplit.samples import load

    columns = None if options.label_columns is None else parse_label_columns(options.label_columns)
    return load(options.data, label_file=options.xml, label_columns=columns)


def _info(options: argparse.Namespace) -> None:
    from optisplit.labels import positives_per_label

    data = _load(options)
    print(f"{data.name}: {data.n_rows:,} rows x {data.n_labels:,} labels, {data.n_positives:,} positives")
    print(f"labels per row: {data.n_positives / data.n_rows:.2f}")
    sizes = sorted(positives_per_label(data.labels).tolist())
    print(f"rows per label: {sizes[0]:,} to {sizes[-1]:,}, median {sizes[len(sizes) // 2]:,}")
    for note in data.notes:
        print(f"note: {note}")


def _split(options: argparse.Namespace) -> None:
    from optisplit.folds import folds_to_csv, folds_to_npz
    from optisplit.measures import evaluate
    from optisplit.methods import split

    data = _load(options)
    folds = split(
        data,
        options.n_splits,
        method=options.method,
        measure=options.measure,
        effort=options.effort,
        random_state=options.seed,
    )
    if options.output is not None and options.output.suffix == ".npz":
        _write(folds_to_npz(folds, data.row_ids), options.output)
    else:
        _write(folds_to_csv(folds, data.row_ids), options.output)
    print(evaluate(data, folds, n_splits=options.n_splits), file=sys.stderr)


def _check(options: argparse.Namespace) -> None:
    from optisplit.folds import read_folds
    from optisplit.measures import evaluate

    data = _load(options)
    print(evaluate(data, read_folds(options.folds, data.row_ids)))


def _compare(options: argparse.Namespace) -> None:
    from optisplit.experiment import compare

    methods = [key.strip() for key in options.methods.split(",")]
    result = compare(
        _load(options),
        methods,
        options.n_splits,
        seeds=range(options.seeds),
        options={key: {"measure": options.measure} for key in methods if options.measure and key in OPTIMISERS},
        time_limit_s=options.time_limit,
        on_progress=_show_progress if sys.stderr.isatty() else None,
    )
    if sys.stderr.isatty():
        print(file=sys.stderr)
    if options.output is not None:
        _write(result.table.to_csv(index=False), options.output)
    shown = result.summary[[("rld", "mean"), ("rld_bound", "mean"), ("dcp", "mean"), ("dcp_bound", "mean"),
                            ("ld", "mean"), ("ed", "mean"), ("time_s", "mean"), ("runs", "done")]]  # fmt: skip
    for run in result.runs:
        if run.reason:
            print(f"optisplit: {run.method}, seed {run.seed}: {run.reason}", file=sys.stderr)
    print(shown.droplevel(1, axis=1).to_string(float_format="{:.4g}".format))


def _show_progress(progress: Progress) -> None:
    print(f"\r{progress.fraction:4.0%} {progress.message:<60.60}", end="", file=sys.stderr, flush=True)


def _write(content: str | bytes, path: Path | None) -> None:
    data = content.encode() if isinstance(content, str) else content
    if path is None:
        print(data.decode(), end="")
        return
    try:
        path.write_bytes(data)
    except OSError as error:
        msg = f"{path} cannot be written: {error.strerror}."
        raise OptionError(msg) from error


if __name__ == "__main__":
    raise SystemExit(main())
