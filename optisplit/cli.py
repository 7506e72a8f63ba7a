"""The command line: ``optisplit info | split | repair | check | compare | paper``."""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optisplit import __version__
from optisplit.cli_check import (
    SPLITS,
    add_check_options,
    add_split_options,
    load_split,
    report_of,
    run_check,
    write_repaired,
)
from optisplit.cli_files import check_writable, parse_sizes, read_fixed, read_groups, write, write_folds
from optisplit.cli_paper import PAPER_EXAMPLES, add_paper_options, run_paper
from optisplit.cli_terminal import INTERRUPTED, Watch, plain_warnings, tell
from optisplit.errors import OptisplitError, Stopped

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

    from optisplit.data import MultilabelDataset
    from optisplit.folds import FoldArray

METHOD_KEYS = ("random", "is", "sois", "ss", "pmbsrs", "skml-is", "skml-sois", "iterstrat", "optisplit", "optisplit-sa")
DEFAULT_METHODS = ("random", "is", "optisplit", "optisplit-sa")
SIZED_METHODS = ("random", "is", "optisplit-sa")
"""Those to compare where parts have sizes of their own."""
ABLE_METHODS = ("random", "optisplit-sa")
"""Those that take groups and fixed rows too."""
OPTIMISERS = ("optisplit", "optisplit-sa")
EFFORTS = ("quick", "normal", "thorough")

EXAMPLES = """\
examples:
  optisplit info bibtex
  optisplit split data.arff -k 5 --seed 1 -o folds.csv
  optisplit split data.arff --fold-sizes 0.8,0.1,0.1 --groups patients.csv:patient -o parts.csv
  optisplit check data.arff --folds folds.csv
  optisplit repair data.arff --folds folds.csv --max-moved 100 -o better.csv
  optisplit compare delicious --methods random,optisplit --seeds 10 -o table.csv
  optisplit paper --out paper

COMMAND --help has more for each.
"""

FILES = """\
--groups and --fixed read FILE, or FILE:COLUMN:
  a table (CSV or TSV) whose first line names its columns, COLUMN among them; without COLUMN, 'group' or 'fold' is
  looked for. Its lines are matched to the rows by a column of row ids or of row numbers ('row', from 0), if there is
  one; otherwise they stand in the order of the rows;
  or one name or fold a line, in the order of the rows; a first line too many is its header.
What was understood is said on standard error.
"""

SPLIT_EXAMPLES = f"""\
examples:
  optisplit split bibtex -k 10 --effort thorough -o folds.csv
  optisplit split data.csv --fold-sizes 0.8,0.1,0.1 -o parts.csv         train, validation, test
  optisplit split data.csv --groups data.csv:patient -o folds.csv        no patient in two folds
  optisplit split data.csv --fixed known.csv --pairs -o folds.npz        some rows in place already
  optisplit split data.csv -o folds.csv --absences absent.csv            which labels are missing where, and why

{FILES}
Ctrl-C ends the search and writes the best split so far (exit code 130); Ctrl-C once more ends at once.
"""

REPAIR_EXAMPLES = f"""\
examples:
  optisplit repair data.csv --folds folds.csv -o better.csv
  optisplit repair data.csv --folds folds.csv --max-moved 100 --moves moved.csv --gains labels.csv -o better.csv
  optisplit repair data.csv --folds folds.csv --groups data.csv:patient -o whole.csv     puts groups together
  optisplit repair data.csv --folds parts.csv --fold-sizes 0.7,0.15,0.15 -o parts2.csv   moves to other sizes
  optisplit repair data.csv --folds folds.json -o better.json                            in the form that came in
  optisplit repair --train data-train.arff --test data-test.arff -o better.zip           both files, repaired

{SPLITS}
{FILES}"""

CHECK_EXAMPLES = f"""\
examples:
  optisplit check data.csv --folds folds.csv
  optisplit check data.csv --folds parts.csv --fold-sizes 0.8,0.1,0.1 --groups data.csv:patient
  optisplit check data.csv --column split --report check.html
  optisplit check data.csv --folds folds.json --rows 1               rows in it are numbered from 1
  optisplit check --train data-train.arff --test data-test.arff

{SPLITS}
{FILES}"""

