"""Detection data: rows are images, values count instances."""

from __future__ import annotations

import contextlib
import io
import json
from typing import Any

import numpy as np
import pytest

from optisplit import load
from optisplit.errors import FormatError, OptisplitError

IMAGES = [{"id": n, "file_name": f"{n}.jpg"} for n in (7, 8, 9)]
CATEGORIES = [{"id": 3, "name": "cat"}, {"id": 5, "name": "dog"}]


def of(annotations: list[Any], **changed: Any) -> dict[str, Any]:
    return {"images": IMAGES, "categories": CATEGORIES, "annotations": annotations, **changed}


def box(image: Any, category: Any, **more: Any) -> dict[str, Any]:
    return {"id": 1, "image_id": image, "category_id": category, "bbox": [0, 0, 1, 1], **more}


def read(document: Any) -> Any:
    return load(io.BytesIO(document if isinstance(document, bytes) else json.dumps(document).encode()), name="a.json")


def instances(data: Any) -> list[list[int]]:
    assert data.counts.dtype == np.int32
    assert np.array_equal(data.counts.indices, data.labels.indices)
    assert np.array_equal(data.counts.indptr, data.labels.indptr)
    return data.counts.toarray().tolist()


# ----------------------------------------------------------------------- COCO


def test_instances_of_categories_are_counted_on_images():
    data = read(of([box(8, 5), box(7, 3), box(8, 5, iscrowd=1), box(8, 3)]))
    assert instances(data) == [[1, 0], [1, 2], [0, 0]]
    assert data.labels.toarray().tolist() == [[1, 0], [1, 1], [0, 0]]
    assert data.row_ids == ("7.jpg", "8.jpg", "9.jpg")
    assert data.key == "file_name"
    assert data.label_names == ("cat", "dog")
    assert any("1 annotation is of a crowd" in note for note in data.notes)
    assert data.reading.entries["Instances"] == "4: cat 2 on 2 rows, dog 2 on 1 row"


def test_no_outline_changes_what_is_read():
    odd = [
        box(7, 3, segmentation=[[1.5, 2e-3], [-1, 4]]),
        box(7, 3, segmentation={"counts": [1, 2], "size": [3, 4]}),
        box(8, 5, note='{"segmentation": [[1]], "category_id": 3}', segmentation=[]),
        box(9, 5, inner={"segmentation": [1], "image_id": 8}),
    ]
    for indent in (None, 1):
        data = read(json.dumps(of(odd), indent=indent).encode())
        assert instances(data) == [[2, 0], [0, 1], [0, 1]]


def test_the_form_of_the_text_does_not_matter():
    text = json.dumps(of([box(7, 3)], info={"images": [{"id": 1}]}))
    for content in (
        text.encode(),
        b"\xef\xbb\xbf" + text.encode(),
        text.encode("utf-16"),
        b" \n" + text.encode() + b"\n",
    ):
        assert instances(read(content)) == [[1, 0], [0, 0], [0, 0]]


def test_panoptic_segments_are_instances():
    segments = [{"id": 1, "category_id": 5}, {"id": 2, "category_id": 5, "iscrowd": 1}, {"id": 3, "category_id": 3}]
    data = read(of([{"image_id": 7, "file_name": "7.png", "segments_info": segments}]))
    assert instances(data) == [[1, 2], [0, 0], [0, 0]]


def test_images_without_file_names_are_called_by_id():
    images = [{"id": n, "coco_url": "u", "neg_category_ids": [5]} for n in (7, 8)]
    data = read(of([box(8, 3)], images=images))
    assert (data.row_ids, data.key) == (("7", "8"), "id")
    assert any("neg_category_ids" in note for note in data.notes)
    data = read(of([box(8, 3)], images=[{"id": n, "file_name": "a.jpg"} for n in (7, 8)]))
    assert (data.row_ids, data.key) == (("7", "8"), "id")
    assert any("file_name" in note and "'a.jpg'" in note for note in data.notes)


def test_categories_of_one_name_are_told_apart_by_their_kind():
    categories = [
        {"id": 3, "name": "mouse", "supercategory": "animal"},
        {"id": 5, "name": "mouse", "supercategory": "electronic"},
        {"id": 6, "name": "cup", "supercategory": "kitchen"},
    ]
    assert read(of([box(7, 3)], categories=categories)).label_names == ("animal/mouse", "electronic/mouse", "cup")


