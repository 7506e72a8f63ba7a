from __future__ import annotations

import contextlib
import gzip
import io
import pickle
import struct
import zipfile

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from optisplit.errors import FormatError, LabelError, OptionError, OptisplitError
from optisplit.io.formats.reading import load_file

LABELS = np.array([[1, 0, 0, 1], [0, 0, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 1, 0, 0], [1, 0, 0, 0]])


def packed(matrix, **options) -> bytes:
    stream = io.BytesIO()
    sp.save_npz(stream, matrix, **options)
    return stream.getvalue()


def savez(**arrays) -> bytes:
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)
    return stream.getvalue()


def load(data: bytes, **options):
    return load_file(io.BytesIO(data), name="y.npz", **options)


def parts(**changed) -> dict:
    matrix = sp.csr_array(LABELS)
    whole = {
        "data": matrix.data,
        "indices": matrix.indices,
        "indptr": matrix.indptr,
        "shape": np.array(matrix.shape),
        "format": np.array(b"csr"),
    }
    return {name: array for name, array in {**whole, **changed}.items() if array is not None}


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "bsr", "dia"])
@pytest.mark.parametrize("family", [sp.csr_array, sp.csr_matrix])
@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint8, np.float32, np.float64])
def test_every_format_and_type(kind, family, dtype):
    matrix = family(LABELS.astype(dtype)).asformat(kind)
    data = load(packed(matrix, compressed=kind != "csc"))
    np.testing.assert_array_equal(data.labels.toarray(), LABELS)
    assert data.label_names[:2] == ("label 0", "label 1")
    assert data.row_ids is None


@pytest.mark.parametrize("dtype", [">i4", "<f2", ">f8", np.longdouble])
def test_types_that_scipy_does_not_know(dtype):
    matrix = sp.csr_array(LABELS)
    wanted = parts(data=matrix.data.astype(dtype), indices=matrix.indices.astype(">i8"))
    np.testing.assert_array_equal(load(savez(**wanted)).labels.toarray(), LABELS)


def test_bsr_with_real_blocks():
    matrix = sp.bsr_array(LABELS, blocksize=(3, 2))
    np.testing.assert_array_equal(load(packed(matrix)).labels.toarray(), LABELS)


def test_explicit_zeros_unsorted_indices_and_room_behind():
    data = savez(
        **parts(
            data=np.array([1, 0, 1, 1, 9]),
            indices=np.array([3, 1, 0, 2, 0]),
            indptr=np.array([0, 3, 3, 4]),
            shape=np.array([3, 4]),
        )
    )
    loaded = load(data)
    assert loaded.labels.toarray().tolist() == [[1, 0, 0, 1], [0, 0, 0, 0], [0, 0, 1, 0]]
    assert loaded.n_positives == 3
    assert "1 of 3 rows have no label at all." in loaded.notes
    assert "1 label is on no row: 'label 1'." in loaded.notes


def test_an_entry_stored_257_times_is_not_taken_for_one():
    entry = np.zeros(257, dtype=np.int32)
    matrix = sp.coo_array((np.ones(257, dtype=np.uint8), (entry, entry)), shape=(2, 2))
    with pytest.raises(LabelError, match="'257'"):
        load(packed(matrix))


@pytest.mark.parametrize("bad", [2, -1, np.nan])
def test_values_other_than_zero_and_one(bad):
    values = LABELS.astype(float)
    values[2, 1] = bad
    with pytest.raises(LabelError, match=r"1 value is not: .* first in row 2"):
        load(packed(sp.csr_array(values)))


