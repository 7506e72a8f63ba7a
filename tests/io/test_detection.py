"""Detection data: rows are images, values count instances."""

from __future__ import annotations

import contextlib
import io
import json
import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import yaml

from optisplit import load, read_split, save_split
from optisplit.errors import FormatError, OptisplitError
from optisplit.io.registry import FORMS
from optisplit.io.writers import split_file

if TYPE_CHECKING:
    from pathlib import Path

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


def test_classes_of_open_images_are_named_by_the_table_beside(tmp_path: Path):
    boxes = "ImageID,LabelName,XMin,XMax,YMin,YMax\na,/m/1,0,1,0,1\na,/m/1,0,1,0,1\nb,/m/2,0,1,0,1\n"
    (tmp_path / "train-annotations-bbox.csv").write_text(boxes)
    (tmp_path / "class-descriptions-boxable.csv").write_text('/m/1,"Cat, small"\n/m/3,Bird\n')
    data = load(tmp_path / "train-annotations-bbox.csv")
    assert data.label_names == ("Cat, small", "/m/2")
    assert instances(data) == [[2, 0], [0, 1]]
    assert data.reading.entries["Names of labels"] == "1 of 2 from 'class-descriptions-boxable.csv'"


def test_a_box_without_a_class_is_an_error():
    with pytest.raises(FormatError, match=r"1 line has .* a box, but nothing in the column 'class', first in line 3"):
        load(io.BytesIO(b"image,xmin,ymin,xmax,ymax,class\na,1,1,2,2,cat\nb,1,1,2,2,\n"), name="a.csv")


def test_numbers_beside_pairs_are_no_boxes():
    text = b"document,label,score,weight\na,x,1,3\na,y,1,3\nb,x,1,3\n"
    assert load(io.BytesIO(text), name="a.csv", label_columns=["document", "label"]).counts is None


# ----------------------------------------------------------------------- folders and zips

YAML = "path: .\ntrain: images/train\nval: images/val\nnames:\n  0: cat\n  1: dog\n"
YOLO = {
    "data.yaml": YAML,
    "images/train/a.jpg": "", "images/train/b.jpg": "", "images/val/c.png": "",
    "labels/train/a.txt": "0 .5 .5 .1 .1\n1 .5 .5 .1 .1\n0 .2 .2 .1 .1\n", "labels/train/b.txt": "",
    "labels/val/d.txt": "1 .1 .1 .2 .1 .2 .2\n",
}  # fmt: skip
YOLO_IDS = ("images/train/a.jpg", "images/train/b.jpg", "images/val/c.png", "labels/val/d.txt")


def xml(file_name: str, *objects: str) -> str:
    inner = "".join(f"<object><name>{each}</name><difficult>0</difficult></object>" for each in objects)
    return f"<annotation><filename>{file_name}</filename>{inner}</annotation>"


VOC = {
    "Annotations/1.xml": xml("1.jpg", "dog", "cat", "dog"), "Annotations/2.xml": xml("2.jpg"),
    "ImageSets/Main/train.txt": "1\n",
}  # fmt: skip


def zip_of(files: dict[str, str], prefix: str = "") -> io.BytesIO:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(prefix + name, content)
    return buffer


def folder_of(files: dict[str, str], place: Path) -> Path:
    for name, content in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(content)
    return place


def test_yolo_is_read_from_a_folder_or_a_zip(tmp_path: Path):
    for data in (load(folder_of(YOLO, tmp_path / "pets")), load(zip_of(YOLO), name="pets.zip")):
        assert data.row_ids == YOLO_IDS
        assert data.label_names == ("cat", "dog")
        assert instances(data) == [[2, 1], [0, 0], [0, 0], [0, 1]]
        assert (data.name, data.key, data.reading.format) == ("pets", "image", "yolo")
        assert data.reading.entries["Split of the file"] == "train 2, val 2"
        assert any("1 image has no file of boxes" in note for note in data.notes)


@pytest.mark.parametrize("inner", ["names: [cat, dog]\nnc: 2\n", 'names: ["cat", "dog"]', "names: {0: cat, 1: dog}"])
def test_names_of_classes_are_lists_or_numbered(inner: str):
    assert load(zip_of(YOLO | {"data.yaml": inner}, "top/")).label_names == ("cat", "dog")


def test_classes_without_yaml():
    bare = {name: content for name, content in YOLO.items() if name != "data.yaml"}
    assert load(zip_of(bare)).label_names == ("0", "1")
    assert load(zip_of(bare | {"classes.txt": "cat\ndog\nbird\n"})).label_names == ("cat", "dog", "bird")
    beside = {"obj/a.jpg": "", "obj/a.txt": "1 0 0 1 1\n", "obj/b.jpg": "", "obj.names": "cat\ndog\n"}
    data = load(zip_of(beside))
    assert (data.row_ids, instances(data)) == (("obj/a.jpg", "obj/b.jpg"), [[0, 1], [0, 0]])


