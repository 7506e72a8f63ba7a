"""What a command says: lines for people, or one JSON document for programs."""

from __future__ import annotations

import io
import json
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optisplit import __version__
from optisplit.cli.spelling import in_options
from optisplit.errors import OptionError, worded
from optisplit.io.target import write_file
from optisplit.measures.balanced import balanced_lines
from optisplit.text import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from optisplit.measures.report import Report

STDOUT = Path("-")
"""What is typed for standard output."""

_BINARY = (b"PK\x03\x04", b"PK\x05\x06", b"\x93NUMPY", b"PAR1", b"\x1f\x8b", b"BZh", b"\xfd7zXZ")


class Answer:
    """Collects what a command has to say, and says it in the way asked for.

    - For people: results on standard output, or in a file; what is said of them on standard error.
    - For programs: one JSON document on standard output, when all is done.
    """

    def __init__(self, command: str, *, as_json: bool = False, progress: bool | None = None) -> None:
        self.command, self.as_json, self.progress = command, as_json, progress
        self._parts: dict[str, Any] = {}
        self._notes: list[str] = []
        self._warnings: list[str] = []

    def print(self, *lines: object) -> None:
        """Write lines to standard output, for people."""
        if not self.as_json:
            for line in lines:
                print(line)

    def tell(self, *lines: str) -> None:
        """Write lines to standard error, for people."""
        if not self.as_json:
            for line in lines:
                print(line, file=sys.stderr)

    def note(self, *sentences: str) -> None:
        """Tell how files were read, or what was decided; the document has it among its notes."""
        told = [worded(sentence, in_options) for sentence in sentences]
        self._notes += told
        self.tell(*(f"note: {each}" for each in told))

    def warned(self, sentence: str) -> None:
        """Keep a warning, which was shown already, for the document."""
        self._warnings.append(sentence)

    def put(self, **parts: Any) -> None:
        """Put something into the document."""
        self._parts |= parts

    def write(self, content: bytes, path: Path | None = None) -> None:
        """Write a result to a file as it is, or to standard output."""
        if path is not None and not is_stdout(path):
            write_file(path, content, is_packed=True)
            return
        with stdout_stream() as stream:
            stream.write(content)

    def finish(self, code: int) -> None:
        """Print the document, if one was asked for."""
        if self.as_json:
            head = {"optisplit": __version__, "command": self.command, "exit_code": code}
            print_document({**head, **self._parts, "notes": self._notes, "warnings": self._warnings})


def is_stdout(path: Path | None) -> bool:
    """Tell whether standard output is meant."""
    return path is None or path == STDOUT


def is_binary(content: bytes | memoryview) -> bool:
    """Tell whether content is no text, by how it begins."""
    return bytes(content[:6]).startswith(_BINARY)


class _Stdout(io.RawIOBase):
    """Writes all that it is given, where a stream without a buffer may take a part only; no binary to a terminal."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._is_begun = False

    def writable(self) -> bool:
        return True

    def write(self, content: Any) -> int:
        left = memoryview(content).cast("B")
        n_bytes = len(left)
        if not self._is_begun and is_binary(left) and sys.stdout.isatty():
            msg = "This is no text, and standard output is a terminal; give a file with -o, or a pipe."
            raise OptionError(msg)
        self._is_begun = True
        while len(left):
            left = left[self._stream.write(left) or 0 :]
        return n_bytes


@contextmanager
def stdout_stream() -> Iterator[Any]:
    """Give standard output as a binary file."""
    sys.stdout.flush()
    stream = getattr(sys.stdout, "buffer", None)
    if stream is not None:
        yield _Stdout(stream)
        stream.flush()
        return
    held = io.BytesIO()  # somebody put text in place of standard output
    yield held
    sys.stdout.write(held.getvalue().decode(errors="replace"))


def measures_of(report: Report) -> dict[str, dict[str, Any]]:
    """Give the measures for a document."""
    return {
        key: {"value": score.value, "bound": score.bound, "excess_percent": 100 * score.excess}
        for key, score in report.scores.items()
    }


def balanced_of(report: Report) -> dict[str, Any]:
    """Give what was balanced beside the labels for a document."""
    return {"measures": measures_of(report), "columns": balanced_lines(report)}


def error_document(command: str | None, kind: str, message: str, code: int) -> dict[str, Any]:
    """Write an error as a document."""
    head = {"optisplit": __version__, "command": command, "exit_code": code}
    return {**head, "error": {"kind": kind, "message": message}}


def print_document(document: Mapping[str, Any]) -> None:
    """Print one JSON document on a line of its own."""
    # ASCII goes through a terminal or pipe of any encoding
    with stdout_stream() as stream:
        stream.write((json.dumps(plain(document), allow_nan=False) + "\n").encode("ascii"))
