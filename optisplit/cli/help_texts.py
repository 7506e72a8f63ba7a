"""What ``--help`` says below the options: examples, forms of files, the JSON document, exit codes."""

from __future__ import annotations

import textwrap

from optisplit.cli.options import MEASURES, Known

EXAMPLES = """\
examples:
  optisplit info bibtex
  optisplit split data.arff -k 5 --seed 1 -o folds.csv
  optisplit split data.arff --fold-sizes 0.8,0.1,0.1 --groups patients.csv:patient -o parts.csv
  optisplit check data.arff --folds folds.csv --max-excess 10
  optisplit repair data.arff --folds folds.csv --max-moved 100 -o better.csv
  optisplit compare delicious --methods random,optisplit --seeds 10 -o table.csv
  optisplit convert data.arff -o labels.csv.gz
  optisplit paper --out paper

exit codes:
  0  all is well
  1  a check found a fault, or a limit was passed
  2  what was typed, or a file, cannot be used
  130  ended by Ctrl-C; 141: what was written was not read to its end

With --json every command but app prints one JSON document on one line: "optisplit" (its version), "command",
"exit_code", the keys that COMMAND --help lists, "notes" (what was understood and decided) and "warnings". Numbers are
numbers, null is "not defined". After an error it has "error", with "kind" and "message", in place of the command's keys
and the rest.

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

SPLITS = """\
The split is read from --folds FILE[:COLUMN], from a column of the data's own table (--column), or from two files
(--train and --test, without DATA). FILE is
  a table (CSV, TSV) with a column such as 'fold' or 'split', or one value a line: fold numbers from 0 or 1 with -1 for
  always in training; names such as train, val and test; or yes and no in a column such as 'is_test'. Its lines are
  matched to the rows by a column of row ids or of row numbers, if there is one;
  JSON: lists of rows, one a test fold; pairs [train, test], or {"train": [...], "test": [...]}, one or many;
  NPZ: 'test_fold'; or 'train' and 'test', 'train_0' and 'test_0', ..., with row numbers or masks.
--folds - reads it from standard input, --folds=-:COLUMN a column of it.
What was understood is said on standard error; --kind and --rows correct it.
"""

_TEXTS = {
    "info": """\
examples:
  optisplit info bibtex
  optisplit info emotions -k 10 --json
  optisplit info data.csv --label-columns 14
  optisplit info tags.csv --layout tags --label-separator ";"
  optisplit info survey.csv --missing drop-rows                   cells without a value are no zeros
  zcat data.arff.gz | optisplit info -
""",
    "split": f"""\
examples:
  optisplit split bibtex -k 10 --effort thorough -o folds.csv
  optisplit split data.csv --fold-sizes 0.8,0.1,0.1 -o parts.json        train, validation, test
  optisplit split data.csv --groups data.csv:patient -o folds.csv        no patient in two folds
  optisplit split data.csv --fixed known.csv --pairs -o folds.npz        some rows in place already
  optisplit split data.csv -o folds.csv --missing-labels missing.csv     which labels are missing where, and why
  optisplit split data.csv --form column -o with_fold.csv                the same table with a column 'fold'
  optisplit split data.csv -o folds.csv --save-recipe recipe.json        how to make it again,
  optisplit split --recipe recipe.json -o folds.csv                      and again: the same folds
  optisplit split - --format delimited < data.csv | optisplit check data.csv --folds -

{FILES}
Ctrl-C ends the search and writes the best split so far (exit code 130); Ctrl-C once more ends at once.
""",
    "repair": f"""\
examples:
  optisplit repair data.csv --folds folds.csv -o better.csv
  optisplit repair data.csv --folds folds.csv --max-moved 100 --moves moved.csv --gains labels.csv -o better.csv
  optisplit repair data.csv --folds folds.csv --groups data.csv:patient -o whole.csv     puts groups together
  optisplit repair data.csv --folds parts.csv --fold-sizes 0.7,0.15,0.15 -o parts2.csv   moves to other sizes
  optisplit repair data.csv --folds folds.json -o better.json                            in the form that came in
  optisplit repair --train data-train.arff --test data-test.arff -o better.zip           both files, repaired

