"""The page that checks a split, run by Streamlit's own test driver."""

from __future__ import annotations

import io
import json
import re
import zipfile
from dataclasses import asdict

import numpy as np
import pandas as pd
import pytest
from conftest import ROOT
from test_app import compare, job_of, open_app, table_with, text_of, upload, wait

import optisplit
from optisplit.io.splits import read_train_test
from optisplit.measures.registry import MEASURES
from optisplit.ui.check import preview
from optisplit.ui.check.make_preview import made

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Streamlit's own making

N_ROWS = 120
LABELS = ("red", "green", "blue", "rare")


def table(**columns) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    values = {"id": [f"r{row}" for row in range(N_ROWS)], "size": rng.random(N_ROWS).round(6)}
    shares = {"red": 0.5, "green": 0.3, "blue": 0.2}
    values |= {name: (rng.random(N_ROWS) < share).astype(int) for name, share in shares.items()}
    values["rare"] = (np.arange(N_ROWS) % 12 == 0).astype(int)
    return pd.DataFrame(values | columns)


def as_csv(frame: pd.DataFrame) -> bytes:
    return frame.to_csv(index=False).encode()


def folds() -> np.ndarray:
    """Give 4 equal folds; label "rare" is in the first two only."""
    found = np.random.default_rng(2).permutation(np.arange(N_ROWS) % 4)
    rare = np.flatnonzero(np.arange(N_ROWS) % 12 == 0)
    for place, row in enumerate(rare):
        wanted = place % 2
        if found[row] != wanted:
            partner = next(each for each in range(N_ROWS) if found[each] == wanted and each % 12)
            found[row], found[partner] = wanted, found[row]
    return found


def wait_for_button(app, key: str):
    return wait(app, lambda each: any(button.key == key and not button.disabled for button in each.button))


def with_data(frame: pd.DataFrame | None = None):
    app = open_app("check", data="emotions")
    upload(app, "mine.csv", as_csv(table() if frame is None else frame))
    return app


def give(app, name: str, content: bytes):
    app.main.file_uploader[0].upload(name, content, "application/octet-stream").run()
    assert not app.exception
    return app


def check(app):
    app.button(key="check_run").click().run()
    return wait_for_button(app, "check_repair")


def open_tab(app, title: str):
    app.session_state["check_tab"] = title
    app.run()
    assert not app.exception


def taken_away(app):
    """Give name and content of the repaired file: Streamlit's driver does not download."""
    made = job_of(app).result
    return made.file_name, made.content


FORMS = {
    "fold column": ("folds.csv", lambda: as_csv(pd.DataFrame({"id": table()["id"], "fold": folds() + 1}))),
    "one a line": ("folds.txt", lambda: "".join(f"{fold}\n" for fold in folds()).encode()),
    "JSON lists": (
        "folds.json",
        lambda: json.dumps([np.flatnonzero(folds() == k).tolist() for k in range(4)]).encode(),
    ),
    "NPZ": ("folds.npz", lambda: npz(test_fold=folds())),
}


def npz(**arrays) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def test_before_the_first_check_the_page_says_what_can_be_brought():
    app = open_app("check", data="emotions")
    assert app.title[0].value == "Check a split"
    said = text_of(app)
    assert "CSV, Excel, Parquet, JSON, NumPy, or text with one fold a line" in said
    assert app.button(key="check_try").label == "Try it on an example"
    assert ":red-badge[Faulty]" in said
    assert "Repaired: :green-badge[Good]" in said
    assert not app.get("plotly_chart")


def test_what_a_check_looks_like_is_what_the_example_gives():
    kept, fresh = preview.read(), made()
    assert {key: value for key, value in asdict(kept).items() if key != "drawings"} == {
        key: value for key, value in fresh.items() if key != "drawings"
    }
    assert kept.drawings.keys() == fresh["drawings"].keys()
    words = {re.search("<desc>.+</desc>", svg)[0] for svg in [*kept.drawings.values(), *fresh["drawings"].values()]}
    assert len(words) == 1


@pytest.mark.parametrize("form", FORMS)
def test_a_split_in_a_file_is_read_checked_repaired_and_given_back(form):
    name, content = FORMS[form][0], FORMS[form][1]()
    app = give(with_data(), name, content)
    assert "Read as 4 folds for cross-validation" in text_of(app)
    check(app)
    assert "'rare'" in app.error[0].value.replace("\\", "")  # it could be tested, and is not
    app.button(key="check_repair").click().run()
    wait_for_button(app, "check_undo")
    file_name, given_back = taken_away(app)
    data = optisplit.load(io.BytesIO(as_csv(table())), name="mine.csv")
    made = optisplit.read_split(io.BytesIO(given_back), data, name=file_name)
    assert file_name == name.replace(".", "-repaired.")
    assert made.kind == "folds"
    assert sorted(made.sizes.tolist()) == [30, 30, 30, 30]
    rare = np.arange(N_ROWS) % 12 == 0
    assert set(made.folds[rare].tolist()) == {0, 1, 2, 3}
    assert json.loads(content) != json.loads(given_back) if form == "JSON lists" else content != given_back


