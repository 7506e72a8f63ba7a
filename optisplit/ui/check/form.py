"""Which split to check: where it comes from, how it was read, and what the user corrects."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.check.random_splits import N_RANDOM
from optisplit.errors import OptisplitError
from optisplit.io.registry import READ_OPTIONS
from optisplit.io.splits import read_train_test
from optisplit.io.splits.values import role_of
from optisplit.text import percent
from optisplit.ui import forms, groups_file, jobs_panel, keys, limits, matching, reading_options, uploads
from optisplit.ui.apart import split_apart
from optisplit.ui.check.request import (
    ORIGIN_TITLES,
    WAIT_S,
    CheckRequest,
    Reading,
    column_title,
    columns_of,
    compared_split,
    differences,
    example_reading,
    keys_of,
    run_check,
    split_of,
)
from optisplit.ui.check.seen import seen
from optisplit.ui.datasets import UPLOAD_PREFIX, ChosenData
from optisplit.ui.spelling import ROW_TITLES
from optisplit.ui.uploads import ReadRequest
from optisplit.ui.widgets import complaint, download, md, said, small_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optisplit.comparison.experiment import ComparisonResult, Run
    from optisplit.io.splits import SplitFile
    from optisplit.labels import MultilabelDataset
    from optisplit.ui.check.seen import Seen
    from optisplit.ui.compare.request import CompareRequest
    from optisplit.ui.jobs import OnReport


FILE_HINT = "CSV, Excel, Parquet, JSON, NumPy, or text with one fold a line; or a file for each part, brought together."
FILE_HELP = """
- **CSV or TSV** with a column such as fold, split or is_test, and, if the rows are in another order, one of row ids
- **Text** with one fold number a line
- **JSON**: lists of row numbers or ids, one a fold; pairs of train and test; {"train": …, "test": …}
- **A file for each part**, such as train.txt and test.txt, with names of rows one a line; bring them together
- **NPZ** with test_fold, or train and test, as NumPy writes it

Folds may start at 0 or 1; -1 means always in training. Parts may have names, such as train, val and test."""
MOST_PARTS = 12
"""More parts than this are told of in words, not in a table."""

HOW_READ = "How it was read; correct it"

KIND_TITLES = {"": "As found", "folds": "Folds for cross-validation", "parts": "Training and test parts"}
AS_FOUND = "As found"


def show(chosen: ChosenData, shown: Seen | None) -> CheckRequest | None:
    """Draw the form, folded away where its result is shown; start the check when asked; give what it asks for."""
    groups_file.drop_foreign(chosen)
    origins = _origins(chosen)
    _settle_origin(chosen, origins)
    is_folded = shown is not None and shown.request.chosen.key == chosen.key
    place: Any
    if is_folded:
        place = st.expander("Check another split, or this one otherwise", icon=":material/edit:", key="check_form")
    else:
        place = st.container(border=True, key="check_form")
    with place:
        origin = st.segmented_control(
            "Where is the split?", origins, format_func=ORIGIN_TITLES.__getitem__, key=keys.CHECK_FROM, required=True,
            persist_state="session", on_change=_check_example_at_once,
            help="The data is what is chosen at the left. **In a column of the data** is there when a table with such "
            "a column was brought; **Best of the comparison** when the page Compare has a result for this data.",
        )  # fmt: skip
        origin = origin or origins[0]
        st.query_params[keys.SPLIT_IN_ADDRESS] = origin
        asked, button, more = st.container(), st.container(), st.container()  # what few have to look at comes last
        try:
            with asked:
                found = _ask(origin, chosen, more)
        except OptisplitError as error:
            asked.markdown(complaint(error))
            found = None
        return None if found is None else _check_button(chosen, *found, shown, button, more)


def _origins(chosen: ChosenData) -> list[str]:
    """List where a split of the data can come from."""
    has_column = len(chosen.files) == 1 and bool(columns_of(chosen.files[0], chosen.data))
    can = {
        "column": has_column,
        "compared": _best_compared(chosen) is not None,
        "example": chosen.uploaded is None,
    }
    return [origin for origin in ORIGIN_TITLES if can.get(origin, True)]


def _settle_origin(chosen: ChosenData, possible: list[str]) -> None:
    """Choose, before the user does, the likeliest place for the data; later keep to what is possible."""
    state = st.session_state
    wanted = state.pop(keys.CHECK_WANTED, None)
    if state.get(keys.CHECK_SEEN) != chosen.key:
        if keys.CHECK_SEEN not in state:  # the first visit, or a reload
            job = seen()
            request = None if job is None else job.asked
            if request is not None and request.chosen.key == chosen.key:
                if request.reading.origin == "file" and keys.CHECK_FILE not in state:
                    state[keys.CHECK_FILE] = request.reading.files
                wanted = wanted or request.reading.origin
            wanted = st.query_params.get(keys.SPLIT_IN_ADDRESS, "") or wanted
            state[keys.CHECK_AT_ONCE] = wanted == "example" and job is None  # somebody followed a link
        elif wanted is None and not state.get(keys.CHECK_FILE):
            has_usual = "column" in possible and any(each.is_usual for each in columns_of(chosen.files[0], chosen.data))
            wanted = "pair" if chosen.split is not None else "column" if has_usual else None
        state[keys.CHECK_SEEN] = chosen.key
    if wanted in possible:
        state[keys.CHECK_FROM] = wanted
    elif state.get(keys.CHECK_FROM) not in possible:
        state[keys.CHECK_FROM] = possible[0]


def choose(origin: str) -> None:
    """Choose where the split comes from, the next time that the page is drawn; an example is checked at once."""
    st.session_state[keys.CHECK_WANTED] = origin
    st.session_state[keys.CHECK_AT_ONCE] = origin == "example"


def _check_example_at_once() -> None:
    st.session_state[keys.CHECK_AT_ONCE] = st.session_state.get(keys.CHECK_FROM) == "example"


def _best_compared(chosen: ChosenData) -> tuple[CompareRequest, Run] | None:
    """Find the best split of this session's latest comparison, where that was of the data."""
    job = jobs_panel.shown_job("compare")
    if job is None:
        return None
    request: CompareRequest = job.request
    result: ComparisonResult = job.result
    run = result.best_run()
    is_same = request.chosen.key == chosen.key and request.chosen.uploaded is chosen.uploaded
    return (request, run) if is_same and run is not None and run.folds is not None else None