{SPLITS}
{FILES}""",
    "check": f"""\
examples:
  optisplit check data.csv --folds folds.csv
  optisplit check data.csv --folds parts.csv --fold-sizes 0.8,0.1,0.1 --groups data.csv:patient
  optisplit check data.csv --column split --report check.html
  optisplit check data.csv --folds folds.json --rows 1               rows in it are numbered from 1
  optisplit check --train data-train.arff --test data-test.arff

In CI, such as in a step of a workflow: this fails (exit code 1) on a fault, such as a row in training and test, on an
rLD more than 10 % above the best possible, and as soon as a label cannot be learned:
  optisplit check data.csv --folds folds.csv --max-excess 10 --max-untrainable 0 --report check.html
  optisplit check data.csv --folds folds.csv --fail-on warning --json > check.json

{SPLITS}
{FILES}""",
    "compare": f"""\
examples:
  optisplit compare delicious --methods random,iterstrat,optisplit-sa --seeds 10 -o table.csv
  optisplit compare data.csv --fold-sizes 0.8,0.1,0.1 --groups data.csv:patient
  optisplit compare delicious --seeds 20 --dask tcp://scheduler:8786             on the workers of a Dask cluster

{FILES}
Ctrl-C ends the runs and shows those that were done (exit code 130); Ctrl-C once more ends at once.
""",
    "convert": f"""\
examples, of labels:
  optisplit convert emotions -o emotions.csv.gz
  optisplit convert data.arff -o tags.csv --to-layout tags --to-separator "|"
  optisplit convert data.csv -o trn_X_Y.txt --to xmc-labels
  optisplit convert emotions --to csv | optisplit info - --format delimited
and of a split:
  optisplit convert data.csv --folds folds.csv -o folds.json
  optisplit convert data.csv --folds folds.csv --form huggingface -o folds.json
  optisplit convert data.csv --folds folds.csv -o cv.py                  Python that needs nothing of OptiSplit
  optisplit convert data.arff --folds folds.csv -o folds.zip --fold-pairs

Features are not written with labels. With --folds, --column, or --train and --test, the split is written and not the
labels; one that has rows in no part, or in two, is refused.

{SPLITS}""",
    "paper": """\
examples:
  optisplit paper --out paper                                    all that comes along, ten seeds
  optisplit paper --out paper --data bibtex --seeds 3            a first look, in half a minute
  optisplit paper --out paper --folder authors --data bp,cc      the authors' files, or stand-ins of their size
  optisplit paper --out paper --printed article.csv              with more of the article's numbers

The folder gets table1.csv, table2.csv, synthetic.csv, the figures, and paper.html, which has all of it. Every run is
written down when it is done (runs.jsonl): the same command again goes on where it was ended. Ctrl-C ends it.

--folder is searched for mediamill.arff, CC_targets.npz, MF_targets.npz, BP_targets.npz, and then for go_scale_cc.npz,
go_scale_mf.npz and go_scale_bp.npz, which stand in for them and are named as such.
--printed is a CSV with the columns table (1 or 2), data, row, figure, value.
""",
    "app": """\
examples:
  optisplit app
  optisplit app --port 8600 --no-browser
  optisplit app --address 0.0.0.0                                for other machines too