def test_voc_is_read_from_a_folder_or_a_zip(tmp_path: Path):
    for data in (load(folder_of(VOC, tmp_path / "pets")), load(zip_of(VOC, "pets/"), name="pets.zip")):
        assert data.row_ids == ("1.jpg", "2.jpg")
        assert data.label_names == ("cat", "dog")
        assert instances(data) == [[1, 2], [0, 0]]
        assert any("ImageSets/Main/train.txt" in note for note in data.notes)


BOMB = '<!DOCTYPE a [<!ENTITY b "x"><!ENTITY c "&b;&b;">]><annotation><filename>&c;</filename></annotation>'


@pytest.mark.parametrize(
    ("files", "says"),
    [
        (YOLO | {"labels/train/b.txt": "2 .5 .5 .1 .1\n"}, "has the class 2, but 'data.yaml' has 2 names"),
        (YOLO | {"labels/train/b.txt": "0 .5 .5 .1 .1\ncat .5 .5 .1 .1\n"}, "Line 2 of 'labels/train/b.txt'"),
        (YOLO | {"labels/train/b.txt": "0 .5 .5\n"}, "is no box such as"),
        (YOLO | {"labels/train/b.txt": "-1 .5 .5 .1 .1\n"}, "is no box such as"),
        (YOLO | {"labels/train/b.txt": "inf .5 .5 .1 .1\n"}, "is no box such as"),
        (YOLO | {"data.yaml": "names: {0: cat, 5: dog}"}, "not numbered from 0 to 1"),
        (YOLO | {"data.yaml": "names: [cat, dog]\nnc: 3"}, "nc: 3, but has 2 names"),
        (YOLO | {"data.yaml": "names: [cat"}, "is no YAML"),
        (YOLO | {"data.yaml": "names: !!python/object/apply:os.getcwd []"}, "is no YAML"),
        (YOLO | {"../data.yaml": ""}, "a file outside of it"),
        (YOLO | {"/etc/a.txt": ""}, "a file outside of it"),
        (VOC | {"Annotations/3.xml": BOMB}, "defines entities or a document type"),
        (VOC | {"Annotations/3.xml": "<annotation><object>"}, "is no XML"),
        (VOC | {"Annotations/3.xml": xml("3.jpg", "")}, "an object without a name"),
        (VOC | {"Annotations/3.xml": "<html></html>"}, "its root is 'html'"),
        ({"Annotations/3.xml": xml("3.jpg")}, "has no object in 1 XML file"),
    ],
)
def test_what_is_wrong_in_a_zip_is_said(files: dict[str, str], says: str):
    with pytest.raises(FormatError) as error:
        load(zip_of(files), format="voc" if files.keys() <= VOC.keys() | {"Annotations/3.xml"} else "yolo")
    assert says in str(error.value)


