"""The command ``optisplit check``, and the limits that make it a test."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from optisplit.check.checks import check_split
from optisplit.check.random_splits import N_RANDOM
from optisplit.cli.answer import measures_of
from optisplit.cli.constraints import read_constraints, shares_of
from optisplit.cli.reading import load_split, row_digests_of
from optisplit.cli.spelling import in_options
from optisplit.cli.terminal import INTERRUPTED, Watch
from optisplit.cli.text import check_lines, missing_lines
from optisplit.cli.writing import check_outputs, write_table
from optisplit.errors import Stopped, worded
from optisplit.io.target import write_file
from optisplit.measures.registry import MEASURES
from optisplit.text import short_number

if TYPE_CHECKING:
    import argparse

    from optisplit.check.checks import SplitCheck
    from optisplit.check.verdict import Verdict
    from optisplit.cli.answer import Answer

FAILED = 1
"""Exit code where a fault was found, or a limit passed."""

_SEVERITIES = ("ok", "warning", "fault")


@dataclass(frozen=True)
class Limit:
    """A limit that was given."""

    option: str  # the option
    what: str  # what it is about, in words
    limit: float  # the highest value that is allowed
    value: float  # the value that was found; NaN where it is not defined

    @property
    def is_passed(self) -> bool:
        """Whether the value is above the limit, or not defined, so that nobody can say."""
        return not self.value <= self.limit + 1e-12

    @property
    def line(self) -> str:
        """What is wrong, for people."""
        if self.value != self.value:
            return f"Limit passed: {self.what} is not defined, so it is not known to be within {self.option}."
        value, limit = short_number(self.value), short_number(self.limit)
        return f"Limit passed: {self.what} is {value}, above the {limit} of {self.option}."

    def document(self) -> dict[str, Any]:
        """Give it for a document."""
        found = asdict(self)
        del found["what"]
        return {**found, "is_passed": self.is_passed}


def run(options: argparse.Namespace, answer: Answer) -> int:
    """Check a split, as the command line asks."""
    if options.measure is not None and options.max_excess is None:
        options.usage_error("--measure goes with --max-excess")
    check_outputs(options)
    data, split, given = load_split(options, answer)
    constraints = read_constraints(options, data, answer)
    groups, digests = constraints.get("groups"), row_digests_of(options, data, given)
    if digests is None:
        answer.note("Rows were not compared: beside names of rows, labels and folds there are no columns to tell equal "
                    "ones by, or the file is no text table.")  # fmt: skip
    with Watch(progress=answer.progress) as watch:
        try:
            check = check_split(
                data,
                split,
                groups=groups,
                row_digests=digests,
                pairs=options.pairs,
                apart=options.tell_apart,
                leave_out=[options.column] if options.column else [],
                shares=shares_of(split.folds, split.n_parts, constraints),
                n_random=0 if options.no_random else N_RANDOM,
                on_progress=watch.of_search,
            )
        except Stopped:
            answer.tell("optisplit: stopped early; nothing was checked")
            return INTERRUPTED
    answer.print(check.report)
    groups_told = _groups_told(check)
    if groups_told is not None and groups_told["is_whole"]:
        answer.print(groups_told["sentence"])
    limits = limits_of(options, check)
    answer.print(
        *missing_lines(check.missing_labels, was_sought=False, n_drawn=check.n_not_due, noun=split.noun),
        *check_lines(check),
    )
    answer.print(*(limit.line for limit in limits if limit.is_passed))
    write_table(check.missing_labels, options.missing_labels)
    if options.report is not None:
        write_file(options.report, check.html())
    answer.put(**_document(check), groups=groups_told, limits=[limit.document() for limit in limits])
    answer.note(*check.notes[len(split.notes) :])
    if watch.is_asked_to_stop:
        return INTERRUPTED
    return FAILED if any(limit.is_passed for limit in limits) or is_bad(check, options.fail_on) else 0


def is_bad(check: SplitCheck, fail_on: str) -> bool:
    """Tell whether what was found is bad enough to fail."""
    if fail_on == "never":
        return False
    # groups that are only likely are a guess
    found = {check.verdict.severity, *(fault.severity for fault in check.faults if fault.kind != "likely groups")}
    return any(_SEVERITIES.index(each) >= _SEVERITIES.index(fail_on) for each in found)


def limits_of(options: argparse.Namespace, check: SplitCheck) -> list[Limit]:
    """Compare what was found with the limits that were given."""
    report = check.report
    measure = options.measure or "rld"
    found = {f"max_{key}": (each.name, report.value(key)) for key, each in MEASURES.items()}
    excess = 100 * report.score(measure).excess
    found["max_excess"] = (f"{MEASURES[measure].name} above the best possible, in %,", excess)
    found["max_untrainable"] = ("the number of labels that cannot be learned", float(len(check.untrainable)))
    found["max_missing_labels"] = (
        f"the number of labels missing from a {check.split.noun}",
        float(len(check.missing_labels)),
    )
    return [
        Limit(f"--{name.replace('_', '-')}", what, float(getattr(options, name)), value)
        for name, (what, value) in found.items()
        if getattr(options, name) is not None
    ]


def _groups_told(check: SplitCheck) -> dict[str, Any] | None:
    """Say whether groups are whole; where they are not, a fault says so."""
    if not check.groups:
        return None
    divided = [fault.sentence for fault in check.faults if fault.kind == "groups"]
    return {"sentence": divided[0] if divided else check.groups, "is_whole": not divided}


def verdict_document(verdict: Verdict) -> dict[str, Any]:
    """Give a verdict for a document."""
    grade = verdict.grade
    sentences = [worded(each, in_options) for each in verdict.sentences]
    return {"grade": grade.key, "title": grade.title, "severity": grade.severity, "sentences": sentences}


def _document(check: SplitCheck) -> dict[str, Any]:
    split = check.split
    measures: dict[str, Any] = measures_of(check.report)
    for key, found in measures.items():
        random = check.random.get(key)
        found["random"] = None if random is None else {
            name: getattr(random, name) for name in ("percentile", "low", "mean", "high")
        }  # fmt: skip
    return {
        "split": {
            "name": split.name,
            "form": split.form,
            "kind": split.kind,
            "n_splits": split.n_parts,
            "parts": [{"name": n, "rows": int(s)} for n, s in zip(split.part_names, split.sizes, strict=True)],
            "n_in_no_part": int((split.folds < 0).sum()),
        },
        "verdict": verdict_document(check.verdict),
        "faults": [
            {name: getattr(fault, name) for name in ("kind", "severity", "sentence", "count", "examples")}
            | {"advice": worded(fault.advice, in_options)}
            for fault in check.faults
        ],
        "measures": measures,
        "n_random": check.n_random,
        "pairs": None if check.pairs is None else {
            "n_pairs": len(check.pairs.label_names), "measures": measures_of(check.pairs)
        },
        "missing_labels": check.missing_labels,
        "untestable": check.untestable,
        "untrainable": check.untrainable,
        "scorable": {"sentences": list(check.width_sentences), "widths": check.widths} if check.has_features else None,
        "apart": None if check.apart is None else {
            "sentences": list(check.apart.sentences), "parts": check.apart.table,
            "leaks": [asdict(leak) for leak in check.apart.leaks],
        },
    }  # fmt: skip