It needs the extra: pip install 'optisplit[app]'. Ctrl-C ends it.
""",
}

_DATA_KEYS = {"data": "name, n_rows, n_labels, n_positives"}
_MEASURES = "an object for each of {measures}: value, bound, excess_percent"

DOCUMENTS: dict[str, dict[str, str]] = {
    "info": _DATA_KEYS | {
        "labels_per_row": "mean",
        "rows_per_label": "min, median, max",
        "n_rows_without_label": "number",
        "understood": "file_name, format, form, rule, entries, options (arguments of optisplit.load), n_file_rows, "
                      "n_train",
        "rare_labels": "with -k: a list of label, positives; otherwise null",
    },
    "split": _DATA_KEYS | {
        "method": "key", "seed": "number", "n_splits": "number", "kind": "folds or parts", "stopped_early": "bool",
        "output": "the file; null without -o",
        "folds": "without -o: the fold of each row, -1 for always in training; otherwise null",
        "row_ids": "without -o: what the rows are called, where the data says; otherwise null",
        "sizes": "rows in each fold", "measures": _MEASURES, "pairs": "with --pairs: measures of pairs; otherwise null",
        "missing_labels": "a list of label, positives, missing_from, n_missing, n_unavoidable, reason",
        "recipe": "the file; null without --save-recipe",
    },
    "check": _DATA_KEYS | {
        "split": "name, form, kind, n_splits, parts (a list of name, rows), n_in_no_part",
        "verdict": "severity (ok, warning, fault), sentence, rule",
        "faults": "a list of kind, severity, sentence, advice, count, examples",
        "measures": f"{_MEASURES}, random (percentile, low, mean, high; null if none)",
        "n_random": "number of random splits", "pairs": "with --pairs: measures of pairs; otherwise null",
        "groups": "with --groups: sentence, is_whole; otherwise null",
        "missing_labels": "a list of label, positives, missing_from, n_missing, n_unavoidable, reason",
        "untestable": "a list of label, positives, parts, n_parts, n_helpable, reason",
        "untrainable": "the same",
        "limits": "a list of option, limit, value, is_passed",
    },
    "repair": _DATA_KEYS | {
        "n_splits": "number", "n_moved": "number", "n_placed": "rows that had no part",
        "before": _MEASURES, "after": "the same",
        "output": "the file; null without -o", "folds": "without -o: the fold of each row; otherwise null",
        "fold_names": "what folds 0, 1, ... are called",
        "row_ids": "without -o: what the rows are called, where the data says; otherwise null",
        "moves": "a list of row, row_id, from_fold, to_fold", "gains": "a list of labels that changed",
        "missing_labels": "a list of label, positives, missing_from, n_missing, n_unavoidable, reason",
        "stopped_early": "bool",
    },
    "compare": _DATA_KEYS | {
        "n_splits": "number", "methods": "keys",
        "summary": "a list of method, n_done, n_runs, and for each figure mean, std",
        "runs": "a list of method, seed, status, time_s, measures, bounds", "stopped_early": "bool",
        "output": "the file; null without -o",
    },
    "convert": _DATA_KEYS | {
        "what": "labels or split", "files": "what was written, the main file first",
        "options": "arguments of optisplit.load that read labels back; null for a split",
    },
    "paper": {
        "out": "the folder", "table1": "a list, as in table1.csv", "table2": "a list, as in table2.csv",
        "verdict": "a sentence", "is_complete": "bool",
    },
}  # fmt: skip
"""The keys of each command's JSON document, besides those that all have, and what they hold."""


def epilog(command: str) -> str:
    """Give what stands below the options of a command."""
    if command not in DOCUMENTS:
        return _TEXTS[command]
    lines = []
    for key, what in DOCUMENTS[command].items():
        told = what.replace("{measures}", str(Known(MEASURES))) if "{measures}" in what else what
        text = f"{key}: {told}"
        lines.append(textwrap.fill(text, 118, initial_indent="  ", subsequent_indent="      ", break_on_hyphens=False))
    return "\n".join([_TEXTS[command], "the JSON document's keys:", *lines, ""])


def examples(command: str | None = None) -> list[str]:
    """Give the examples in a help text."""
    text = EXAMPLES if command is None else _TEXTS[command]
    lines = [line.strip().partition("   ")[0] for line in text.splitlines() if "optisplit" in line]
    return [line for line in lines if line.startswith(("optisplit ", "zcat "))]