def _ask(origin: str, chosen: ChosenData, more: Any) -> tuple[Reading, SplitFile] | None:
    """Ask for a split; None where there is none yet, or a wrong one, of which the user is told."""
    if origin == "pair":
        if chosen.split is None:
            _ask_for_pair(chosen)
            return None
        _say_how_read(more.expander(HOW_READ), chosen.split, chosen.split.form)
        with more.expander("Bring other files"):
            _ask_for_pair(chosen)
        return Reading("pair"), chosen.split
    if origin == "compared":
        request, run = _best_compared(chosen) or (None, None)
        if request is None or run is None:
            return None
        split = compared_split(request, run, chosen.data)
        st.markdown(f"The best split of the latest comparison: **{md(split.name)}**.")
        _say_how_read(more.expander(HOW_READ), split, "")
        return Reading("compared"), split
    if origin == "example":
        reading = example_reading(chosen)
        assert reading.file is not None
        st.markdown(
            "A random split of this data into 5 folds, as a file, with faults in it: rows left out, and rare labels "
            "missing from a fold."
        )
        example = reading.file
        download("Look at the file", example.content, example.name, key="check_example_file", type="tertiary")
        return _read(reading, chosen, more)
    if origin == "column":
        return _read(Reading("column", chosen.files[0]), chosen, more)
    files = uploads.ask_for_files("Split file", FILE_HINT, key=keys.CHECK_FILE, help=FILE_HELP)
    return _read(Reading.of(files), chosen, more) if files else None


