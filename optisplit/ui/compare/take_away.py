"""Splits to take away: as files, and as Python that makes them again."""

from __future__ import annotations

import inspect
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.errors import OptisplitError
from optisplit.io.registry import FORMS
from optisplit.io.samples import SAMPLES, sample_file
from optisplit.io.writers.parts import PART_NAMES
from optisplit.io.writers.splits import split_bytes, split_file
from optisplit.methods import METHODS
from optisplit.methods.make_recipe import make_recipe
from optisplit.text import number
from optisplit.ui import jobs_panel, keys
from optisplit.ui.widgets import complaint, download, file_stem, md

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optisplit.comparison.experiment import ComparisonResult, Run
    from optisplit.measures.report import Report
    from optisplit.methods.recipes import Recipe
    from optisplit.ui.compare.request import CompareRequest, Division
    from optisplit.ui.jobs import OnReport

_BUTTONS = ("csv", "npz")
"""Forms that have a button of their own."""

_RECIPE_TITLE = "Recipe: all that makes this split again"
_RECIPE_HELP = "JSON with the data's digest, method, options, seed and versions: optisplit split --recipe recipe.json"

MOST_LISTED = 20
"""More folds than this have their sizes summed up."""


def show(result: ComparisonResult, request: CompareRequest, run: Run) -> None:
    """Offer a split."""
    folds, division = run.folds, request.division
    if folds is None:
        return
    data = request.chosen.data
    st.subheader("Take this split away", anchor=False)
    st.markdown(f"{md(METHODS[run.method].name)}, seed {run.seed}: {_numbers_text(division)}")
    if run.report is not None:
        st.markdown(sizes_text(run.report, division))
    stem = stem_of(request, run)
    with st.container(horizontal=True):
        as_csv, as_npz = (partial(split_bytes, folds, data, form) for form in ("csv", "npz"))
        download("Folds as CSV", as_csv, f"{stem}.csv", key="folds_csv", type="primary")
        download("Folds as NPZ", as_npz, f"{stem}.npz", key="folds_npz")
    _other_forms(result, request, run, stem)
    st.markdown("Or make it again in Python:")
    options = result.options.get(run.method, {})
    balance = {} if result.balance is None else {each.column: each.how for each in result.balance.columns}
    st.code(_python(request.chosen.load_code, run.method, division, run.seed, options, balance), language="python")


def _other_forms(result: ComparisonResult, request: CompareRequest, run: Run, stem: str) -> None:
    """Offer the split in the forms that other programs take."""
    place = st.expander("For scikit-learn, Hugging Face, your own table", icon=":material/output:", key="other_forms")
    with place:
        offered = {
            key: form for key, form in FORMS.items()
            if key not in _BUTTONS and (not form.needs_file or _own_file(request, key) is not None)
            and form.goes_with(request.chosen.data.reading)
        }  # fmt: skip
        titles = {key: form.title for key, form in offered.items()} | {"recipe": _RECIPE_TITLE}
        chosen = st.selectbox(
            "Form", list(titles), index=None, format_func=titles.__getitem__, key=keys.TAKE_FORM,
            placeholder="Choose a form",
        )  # fmt: skip
        if chosen is None:
            return
        if chosen == "recipe":
            st.caption(_RECIPE_HELP)
            name, content = f"{stem}_recipe.json", lambda: recipe(result, request, run).to_json().encode()
        else:
            st.caption(offered[chosen].help)
            if offered[chosen].needs_file:
                _made_of_own_file(request, run, chosen)
                return
            name, content = f"{stem}_{chosen}{offered[chosen].ending}", lambda: make_file((request, run, chosen))[1]
        download("Download", content, name, key="other_form")


def make_file(asked: tuple[CompareRequest, Run, str], report: OnReport | None = None) -> tuple[str, bytes]:
    """Write a split in a form, beside its name; the work of a job."""
    request, run, form = asked
    division, source = request.division, _own_file(request, form) if FORMS[form].needs_file else None
    xml = next((file.open() for file in request.chosen.beside if ".xml" in file.name.lower()), None)
    return split_file(
        run.folds, request.chosen.data, form, kind=division.kind, n_splits=division.n_splits, source=source,
        label_file=xml if form == "files" else None,
    )  # fmt: skip


def _own_file(request: CompareRequest, form: str) -> Any:
    """Give the data's own file, where it is one and is kept; that of a sample serves for files."""
    chosen = request.chosen
    if chosen.key in SAMPLES:
        path = sample_file(SAMPLES[chosen.key].files[0])
        return path if form == "files" and ".arff" in path.name else None
    return chosen.files[0].open() if len(chosen.files) == 1 else None


