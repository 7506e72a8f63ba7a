"""What to compare: methods, folds or parts, seeds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.errors import OptisplitError
from optisplit.folds.arrays import check_n_splits
from optisplit.measures.registry import name_of, objectives
from optisplit.methods import METHODS
from optisplit.methods.abilities import AMOUNTS, left_out_words
from optisplit.methods.base import DEFAULT_METHODS
from optisplit.methods.rare import RARE
from optisplit.ui import forms, groups_file, jobs_panel, keys, pieces
from optisplit.ui.compare import balance
from optisplit.ui.compare.request import CompareRequest, Division, checked, run
from optisplit.ui.widgets import complaint, md

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optisplit.comparison.forecasts import Forecast
    from optisplit.methods import Method
    from optisplit.ui.datasets import ChosenData
    from optisplit.ui.groups_file import Groups
    from optisplit.ui.jobs import Job

EFFORT_TITLES = {"quick": "Quick", "normal": "Normal", "thorough": "Thorough"}


def show(chosen: ChosenData, shown: Job | None) -> None:
    """Draw the form, folded away above the result of a job if there is one; start the comparison when asked."""
    latest = jobs_panel.current_job()
    is_running = latest is not None and latest.is_active and latest.kind == "compare"
    with _place(latest if is_running else shown):
        request = _ask(chosen, shown)
    if shown is not None and request is not None and not is_running:
        _say_changes(request, shown.request)


def _place(job: Job | None) -> Any:
    """Give the place of the form: with something to see, one line that opens."""
    if job is None:
        return st.container(border=True)
    return st.expander("Change the settings", icon=":material/tune:", key=f"settings_{job.id}")


def _say_changes(request: CompareRequest, made: CompareRequest) -> None:
    """Say which settings are no longer those of the result on the page, and offer to run with them."""
    changes = request.changes(made)
    if not changes:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="changes"):
        st.info(
            f"The result below is of other settings. Now {md('; '.join(changes))}.", icon=":material/info:",
            width="stretch",
        )  # fmt: skip
        if request.methods and st.button("Run", key="run_changed", icon=":material/play_arrow:"):
            _start(request)


def _ask(chosen: ChosenData, shown: Job | None) -> CompareRequest | None:
    """Draw the fields and the button; give what is asked for, or None where something is wrong with it."""
    divide = pieces.ask_kind()
    methods_place = st.container()  # which methods are able is known when all is asked
    pieces_column, seeds_column, measure_column = st.columns(3)
    asked = pieces.ask(pieces_column, divide)
    n_seeds = forms.ask_number(
        seeds_column, "Seeds", keys.N_SEEDS, "Each method runs once with every seed, so that luck shows as a deviation."
    )
    measure = measure_column.selectbox(
        "OptiSplit lowers", objectives(), format_func=name_of,
        key=keys.MEASURE, persist_state="session",
        help="The measure that OptiSplit and OptiSplit-SA work on: **rLD** (relative difference of a label's share "
        "in a fold), **DCP** (largest part of a label in one fold) or **LD** (which hardly sees rare labels).",
    )  # fmt: skip
    groups_file.drop_foreign(chosen)
    groups_file.follow_link(chosen)
    groups_place = st.container()
    with st.expander("More settings"):
        options, limit_s = _more_settings(measure or "rld")
        targets = balance.ask(chosen)
        groups, is_fine = groups_file.ask(chosen, groups_place)
    needed = {
        "fold_sizes": divide == "parts",
        "groups": groups is not None or not is_fine,
        AMOUNTS: balance.need_amounts(targets),
    }
    able_to = tuple(option for option, is_needed in needed.items() if is_needed)
    before = None if shown is None else (*shown.request.methods, *shown.request.left_out)
    with methods_place:
        methods, left_out = _methods(able_to, before)
    division = _division(asked, groups, chosen, pieces_column) if is_fine else None
    if division is None or options is None or n_seeds is None or limit_s is None:
        problem = "" if is_fine else "Something is wrong with the groups: see More settings."
        _run_button(None, problem)
        return None
    request = CompareRequest(chosen, methods, division, n_seeds, options, limit_s, targets, left_out, able_to)
    # unless the results below say so already
    if division.warning and (shown is None or shown.request.division.warning != division.warning):
        st.warning(md(division.warning), icon=":material/warning:")
    forecasts = request.forecasts()
    _run_button(request, "" if methods else "Choose at least one method.", forecasts)
    forms.show_slow(("", each) for each in forecasts)  # below, so that the button does not move
    return request


def _methods(needed: tuple[str, ...], before: tuple[str, ...] | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Ask for methods; those that are not able to do what is needed are shown, but cannot be chosen.

    With those that were compared `before`, or would be, but are not able.
    """
    able = [key for key, method in METHODS.items() if _does(method, needed) and not method.obstacle]
    unable = [key for key in METHODS if key not in able]
    lacking = [key for key in unable if not _does(METHODS[key], needed)]
    wanted = st.session_state.get(keys.METHODS) or DEFAULT_METHODS if needed else DEFAULT_METHODS
    # not a multiselect: that changes its height on a narrow page just when Run is pressed
    methods = st.pills(
        "Methods",
        able,
        selection_mode="multi",
        default=[key for key in wanted if key in able] or able,
        format_func=_name,
        key="_".join([keys.METHODS, *needed]),  # what is chosen for equal folds is there again when these are
        persist_state="session",
        help="\n".join(f"- **{method.name}**: {method.summary}" for method in METHODS.values()),
    )
    if unable:
        st.pills(
            "Methods left out", unable, selection_mode="multi", format_func=_name, disabled=True,
            key="_".join([keys.METHODS, "unable", *needed]), label_visibility="collapsed",
        )  # fmt: skip
    if lacking:
        st.caption(left_out_words(lacking, needed))
    for key in unable:
        if METHODS[key].obstacle:
            st.caption(md(f"Left out: {METHODS[key].obstacle}"))
    left_out = tuple(key for key in lacking if key in (before or wanted))
    return tuple(key for key in METHODS if key in methods), left_out