def _read(reading: Reading, chosen: ChosenData, more: Any) -> tuple[Reading, SplitFile] | None:
    """Read a file, with what the user corrects; say how it was read."""
    assert reading.file is not None
    file, data, token = reading.file, chosen.data, reading.digest[:12]
    matched = f"{keys.CHECK_MATCHED}_{token}"
    columns = [] if reading.parts else columns_of(file, data)
    if len(columns) > 1:
        titles = {column.name: column_title(column) for column in columns}
        name = st.selectbox(
            "Column with the split", list(titles), format_func=titles.__getitem__,
            key=f"{keys.CHECK_COLUMN}_{token}_{data.digest[:6]}", persist_state="session",
        )  # fmt: skip
        reading = replace(reading, column=name)
    place, box = st.container(), more.expander(HOW_READ, icon=":material/edit:", key="check_corrections")
    table = box.container()
    named = [] if columns or reading.parts else keys_of(file.digest, file)
    with box:
        reading = _corrected(reading, token, named)
        if reading.origin == "file":
            others = matching.columns_of(file) if columns or reading.parts else ()
            taken = reading.column or (columns[0].name if columns else None)
            reading = replace(reading, matched=matching.ask(others, taken, data, matched))
    try:
        split = split_of(reading, data)
        with box:
            reading = _training(reading, split, token)
        split = split_of(reading, data)
    except OptisplitError as error:
        place.markdown(complaint(error))
        return None
    with place:
        _say_how_read(table, split, split.form)
    if reading.matched.unmatched != "error" or any(fault.kind == "unknown" for fault in split.faults):
        with place:
            matching.offer_to_leave_out(matched)
    return reading, split


def _corrected(reading: Reading, token: str, named: Sequence[str]) -> Reading:
    left, right = st.columns(2)
    kind = left.selectbox(
        "The parts are", list(KIND_TITLES), format_func=KIND_TITLES.__getitem__, key=f"{keys.CHECK_KIND}_{token}",
        persist_state="session",
        help="**Folds**: each is the test part once, and the others are trained on. **Parts**: one is trained on, "
        "the others are for validation and test.",
    )  # fmt: skip
    rows = right.selectbox(
        "Rows are named", ["", *ROW_TITLES], format_func=lambda each: ROW_TITLES.get(each, AS_FOUND),
        key=f"{keys.CHECK_ROWS}_{token}",
        persist_state="session",
        help="How the file says which row it speaks of. Numbers from 0 and from 1 cannot always be told apart.",
    )  # fmt: skip
    if named:
        options = [AS_FOUND, *named]
        column = left.selectbox(
            "Key or array with the split", options, key=f"{keys.CHECK_COLUMN}_{token}", persist_state="session"
        )
        reading = replace(reading, column=None if column == AS_FOUND else column)
    return replace(reading, kind=kind or None, rows=rows or None)


def _training(reading: Reading, split: SplitFile, token: str) -> Reading:
    if split.kind != "parts" or split.pairs is not None:
        return reading
    training = st.selectbox(
        "Models are trained on", split.part_names, key=f"{keys.CHECK_TRAINING}_{token}_{'_'.join(split.part_names)}",
        persist_state="session",
    )  # fmt: skip
    return replace(reading, training=training)


def _say_how_read(box: Any, split: SplitFile, form: str) -> None:
    """Say what the split was read as, and what is no row of the data; in the box, its parts and what was decided."""
    what = "folds for cross-validation" if split.kind == "folds" else "parts"
    st.markdown(f"**Read as {split.n_parts:,} {what}**" + (f", from {md(form)}." if form else "."))
    unknown = [f"- {said(fault.sentence)}" for fault in split.faults if fault.kind == "unknown"]
    if unknown:
        st.markdown("\n".join(unknown))
    with box:
        notes = split.notes
        if split.n_parts <= MOST_PARTS:
            notes = notes[:-1]  # the last says what the table says
            n_always = int((split.folds < 0).sum() - split.is_missing.sum())
            lines = [
                {"Part": md(name), "Rows": f"{size:,}", "Share": _share(size, split), "Use": use}
                for name, size, use in zip(split.part_names, split.sizes, _uses(split), strict=True)
            ]
            others = (("in no fold", n_always, "always training"), ("in no part", int(split.is_missing.sum()), "none"))
            lines += [
                {"Part": f"*{name}*", "Rows": f"{count:,}", "Share": _share(count, split), "Use": use}
                for name, count, use in others
                if count
            ]
            small_table(lines, "The parts of the split")
        if notes:
            st.markdown("\n".join(f"- {said(note)}" for note in notes))


def _share(count: int, split: SplitFile) -> str:
    return percent(round(count / split.n_rows, 3))


def _uses(split: SplitFile) -> list[str]:
    if split.kind == "folds":
        return ["test once, otherwise training"] * split.n_parts
    tested = ["validation" if role_of(name) == "validation" else "test" for name in split.part_names[1:]]
    return ["training", *tested]