def _made_of_own_file(request: CompareRequest, run: Run, form: str) -> None:
    """Make a file from the data's own, when asked to, and offer it."""
    state = st.session_state
    wanted = (request.chosen.key, run.method, run.seed, hash(run.folds.tobytes()) if run.folds is not None else 0, form)
    if st.button("Make the file", key="make_file"):
        try:
            with st.spinner("Making the file …"):
                made = jobs_panel.wait_for(make_file, (request, run, form))
        except OptisplitError as error:
            st.markdown(complaint(error))
            return
        state[keys.MADE_FILE] = (wanted, *made)
    known, name, content = state.get(keys.MADE_FILE, (None, "", b""))
    if known == wanted:
        download(f"Download {md(name)}", content, name, key="own_file")
    else:
        state.pop(keys.MADE_FILE, None)  # of another split: its bytes are given back


def recipe(result: ComparisonResult, request: CompareRequest, run: Run) -> Recipe:
    """Write down how a split was made."""
    division = request.division
    groups = None if division.groups is None else division.groups.of_rows
    return make_recipe(
        request.chosen.data, run.folds, method=run.method, seed=run.seed, n_splits=division.n_splits,
        fold_sizes=list(division.shares) if division.shares else None, groups=groups,
        options=dict(result.options.get(run.method, {})), balance=result.balance,
        source=request.chosen.key if request.chosen.key in SAMPLES else None,
    )  # fmt: skip


def show_stopped(result: ComparisonResult, request: CompareRequest) -> None:
    """Offer the best splits that stopped runs had."""
    data = request.chosen.data
    for run in result.stopped_runs:
        folds, report = run.folds, run.report
        if folds is None or report is None:
            continue
        score = report.score("rld")
        with st.container(key=f"stopped_{run.method}_{run.seed}"):
            words, button = st.columns([4, 1], vertical_alignment="center")
        words.markdown(
            f"{md(METHODS[run.method].name)}, seed {run.seed}: {md(run.reason)}; the best split until then has rLD "
            f"{number(score.value)} ({score.sentence})."
        )
        download(
            "Split as CSV", partial(split_bytes, folds, data, "csv"), f"{stem_of(request, run)}_stopped.csv",
            key=f"stopped_csv_{run.method}_{run.seed}", place=button,
        )  # fmt: skip


def stem_of(request: CompareRequest, run: Run | None = None) -> str:
    """Name a file after what is in it."""
    data = file_stem(request.chosen.data.name)
    stem = request.division.stem
    return f"{data}_{stem}_comparison" if run is None else f"{data}_{run.method}_{stem}_seed-{run.seed}"


def sizes_text(report: Report, division: Division) -> str:
    """Say how many rows there are in each fold or part."""
    sizes, noun = report.fold_sizes, division.noun
    if len(sizes) > MOST_LISTED:
        return f"The {noun}s hold from {sizes.min():,} to {sizes.max():,} rows."
    listed = [f"{size:,}{division.asked(piece)}" for piece, size in enumerate(sizes)]
    return f"Rows in each {noun}: {', '.join(listed)}."


def _numbers_text(division: Division) -> str:
    """Say what numbers the file has."""
    if not division.shares:
        return f"the fold (0 to {division.n_splits - 1}) of every row."
    named = ", ".join(division.named(part) for part in range(division.n_splits))
    return f"the part of every row, by its number: {named}."


def _python(
    load_code: str,
    method: str,
    division: Division,
    seed: int,
    options: Mapping[str, Any],
    balance: Mapping[str, Any],
) -> str:
    """Write the program that makes a split."""
    imports, setup = ["import optisplit"], [load_code]
    defaults = getattr(inspect.unwrap(METHODS[method].function), "__kwdefaults__", None) or {}  # a peer has no options
    extra = [f"{name}={value!r}" for name, value in options.items() if defaults.get(name) != value]
    if division.groups is not None:
        extra.insert(0, f"groups={division.groups.value}")
    measured = ""
    if balance:
        setup.append(f"balance = {dict(balance)}")
        extra.append("balance=balance")
        measured = ", balance=balance"
    size = "fold_sizes=shares" if division.shares else f"n_splits={division.n_splits}"
    if division.groups is not None and division.groups.code:
        imports.append("import optisplit.io.rows")
        setup.append(division.groups.code)
    if division.shares:
        imports.insert(0, "import numpy as np")
        setup.append(f"shares = {list(division.shares)}")
        pieces = range(division.n_splits)
        names = ", ".join(PART_NAMES.get(len(pieces), [f"part_{part}" for part in pieces]))
        made, scored = "parts", "parts, shares=shares"
        use = f"{names} = (np.flatnonzero(parts == part) for part in range({division.n_splits}))  # numbers of the rows"
    else:
        imports.append("from sklearn.model_selection import PredefinedSplit")
        made, scored = "folds", "folds"
        use = "cv = PredefinedSplit(folds)  # give this to cross_val_score(..., cv=cv)"
    arguments = ["data", size, f'method="{method}"', *extra, f"random_state={seed}"]
    call = f"{made} = optisplit.split({', '.join(arguments)})"
    return "\n".join([*imports, "", *setup, call, f"print(optisplit.evaluate(data, {scored}{measured}))", "", use, ""])