@pytest.mark.parametrize(
    ("changed", "match"),
    [
        ({"indices": np.array([0, 3, 0, 1, 2, 3, 1, 4])}, "indices runs from 0 to 4, but 0 to 3 is possible"),
        ({"indices": np.array([0, 3, 0, 1, 2, 3, 1, -1])}, "indices runs from -1 to 3"),
        ({"indices": np.array([0, 3, 0])}, "indptr runs from 0 to 8, but 0 to 3 is possible"),
        ({"data": np.ones(7)}, "indices and data should have the same size"),
        ({"indices": np.zeros(8)}, "indices must be whole numbers"),
        ({"indices": np.zeros((2, 4), dtype=int)}, "indices must be whole numbers"),
        ({"indptr": np.array([0, 2, 2, 4, 6, 7, 9])}, "indptr runs from 0 to 9"),
        ({"indptr": np.array([0, 2, 1, 4, 6, 7, 8])}, "indptr must rise from 0 in 7 steps"),
        ({"indptr": np.array([0, 2, 2, 4])}, "indptr must rise from 0 in 7 steps, .* but has 4"),
        ({"indptr": np.array([1, 2, 2, 4, 6, 7, 8])}, "indptr must rise from 0"),
        ({"indptr": np.array([], dtype=int)}, "indptr must rise from 0"),
        (
            {"indptr": np.array([0, 2, 2, 4, 6, 7, 2**64 - 1], dtype=np.uint64)},
            "indptr runs from 0 to 18,446",
        ),
        ({"indptr": None}, r"needs indptr too"),
        ({"shape": np.array([6])}, "no proper shape"),
        ({"shape": np.array([-6, 4])}, "no proper shape"),
        ({"shape": np.array([6.0, 4.0])}, "no proper shape"),
        ({"shape": np.array([6, 10**12])}, "has 1,000,000,000,000 labels; more than 5,000,000"),
        ({"shape": np.array([10**12, 4])}, "has 1,000,000,000,000 rows"),
        (
            {
                "shape": np.array([0, 0]),
                "indptr": np.array([0]),
                "indices": np.array([], int),
                "data": np.array([]),
            },
            "0 rows",
        ),
        ({"format": np.array(b"lil")}, "unknown format 'lil'"),
        ({"format": np.array([1, 2])}, "unknown format"),
        ({"data": np.array(["1"] * 8)}, "zeros and ones are needed"),
        ({"data": np.ones((8, 1))}, "should be 1-D"),
        ({"data": np.array(1)}, "should be 1-D"),
    ],
)
def test_inconsistent_matrices(changed, match):
    with pytest.raises(OptisplitError, match=match):
        load(savez(**parts(**changed)))


@pytest.mark.parametrize(
    ("arrays", "match"),
    [
        ({"format": b"coo", "row": [0, 6], "col": [0, 1], "data": [1, 1]}, "row runs from 0 to 6"),
        ({"format": b"coo", "row": [0], "col": [0, 1], "data": [1, 1]}, "must have the same length"),
        ({"format": b"coo", "coords": [[0, 1]] * 3, "data": [1, 1]}, "other dimensions"),
        ({"format": b"dia", "offsets": [0, 0], "data": [[1], [1]]}, "each diagonal needs one offset"),
        ({"format": b"dia", "offsets": [9], "data": [[1]]}, "offsets runs from 9 to 9"),
        ({"format": b"dia", "offsets": [0], "data": [1]}, "each diagonal needs one offset"),
        ({"format": b"bsr", "indices": [0], "indptr": [0, 1], "data": [[[1, 1, 1]]]}, "blocks do not fill"),
        (
            {"format": b"bsr", "indices": [2], "indptr": [0, 1, 1], "data": np.ones((1, 3, 2))},
            "indices runs from 2",
        ),
        (
            {"format": b"bsr", "indices": [0], "indptr": [0, 1], "data": np.ones((1, 0, 2))},
            "blocks do not fill",
        ),
    ],
)
def test_inconsistent_matrices_of_other_formats(arrays, match):
    arrays = {name: np.array(array) for name, array in {"shape": [6, 4], **arrays}.items()}
    with pytest.raises(FormatError, match=match):
        load(savez(**arrays))