def _check_button(
    chosen: ChosenData, reading: Reading, split: SplitFile, shown: Seen | None, place: Any, more: Any
) -> CheckRequest | None:
    """Draw the button, and what few have to say; give what a press checks, None where something is wrong with it."""
    with more.expander("Groups, and rows with the same features", icon=":material/group_work:", key="check_more"):
        groups, is_fine = groups_file.ask(chosen)
        can_compare = chosen.uploaded is None or (bool(chosen.files) and all(file.is_text for file in chosen.files))
        compare_rows = st.toggle(
            "Look for rows with the same features in different parts",
            value=can_compare and chosen.uploaded is not None, disabled=not can_compare,
            key=f"{keys.CHECK_EQUAL_ROWS}_{chosen.key}", persist_state="session",
            help="Rows that are the same in every feature: a model that has seen one in training "
            "knows the other. Needs the data as a text file (CSV, TSV or ARFF).",
        )  # fmt: skip
    caption = f"against up to {N_RANDOM} random splits" if is_fine else "Something is wrong with the groups: see below."
    if groups is not None:
        caption += f" · {md(groups.words)}"
    with place:
        clicked = forms.run_button(
            "check_run", caption, can_run=is_fine, title="Check this split", icon=":material/fact_check:"
        )
    if not is_fine:
        return None
    request = CheckRequest(chosen, split, reading, groups, compare_rows)
    at_once = st.session_state.pop(keys.CHECK_AT_ONCE, False) and not jobs_panel.is_busy()
    if clicked or (at_once and (shown is None or shown.made is not None or differences(request, shown.asked))):
        jobs_panel.start("check", run_check, request, wait_s=WAIT_S)
    return request


def _ask_for_pair(chosen: ChosenData) -> None:
    """Ask for two files; when both are there, read them and choose them as the data."""
    number = st.session_state.setdefault(keys.CHECK_PAIR_ROUND, 0)
    places = st.columns(2)
    train, test = (
        place.file_uploader(f"{title} file", key=f"check_{title.lower()}_{number}")
        for place, title in zip(places, ("Training", "Test"), strict=True)
    )
    st.caption("CSV, ARFF, text or NumPy, with features and labels. They become the data that all pages work on.")
    left, right = st.columns(2)
    xml = left.file_uploader("MULAN's XML, if any", type=["xml", "gz"], key=f"check_xml_{number}")
    suffix = f"pair_{number}"
    named: list[str] = st.session_state.setdefault(f"{keys.NAMED_OPTIONS}_{suffix}", ["label_columns"])
    with right:
        how = reading_options.ask_all([READ_OPTIONS[option] for option in named], suffix)
    if train is None or test is None:
        return
    given = [file for file in (train, test, xml) if file is not None]
    try:
        with st.spinner("Reading the files …"):
            limits.check_upload(given)
            beside = {} if xml is None else {"label_file": uploads.as_given(xml)}
            pair = uploads.as_given(train), uploads.as_given(test)
            read = _read_both(ReadRequest(pair, beside, reading_options.answered(suffix) | how))
    except OptisplitError as error:
        reading_options.show_failure(error, suffix)
        more = [option.key for option in reading_options.named_in(error) if option.key not in named]
        named += more
        if more:
            st.rerun()  # with fields for what the error speaks of
        return
    st.session_state[keys.CHECK_PAIR_ROUND] += 1
    choose("pair")
    uploads.take(read, given)


def read_pair(request: ReadRequest, report: OnReport) -> tuple[MultilabelDataset, SplitFile]:
    """Read a training and a test file; the work of a job."""
    train, test = request.files
    data, split = split_apart(
        read_train_test, (*request.files, *request.beside.values()), train.open(), test.open(),
        train_name=train.name, test_name=test.name, options=request.options, **request.opened(),
    )  # fmt: skip
    return data, split


def _read_both(request: ReadRequest) -> ChosenData:
    data, split = jobs_panel.wait_for(read_pair, request)
    call = replace(request, options={"options": request.options} if request.options else {})
    code = f"data, split = {call.called('optisplit.io.splits.read_train_test')}"
    name = UPLOAD_PREFIX + " + ".join(file.name for file in request.files)
    return ChosenData(name, code, data, uploads.keep(request.files), split)
