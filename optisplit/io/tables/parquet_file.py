"""Parquet files are opened here, in another process: Arrow ends the one that it is in at some damaged files."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from optisplit.errors import FormatError, MemoryLimitError, OptisplitError
from optisplit.io.child import limits, wire
from optisplit.io.child.process import child
from optisplit.io.sizes import check_stated
from optisplit.text import clean_name

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator, Sequence

    from optisplit.io.child.process import Child
    from optisplit.io.child.wire import Head
    from optisplit.io.source import Source

_MB = 1 << 20
_BATCH_BYTES = 16 * _MB
_LEAST_ROWS = 256
_SMALL_BYTES = 20 * _MB
MODULES = ("pyarrow.parquet", "pyarrow.compute", "python_calamine", "optisplit.io.child.calls", __name__)
"""What the process that reads Parquet, or a spreadsheet, has loaded before."""


@dataclass(frozen=True, slots=True)
class _Facts:
    """What a file states of itself."""

    rows: int
    columns: int
    cells: int
    unpacked: int  # bytes

    def check(self, source: Source) -> None:
        check_stated(source.name, rows=self.rows, labels=self.columns)  # equal values take no room
        check_stated(source.name, source.n_bytes, cells=self.cells, arrays=self.unpacked)


class _Opened(Protocol):
    """A file that is open, here or in another process."""

    facts: _Facts
    schema: Any

    def batches(self, columns: Sequence[str] | None, n_rows: int) -> Iterator[Any]: ...


class ParquetFile:
    """A Parquet file that is open; reads it in batches.

    Parameters
    ----------
    opened : _Opened
        What reads it.
    source : Source
        The file.
    """

    def __init__(self, opened: _Opened, source: Source) -> None:
        self._opened, self._n_bytes = opened, source.n_bytes
        opened.facts.check(source)
        self.schema_arrow = opened.schema
        self.n_rows, self.n_columns = opened.facts.rows, opened.facts.columns

    def iter_batches(self, batch_size: int = 20_000, columns: Sequence[str] | None = None) -> Iterator[Any]:
        """Read the rows, at most so many at a time; dictionaries that are only for the file's sake are undone."""
        for batch in self._opened.batches(columns, batch_size):
            batch.validate(full=True)
            yield batch

    def read(self) -> Any:
        """Read all of it."""
        import pyarrow as pa

        return pa.Table.from_batches(list(self.iter_batches()), self.schema_arrow)


@contextmanager
def open_parquet(source: Source) -> Iterator[ParquetFile]:
    """Open a Parquet file, and turn what Arrow raises on damaged ones into one error as long as it is open."""
    import pyarrow as pa

    content, path = (source.data, None) if source.regular_path is None else (b"", source.regular_path)
    asked = {"path": None if path is None else str(path.absolute()), "n_bytes": source.n_bytes}
    try:
        if limits.is_child():
            yield ParquetFile(_Here(path, content, source.n_bytes), source)
            return
        with child(source.name, MODULES) as process:
            seconds = 8 + 2 * source.n_bytes / _MB
            process.begin(f"{__name__}:serve", asked, [content], seconds=seconds)
            yield ParquetFile(_There(process, source.name), source)
    except OptisplitError:
        raise
    except MemoryError as error:
        raise _too_large(source.name) from error
    except (pa.ArrowException, OSError, ValueError, KeyError, TypeError, RuntimeError, OverflowError) as error:
        raise _damaged(source.name, error) from error


def _too_large(name: str) -> MemoryLimitError:
    msg = f"{name!r} takes far more memory to read than a file of its size; it was not read."
    return MemoryLimitError(msg)


def _damaged(name: str, error: object) -> FormatError:
    told = f"{name!r} is damaged or no Parquet file that can be read"
    return FormatError(f"{told} ({clean_name(error, 100)}); save it again.")


class _There:
    """A file that another process has open."""

    def __init__(self, process: Child, name: str) -> None:
        import pyarrow as pa

        self._process, self._name, self._n_owed = process, name, 0
        head, buffers = self._answer()
        self.facts = _Facts(*(int(each) for each in head["facts"]))
        self.schema = pa.ipc.read_schema(pa.py_buffer(buffers[0]))

    def batches(self, columns: Sequence[str] | None, n_rows: int) -> Iterator[Any]:
        import pyarrow as pa

        while self._n_owed:  # of batches that were not taken
            self._answer()
        self._process.send({"columns": None if columns is None else list(columns), "rows": n_rows})
        self._ask()
        is_first = True
        while True:
            head, buffers = self._answer()
            if "end" in head:
                return
            if not is_first:  # the next one is read while this one is worked on; often only the first is wanted
                self._ask()
            with pa.ipc.open_stream(pa.py_buffer(buffers[0])) as stream:
                batch = stream.read_next_batch()
            yield batch
            if is_first:
                self._ask()
            is_first = False

    def _ask(self) -> None:
        self._process.send({"next": True})
        self._n_owed += 1

    def _answer(self) -> tuple[Head, list[bytearray]]:
        head, buffers = self._process.answer(most_bytes=1 << 31)
        self._n_owed = max(0, self._n_owed - 1)
        if "error" in head:
            raise _too_large(self._name) if head["memory"] else _damaged(self._name, head["error"])
        return head, buffers


