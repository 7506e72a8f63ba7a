from __future__ import annotations

import io
import json
import warnings

import numpy as np
import pandas as pd
import pytest
from reference import n_torn

from optisplit import SplitWarning, check_split, compare, load, split
from optisplit.io.child import codec
from optisplit.io.layouts.group_columns import noun_of
from optisplit.io.likely_groups import torn_groups
from optisplit.io.rows import read_groups
from optisplit.methods.make_recipe import make_recipe

N_ROWS = 240
RNG = np.random.default_rng(0)
PERSONS = RNG.permutation(np.arange(N_ROWS) % 80)
LABELS = {name: (RNG.random(N_ROWS) < share).astype(int) for name, share in (("flu", 0.4), ("lupus", 0.1))}


def table(**columns):
    return pd.DataFrame({"study_id": [f"s{row}" for row in range(N_ROWS)], **columns, **LABELS})


def opened(frame, form="csv", **options):
    if form == "frame":
        return load(frame, **options)
    if form == "parquet":
        held = io.BytesIO()
        frame.to_parquet(held)
        return load(io.BytesIO(held.getvalue()), name="t.parquet", **options)
    text = frame.to_csv(index=False) if form == "csv" else frame.to_json(orient="records", lines=True)
    return load(io.BytesIO(text.encode()), name=f"t.{form}", **options)


def found(data):
    return [each.column for each in data.reading.groups]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("patient_id", [f"P{each:03d}" for each in PERSONS]),
        ("PatientID", PERSONS),
        ("subject", PERSONS),
        ("subject", [f"S{each:02d}" for each in PERSONS]),
        ("User", [f"user {each}" for each in PERSONS]),
        ("video", [f"clips/{each}.mp4" for each in PERSONS]),
        ("author", [f"Jane {'ABCDEFGHIJ'[each % 10]} Smith {each}" for each in PERSONS]),
        ("group", PERSONS % 12),
        ("case_id", PERSONS),
        ("site", [f"site {each}" for each in PERSONS % 24]),
        ("whatever", [f"X-{each:04d}" for each in PERSONS]),
        ("patient_id", [None if row % 3 == 0 else f"P{each}" for row, each in enumerate(PERSONS)]),
    ],
)
@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet", "frame"])
def test_columns_that_look_like_groups(name, values, form):
    data = opened(table(**{name: values}), form)
    (likely,) = data.reading.groups
    assert (likely.column, data.reading.repeating) == (name, (name,))
    known = pd.Series(values, dtype=object)
    assert ((likely.codes < 0) == known.isna()).all()
    pairs = pd.DataFrame({"code": likely.codes, "value": known}).dropna().drop_duplicates()
    assert len(pairs) == pairs["code"].nunique() == pairs["value"].nunique()


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("age", 20 + PERSONS % 60),
        ("price", 100 * PERSONS + 990),
        ("price", np.round(PERSONS / 7, 2)),
        ("year", 1940 + PERSONS),
        ("site", np.array(["Oulu", "Turku", "Espoo"])[PERSONS % 3]),
        ("patient_id", [f"P{row}" for row in range(N_ROWS)]),
        ("patient_id", ["P1"] * N_ROWS),
        ("patient_sex", np.array(["f", "m", "x"])[PERSONS % 3]),
        ("city", np.array([f"{a}{b}burg" for a in "ABCDEFGHIJ" for b in "abcdefgh"])[PERSONS]),
        ("report", [f"the {each % 9} lungs are clear and {each} else is seen" for each in PERSONS]),
        ("date", [f"2024-{1 + each % 12:02d}-{1 + each % 28:02d}" for each in PERSONS]),
        ("time", [f"{each % 24}:{each % 60:02d}" for each in PERSONS]),
        ("icd_code", [f"E{each % 60}.1" for each in PERSONS]),
        ("fold", PERSONS % 30),
        ("ward_id", PERSONS % 6),
        ("dose", [f"{each}" if each else "none" for each in PERSONS]),
    ],
)
def test_columns_that_do_not(name, values):
    data = opened(table(**{name: values}))
    assert found(data) == []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        split(data, 3, method="random", random_state=0)


def test_the_likeliest_comes_first_and_what_is_unique_never():
    columns = {"image": [f"i{row}.png" for row in range(N_ROWS)], "age": 20 + PERSONS % 50,
               "scan": [f"X{each % 60:03d}" for each in PERSONS], "ward_id": PERSONS % 40,
               "patient": PERSONS, "sex": np.array(["f", "m"])[PERSONS % 2]}  # fmt: skip
    reading = opened(table(**columns)).reading
    assert [each.column for each in reading.groups] == ["patient", "ward_id", "scan"]
    assert reading.repeating == ("patient", "ward_id", "scan", "age")


def test_a_hundred_columns_that_repeat_are_named_the_likeliest_first():
    numbers = {f"x{at}": PERSONS % (3 + at % 50) for at in range(120)}
    codes = {f"code{at}": [f"C{each}" for each in PERSONS % (20 + at)] for at in range(8)}
    reading = opened(pd.concat([table(**numbers), pd.DataFrame(codes)], axis=1)).reading
    assert set(reading.repeating[:8]) == set(codes)
    assert reading.repeating[8:] == tuple(f"x{at}" for at in range(92))


def test_blanks_in_a_title_do_not_hide_what_it_names():
    (likely,) = opened(table(**{"patient  id": PERSONS})).reading.groups
    assert (likely.column, likely.noun) == ("patient id", "patient")