def test_a_column_of_the_data_is_offered_and_the_table_comes_back_with_it():
    frame = table(fold=folds(), visit=np.arange(N_ROWS) % 7)
    app = with_data(frame)
    assert app.session_state["check_from"] == "column"
    assert "What a check looks like" not in text_of(app)  # beside an own file it would look like its result
    assert "4 folds" in text_of(app)
    check(app)
    app.button(key="check_repair").click().run()
    wait_for_button(app, "check_undo")
    name, content = taken_away(app)
    back = pd.read_csv(io.BytesIO(content))
    assert name == "mine-repaired.csv"
    assert back.drop(columns="fold").equals(frame.drop(columns="fold"))
    assert (back["fold"] != frame["fold"]).any()


def test_training_and_test_files_bring_the_data_along():
    frame = table()
    app = open_app("check", data="emotions")
    app.segmented_control(key="check_from").set_value("pair").run()
    for uploader, part in zip(app.main.file_uploader[:2], (frame[:80], frame[80:]), strict=True):
        uploader.upload("train.csv" if len(part) == 80 else "test.csv", as_csv(part), "text/csv")
    app.run()
    assert not app.exception
    assert app.selectbox(key="data").value == "file: train.csv + test.csv"
    assert "Read as 2 parts" in text_of(app)
    check(app)
    app.button(key="check_repair").click().run()
    wait_for_button(app, "check_undo")
    name, content = taken_away(app)
    assert name.endswith(".zip")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = [io.BytesIO(archive.read(each)) for each in archive.namelist()]
    _, split = read_train_test(*parts, train_name="train.csv", test_name="test.csv")
    assert split.sizes.tolist() == [80, 40]


def test_what_labels_of_a_training_and_a_test_file_mean_is_asked():
    app = open_app("check", data="emotions")
    app.segmented_control(key="check_from").set_value("pair").run()
    files = {"train.csv": b"x,a,b\n1.5,1,0\n2.5,-1,1\n3.5,0,1\n", "test.csv": b"x,a,b\n4.5,1,0\n5.5,1,1\n"}
    for uploader, (name, content) in zip(app.main.file_uploader[:2], files.items(), strict=True):
        uploader.upload(name, content, "text/csv")
    app.run()
    assert not app.exception
    next(each for each in app.main.radio if each.label == "What does -1 mean?").set_value("drop-rows").run()
    assert not app.exception
    upload = app.session_state["uploads"]["file: train.csv + test.csv"]
    assert upload.data.row_ids == ("train 0", "train 2", "test 0", "test 1")
    assert "options={'uncertain': 'drop-rows'}" in upload.load_code


def test_the_best_of_a_comparison_can_be_checked():
    app = compare(open_app(data="emotions"))
    app.switch_page(str(ROOT / "pages" / "check.py")).run()
    app.segmented_control(key="check_from").set_value("compared").run()
    check(app)
    assert "OptiSplit, seed" in app.subheader[0].value.replace("\\", "")
    assert app.success


def test_faults_are_found_and_named_and_a_repair_puts_them_right():
    given = pd.DataFrame({"id": table()["id"], "fold": folds()}).drop(index=[3, 4])
    given = pd.concat([given, pd.DataFrame({"id": ["r10"], "fold": [(folds()[10] + 1) % 4]})])
    app = check(give(with_data(), "folds.csv", as_csv(given)))
    said = text_of(app)
    assert "Rows in no part: 2" in said
    assert "'r3', 'r4'" in said
    assert "Rows in two parts: 1" in said
    assert "'r10'" in said
    assert app.error
    app.button(key="check_repair").click().run()
    wait_for_button(app, "check_undo")
    assert "2 rows that had no part got one" in text_of(app)
    assert app.success[0].value.startswith("#### Faulty → ")
    assert table_with(app, "After").set_index("").loc["Rows in no part", ["Before", "After"]].tolist() == ["2", "**0**"]
    assert not app.error
    assert "Rows in no part" not in text_of(app)
    assert "Rows in two parts" not in text_of(app)
    assert "Rows named more than once" not in text_of(app)
    app.button(key="check_undo").click().run()
    assert app.error[0].value.startswith("#### Faulty")
    assert "Rows in no part: 2" in text_of(app)
    app.button(key="check_redo").click().run()
    assert app.success[0].value.startswith("#### Faulty → ")


