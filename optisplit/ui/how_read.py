"""The card that says how a file was understood: its first rows as read, and each guess beside what would change it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.io.preview import preview
from optisplit.text import capital
from optisplit.ui import file_roles, keys, reading_options, uploads
from optisplit.ui.reading_options import Known
from optisplit.ui.widgets import md, said, small_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from optisplit.io.registry import ReadOption
    from optisplit.io.tables.table import Guess
    from optisplit.labels import Reading
    from optisplit.ui.datasets import ChosenData

TITLE = "How the file was understood"


def show_new(chosen: ChosenData | None) -> None:
    """Show the card of data that were just brought, on whatever page that was."""
    if chosen is not None and st.session_state.get(keys.JUST_READ) == chosen.key:
        card(chosen, is_new=True)


def card(chosen: ChosenData, *, is_new: bool = False) -> None:
    """Show how the data were read; what was brought can be read in another way."""
    reading = chosen.data.reading
    if reading is None:
        return
    is_unsure = any(not guess.is_sure for guess in reading.guesses)
    title = f"{TITLE}: something is not certain" if is_unsure else TITLE
    key = "how_read_new" if is_new else "how_read"  # a card that is there already would stay closed
    with st.expander(title, expanded=is_new, icon=":material/plagiarism:", key=key):
        st.markdown(_sentence(chosen))
        _first_rows(chosen)
        if is_new:
            st.button("That is right", key="how_read_done", icon=":material/check:", on_click=_close)
        if chosen.uploaded is not None and chosen.split is None:
            _read_differently(chosen)
        else:
            _guesses(reading)
        st.caption("Python that reads it so:")
        st.code(chosen.load_code, language="python")
        with st.expander("More about the file", key="about_file"):
            lines = [{"What": f"**{md(what)}**", "How": md(how)} for what, how in reading.entries.items()]
            small_table(lines, "What else there is to say of the file")


def _close() -> None:
    st.session_state.pop(keys.JUST_READ, None)


def _sentence(chosen: ChosenData) -> str:
    data, reading = chosen.data, chosen.data.reading
    assert reading is not None
    rule = f" {said(reading.rule)}" if reading.rule else ""
    what = f"**{data.n_rows:,} rows × {data.n_labels:,} labels**, {data.n_positives:,} positives"
    done = "".join(f" {md(each)}" for each in reading.settled)
    return f"{what}. {md(reading.form)}.{rule}{done}"


def _first_rows(chosen: ChosenData) -> None:
    lines = preview(chosen.data).lines()
    small_table([{title: md(text) for title, text in line.items()} for line in lines], "The first rows as read")


def _guesses(reading: Reading, guesses: Sequence[Guess] | None = None) -> None:
    """List what was guessed, or some of it, and cannot be read anew here."""
    options = {each.key: each for each in reading_options.all_options()}
    lines = [
        {"Guessed": md(options[each.option].title), "Taken": md(reading_options.shown_value(
            options[each.option], each.value, reading.columns)),
         "Why": md(capital(each.why))}
        for each in (reading.guesses if guesses is None else guesses) if each.option in options
    ]  # fmt: skip
    if lines:
        small_table(lines, "What was guessed of the file")


def _read_differently(chosen: ChosenData) -> None:
    """Show what was guessed, each guess beside a field that changes it; those that are not certain first."""
    reading = chosen.data.reading
    assert reading is not None
    if not chosen.files:
        _guesses(reading)
        st.caption("The file is not kept here. To read it in another way, bring it again and say how.")
        return
    suffix = f"{st.session_state.setdefault(keys.READING_ROUND, 0)}_{chosen.key}"
    outcome, known = st.container(), Known.of(chosen.data, chosen.asked)
    options = reading_options.options_of(reading)
    open_ones = [each for each in options if each.key in chosen.asked or _is_unsure(known.guesses.get(each.key))]
    changed = _changed(open_ones, known, chosen.asked, suffix)
    with st.container(horizontal=True):
        is_open = st.toggle("Read it in another way", key=f"reread_{chosen.key}")
        as_guessed = bool(chosen.asked) and st.button("As guessed", key="read_as_guessed", icon=":material/undo:")
    others = [each for each in options if each not in open_ones]
    if is_open:
        changed |= _changed(others, known, chosen.asked, suffix)
    else:
        _guesses(reading, [known.guesses[each.key] for each in others if each.key in known.guesses])
    roles = chosen.roles
    if chosen.beside:
        names = [file.name for file in (*chosen.files, *chosen.beside)]
        roles = file_roles.ask(names, roles, f"read_role_{suffix}")
    asked = reading_options.said_only({**chosen.asked, **reading_options.answered(suffix), **changed})
    with outcome:
        _read_again(chosen, roles, {} if as_guessed else asked, suffix)


def _is_unsure(guess: Guess | None) -> bool:
    return guess is not None and not guess.is_sure


def _changed(options: Sequence[ReadOption], known: Known, asked: Mapping[str, Any], suffix: str) -> dict[str, Any]:
    """Ask for options, each beside the reason for what was taken; give those that are other than they were."""
    changed = {}
    places: list[Any] = []
    for option in options:
        guess = known.guesses.get(option.key)
        places = places or list(st.columns(2))
        with places.pop(0):
            value = reading_options.ask(option, known, f"read_{option.key}_{suffix}")
            if option.key in asked:
                st.caption("As you said.")
            elif guess is not None:
                why = f"{md(capital(guess.why))}."
                if guess.is_sure:
                    st.caption(why)
                else:  # no caption, in which the badge would be too pale
                    others = [md(reading_options.shown_value(option, each)) for each in guess.others]
                    why += f" It could also be: {'; '.join(others)}." if others else ""
                    st.markdown(f":orange-badge[:material/help: not certain] :small[{why}]")
        if value != known.values.get(option.key):
            changed[option.key] = value
    return changed


def _read_again(chosen: ChosenData, roles: tuple[str, ...], asked: dict[str, Any], suffix: str) -> None:
    """Read the file as it is asked for now, if that is another way; where it fails, all stays as it was."""
    if st.session_state.pop(keys.REREADING_STOPPED, False):
        st.info("Reading was stopped; the file is read as before.", icon=":material/cancel:")
    files = (*chosen.files, *chosen.beside)
    if (roles, asked) == (chosen.roles, chosen.asked):
        return
    read, error = uploads.read_once(files, roles, asked, suffix, on_stop=_stop)
    if read is not None:
        _start_anew()
        uploads.take(read)
    if error is not None:
        reading_options.show_failure(error, suffix, "Until then it is read as before.")


def _stop() -> None:
    st.session_state[keys.REREADING_STOPPED] = True
    _start_anew()


def _start_anew() -> None:
    """Draw the fields anew, with what is true then."""
    st.session_state[keys.READING_ROUND] = st.session_state.get(keys.READING_ROUND, 0) + 1