def test_coo_with_coords():
    matrix = sp.coo_array(LABELS)
    data = savez(data=matrix.data, coords=np.array(matrix.coords), shape=np.array([6, 4]), format=np.array("coo"))
    np.testing.assert_array_equal(load(data).labels.toarray(), LABELS)


def test_dense():
    data = load(savez(X=np.random.default_rng(0).random((6, 3)), Y=LABELS.T.copy().T, n=np.array(6)))
    np.testing.assert_array_equal(data.labels.toarray(), LABELS)
    assert "dense table 'Y'" in data.notes[0]


@pytest.mark.parametrize(
    ("arrays", "match"),
    [
        ({"Y": LABELS, "Z": LABELS}, r"2 tables of zeros and ones .* holds 'Y' \(6, 4\), 'Z' \(6, 4\)"),
        ({"a": np.arange(3)}, r"0 tables of zeros and ones .* holds 'a' \(3,\)"),
        ({"a": LABELS + 1}, r"0 tables"),
    ],
)
def test_dense_that_is_not_certain(arrays, match):
    with pytest.raises(FormatError, match=match):
        load(savez(**arrays))


class _Trap:
    def __reduce__(self):
        return (pytest.fail, ("unpickled",))


def test_pickles_are_refused_unopened():
    objects = np.empty(1, dtype=object)
    objects[0] = _Trap()
    with pytest.raises(
        FormatError, match=r"'data' in 'y.npz' holds Python objects \(pickle\), .*not read. Save numbers"
    ):
        load(savez(**parts(data=objects)))
    with pytest.raises(FormatError, match="a Python pickle, which could run code"):
        load(pickle.dumps(_Trap()))


def zipped(members: dict[str, bytes], **options) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", **options) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return stream.getvalue()


def npy(descr: str, shape: str, content: bytes = b"") -> bytes:
    header = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + content


@pytest.mark.parametrize(
    ("member", "match"),
    [
        (npy("'<i8'", "(1000000000000,)"), "promises 8,000,000,000,000 bytes, but 0 are there"),
        (npy("'<i8'", "(2,)", b"\0" * 8), "promises 16 bytes, but 8 are there"),
        (npy("'|O'", "(1,)", b"\x80"), "Python objects"),
        (npy("[('a', '<i4')]", "(1,)", b"\0" * 4), "no plain numbers"),
        (npy("'<M8[s]'", "(1,)", b"\0" * 8), "no plain numbers"),
        (npy("'<i3'", "(1,)", b"\0" * 3), "a header that cannot be read .*'<i3'"),
        (npy("'<U0'", "(1000000000000,)"), "no plain numbers"),
        (npy("'<i8'", "(-1, 0)"), "no plain numbers"),
        (npy("'<i8'", "(" * 300), "a header that cannot be read"),
        (npy("'<i8'", "(1,) '''"), "a header that cannot be read"),
        (npy("'<i8'", f"(1,){' ' * 11_000}"), "a header that cannot be read"),
        (npy("__import__('os')", "(1,)"), "a header that cannot be read"),
        (b"\x93NUMPY", "cut off or no .npz"),
        (b"", "cut off or no .npz"),
        (b"x" * 99, "does not begin like an array"),
    ],
)
def test_lying_headers(member, match):
    with pytest.raises(FormatError, match=match):
        load(zipped({"a.npy": member}))


def test_other_zip_archives():
    with pytest.raises(FormatError, match=r"zip archive but no \.npz: it holds 'labels.csv'"):
        load(zipped({"labels.csv": b"a,b\n1,0\n"}))
    with pytest.raises(FormatError, match="it holds nothing"):
        load(zipped({}))


def test_bombs_are_refused_before_they_unpack():
    bomb = zipped({"a.npy": b"\0" * 60_000_000}, compression=zipfile.ZIP_DEFLATED)
    with pytest.raises(FormatError, match="more than 200 times its size"):
        load(bomb)
    with pytest.raises(FormatError, match="more than 200 times its size"):
        load(gzip.compress(b"a,b\n" + b"0,1\n" * 15_000_000, compresslevel=6))