def test_equal_rows_and_divided_groups_are_found():
    frame = table(fold=folds())
    features = [column for column in frame if column not in ("id", "fold")]
    other = int(np.flatnonzero(folds() != folds()[0])[-1])  # of another group
    frame.loc[other, features] = frame.loc[0, features]
    frame[["size", *LABELS]] = frame[["size", *LABELS]].astype(dict.fromkeys(LABELS, int))
    app = with_data(frame)
    app.main.file_uploader[0].upload(
        "groups.txt", "".join(f"g{row // 10}\n" for row in range(N_ROWS)).encode(), "text/plain"
    ).run()
    check(app)
    said = text_of(app)
    assert "Rows with the same features as a row of another group in another part: 2" in said
    assert "Groups divided: 12" in said


def test_faults_that_only_people_can_put_right_keep_the_repair_back():
    given = pd.DataFrame({"id": table()["id"].replace("r7", "stranger"), "fold": folds()})
    app = give(with_data(), "folds.csv", as_csv(given))
    app.button(key="check_run").click().run()
    wait(app, lambda each: "A repair has to wait" in text_of(each))
    assert not any(button.key == "check_repair" for button in app.button)
    assert "stranger" in text_of(app)


def test_how_a_file_was_read_can_be_corrected():
    app = give(with_data(), "folds.csv", as_csv(pd.DataFrame({"id": table()["id"], "fold": folds() % 2})))
    assert "Read as 2 folds" in text_of(app)
    kind = next(each for each in app.selectbox if each.label == "The parts are")
    kind.set_value("parts").run()
    assert "Read as 2 parts" in text_of(app)
    training = next(each for each in app.selectbox if each.label == "Models are trained on")
    training.set_value(training.options[1]).run()
    assert table_with(app, "Use")["Use"].tolist() == ["training", "test"]
    assert table_with(app, "Part")["Part"].tolist() == [training.options[1], training.options[0]]
    rows = next(each for each in app.selectbox if each.label == "Rows are named")
    rows.set_value("from 1").run()
    assert "folds.csv" in text_of(app)
    assert not any(each.key == "check_run" for each in app.button)


def test_one_of_several_columns_is_chosen():
    given = pd.DataFrame({"id": table()["id"], "fold": folds(), "split": np.where(folds() == 0, "test", "train")})
    app = give(with_data(), "folds.csv", as_csv(given))
    assert "4 folds" in text_of(app)
    column = next(each for each in app.selectbox if each.label == "Column with the split")
    column.set_value("split").run()
    assert "Read as 2 parts" in text_of(app)


def test_a_file_that_is_no_split_says_so_and_the_page_goes_on():
    app = give(with_data(), "folds.csv", b"a,b\nx,y\n")
    assert ":red[" in "".join(each.value for each in app.markdown)
    assert not any(each.key == "check_run" for each in app.button)
    app.button(key="check_file_remove").click().run()
    give(app, "folds.txt", FORMS["one a line"][1]())
    assert any(each.key == "check_run" for each in app.button)


def test_the_example_is_one_click_away_and_shows_what_the_page_does():
    app = open_app("check", data="emotions")
    app.button(key="check_try").click().run()
    wait_for_button(app, "check_repair")
    assert "with faults in it" in text_of(app)
    assert "Rows in no part: 6" in text_of(app)
    assert app.error
    assert [each.key for each in app.get("plotly_chart")] == ["random_range_chart", "per_class_chart"]
    for tab, is_there in (
        ("Maps", lambda: app.get("plotly_chart")[-1].key == "parts_chart"),
        ("Rare labels", lambda: app.get("plotly_chart")[-1].key == "rare_shares_chart"),
        ("Missing labels", lambda: "Labels that cannot be tested everywhere" in [each.value for each in app.subheader]),
        ("Measures", lambda: len(table_with(app, "Random splits")) == len(MEASURES)),
        ("What a model would see", lambda: "The 95 % interval of a label's recall is to be" in text_of(app)),
        ("How it was read", lambda: "From a table" in text_of(app)),
    ):
        open_tab(app, tab)
        assert is_there(), tab


def test_the_address_checks_the_example_at_once_but_not_again():
    app = wait_for_button(open_app("check", data="emotions", **{"from": "example"}), "check_repair")
    job = app.session_state["job_id"]
    app.run()
    assert app.session_state["job_id"] == job


def test_what_the_form_says_otherwise_is_told():
    app = check(give(with_data(), FORMS["one a line"][0], FORMS["one a line"][1]()))
    assert not app.info
    toggle = next(each for each in app.toggle if each.label.startswith("Look for rows with the same features"))
    toggle.set_value(not toggle.value).run()
    assert "whether rows with the same features are looked for" in app.info[0].value


def test_pairs_of_labels_are_measured_on_request():
    app = wait_for_button(open_app("check", data="emotions", **{"from": "example"}), "check_repair")
    open_tab(app, "Pairs of labels")
    app.button(key="check_pairs").click().run()
    wait(app, lambda each: "pairs**: rLD" in text_of(each))


