"""What the lines of a second file are matched by, in the app: said, chosen, and what does not match left out."""

from __future__ import annotations

import io

from test_app import captions, open_app, table_with, upload, wait

from optisplit.io.samples import load
from optisplit.ui.check.request import Reading
from optisplit.ui.datasets import Upload

SCANS = b"File Name,Findings,Patient\n" + b"".join(
    f"s{row}.png,{'Mass|Edema' if row % 3 == 0 else 'Mass' if row % 2 else 'Edema'},P{row % 3}\n".encode()
    for row in range(6)
)
PATIENTS = b"other,File Name,patient\n" + b"".join(
    f"x{row},s{row}.png,p{row % 3}\n".encode() for row in (3, 0, 5, 1, 4, 2)
)
OTHERWISE = b"img,patient\n" + b"".join(f"S-{row},p{row % 3}\n".encode() for row in range(6))


def with_groups(content: bytes, name: str = "patients.csv"):
    app = upload(open_app(data="emotions"), "scans.csv", SCANS)
    place = next(each for each in app.main.file_uploader if each.label == "Groups in a file")
    place.upload(name, content, "text/csv").run()
    assert not app.exception
    return app


def choose(app, label: str, value):
    next(each for each in app.main.selectbox if each.label == label).set_value(value).run()
    assert not app.exception
    return app


def test_what_groups_are_matched_by_is_said_and_can_be_chosen():
    app = choose(with_groups(PATIENTS), "Column with the group names", "patient")
    assert "matched to the rows by column 'File Name'; 6 of 6 rows" in captions(app)
    matched = next(each for each in app.main.selectbox if each.label == "Matched by")
    assert matched.options == ["As found", "other", "File Name"]
    choose(app, "Matched by", "File Name")
    assert "by column 'File Name'; 6 of 6 rows" in captions(app)


def test_a_column_that_is_called_otherwise_is_set_beside_that_of_the_data():
    app = upload(open_app(data="emotions"), "scans.csv", SCANS.replace(b".png", b"").replace(b"s", b"S-"))
    place = next(each for each in app.main.file_uploader if each.label == "Groups in a file")
    place.upload("patients.csv", OTHERWISE, "text/csv").run()
    choose(choose(app, "Column with the group names", "patient"), "Matched by", "img")
    own = next(each for each in app.main.selectbox if each.label == "Which the data calls")
    assert own.value == "File Name"
    assert "6 of 6 rows" in captions(app)


def test_what_does_not_match_is_counted_and_left_out_on_request():
    app = choose(with_groups(PATIENTS.replace(b"s5.png", b"s9.png")), "Column with the group names", "patient")
    told = " ".join(each.value.replace("\\", "") for each in app.main.markdown)
    assert "'s5.png'" in told
    assert "“Leave out what does not match”" in told
    next(each for each in app.main.toggle if each.label == "Leave out what does not match").set_value(True).run()
    assert not app.exception
    assert "5 of 6 rows" in captions(app)
    assert "'s9.png'" in captions(app)


def test_a_split_is_matched_by_a_chosen_column_and_unknown_names_are_shown():
    app = upload(open_app("check", data="emotions"), "scans.csv", SCANS)
    parts = b"File Name,part\n" + b"".join(
        f"s{row}.png,{'test' if row in (2, 4) else 'train'}\n".encode() for row in (5, 4, 3, 2, 1, 0, 9)
    )
    place = next(each for each in app.main.file_uploader if each.label == "Split file")
    place.upload("parts.csv", parts, "text/csv").run()
    assert not app.exception
    told = " ".join(each.value.replace("\\", "") for each in app.main.markdown)
    assert "matched to the rows by column 'File Name'" in told
    assert "'s9.png'" in told
    choose(app, "Matched by", "File Name")
    next(each for each in app.main.toggle if each.label == "Leave out what does not match").set_value(True).run()
    assert not app.exception
    assert any(each.key == "check_run" for each in app.button)


def test_a_split_in_a_file_for_each_part():
    app = upload(open_app("check", data="emotions"), "scans.csv", SCANS)
    parts = {"train": (0, 5, 3), "val": (1,), "test": (4, 2)}
    place = next(each for each in app.main.file_uploader if each.label == "Split file")
    place.set_value([
        (f"scans_{part}.txt", "".join(f"s{row}.png\n" for row in rows).encode(), "text/plain")
        for part, rows in parts.items()
    ])  # fmt: skip
    app.run()
    assert not app.exception
    table = table_with(app, "Use")
    assert dict(zip(table["Part"], table["Rows"], strict=True)) == {"train": "3", "val": "1", "test": "2"}
    assert table["Use"].tolist() == ["training", "validation", "test"]
    app.button(key="check_run").click().run()
    wait(app, lambda each: any(button.key == "check_repair" for button in each.button))


def test_files_of_parts_are_read_again_as_they_were_repaired():
    data = load(io.BytesIO(SCANS), name="scans.csv")
    files = [Upload(f"{part}.txt", "".join(f"s{row}.png\n" for row in rows).encode())
             for part, rows in (("a", (0, 1)), ("b", (2, 3, 4, 5)))]  # fmt: skip
    reading = Reading.of(files)
    split = reading.read(data)
    assert split.part_names == ("a", "b")
    again = reading.rewritten(*split.write_back(1 - split.folds)).read(data)
    assert again.part_names == ("a", "b")
    assert again.folds.tolist() == (1 - split.folds).tolist()


def test_a_column_of_groups_is_not_chosen_for_the_split():
    app = upload(open_app("check", data="emotions"), "scans.csv", SCANS)
    assert app.session_state["check_from"] == "file"
    app = upload(open_app("check", data="emotions"), "scans.csv", SCANS.replace(b"Patient", b"fold"))
    assert app.session_state["check_from"] == "column"
