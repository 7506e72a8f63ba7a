"""Small files with one odd thing each, as they are met with, and what they must be read as.

Answers were written by hand. A file's name says what is odd about it; labels are a text of 0 and 1 for each row.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from optisplit import load
from optisplit.errors import OptisplitError

QUIRKS = Path(__file__).parents[1] / "quirks"


def case(path, labels=None, names=None, *, ids=None, note=None, error=None, options=None, **more):
    return pytest.param(path, labels, names, ids, note, error, {**(options or {}), **more}, id=path)


CASES = [
    case("arff/keywords-in-capitals.arff", "10 01", ["a", "b"], label_columns=2),
    case("arff/comments-and-blank-lines.arff", "10 01", ["a", "b"], label_columns=2),
    case("arff/quoted-names.arff", "10 01", ["sci fi", "rock 'n' roll"], label_columns=2),
    case("arff/unquoted-escapes.arff", "10", ["TAG_m\\'usica", "b"], label_columns=2),
    case("arff/digits-as-names.arff", "10", ["0", "000"], label_columns=2),
    case("arff/blanks-in-sets.arff", "10", ["a", "b"], label_columns=2),
    case("arff/missing-label.arff", error="label 'b' is missing in 1 row, first in line 6", label_columns=2),
    case(
        "arff/missing-label-as-zero.arff",
        "10 01",
        ["a", "b"],
        note="1 label cell is missing in 1 row and was read as 0",
        missing="zero",
        label_columns=2,
    ),
    case(
        "arff/all-labels-missing.arff",
        "01",
        ["a", "b"],
        ids=["1"],
        note="1 of 2 rows was left out",
        missing="drop-rows",
        label_columns=2,
    ),
    case("arff/quoted-question-mark-is-a-value.arff", error="label 'b' has 1 other value: '?'", label_columns=2),
    case("arff/missing-feature.arff", "10", ["a", "b"], label_columns=2),
    case("arff/sparse.arff", "10 01 00", ["a", "b"], label_columns=2),
    case("arff/sparse-first-value-is-one.arff", "00 11 10", ["a", "b"], label_columns=2),
    case("arff/dense-first-value-is-one.arff", "00 11", ["a", "b"], label_columns=2),
    case("arff/sparse-explicit-zeros.arff", "01 10", ["a", "b"], label_columns=2),
    case(
        "arff/sparse-trailing-columns-never-named.arff",
        "00 10 00",
        ["a", "b"],
        note="1 label is on no row: 'b'",
        label_columns=2,
    ),
    case("arff/sparse-missing-label.arff", error="label 'a' is missing in 1 row, first in line 6", label_columns=2),
    case("arff/row-weights.arff", "10 10", ["a", "b"], note="Row weights in the file are not used", label_columns=2),
    case("arff/labels-as-decimals.arff", "10 01", ["a", "b"], label_columns=2),
    case("arff/numeric-labels.arff", "10 01", ["a", "b"], label_columns=2),
    case(
        "arff/repeated-names.arff",
        "10",
        ["a", "a (2)"],
        note="1 label name occurs more than once; equal ones are numbered",
        label_columns=2,
    ),
    case("arff/true-false.arff", "10 10", ["a", "b"], label_columns=2),
    case("arff/yes-no.arff", "10 01", ["a", "b"], label_columns=2),
    case("arff/several-values.arff", error="label 'a' takes the values 'A', 'B', 'C', 'NEG'", label_columns=2),
    case("arff/numbers-of-flares.arff", error="label 'a' takes the values '0', '1', '2', '3', '4'", label_columns=2),
    case("arff/byte-order-mark.arff", "10", ["a", "b"], label_columns=2),
    case("arff/latin-1.arff", "10", ["a", "café"], note="not UTF-8, so it was read as Latin-1", label_columns=2),
    case("arff/crlf.arff", "10 01", ["a", "b"], label_columns=2),
    case("arff/old-mac-ends.arff", "10 01", ["a", "b"], label_columns=2),
    case("arff/comments-behind-values.arff", "10 01", ["a", "b"], label_columns=2),
    case("arff/tabs-between-values.arff", "10 01", ["a", "b"], label_columns=2),
    case("arff/no-labels-said.arff", error="Nothing in 'no-labels-said.arff' says which of its 3 columns are labels"),
    case("arff/text-with-commas.arff", "10 01", ["a", "b"], label_columns=2),
    case("arff/relational.arff", error="is relational", label_columns=1),
    case("arff/packed.arff.gz", "10", ["a", "b"], label_columns=2),
    case("arff/packed.arff.bz2", "10", ["a", "b"], label_columns=2),
    case("arff/packed.arff.xz", "10", ["a", "b"], label_columns=2),
    case("arff/cut-off.arff.gz", error="damaged or cut-off gzip", label_columns=2),
    case(
        "mulan/any-position-and-order.arff",
        "10 01",
        ["sci fi", "crime"],
        note="those named in 'any-position-and-order.xml'",
    ),
    case("mulan/self-closed.arff", "10 01", ["sci fi", "crime"]),
    case("mulan/entities.arff", "10 01", ["R&B", "crime"]),
    case("mulan/escaped-in-one-file-only.arff", "10 01", ["rock\\'n\\'roll", "crime"]),
    case(
        "mulan/near-miss.arff",
        error="1 of the 2 labels named in 'near-miss.xml' are not in the ARFF file: 'crimes'.\nHint: 'crimes' may be 'crime'",  # noqa: E501
    ),
    case("mulan/of-another-data-set.arff", error="the XML may belong to another data set"),
    case(
        "mulan/hierarchy.arff",
        "10 01",
        ["sci fi", "crime"],
        note="1 time a row has a label but not the one above it",
    ),
    case("mulan/entity-bomb.arff", error="no readable XML"),
    case("mulan/no-xml.arff", error="Add MULAN's XML (label_file), or say which columns are labels"),
    case("mulan/stem-train.arff", "10 01", ["sci fi", "crime"], note="those named in 'stem.xml'"),
    case(
        "mulan/other-columns-than-meka.arff",
        "10 01",
        ["drama", "war"],
        note="The relation name says -C -1, which are other columns; the XML was followed",
    ),
    case("mulan/moved-to-the-front.arff", "10", ["crime-", "sci fi-"]),
    case("meka/first.arff", "10 01 11", ["drama", "war"], note="as the relation name says (-C 2)"),
    case("meka/last.arff", "10", ["drama", "war"], note="(-C -2)"),
    case("meka/small-letter.arff", "10 01 11", ["drama", "war"]),
    case("meka/double-quotes.arff", "10 01 11", ["drama", "war"]),
    case("meka/no-quotes.arff", "10 01 11", ["drama", "war"]),
    case("meka/no-blank.arff", "10 01 11", ["drama", "war"]),
    case("meka/colon-in-the-name.arff", "10 01 11", ["drama", "war"]),
    case("meka/split-number.arff", "10 01 11", ["drama", "war"], note="the first 2 rows for training"),
    case("meka/split-percentage.arff", "10 01 11", ["drama", "war"], note="the first 1 rows for training"),
    case("meka/other-options.arff", "10 01 11", ["drama", "war"]),
    case(
        "meka/other-end-is-binary-too.arff",
        "1 0",
        ["a"],
        note="The last 1 columns are 0/1 too: if those are the labels, give label_columns=1",
    ),
    case("meka/wrong-sign.arff", error="label 'year' has 3 other values: '1999'"),
    case(
        "meka/wrong-sign-and-other-end-is-binary.arff",
        error="Hint: the first 2 columns are declared as 0/1, so the sign of -C -2 may be wrong; if those are the "
        "labels, give label_columns=-2.",
    ),
    case("meka/saved-again.arff", "10 01", ["drama-", "war-"], note="All names of labels end with '-', as MEKA writes"),
    case(
        "meka/split-number-beyond-the-rows.arff",
        "10 01",
        ["drama", "war"],
        note="says -split-number 9, which is no split of 2 rows; it was not used",
    ),
    case("meka/more-than-there-are.arff", error="says -C 9, but there are 3 columns"),
    case("libsvm/plain.svm", "1011 0100", ["1", "2", "3", "7"]),
    case("libsvm/no-labels-and-a-blank.svm", "1 0", ["1"]),
    case("libsvm/no-labels-and-no-blank.svm", "1 0", ["1"]),
    case("libsvm/no-features.svm", "11 10", ["0", "2"]),
    case("libsvm/comment.svm", "10 11", ["5", "6"]),
    case("libsvm/comment-alone.svm", "11 01", ["5", "6"], note="1 empty line was left out"),
    case("libsvm/query.svm", "10 01", ["5", "6"]),
    case("libsvm/blank-lines.svm", "10 01", ["5", "6"], note="1 empty line was left out"),
    case("libsvm/blank-after-comma.svm", "11 01", ["1", "3"]),
    case("libsvm/floats.svm", "11 01", ["1", "3"]),
    case("libsvm/words.svm", "11 01", ["sports", "news"]),
    case(
        "libsvm/regression.svm",
        error="line 1, column 1, '0.37 1:1', a label is a fraction, as if the file had values to predict and not labels. So it is in 1 more line",  # noqa: E501
    ),
    case("libsvm/negative.svm", error="a label has a negative number"),
    case("libsvm/gaps.svm", "11 10", ["0", "900000000"]),
    case("libsvm/too-large.svm", error="a number is larger than"),
    case("libsvm/repeated.svm", "11", ["1", "3"], note="1 label is there more than once in a row"),
    case("libsvm/labels-with-blanks-between.svm", error="after the labels something is no feature", format="libsvm"),
    case("libsvm/id-labels-text.txt", "11 01", ["sports", "news"], ids=["d1", "d2"]),
    case("libsvm/labels-text.txt", "11 01", ["sports", "news"], format="idtext"),
    case("libsvm/id-labels-text-stray-tabs.txt", "10 11", ["sports", "news"], ids=["d1", "d2"]),
    case("libsvm/two-and-three-columns.txt", error="needs lines of an id, labels and a text", format="idtext"),
    case("xmc/data.txt", "00100 01001 00000", ["0", "1", "2", "3", "4"], note="1 of 3 rows have no label at all"),
    case("xmc/tabs.txt", "001 110", ["0", "1", "2"]),
    case("xmc/crlf.txt", "001 110", ["0", "1", "2"]),
    case("xmc/rows-do-not-add-up.txt", error="says that there are 4 rows, but 2 follow"),
    case("xmc/label-too-high.txt", error="1 label has a higher number, up to 7"),
    case("xmc/from-one.txt", "001 110", ["1", "2", "3"], note="Labels are numbered from 1 to 3"),
    case("xmc/unsorted-and-repeated.txt", "101 010", ["0", "1", "2"], note="1 label is there more than once"),
    case("xmc/label-matrix.txt", "1010 0000 0101", ["0", "1", "2", "3"]),
    case("xmc/label-matrix-with-names.txt", "10 01", ["cats", "dogs"]),
    case("xmc/feature-matrix.txt", error="a value is neither 0 nor 1; is this the file of the features?"),
    case("xmc/many-colons.txt", error="no column whose every value is 0 or 1"),
    case("xmc/more-labels-than-bytes.txt", error="says that it has 999,999 labels, but is only"),
    case("xmc/lying-header.txt", error="more than 5,000,000 are not read"),
    case("npz/csr.npz", "10 01 11", ["label 0", "label 1"]),
    case("npz/csc.npz", "10 01 11", ["label 0", "label 1"]),
    case("npz/coo.npz", "10 01 11", ["label 0", "label 1"]),
    case("npz/bsr.npz", "10 01 11", ["label 0", "label 1"]),
    case("npz/dia.npz", "10 01 11", ["label 0", "label 1"]),
    case("npz/bool.npz", "10 01 11", ["label 0", "label 1"]),
    case("npz/floats.npz", "10 01 11", ["label 0", "label 1"]),
    case("npz/explicit-zeros.npz", "10 01", ["label 0", "label 1"], note="1 of the 3 stored values are zeros"),
    case("npz/doubled-entries.npz", error="Labels must be 0 or 1, but 1 value is not: '2'"),
    case("npz/wraps-around-in-a-byte.npz", error="but 1 value is not: '257'"),
    case("npz/counts.npz", error="but 4 values are not: '3'"),
    case("npz/dense.npz", "10 01", ["label 0", "label 1"], note="the dense table 'labels'"),
    case("npz/dense.npy", "10 01", ["label 0", "label 1"]),
    case("npz/missing.npy", error="1 label cell is missing (NaN), first in row 0, column 1"),
    case("npz/missing-left-out.npy", "01", ["label 0", "label 1"], ids=["1"], missing="drop-rows"),
    case("npz/objects.npz", error="holds Python objects (pickle)"),
    case("npz/objects.npy", error="holds Python objects (pickle)"),
    case("npz/no-and-every-row.npz", "10 10", ["label 0", "label 1"], note="1 label is on every row: 'label 0'"),
    case(
        "npz/wrong-way-round.npz",
        error="rows and labels may be the wrong way round",
        options={"names": ["x", "y", "z"]},
    ),
    case("npz/two-tables.npz", error="it has 2 tables of zeros and ones where exactly one is needed"),
    case(
        "npz/probabilities.npy", error="2 of its values are neither 0 nor 1, first 0.25 in row 0, column 0; if they are"
    ),
    case(
        "csv/commas.csv",
        "100 011",
        ["Crime", "Drama", "SciFi"],
        ids=["7", "8"],
        note="'fold' (its name says that it splits or groups the rows)",
    ),
    case("csv/semicolons-and-decimal-commas.csv", "10 01", ["a", "b"]),
    case("csv/tabs.tsv", "10 01", ["a", "b"]),
    case("csv/bars.csv", "10 01", ["a", "b"]),
    case("csv/several-lines-in-a-cell.csv", "10 01", ["a", "b"]),
    case("csv/byte-order-mark.csv", "10 01", ["a", "b"]),
    case("csv/utf-16.csv", "10 01", ["a", "b"]),
    case("csv/index-column.csv", "10 01", ["a", "b"], ids=["5", "6"]),
    case("csv/unnamed-index.csv", "10 01", ["a", "b"], ids=["5", "6"]),
    case("csv/true-false.csv", "10 01", ["a", "b"]),
    case("csv/yes-no.csv", "10 01", ["a", "b"]),
    case("csv/decimals.csv", "10 01", ["a", "b"]),
    case("csv/mixed-notations.csv", error="label 'a' is written in several ways, 0 and 1 and yes and no"),
    case("csv/empty-cell.csv", error="label 'a' is missing in 1 row, first in line 3"),
    case("csv/empty-cell-label-left-out.csv", "0 1 1", ["b"], missing="drop-labels"),
    case("csv/minus-one.csv", error="if -1 means 'does not have the label', write 0 for it"),
    case("csv/probabilities.csv", error="if these are probabilities", label_columns=["a", "b"]),
    case("csv/repeated-names.csv", "10 01", ["a", "a (2)"]),
    case("csv/constant-column.csv", "11 01", ["a", "b"], note="1 label is on every row: 'b'"),
    case(
        "csv/classes-in-a-header.csv",
        "10 01 11",
        ["motorcycle", "truck"],
        note="names the same labels as the columns of 0 and 1",
    ),
    case(
        "csv/classes-that-disagree.csv",
        "10 01 11",
        ["motorcycle", "truck"],
        note="names other labels than the columns of 0 and 1 in 1 of the first 3 rows",
    ),
    case("csv/quote-never-closed.csv", error="The quote that opens in line 3 is never closed"),
    case(
        "csv/no-header.csv",
        "100 010 001",
        ["column 1", "column 2", "column 3"],
        note="The first line holds values, not names",
    ),
    case("csv/lines-with-nothing-between.csv", "10 01", ["a", "b"], note="2 blank lines were left out"),
    case("csv/probabilities-not-asked-for.csv", error="if 'a' holds probabilities, decide from which one on"),
    case("csv/row-too-long.csv", error="line 3 has 3 cells, but there are 2 columns"),
    case("wide/numbered-columns.csv", "10 11", ["crime", "drama"], note="in the columns 'label1', 'label2'"),
    case("wide/named-by-the-user.csv", "10 11", ["crime", "drama"], label_columns=["first", "second"]),
    case("tags/bars.csv", "110 010 101", ["a", "b", "c"], ids=["1", "2", "3"], note="with '|' between"),
    case("tags/commas-in-quotes.csv", "11 01 11", ["Acoustic_guitar", "Strum"], ids=["f1", "f2", "f3"]),
    case("tags/semicolons.csv", "11 01 10", ["a b", "c"]),
    case("tags/two-colons.csv", "110 010 101", ["a", "b", "c"]),
    case("tags/tabs-in-quotes.csv", "110 010 101", ["a", "b", "c"]),
    case("tags/blanks.csv", "110 010 101 011", ["401.9", "250.00", "V10"]),
    case("tags/icd-codes.csv", "11 01 10", ["25000", "2720"]),
    case("tags/json-lists.csv", "11 10 00", ["a", "c d"], ids=["4", "5", "6"]),
    case("tags/python-lists.csv", "11 10 00", ["a", "c d"], ids=["4", "5", "6"]),
    case("tags/numpy-lists.csv", "11 10", ["a", "c d"], ids=["4", "5"]),
    case("tags/labels-called-na.csv", "11 01 10", ["NA", "None"], ids=["1", "2", "3"], note="A label is called 'NA'"),
    case("tags/numbers-stay-texts.csv", "11 10 01", ["007", "1.0"], ids=["1", "2", "3"]),
    case("tags/case-makes-a-difference.csv", "11 01 10", ["b", "B"], ids=["1", "2", "3"], note="differ only in case"),
    case("tags/repeated.csv", "11 01", ["a", "b"], ids=["1", "2"], note="1 label is there more than once"),
    case("tags/empty.csv", error="no label in 1 row of the column 'tags', first in line 3"),
    case("tags/empty-means-none.csv", "11 00 01", ["a", "b"], ids=["1", "2", "3"], missing="zero"),
    case("tags/separator-said.csv", "11 01", ["a", "b"], ids=["1", "2"], label_columns=["tags"], label_separator="-"),
    case(
        "tags/objects-in-lists.csv", error="column 'genres' has in line 2 what looks like a list but is none of names"
    ),
    case("tags/code-in-lists.csv", error="column 'tags' has in line 2 what looks like a list but is none of names"),
    case("tags/brackets-without-quotes.csv", "11 01 00", ["drama", "war"], ids=["1", "2", "3"]),
    case("tags/database-arrays.csv", "11 01 00", ["drama", "war"], ids=["1", "2", "3"]),
    case(
        "tags/vectors.csv",
        "011 100",
        ["label 0", "label 1", "label 2"],
        ids=["1", "2"],
        note="the column 'labels' has a row of 0 and 1 for each row",
    ),
    case(
        "tags/beside-a-binary-feature.csv",
        "110 011 100",
        ["a", "b", "c"],
        note="Columns of 0 and 1 (1) were taken as features",
    ),
    case(
        "long/annotations.tsv",
        "11 10",
        ["GO:1", "GO:2"],
        ids=["P1", "P2"],
        note="Rows without any label are not in such a file",
    ),
    case(
        "long/no-header.tsv",
        "11 10",
        ["GO:1", "GO:2"],
        ids=["P1", "P2"],
        note="named in the column 'column 2', a line for each row in 'column 1'",
    ),
    case(
        "long/values-beside.csv",
        "10 10",
        ["cat", "dog"],
        ids=["x", "y"],
        note="in 'confidence', a value of 1 says that a row has the label, 0 that it does not",
    ),
    case("long/repeated-pairs.csv", "11 01", ["a", "b"], ids=["x", "y"], note="1 line repeats a pair"),
    case("long/all-rows-named-beside.csv", "01 11 00", ["a", "b"], ids=["x", "y", "z"], layout="long"),
    case("parquet/list-column.parquet", "11 00 01", ["a", "b"], ids=["1", "2", "3"]),
    case(
        "parquet/null-is-missing.parquet",
        error="labels of 1 row are missing (null) in the column 'labels', first in row 2",
    ),
    case("parquet/numbers.parquet", "11 00 10", ["1", "7"]),
    case(
        "parquet/class-names.parquet",
        "101 001 100",
        ["neg", "pos", "neu"],
        note="names of the 3 classes come from the file",
    ),
    case("parquet/dictionary-encoded.parquet", "11 01", ["a", "b"]),
    case("parquet/vectors.parquet", "10 01 11", ["label 0", "label 1"]),
    case("parquet/vectors-of-floats.parquet", "010 101", ["label 0", "label 1", "label 2"]),
    case("parquet/probabilities.parquet", error="holds lists of fractions, such as 0.25"),
    case("parquet/tokens-and-labels.parquet", "10 01", ["a", "b"], note="the column 'labels' has a list of names"),
    case("parquet/embeddings-beside-one-hot.parquet", "10 01", ["a", "b"]),
    case("parquet/structs-in-cells.parquet", "10 01", ["a", "b"], note="are the keys of dictionaries"),
    case("parquet/index-of-pandas.parquet", "10 01", ["a", "b"], ids=["p", "q"]),
    case("parquet/structs.parquet", error="holds lists of struct"),
    case("parquet/one-hot.parquet", "10 01", ["a", "b"]),
    case("parquet/tags.parquet", "11 01 10", ["a", "b"]),
    case("parquet/cut-off.parquet", error="damaged or no Parquet file"),
    case("jsonl/lists.jsonl", "11 00 01", ["a", "b"], ids=["1", "2", "3"]),
    case("jsonl/key-missing.jsonl", error="no label in 1 row of the column 'labels', first in line 2"),
    case("jsonl/one-hot.jsonl", "10 01", ["a", "b"]),
    case("jsonl/list-of-objects.json", "10 11", ["a", "b"]),
    case("jsonl/nested.jsonl", error="holds objects or lists in a list"),
    case("jsonl/broken.jsonl", error="Line 2 of 'broken.jsonl' is no JSON"),
    case("jsonl/vectors.jsonl", "010 101", ["label 0", "label 1", "label 2"], note="has a row of 0 and 1 for each row"),
    case("jsonl/vectors-of-booleans.jsonl", "10 01", ["label 0", "label 1"]),
    case("jsonl/probabilities.jsonl", error="lists of 2 numbers from 0 to 1, such as 0.2, as probabilities are"),
    case("jsonl/nan-is-missing.jsonl", error="no label in 1 row of the column 'labels', first in line 2"),
    case("jsonl/object-of-labels.jsonl", "10 01", ["a", "b"], note="a value of 1 says that a row has the label"),
    case("jsonl/null-in-a-list.jsonl", error="Line 1: 'labels' holds objects or lists in a list, or nulls"),
    case("jsonl/nested-feature.jsonl", "10 01", ["a", "b"]),
    case("jsonl/tokens-and-labels.jsonl", "10 01", ["a", "b"], note="named in the column 'labels'"),
    case("jsonl/packed.jsonl.gz", "10 01", ["a", "b"]),
]


@pytest.mark.parametrize(("path", "labels", "names", "ids", "note", "error", "options"), CASES)
def test_quirk(path, labels, names, ids, note, error, options):
    if error is not None:
        with pytest.raises(OptisplitError) as caught:
            load(QUIRKS / path, **options)
        assert error in str(caught.value)
        return
    data = load(QUIRKS / path, **options)
    assert ["".join(map(str, row)) for row in data.labels.toarray().tolist()] == labels.split()
    assert list(data.label_names) == names
    assert (None if data.row_ids is None else list(data.row_ids)) == ids
    if note is not None:
        assert any(note in each for each in data.notes), data.notes


READ = [pytest.param(*each.values[::6], id=each.id) for each in CASES if each.values[5] is None]


@pytest.mark.parametrize(("path", "options"), READ)
def test_the_same_options_lead_to_the_same_reading(path, options):
    data = load(QUIRKS / path, **options)
    again = load(QUIRKS / path, **data.reading.options)
    assert again.digest == data.digest
    assert again.row_ids == data.row_ids


def test_each_file_has_an_answer():
    files = {str(path.relative_to(QUIRKS)) for path in QUIRKS.rglob("*") if path.is_file()}
    beside = {each for each in files if each.endswith((".xml", ".labels.txt", ".rows.txt"))}
    assert files - beside == {given.values[0] for given in CASES}