def test_in_other_layouts_and_where_rows_are_left_out():
    tags = pd.DataFrame({"image": [f"i{row}.png" for row in range(N_ROWS)], "patient": PERSONS,
                         "labels": np.where(LABELS["flu"], "flu|cough", "cough")})  # fmt: skip
    for form in ("csv", "parquet"):
        assert found(opened(tags, form)) == ["patient"]
    lists = tags.assign(labels=[each.split("|") for each in tags["labels"]])
    assert found(opened(lists, "parquet")) == found(opened(lists, "jsonl")) == ["patient"]
    part = table(patient_id=PERSONS).astype({"lupus": object})
    part.loc[::4, "lupus"] = None
    (likely,) = opened(part, missing="drop-rows").reading.groups
    assert len(likely.codes) == 180
    assert likely.n_values == len(np.unique(np.delete(PERSONS, slice(None, None, 4))))
    assert (pd.factorize(likely.codes)[0] == pd.factorize(np.delete(PERSONS, slice(None, None, 4)))[0]).all()


def test_rows_that_were_left_out_do_not_count():
    text = "patient_id,site,a,b\n" + "".join(f"p{row // 2},s{row // 2},{row % 3 % 2},{row % 2}\n" for row in range(60))
    whole, half = (load(io.BytesIO(each.encode()), missing="drop-rows") for each in (text, text.replace(",1\n", ",\n")))
    assert [each.n_values for each in whole.reading.groups] == [30, 30]
    assert any(note.startswith("30 names stand on several rows in the column 'patient_id'") for note in whole.notes)
    assert half.n_rows == 30
    assert (half.reading.groups, half.reading.repeating) == ((), ())
    assert half.notes[1:] == (
        "30 of 60 rows were left out, since 30 of their label cells are missing.",
        "20 of 30 rows have no label at all.",
        "1 label is on no row: 'b'.",
    )  # fmt: skip


def test_a_split_that_divides_them_says_so_once():
    data = opened(table(patient_id=PERSONS))
    folds = np.arange(N_ROWS) % 3
    torn = torn_groups(data, folds)
    assert (torn.column, torn.n_torn, torn.n_values) == ("patient_id", n_torn(folds, PERSONS), 80)
    with pytest.warns(SplitWarning) as told:
        made = split(data, 3, method="random", random_state=0)
    n = n_torn(made, PERSONS)
    assert [str(each.message) for each in told] == [
        f"patient_id repeats: {n} of 80 patients have rows in more than one fold. Rows of one patient together: "
        "groups='patient_id'."
    ]
    assert told[0].filename == __file__
    with pytest.warns(SplitWarning, match="in more than one part"):
        split(data, fold_sizes=[0.8, 0.2], method="random", random_state=0)
    with pytest.warns(SplitWarning, match="patient_id repeats") as told:
        result = compare(data, ["random"], 3, seeds=[0])
    assert len(told) == 1
    assert result.torn.n_torn == n
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        whole = split(data, 3, groups="patient_id", random_state=0)
        assert compare(data, ["random"], 3, seeds=[0], groups="patient_id").torn is None
    assert torn_groups(data, whole) is None


def test_a_check_names_them_and_what_groups_are_kept():
    data = opened(table(patient_id=PERSONS))
    folds = PERSONS % 3
    assert check_split(data, folds, n_random=0).faults == ()
    folds[np.flatnonzero(PERSONS == 7)[0]] += 1 if folds[PERSONS == 7][0] < 2 else -1
    (fault,) = check_split(data, folds, n_random=0).faults
    assert fault.sentence == "patient_id repeats: 1 of 80 patients has rows in more than one fold."
    assert check_split(data, folds, n_random=0).sentences[-1] == "Worth a look: likely groups divided (1)."
    check = check_split(data, folds, groups="patient_id", n_random=0)
    assert check.faults[0].sentence == "1 of 80 groups of patient_id is divided: '7'."
    check = check_split(data, PERSONS % 3, groups="patient_id", n_random=0)
    assert check.groups == "Groups of patient_id: all 80 are whole."
    assert check.groups in check.html()
    assert check.groups in check._repr_html_()


def test_rows_without_a_value_are_alone():
    data = opened(table(patient_id=[None if row < 4 else f"P{each}" for row, each in enumerate(PERSONS)]))
    read = read_groups("patient_id", data)
    assert read.values[:5] == ["row 0 alone", "row 1 alone", "row 2 alone", "row 3 alone", f"P{PERSONS[4]}"]
    assert read.notes == ("4 rows without a group have one of their own.",)


def test_a_recipe_finds_its_column_again():
    data = opened(table(patient_id=PERSONS))
    folds = split(data, 3, groups="patient_id", random_state=0)
    recipe = make_recipe(data, folds, method="optisplit-sa", seed=0, groups="patient_id")
    assert recipe.groups_from == "patient_id"
    assert (recipe.split(data) == folds).all()


def test_they_come_out_of_a_process_of_its_own():
    data, buffers = opened(table(patient_id=PERSONS)), []
    sent = json.loads(json.dumps(codec.encode(data, buffers)))
    (likely,) = codec.decode(sent, [bytearray(each) for each in buffers]).reading.groups
    assert (likely.column, likely.noun) == ("patient_id", "patient")
    assert (likely.codes == data.reading.groups[0].codes).all()


@pytest.mark.parametrize(
    ("name", "noun"),
    [("patient_id", "patient"), ("Subject ID", "subject"), ("study", "study"), ("Families", "family"),
     ("hadm_id", "admission"), ("hospital", "hospital"), ("X12", "value"), ("users", "user")],
)  # fmt: skip
def test_what_one_value_is_called(name, noun):
    assert noun_of(name) == noun