def test_cut_off_files():
    data = packed(sp.csr_array(LABELS))
    for size in [*range(1, 300, 7), *range(300, len(data), 41), len(data) - 1]:
        with pytest.raises(FormatError):
            load(data[:size])


def test_names():
    data = packed(sp.csr_array(LABELS))
    assert load(data, names=["a", "b", "c", "d"]).label_names == ("a", "b", "c", "d")
    listing = io.BytesIO("a\r\n<b>\x07\r\né\r\na\r\n\r\n".encode())
    loaded = load(data, names=listing)
    assert loaded.label_names == ("a", "<b>", "é", "a (2)")
    assert load(data, names=["a", "", "c", "d"]).label_names[1] == "label 1"
    with pytest.raises(FormatError, match="3 label names for 4 labels"):
        load(data, names=["a", "b", "c"])
    with pytest.raises(FormatError, match=r"6 label names for 4 labels.*\n.*wrong way round"):
        load(data, names=list("abcdef"))
    with pytest.raises(OptionError, match="names must be a file or a list"):
        load(data, names=3)
    with pytest.raises(OptionError, match="label_columns does not go with a file read as npz"):
        load(data, label_columns=2)


def test_names_beside_the_file(tmp_path):
    (tmp_path / "y.v1.npz").write_bytes(packed(sp.csr_array(LABELS)))
    (tmp_path / "y.v1.labels.txt.gz").write_bytes(gzip.compress(b"a\nb\nc\nd\n"))
    (tmp_path / "y.v1.rows.txt").write_text("r1\nr2\n")
    data = load_file(tmp_path / "y.v1.npz")
    assert (data.name, data.label_names, data.row_ids) == ("y.v1", ("a", "b", "c", "d"), None)
    assert "'y.v1.rows.txt' was not used: it has 2 names, but there are 6 rows." in data.notes
    (tmp_path / "y.v1.rows.txt").write_text("1\n2\n3\n4\n5\n6")
    assert load_file(tmp_path / "y.v1.npz").row_ids == ("1", "2", "3", "4", "5", "6")


WHOLE = [packed(sp.csr_array(LABELS).asformat(kind), compressed=False) for kind in ("csr", "coo", "bsr", "dia")]


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    seed=st.sampled_from(WHOLE),
    edits=st.lists(st.tuples(st.floats(0, 1), st.binary(max_size=4)), min_size=1, max_size=4),
)
def test_only_our_errors_come_out_of_damaged_archives(seed, edits):
    data = bytearray(seed)
    for place, scrap in edits:
        at = int(place * len(data))
        data[at : at + len(scrap)] = scrap
    with contextlib.suppress(OptisplitError):
        load(bytes(data))


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    kind=st.sampled_from(["csr", "csc", "coo", "bsr", "dia"]),
    member=st.sampled_from(["data", "indices", "indptr", "row", "col", "offsets", "shape"]),
    numbers=st.lists(st.integers(-3, 2**40), max_size=9),
    n_kept=st.integers(0, 9),
)
def test_only_our_errors_come_out_of_wrong_numbers(kind, member, numbers, n_kept):
    with np.load(io.BytesIO(packed(sp.csr_array(LABELS).asformat(kind)))) as archive:
        arrays = dict(archive)
    if member in arrays:
        flat = arrays[member].astype(np.int64).reshape(-1)
        arrays[member] = np.concatenate([flat[:n_kept], np.array(numbers, dtype=np.int64), flat[n_kept:]])
    with contextlib.suppress(OptisplitError):
        load(savez(**arrays))


def test_odd_separators_in_a_header_are_no_numbers():
    buffer = io.BytesIO()
    np.save(buffer, np.eye(2))
    odd = buffer.getvalue().replace(b"(2, 2)", b"(2,\x1d2)")
    with pytest.raises(FormatError, match="has a header that cannot be read"):
        load(odd)
