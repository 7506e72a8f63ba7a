"""LIBSVM and XMC text: how it is known, and labels that are words."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

from optisplit.errors import FormatError, argument
from optisplit.io.layouts.collector import Collector, repeated_note
from optisplit.io.parsed import Parsed
from optisplit.io.source import decode_text
from optisplit.text import clean_name, counted

if TYPE_CHECKING:
    from optisplit.io.formats.sniffing import Head
    from optisplit.io.source import Source

CALLED = {"libsvm": "LIBSVM text", "xmc": "XMC data file", "xmc-labels": "XMC label matrix"}

THREE = re.compile(rb"\s*(\d{1,18})[ \t]+(\d{1,18})[ \t]+(\d{1,18})\s*")
TWO = re.compile(rb"\s*(\d{1,18})[ \t]+(\d{1,18})\s*")
_FEATURE = re.compile(rb"(?:^|\s)(?:qid|\d+):[-+.\d]")
_LISTS_LINE = re.compile(
    rb"\s*(?:[^\s:,]+(?:\s*,\s*[^\s:,]+)*(?:\s+|$))?(?:(?:qid|\d+):\S*(?:\s+|$))*(?:#.*)?", re.DOTALL
)
# a pair ends at a blank or at the end, or a line could be parted in exponentially many ways
_PAIRS_LINE = re.compile(rb"\s*(?:\d+:\S+(?:\s+|$))*")
_N_LOOKED_AT = 50


def kind_of(lines: list[bytes]) -> str | None:
    """Tell which of these formats lines are in, if any."""
    shown = [line for line in lines if not line.lstrip().startswith(b"#")][: _N_LOOKED_AT + 1]
    first = next((line for line in shown if line.strip()), b"")
    rest = shown[shown.index(first) + 1 :] if first else []
    if THREE.fullmatch(first) and any(_FEATURE.search(line) for line in rest):
        return "xmc" if all(_LISTS_LINE.fullmatch(line) for line in rest) else None
    if TWO.fullmatch(first) and rest and all(_PAIRS_LINE.fullmatch(line) for line in rest):
        return "xmc-labels" if any(line.strip() for line in rest) else None
    has_features = any(_FEATURE.search(line) for line in shown)
    return "libsvm" if has_features and all(_LISTS_LINE.fullmatch(line) for line in shown) else None


def _is(head: Head, kind: str) -> bool:
    return kind_of(head.lines) == kind


is_libsvm, is_xmc, is_xmc_labels = (partial(_is, kind=kind) for kind in CALLED)


def read_words(source: Source, names: Any) -> Parsed:
    """Read LIBSVM lines whose labels are words."""
    if names is not None:
        msg = (
            f"{source.name!r} has labels that are words, not numbers, so " + argument("names") + " does not go with it."
        )
        raise FormatError(msg)
    words: list[str] = []
    counts: list[int] = []
    n_blank = 0
    for number, line in source.lines():
        text = decode_text(line)[0].partition("#")[0].strip("\r\n")
        if not text.strip():
            n_blank += 1
            continue
        labels, features = _parted(text)
        wrong = next((token for token in features if not _FEATURE.match(token.encode())), None)
        if wrong is not None or any(not label for label in labels):
            msg = (
                f"{source.name!r} cannot be read as LIBSVM text: line {number:,} is "
                f"{clean_name(text[:200], 60)!r}; labels with commas between, then features (index:value), are needed."
            )
            raise FormatError(msg)
        words += labels
        counts.append(len(labels))
    if not counts:
        raise FormatError.no_rows(source.name)
    parsed = of_words(words, counts, n_blank, source)
    parsed.form = CALLED["libsvm"]
    parsed.rule = f"The words at the beginning of each line are labels: {parsed.labels.shape[1]:,} of them."
    return parsed


def _parted(text: str) -> tuple[list[str], list[str]]:
    """Part a line into labels and features; after a comma, blanks do not end the labels."""
    tokens = re.sub(r"\s*,\s*", ",", text).split()
    has_labels = not text[0].isspace() and not _FEATURE.match(tokens[0].encode())
    return (tokens[0].split(",") if has_labels else []), tokens[1 if has_labels else 0 :]


def of_words(words: list[str], counts: list[int], n_blank: int, source: Source) -> Parsed:
    """Make labels of words, one row's after the other's, and say what was passed over."""
    collector = Collector()
    collector.extend(words, counts)
    if not collector.numbers.names:
        msg = f"{source.name!r} has no label in any row."
        raise FormatError(msg)
    parsed = Parsed(collector.matrix(), collector.numbers.names)
    if n_blank:
        parsed.notes.append(f"{counted(n_blank, 'empty line', 'was')} left out; rows are numbered without them.")
    if collector.n_repeated:
        parsed.notes.append(repeated_note(collector.n_repeated))
    return parsed