def test_hostile_zips_end_in_a_sentence(tmp_path: Path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("labels/a.txt", "0 0 0 1 1")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("labels/a.txt", "0 0 0 1 1")
    with zipfile.ZipFile(tmp_path / "b.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("labels/a.txt", b" " * 60_000_000)
    locked = bytearray(zip_of(YOLO).getvalue())
    locked[locked.index(b"PK\x01\x02") + 8] |= 1
    (tmp_path / "c.zip").write_bytes(bytes(locked))
    (tmp_path / "d.zip").write_bytes(zip_of(YOLO).getvalue()[:200])
    for name, says in {"a": "1 name of files twice", "b": "times its size", "c": "encrypted", "d": "damaged"}.items():
        with pytest.raises(FormatError, match=says):
            load(tmp_path / f"{name}.zip", format="yolo")
        with pytest.raises(FormatError):
            load(tmp_path / f"{name}.zip")


def test_other_folders_are_refused(tmp_path: Path):
    (tmp_path / "a.csv").write_text("a,b\n0,1\n")
    with pytest.raises(FormatError, match=r"is a folder.*give the file in it"):
        load(tmp_path)
    with pytest.raises(FormatError, match=r"is a folder.*give the file in it"):
        load(tmp_path, format="delimited")


# ----------------------------------------------------------------------- splits, out and in


def files_in(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


COCO = of(
    [box(9, 5, segmentation=[[1.50, 2]]), box(7, 3, note="é }, {"), box(7, 3), box(8, 5, iscrowd=1)],
    info={"year": 2024}, licenses=[{"id": 1}],
)  # fmt: skip


def test_coco_comes_out_as_coco_for_each_part():
    for indent in (None, 2):
        content = json.dumps(COCO, indent=indent, ensure_ascii=False).encode()
        data = load(io.BytesIO(content), name="pets.json")
        name, made = split_file(
            np.array([1, 0, 1]), data, "files", source=io.BytesIO(content), kind="parts", n_splits=2
        )
        files = files_in(made)
        assert name == "the file-parts.zip"
        assert set(files) == {"the file-train.json", "the file-test.json", "folds.csv", "README.txt"}
        test = json.loads(files["the file-test.json"])
        assert test == COCO | {"images": [IMAGES[0], IMAGES[2]], "annotations": COCO["annotations"][:3]}
        again = read(files["the file-test.json"])
        assert again.row_ids == ("7.jpg", "9.jpg")
        assert instances(again) == data.counts.toarray()[[0, 2]].tolist()
        assert read_split(io.BytesIO(made), data, name="a.zip").folds.tolist() == [1, 0, 1]


def test_coco_folds_are_for_training_and_testing():
    content = json.dumps(COCO).encode()
    data = load(io.BytesIO(content), name="pets.json")
    files = files_in(split_file(np.array([1, 0, 1]), data, "files", source=io.BytesIO(content), stem="pets")[1])
    rows = {name: read(each).row_ids for name, each in files.items() if name.endswith(".json")}
    assert rows == {
        "pets-fold-0-train.json": ("7.jpg", "9.jpg"), "pets-fold-0-test.json": ("8.jpg",),
        "pets-fold-1-train.json": ("8.jpg",), "pets-fold-1-test.json": ("7.jpg", "9.jpg"),
    }  # fmt: skip


def test_another_coco_file_is_refused():
    data = read(COCO)
    with pytest.raises(FormatError, match=r"2 images, not the 3"):
        split_file(
            np.array([1, 0, 1]), data, "files", source=io.BytesIO(json.dumps(of([], images=IMAGES[:2])).encode())
        )


def test_yolo_comes_out_as_lists_and_yaml(tmp_path: Path):
    folder = folder_of(YOLO, tmp_path / "pets")
    data = load(folder)
    save_split(np.array([0, 1, 2, 0]), tmp_path / "split.zip", data, source=folder, kind="parts", n_splits=3)
    files = files_in((tmp_path / "split.zip").read_bytes())
    assert files["train.txt"].decode().splitlines() == ["./images/train/a.jpg", "./images/val/d.jpg"]
    assert files["val.txt"] == b"./images/train/b.jpg\n"
    assert files["test.txt"] == b"./images/val/c.png\n"
    document = yaml.safe_load(files["data.yaml"])
    assert document == {"train": "train.txt", "val": "val.txt", "test": "test.txt", "names": {0: "cat", 1: "dog"}}
    assert read_split(tmp_path / "split.zip", data).folds.tolist() == [0, 1, 2, 0]
    for name, content in files.items():
        (folder / name).write_bytes(content)
    assert read_split(folder, load(folder)).folds.tolist() == [0, 1, 2, 0]


def test_yolo_folds_have_a_yaml_each():
    zipped = zip_of(YOLO)
    data = load(zipped, name="pets.zip")
    files = files_in(split_file(np.array([0, 1, 1, 0]), data, "files", source=zipped)[1])
    assert yaml.safe_load(files["fold_1.yaml"])["val"] == "fold_1_test.txt"
    assert files["fold_1_test.txt"] == b"./images/train/b.jpg\n./images/val/c.png\n"
    assert files["fold_1_train.txt"] == b"./images/train/a.jpg\n./images/val/d.jpg\n"


def test_the_split_of_a_yolo_folder_is_read(tmp_path: Path):
    for source in (folder_of(YOLO, tmp_path / "pets"), zip_of(YOLO)):
        split = read_split(source, load(source))
        assert split.part_names == ("train", "val")
        assert split.folds.tolist() == [0, 0, 1, 1]
    lists = {"data.yaml": "train: a.txt\nval: b.txt\nnames: [cat, dog]", "a.txt": "./images/val/c.png\n"}
    lists["b.txt"] = "images/train/a.jpg\nimages/train/b.jpg\n"
    source = zip_of({name: each for name, each in YOLO.items() if "d.txt" not in name} | lists)
    assert read_split(source, load(source)).folds.tolist() == [1, 1, 0]


def test_voc_comes_out_as_lists():
    source = zip_of(VOC)
    data = load(source)
    files = files_in(split_file(np.array([1, 0]), data, "files", source=source, kind="parts")[1])
    assert (files["ImageSets/Main/train.txt"], files["ImageSets/Main/test.txt"]) == (b"2\n", b"1\n")


def test_a_column_does_not_go_with_detection_data():
    data = read(COCO)
    assert not FORMS["column"].goes_with(data.reading)
    assert FORMS["files"].goes_with(data.reading)
    with pytest.raises(FormatError, match=r"'files' or 'csv'"):
        split_file(np.array([1, 0, 1]), data, "column", source=io.BytesIO(json.dumps(COCO).encode()))