class _Here:
    """A file that is open in this process."""

    def __init__(self, path: Path | None, content: Any, n_bytes: int) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        self._n_bytes = n_bytes
        self._given = pa.BufferReader(content) if path is None else str(path)
        self._room = 24 * _MB + 10 * n_bytes
        with limits.memory_for(self._room):
            file = pq.ParquetFile(self._given)
            self._metadata = metadata = file.metadata
            self.schema = file.schema_arrow
            groups = [metadata.row_group(at) for at in range(metadata.num_row_groups)]
            self._leaves = [file.schema.column(at).path for at in range(metadata.num_columns)]
            self._counts = [
                sum(self._stated(group.column(at).num_values) for group in groups) for at in range(metadata.num_columns)
            ]
        unpacked = sum(self._stated(group.total_byte_size) for group in groups)
        self.facts = _Facts(metadata.num_rows, metadata.num_columns, sum(self._counts), unpacked)

    @staticmethod
    def _stated(count: int) -> int:
        if count < 0:
            msg = f"a count is {count:,}"
            raise ValueError(msg)
        return count

    def batches(self, columns: Sequence[str] | None, n_rows: int) -> Iterator[Any]:
        import pyarrow.parquet as pq

        wanted = None if columns is None else list(columns)
        n_values = sum(
            count for leaf, count in zip(self._leaves, self._counts, strict=True)
            if wanted is None or any(leaf == name or leaf.startswith(f"{name}.") for name in wanted)
        )  # fmt: skip
        row_bytes = 16 * n_values // max(1, self.facts.rows) + 1
        n_at_once = min(n_rows, max(_LEAST_ROWS, _BATCH_BYTES // row_bytes))
        room = self._room + 3 * self.facts.unpacked + 3 * n_at_once * row_bytes
        texts = list(self._texts()) if self._n_bytes < _SMALL_BYTES else []
        with limits.memory_for(room):
            file = pq.ParquetFile(self._given, read_dictionary=texts or None)
            batches = file.iter_batches(batch_size=n_at_once, columns=wanted, use_threads=False)
        n_texts = 0
        while True:
            with limits.memory_for(room):
                batch = next(batches, None)
            if batch is None:
                return
            n_texts += _size_of_texts(batch, self.schema)
            if n_texts > 1000 * self._n_bytes + 32 * self.facts.rows * batch.num_columns + _BATCH_BYTES:
                raise MemoryError
            for part in _of_bearable_size(batch, self.schema):
                with limits.memory_for(room):
                    plain = _plain(part, self.schema)
                yield plain

    def _texts(self) -> Iterator[str]:
        """Name the columns of texts, and of lists of them, whose dictionaries tell how large they will be."""
        import pyarrow as pa

        for field, leaf in self._plain_leaves():
            kind = field.type
            if pa.types.is_list(kind) or pa.types.is_large_list(kind):
                kind = kind.value_type
            if pa.types.is_string(kind) or pa.types.is_binary(kind):
                yield leaf

    def _plain_leaves(self) -> Iterator[tuple[Any, str]]:
        import pyarrow as pa

        for field in self.schema:
            of_field = [leaf for leaf in self._leaves if leaf == field.name or leaf.startswith(f"{field.name}.")]
            if len(of_field) == 1 and not pa.types.is_dictionary(field.type):
                yield field, of_field[0]


def _of_bearable_size(batch: Any, schema: Any) -> Iterator[Any]:
    """Halve a batch until its texts, written out, are not too much at a time."""
    if batch.num_rows > 1 and _size_of_texts(batch, schema) > _BATCH_BYTES // 2:
        half = batch.num_rows // 2
        yield from _of_bearable_size(batch.slice(0, half), schema)
        yield from _of_bearable_size(batch.slice(half), schema)
    else:
        yield batch


def _size_of_texts(batch: Any, schema: Any) -> int:
    import pyarrow as pa
    import pyarrow.compute as pc

    total = 0
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        if column.type == schema.field(name).type:
            continue
        items = column.flatten() if pa.types.is_nested(column.type) else column
        lengths = pc.binary_length(items.dictionary).take(items.indices)
        total += pc.sum(pc.cast(lengths, pa.int64())).as_py() or 0
    return total


def _plain(batch: Any, schema: Any) -> Any:
    """Undo the dictionaries that the file's schema does not have."""
    import pyarrow as pa

    fields = [schema.field(schema.get_field_index(name)) for name in batch.schema.names]
    columns = [
        column if column.type == field.type else column.cast(field.type)
        for column, field in zip(batch.columns, fields, strict=True)
    ]
    return pa.RecordBatch.from_arrays(columns, schema=pa.schema(fields, batch.schema.metadata))


def serve(connection: socket.socket, asked: Head, buffers: list[bytearray]) -> None:
    """Read for another process: what the file states, then batches as they are asked for."""
    import pyarrow as pa

    content: Any = memoryview(buffers[0])
    path = None if asked["path"] is None else Path(asked["path"])
    batches: Iterator[Any] = iter(())
    try:
        file = _Here(path, content, asked["n_bytes"])
        facts = file.facts
        told = [facts.rows, facts.columns, facts.cells, facts.unpacked]
        wire.send(connection, {"facts": told}, [file.schema.serialize()])
        while True:
            head, _ = wire.receive(connection)
            if "rows" in head:
                batches = file.batches(head["columns"], head["rows"])
                continue
            batch = next(batches, None)
            if batch is None:
                wire.send(connection, {"end": True})
                continue
            sink = pa.BufferOutputStream()
            with pa.ipc.new_stream(sink, batch.schema) as stream:
                stream.write_batch(batch)
            wire.send(connection, {}, [sink.getvalue()])
    except ConnectionError:
        return
    except MemoryError:
        wire.send(connection, {"error": "", "memory": True})
    except Exception as error:  # whatever is wrong with the file, the other side says it
        wire.send(connection, {"error": clean_name(error, 100), "memory": False})