COMPARE_EXAMPLES = f"""\
examples:
  optisplit compare delicious --methods random,iterstrat,optisplit-sa --seeds 10 -o table.csv
  optisplit compare data.csv --fold-sizes 0.8,0.1,0.1 --groups data.csv:patient
  optisplit compare delicious --seeds 20 --dask tcp://scheduler:8786             on the workers of a Dask cluster

{FILES}
Ctrl-C ends the runs and shows those that were done (exit code 130); Ctrl-C once more ends at once.
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
        Exit code: 0 for success, 2 for bad input or usage, 130 after Ctrl-C.
    """
    options = _parser().parse_args(arguments)
    try:
        with plain_warnings():
            return int(options.command(options))
    except OptisplitError as error:
        print(f"optisplit: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\noptisplit: interrupted", file=sys.stderr)
        return INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="optisplit",
        description="Split multilabel data into folds, and measure how good a split is.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"optisplit {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    data = _data_options(is_required=True)
    data_or_files = _data_options(is_required=False)
    number = _options(("-k", "--n-splits", {"type": int, "help": "number of folds (default: 5)"}))
    measure = _options(("--measure", {"choices": ("rld", "dcp", "ld"), "help": "score to lower (default: rld)"}))
    output = _options(("-o", "--output", {"type": Path, "help": "file to write (default: standard output)"}))
    sizes = _options(
        ("--fold-sizes", {"metavar": "SIZES", "help": "of the folds: shares that add up to 1, or numbers of rows"})
    )
    groups = _options(
        ("--groups", {"metavar": "FILE[:COLUMN]", "help": "the group of each row; groups are to stay whole"})
    )
    fixed_help = "the fold of each row whose place is given; -1: always in training, nothing: free"
    fixed = _options(("--fixed", {"metavar": "FILE[:COLUMN]", "help": fixed_help}))
    absences = _options(
        ("--absences", {"type": Path, "metavar": "FILE", "help": "CSV to write: labels missing from folds, and why"})
    )

    def add(name: str, command: Any, parents: list[argparse.ArgumentParser], help: str, epilog: str = "") -> Any:
        added = commands.add_parser(
            name, parents=parents, help=help, epilog=epilog, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        added.set_defaults(command=command)
        return added

    add("info", _info, [data], "say what the data is")
    constraints = [sizes, groups, fixed]
    parents = [data, number, *constraints, measure, output, absences]
    split = add("split", _split, parents, "divide the rows into folds", SPLIT_EXAMPLES)
    split.add_argument("--method", default="optisplit-sa", help=f"{', '.join(METHOD_KEYS)} (default: optisplit-sa)")
    split.add_argument("--effort", choices=EFFORTS, help="how long optisplit-sa looks (default: normal)")
    split.add_argument("--pairs", action="store_true", help="also balance pairs of labels that occur together")
    split.add_argument(
        "--no-cover-rare",
        action="store_true",
        help="leave rare labels out of a fold where that makes the score better",
    )
    split.add_argument("--seed", type=int, default=0, help="default: 0")
    parents = [data_or_files, *constraints, measure, output]
    repair = add("repair", _repair, parents, "make a split that exists better, moving few rows", REPAIR_EXAMPLES)
    add_split_options(repair)
    repair.add_argument("--max-moved", type=int, metavar="N", help="most rows to move (default: those that gain much)")
    repair.add_argument("--effort", choices=EFFORTS, help="how long to look (default: quick)")
    repair.add_argument("--seed", type=int, default=0, help="default: 0")
    repair.add_argument(
        "--moves", type=Path, metavar="FILE", help="CSV to write: the rows that moved, from where to where"
    )
    repair.add_argument(
        "--gains", type=Path, metavar="FILE", help="CSV to write: the labels that changed, before and after"
    )
    parents = [data_or_files, sizes, groups, absences]
    check = add("check", _check, parents, "say what is wrong with a split, and how good it is", CHECK_EXAMPLES)
    add_check_options(check)
    parents = [data, number, *constraints, measure, output]
    compare = add("compare", _compare, parents, "compare methods", COMPARE_EXAMPLES)
    compare.add_argument(
        "--methods",
        help=f"keys, with commas between: {', '.join(METHOD_KEYS)} (default: {','.join(DEFAULT_METHODS)}; with sizes "
        f"{','.join(SIZED_METHODS)}; with groups or fixed rows {','.join(ABLE_METHODS)}, which alone take these)",
    )
    compare.add_argument("--seeds", type=int, default=3, help="number of seeds, from 0 (default: 3)")
    compare.add_argument("--time-limit", type=float, help="most seconds for one run")
    compare.add_argument(
        "--dask", metavar="ADDRESS", help="run on the Dask cluster whose scheduler is there, such as tcp://host:8786"
    )
    add_paper_options(add("paper", run_paper, [], "re-run the paper's tables and figures", PAPER_EXAMPLES))
    return parser


def _data_options(*, is_required: bool) -> argparse.ArgumentParser:
    """Build the parent parser of commands that take data; without it, they take a training and a test file."""
    parent = argparse.ArgumentParser(add_help=False)
    parent.add_argument(
        "data",
        nargs=None if is_required else "?",
        help="a sample's name, or a file: .arff (with its .xml), .npz, .csv, also .gz",
    )
    parent.add_argument("--xml", help="MULAN's XML that names the labels, where it is not beside the .arff")
    parent.add_argument(
        "--label-columns",
        help="labels of an .arff or table: N for the last N columns, -N for the first N, or names with commas between",
    )
    return parent


def _options(*options: tuple[Any, ...]) -> argparse.ArgumentParser:
    """Build a parent parser: options that several commands have."""
    parent = argparse.ArgumentParser(add_help=False)
    for *names, details in options:
        parent.add_argument(*names, **details)
    return parent


def _load(options: argparse.Namespace) -> MultilabelDataset:
    from optisplit.formats.columns import parse_label_columns
    from optisplit.samples import load

    columns = None if options.label_columns is None else parse_label_columns(options.label_columns)
    return load(options.data, label_file=options.xml, label_columns=columns)


def _constraints(options: argparse.Namespace, data: MultilabelDataset) -> dict[str, Any]:
    """Read what the split has to keep to, as far as given, and say how it was understood."""
    found: dict[str, Any] = {}
    if options.fold_sizes is not None:
        found["fold_sizes"] = parse_sizes(options.fold_sizes)
    if options.groups is not None:
        found["groups"], note = read_groups(options.groups, data)
        tell(f"note: {note}")
    if getattr(options, "fixed", None) is not None:
        found["fixed"], note = read_fixed(options.fixed, data)
        tell(f"note: {note}")
    return found


def _given(**options: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _info(options: argparse.Namespace) -> int:
    from optisplit.labels import positives_per_label

    data = _load(options)
    print(f"{data.name}: {data.n_rows:,} rows x {data.n_labels:,} labels, {data.n_positives:,} positives")
    print(f"labels per row: {data.n_positives / data.n_rows:.2f}")
    sizes = sorted(positives_per_label(data.labels).tolist())
    print(f"rows per label: {sizes[0]:,} to {sizes[-1]:,}, median {sizes[len(sizes) // 2]:,}")
    for note in data.notes:
        print(f"note: {note}")
    return 0


def _split(options: argparse.Namespace) -> int:
    from optisplit.cli_text import absence_lines, pair_line, score_line
    from optisplit.methods import choose_n_splits, split
    from optisplit.text import MEASURE_NAMES

    check_writable(options.output, options.absences)
    data = _load(options)
    constraints = _constraints(options, data)
    n_splits = choose_n_splits(data.n_rows, options.n_splits, constraints.get("fold_sizes"))
    measure = options.measure or "rld"
    folds: FoldArray | None = None
    is_early = False
    with Watch(MEASURE_NAMES[measure]) as watch:
        try:
            folds = split(
                data,
                n_splits,
                method=options.method,
                measure=options.measure,
                effort=options.effort,
                balance_pairs=options.pairs or None,
                cover_rare=False if options.no_cover_rare else None,
                random_state=options.seed,
                on_progress=watch.of_search,
                **constraints,
            )
        except OptisplitError as error:  # also of another package's process, which Ctrl-C ends too
            if not watch.is_asked_to_stop:
                raise
            is_early = True
            folds = error.folds if isinstance(error, Stopped) else None
    if folds is None:
        tell(f"optisplit: stopped early; {options.method} has no split yet, so nothing is written")
        return INTERRUPTED
    write_folds(folds, data, options.output)
    report = report_of(data, folds, n_splits, constraints)
    if is_early:
        tell(f"optisplit: stopped early; the best split so far is written: {score_line(report, measure)}")
    elif watch.is_asked_to_stop:
        tell("optisplit: Ctrl-C came when the split was done; it is written as it was to be")
    absences = _absences(data, folds, n_splits, constraints)
    tell(repr(report), *absence_lines(absences, was_sought=options.method == "optisplit-sa"))
    if options.absences is not None:
        write(absences.to_csv(index=False), options.absences)
    if options.pairs:
        tell(pair_line(data, folds, n_splits))
    return INTERRUPTED if watch.is_asked_to_stop else 0


def _repair(options: argparse.Namespace) -> int:
    from optisplit.cli_text import absence_lines, repair_lines
    from optisplit.repairs import repair
    from optisplit.text import MEASURE_NAMES

    check_writable(options.output, options.moves, options.gains)
    data, given = load_split(options, _load)
    tell(*(f"note: {fault.sentence}" for fault in given.faults))
    constraints = _constraints(options, data)
    measure = options.measure or "rld"
    mended = None
    with Watch(MEASURE_NAMES[measure]) as watch, suppress(Stopped):
        mended = repair(
            data,
            given.folds,
            n_splits=len(constraints["fold_sizes"]) if "fold_sizes" in constraints else given.n_parts,
            max_moved=options.max_moved,
            random_state=options.seed,
            on_progress=watch.of_search,
            **_given(measure=options.measure, effort=options.effort),
            **constraints,
        )
    if mended is None:
        tell("optisplit: stopped early; the split was left as it is, and nothing is written")
        return INTERRUPTED
    write_repaired(mended.folds, given, data, options.output)
    tell(*repair_lines(mended, measure))
    absences = _absences(data, mended.folds, mended.after.n_splits, constraints)
    tell(*absence_lines(absences, was_sought=True))
    for table, path in ((mended.moves, options.moves), (mended.gains, options.gains)):
        if path is not None:
            write(table.to_csv(index=False), path)
    return INTERRUPTED if watch.is_asked_to_stop else 0


def _check(options: argparse.Namespace) -> int:
    return run_check(options, _load, _constraints)


def _absences(data: MultilabelDataset, folds: FoldArray, n_splits: int, constraints: Mapping[str, Any]) -> pd.DataFrame:
    from optisplit.absences import find_absences

    return find_absences(
        data, folds, n_splits=n_splits, groups=constraints.get("groups"), fixed=constraints.get("fixed")
    )


def _compare(options: argparse.Namespace) -> int:
    from optisplit.experiment import compare

    check_writable(options.output)
    data = _load(options)
    constraints = _constraints(options, data)
    if options.methods is None:
        methods = list(
            ABLE_METHODS if set(constraints) - {"fold_sizes"} else SIZED_METHODS if constraints else DEFAULT_METHODS
        )
    else:
        methods = [key.strip() for key in options.methods.split(",")]
    with Watch() as watch:
        result = compare(
            data,
            methods,
            options.n_splits,
            seeds=range(options.seeds),
            options={key: {"measure": options.measure} for key in methods if options.measure and key in OPTIMISERS},
            time_limit_s=options.time_limit,
            backend=None if options.dask is None else "dask",
            cluster=options.dask,
            on_progress=watch.of_comparison,
            **constraints,
        )
    if options.output is not None:
        write(result.table.to_csv(index=False), options.output)
    shown = result.summary[[("rld", "mean"), ("rld_bound", "mean"), ("dcp", "mean"), ("dcp_bound", "mean"),
                            ("ld", "mean"), ("ed", "mean"), ("time_s", "mean"), ("runs", "done")]]  # fmt: skip
    if watch.is_asked_to_stop:  # runs that were not done all have the same reason
        n_done = sum(run.status == "done" for run in result.runs)
        tell(f"optisplit: stopped early; {n_done} of {len(result.runs)} runs were done")
    else:
        tell(*(f"optisplit: {run.method}, seed {run.seed}: {run.reason}" for run in result.runs if run.reason))
    print(shown.droplevel(1, axis=1).to_string(float_format="{:.4g}".format))
    return INTERRUPTED if watch.is_asked_to_stop else 0


if __name__ == "__main__":
    raise SystemExit(main())