def _does(method: Method, needed: tuple[str, ...]) -> bool:
    """Tell whether a method is able to do all that is needed."""
    options = (each for each in needed if each != AMOUNTS)
    return method.keeps(*options) and (AMOUNTS not in needed or method.takes_amounts)


def _name(method: str) -> str:
    return METHODS[method].name


def _division(asked: Division | None, groups: Groups | None, chosen: ChosenData, place: Any) -> Division | None:
    """Put sizes and groups together; None, with a word to the user, where they do not fit the rows."""
    if asked is None or (groups is None and not asked.shares):
        return asked  # the data need not be read for that
    try:
        return checked(Division(asked.n_splits, asked.shares, groups), chosen.data.n_rows)
    except OptisplitError as error:
        place.markdown(complaint(error))
        return None


def _more_settings(measure: str) -> tuple[dict[str, dict[str, Any]] | None, int | None]:
    """Ask for what is rarely changed; None for options where one is out of its limits."""
    effort_column, epochs_column, limit_column = st.columns(3)
    effort = effort_column.selectbox(
        "OptiSplit-SA: effort", list(EFFORT_TITLES), index=1, format_func=EFFORT_TITLES.__getitem__,
        key=keys.EFFORT, persist_state="session",
        help="How long it looks for a better split; each step takes about ten times as long as the one before.",
    )  # fmt: skip
    max_epochs = forms.ask_number(
        epochs_column, "OptiSplit: most passes", keys.MAX_EPOCHS,
        "Passes over all labels. The paper uses 3. It ends earlier when a pass changes nothing.",
    )  # fmt: skip
    limit_s = forms.ask_number(
        limit_column, forms.TIME_LIMIT_TITLE, keys.TIME_LIMIT,
        "A method that takes longer is stopped and shown as such; the others go on. The best split that OptiSplit-SA "
        "had until then is kept.",
    )  # fmt: skip
    pairs_column, rare_column = st.columns(2, vertical_alignment="bottom")
    balance_pairs = pairs_column.toggle(
        "Also balance pairs of labels", key=keys.BALANCE_PAIRS, persist_state="session",
        help="For OptiSplit-SA: labels that occur together are spread together as well. It takes longer, and single "
        "labels come out a little less even.",
    )  # fmt: skip
    rare = rare_column.selectbox(
        "OptiSplit-SA: rare labels", list(RARE), format_func=lambda key: RARE[key].title,
        key=keys.RARE, persist_state="session",
        help="\n".join(f"- **{each.title}**: {each.help}." for each in RARE.values()),
    )  # fmt: skip
    if max_epochs is None:
        return None, limit_s
    annealing = {
        "measure": measure,
        "effort": effort or "normal",
        "balance_pairs": balance_pairs,
        "rare": rare,
    }
    return {"optisplit": {"measure": measure, "max_epochs": max_epochs}, "optisplit-sa": annealing}, limit_s


def _run_button(request: CompareRequest | None, problem: str, forecasts: Sequence[Forecast] = ()) -> None:
    if forecasts and all(each.estimate.reason for each in forecasts):
        problem = problem or "None of these methods can run on these data."
    words = "" if request is None else " · ".join([request.runs_words, *forms.total_words(forecasts)])
    can_run = request is not None and not problem
    is_pressed = forms.run_button("run", problem or words, can_run=can_run)
    at_once = st.session_state.pop(keys.COMPARE_AT_ONCE, False) and can_run and not jobs_panel.is_busy()
    if (is_pressed or at_once) and request is not None:
        _start(request)


def _start(request: CompareRequest) -> None:
    check_n_splits(request.division.n_splits, request.chosen.data.n_rows)
    for key in (keys.LINK_LACKS, keys.LINK_GROUPS):
        st.session_state.pop(key, None)
    jobs_panel.start("compare", run, request)


def show_hint(chosen: ChosenData) -> None:
    """Say how to make a comparison, where there is none."""
    latest = jobs_panel.current_job()
    if latest is None or not latest.is_active or latest.kind != "compare":
        divided = groups_file.not_kept(chosen)
        start = "The settings above are a good start: press **Run**"
        if divided is not None:
            start = f"Say above whether rows of one {md(divided.noun)} stay together, then press **Run**"
        st.info(
            f"Nothing compared yet. {start}, and a table, a plot of every label's score and a map of the folds will "
            "appear here.",
            icon=":material/lightbulb:",
        )