@pytest.mark.parametrize(
    ("document", "says"),
    [
        (of([box(7, 3), box(70, 3), box(71, 3)]), "2 annotations have in 'a.json' an image_id that none of its images "
         "has, the first one 70"),
        (of([box(7, 3), box(7, 9)]), "1 annotation has in 'a.json' a category_id that none of its categories has, the "
         "first one 9"),
        (of([box("7", 3)]), "the first one '7'"),
        (of([box(7, 3), {"image_id": 7}]), "Annotation 2 of 'a.json' has no category_id"),
        (of([box(7, True)]), "Annotation 1 of 'a.json' has no number or text as category_id"),
        (of([box(7, 3), 4]), "Annotation 2 of 'a.json' is no object"),
        (of([box(7, 3)], images=[*IMAGES, IMAGES[0]]), "Image 4 of 'a.json' has the id 7, which another one has too"),
        (of([box(7, 3)], images=[{"file_name": "a"}]), "Image 1 of 'a.json' has no id"),
        (of([], images=[]), "lists 0 images and 2 categories"),
        ({"images": IMAGES, "annotations": [{"image_id": 7, "caption": "a cat"}]}, "no 'categories'"),
        ({"images": IMAGES, "categories": CATEGORIES}, "no 'annotations'"),
        (json.dumps(of([box(7, 3)])).encode()[:-30], "'a.json' is no JSON"),
        (json.dumps(of([box(7, 3)])).replace("]}", "],}").encode(), "'a.json' is no JSON"),
        (json.dumps(of([box(7, 3)])).replace('"annot', '"images": [], "annot').encode(), "'images' twice"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(document: Any, says: str):
    with pytest.raises(FormatError) as error:
        read(document)
    assert says in str(error.value)


def test_errors_of_json_name_the_line():
    text = json.dumps(of([box(7, 3, segmentation=[[1, 2], [3, 4]])]), indent=1)
    n_line = text.splitlines().index('   "category_id": 3,') + 1
    with pytest.raises(FormatError, match=f"line {n_line} "):
        read(text.replace('"category_id": 3,', '"category_id" 3,').encode())


def test_rows_of_json_with_such_keys_are_no_coco():
    lines = [{"id": n, "images": [{"file_name": "a"}], "labels": ["x"]} for n in (1, 2)]
    data = read("\n".join(map(json.dumps, lines)).encode())
    assert data.reading.format == "jsonl"
    assert data.labels.shape == (2, 1)


@pytest.mark.parametrize("at", range(0, 300, 7))
def test_cut_and_changed_files_end_in_a_sentence(at: int):
    content = json.dumps(of([box(7, 3, segmentation=[[1, 2]]), box(8, 5)])).encode()
    for broken in (content[:at], content[:at] + b"]" + content[at:], content[:at] + b"\xff\x00" + content[at + 9 :]):
        with contextlib.suppress(OptisplitError):
            read(broken)


# ----------------------------------------------------------------------- a line for each box


@pytest.mark.parametrize(
    ("text", "ids", "names", "counts"),
    [
        ("filename,width,height,class,xmin,ymin,xmax,ymax\na,9,9,cat,1,1,2,2\na,9,9,cat,3,3,4,4\nb,9,9,dog,1,1,2,2\n",
         ("a", "b"), ("cat", "dog"), [[2, 0], [0, 1]]),
        ("path,x1,y1,x2,y2,class\na,1,1,2,2,cat\na,1,1,3,2,cat\nb,,,,,\n", ("a", "b"), ("cat",), [[2], [0]]),
        ("a,1,1,2,2,cat\na,1,1,3,2,cat\nb,,,,,\nc,1,1,4,4,dog\n",
         ("a", "b", "c"), ("cat", "dog"), [[2, 0], [0, 0], [0, 1]]),
        ('image_id;label;bbox\na;cat;"[1, 2, 3, 4]"\na;cat;"[5, 2, 3, 4]"\nb;dog;"[1, 2, 3, 4]"\n',
         ("a", "b"), ("cat", "dog"), [[2, 0], [0, 1]]),
        ("Frame\tLabel\tLeft\tTop\tWidth\tHeight\n1\tcar\t0\t0\t5\t5\n2\tcar\t0\t0\t5\t5\n2\tcar\t1\t1\t5\t5\n",
         ("1", "2"), ("car",), [[1], [2]]),
    ],
)  # fmt: skip
def test_each_line_with_a_box_is_an_instance(text: str, ids: Any, names: Any, counts: Any):
    data = load(io.BytesIO(text.encode()), name="a.csv")
    assert (data.row_ids, data.label_names) == (ids, names)
    assert instances(data) == counts
    again = load(io.BytesIO(text.encode()), name="a.csv", **data.reading.options)
    assert instances(again) == counts


def test_a_box_without_a_class_is_an_error():
    with pytest.raises(FormatError, match=r"1 line has .* a box, but nothing in the column 'class', first in line 3"):
        load(io.BytesIO(b"image,xmin,ymin,xmax,ymax,class\na,1,1,2,2,cat\nb,1,1,2,2,\n"), name="a.csv")


def test_numbers_beside_pairs_are_no_boxes():
    text = b"document,label,score,weight\na,x,1,3\na,y,1,3\nb,x,1,3\n"
    assert load(io.BytesIO(text), name="a.csv", label_columns=["document", "label"]).counts is None