def test_parts_are_told_apart_on_request():
    app = check(with_data(table(fold=folds())))
    open_tab(app, "What a model would see")
    app.button(key="check_apart").click().run()
    wait(app, lambda each: "Parts cannot be told apart by features and labels" in text_of(each))
    assert table_with(app, "Area under the curve")["Part"].tolist() == ["fold 0", "fold 1", "fold 2", "fold 3"]
    open_tab(app, "How it was read")
    assert "Not looked at to tell parts apart, as it says the part: 'fold'." in text_of(app)


def test_pairs_do_not_lose_a_repair():
    app = wait_for_button(open_app("check", data="emotions", **{"from": "example"}), "check_repair")
    app.button(key="check_repair").click().run()
    wait_for_button(app, "check_undo")
    open_tab(app, "Pairs of labels")
    app.button(key="check_pairs").click().run()
    wait(app, lambda each: "pairs**: rLD" in text_of(each))
    assert app.success[0].value.startswith("#### Faulty → ")
    app.button(key="check_undo").click().run()
    assert app.error[0].value.startswith("#### Faulty")


def test_a_result_stays_over_page_switches():
    app = wait_for_button(open_app("check", data="emotions", **{"from": "example"}), "check_repair")
    app.switch_page(str(ROOT / "pages" / "data.py")).run()
    assert not app.success  # it was seen on its own page
    app.switch_page(str(ROOT / "pages" / "check.py")).run()
    assert "Rows in no part: 6" in text_of(app)
    app.selectbox(key="data").set_value("yeast").run()
    assert any("This is what was found for emotions" in each.value for each in app.info)


def test_names_from_files_are_shown_as_they_stand():
    names = np.array(["**a**", "$b$", "<i>c</i>", "[d](e)"])[folds()]
    app = give(with_data(), "x_*y*.csv", as_csv(pd.DataFrame({"id": table()["id"], "fold": names})))
    assert r"\*\*a\*\*" in "".join(table_with(app, "Part")["Part"])
    check(app)
    assert r"x\_\*y\*\.csv" in app.subheader[0].value


def test_unfair_parts_are_named_and_labels_too_rare_for_every_part_can_be_left_out_or_put_together():
    rows = np.arange(N_ROWS)
    values = {"id": [f"r{row}" for row in rows], "common": (rows % 3 == 0).astype(int)}
    values |= {f"pair {pair}": (rows // 2 == pair).astype(int) for pair in range(20)}
    frame = pd.DataFrame(values)
    parts = np.r_[["train"] * 96, ["validation", "test"] * 12]  # all rows with a rare label are trained on
    app = check(give(with_data(frame), "split.csv", as_csv(pd.DataFrame({"id": values["id"], "split": parts}))))
    said = text_of(app)
    assert "train has 100 % of the positives of labels with 2 positives, where 80 % are due" in said
    assert "Positives that belong in another part, by label size: 8" in said
    open_tab(app, "Missing labels")
    said = text_of(app)
    assert "No split has 20 labels in every part: 'pair 0', 'pair 1', 'pair 2' and 17 more" in said
    app.button(key="check_merge").click().run()
    assert not app.exception
    chosen = app.session_state["uploads"][app.session_state["data"]]
    assert chosen.data.label_names == ("common", "rare labels")
    assert chosen.data.labels.toarray()[:, 1].tolist() == [1] * 40 + [0] * 80
    assert "optisplit.merge_labels(data, {'rare labels': ['pair 0'," in chosen.load_code
    app.button(key="check_drop").click().run()
    chosen = app.session_state["uploads"][app.session_state["data"]]
    assert chosen.data.label_names == ("common",)
    assert not app.exception


def test_labels_due_to_no_small_part_can_be_put_into_it_by_a_repair():
    rows = np.arange(N_ROWS)
    values = {"id": [f"r{row}" for row in rows], "common": (rows % 3 == 0).astype(int), "few": (rows < 3).astype(int)}
    parts = np.where(rows % 5 == 4, "test", "train")
    app = give(with_data(pd.DataFrame(values)), "s.csv", as_csv(pd.DataFrame({"id": values["id"], "split": parts})))
    check(app)
    open_tab(app, "Missing labels")
    assert "1 label has too few rows for its share of some part: with “Every label in every part where" in text_of(app)
    app.button(key="check_repair_cover").click().run()
    wait_for_button(app, "check_undo")
    assert "Every label has a row in each part that models are tested on." in text_of(app)
    assert "Better: Labels that cannot be tested somewhere (1 → 0)." in app.success[0].value.replace("\\", "")
    assert not any(button.key == "check_repair_cover" for button in app.button)
    app.button(key="check_undo").click().run()
    assert app.button(key="check_repair_cover")
