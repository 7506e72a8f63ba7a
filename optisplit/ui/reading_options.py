"""What can be said of how a file is read, as fields: one loop for all options there are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.errors import Argument, MissingLabelsError, Sentence
from optisplit.io.layouts.columns import parse_label_columns
from optisplit.io.registry import FORMATS, OF_LINES, READ_OPTIONS
from optisplit.text import capital, clean_name, counted, few
from optisplit.ui.spelling import choices_of
from optisplit.ui.widgets import md, said

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from optisplit.errors import OptisplitError
    from optisplit.io.registry import ReadOption
    from optisplit.io.tables.table import Guess
    from optisplit.labels import MultilabelDataset, Reading

MARKS = {
    "|": "| (bar)", ",": ", (comma)", ";": "; (semicolon)", " ": "a blank", "\t": "a tab", "::": ":: (colons)",
}  # fmt: skip
SUGGESTED: Mapping[str, Mapping[str, str]] = {
    "label_separator": MARKS,
    "delimiter": MARKS,
    "comment": {"#": "#", "%": "%", "//": "//", "": "no comment lines"},
    "key": {"": "none: rows are known by their numbers"},
}
"""What mostly is given for an option that takes any text."""

MOST_OFFERED = 2_000
"""Names that a field offers; others can be typed."""

MOST_CHOSEN = 30
"""Label columns that are put into a field; of more it is only said how many they are."""

AS_FOUND = "as found in the file"

NONE_MEANT = ("threshold", "absent_label", "drop_labels")
"""Options that say something of the labels, not of the file: where they are not given there is none."""

UNSAID = "error"
"""What is to be said of missing labels, until somebody says what they mean."""


@dataclass(frozen=True)
class Known:
    """What is known of a file whose options are asked for."""

    values: Mapping[str, Any] = field(default_factory=dict)  # what is taken now, by option
    guesses: Mapping[str, Guess] = field(default_factory=dict)
    columns: Sequence[str] = ()
    labels: Sequence[str] = ()

    @classmethod
    def of(cls, data: MultilabelDataset, asked: Mapping[str, Any]) -> Known:
        """Take it from data that were read."""
        reading = data.reading
        assert reading is not None
        guesses = {each.option: each for each in reading.guesses}
        found = {option: each.value for option, each in guesses.items()}
        return cls({"key": data.key, **found, **reading.options, **asked}, guesses, reading.columns, data.label_names)

    def named(self, option: str) -> Sequence[str]:
        """Give the names that may be meant: columns, or labels."""
        return {"label_columns": self.columns, "key": self.columns, "absent_label": self.labels}.get(option, ())


def options_of(reading: Reading) -> list[ReadOption]:
    """Give the options that go with a file that was read, but for files."""
    # the last three go with all
    wanted = {"format", *FORMATS[reading.format].options, "missing", "uncertain", "drop_labels"}
    if reading.is_sheet:
        wanted.difference_update(OF_LINES)
    return [each for each in all_options() if each.key in wanted]


def all_options() -> list[ReadOption]:
    """Give all options that are asked for in a field."""
    return [each for each in READ_OPTIONS.values() if each.kind not in ("file", "merging")]


def named_in(error: OptisplitError) -> list[ReadOption]:
    """Find the options that an error speaks of, but for what is asked about by itself."""
    message = error.args[0] if error.args else ""
    parts = message.parts if isinstance(message, Sentence) else ()
    names = {each.name for each in parts if isinstance(each, Argument) and each.of == "load"}
    if isinstance(error, MissingLabelsError):
        names -= {"missing", "uncertain"}
    return [each for each in all_options() if each.key in names]


def ask(option: ReadOption, known: Known, key: str) -> Any:
    """Ask for one option; the answer is as :func:`optisplit.load` takes it, None where nothing is said."""
    value, guess = known.values.get(option.key), known.guesses.get(option.key)
    others = () if guess is None else guess.others
    about: dict[str, Any] = {
        "label": option.title, "key": key, "help": md(f"{capital(option.help)}.")
    }  # fmt: skip
    if option.kind == "number":
        about |= {"value": None if value is None else float(value), "placeholder": "none"}
        return st.number_input(**about)
    if option.kind == "labels":
        return _columns(value, list(dict.fromkeys((*(value or ()), *known.labels))), about)
    if option.kind == "columns":
        return _columns(value, list(dict.fromkeys((*_named(others), *known.columns))), about)
    unsaid = "none" if option.key in NONE_MEANT else AS_FOUND
    titles: Mapping[Any, str] = {True: "Yes", False: "No"} if option.kind == "yes-no" else choices_of(option)
    titles = titles or SUGGESTED.get(option.key) or {}
    if option.kind == "text":
        about |= {"accept_new_options": True, "index": None if value is None else 0, "placeholder": unsaid}
        others = (*others, *titles, *known.named(option.key)[:MOST_OFFERED])
        first = () if value is None else (value,)
    else:
        first, others = (UNSAID if value is None and UNSAID in titles else value,), (*others, *titles)
    return st.selectbox(
        options=list(dict.fromkeys((*first, *others))),
        format_func=lambda each: AS_FOUND if each is None else titles.get(each, each), **about,
    )  # fmt: skip


def _named(others: Iterable[Any]) -> list[str]:
    """Give the columns that may be meant in place of those that were taken."""
    return [name for each in others if isinstance(each, list | tuple) for name in each]


def _columns(value: Any, columns: Sequence[str], about: dict[str, Any]) -> int | list[str] | None:
    """Ask for columns: from a list where they are known, otherwise as text."""
    chosen = [] if value is None else [str(value)] if isinstance(value, int) else list(value)
    if not columns:
        shown = ", ".join(chosen)
        typed = st.text_input(value=shown, placeholder="-6, or names: happy, sad", **about)
        return value if typed == shown else parse_label_columns(typed) if typed.strip() else None
    fits = len(chosen) <= MOST_CHOSEN
    picked = st.multiselect(
        options=list(dict.fromkeys([*(chosen if fits else ()), *columns[:MOST_OFFERED]])),
        default=chosen if fits else [], accept_new_options=True,
        placeholder=AS_FOUND if fits else counted(len(chosen), "column"), **about,
    )  # fmt: skip
    if picked == chosen or not (picked or fits):
        return value
    if len(picked) == 1 and picked[0] not in columns:
        return parse_label_columns(picked[0])
    return [str(each) for each in picked] or None


def shown_value(option: ReadOption, value: Any, columns: Sequence[str] = ()) -> str:
    """Write a value for people; the last or first columns of a table by their names."""
    titles = choices_of(option) or SUGGESTED.get(option.key) or {}
    if value is None:
        return "none" if option.key in NONE_MEANT else AS_FOUND
    if isinstance(value, bool):
        return "yes" if value else "no"
    if option.kind == "columns" and isinstance(value, int) and len(columns) >= abs(value) > 0:
        value = columns[-value:] if value > 0 else columns[:-value]
    if isinstance(value, list | tuple):
        return few([clean_name(each, 40) for each in value[:MOST_CHOSEN]], len(value))
    return titles.get(value) or clean_name(value, 60)


def said_only(answers: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what says nothing."""
    return {option: value for option, value in answers.items() if value not in (None, UNSAID)}


def ask_all(options: Iterable[ReadOption], suffix: str, columns: Sequence[str] = ()) -> dict[str, Any]:
    """Ask for options of a file that is not read yet; give what was said."""
    known = Known(columns=columns)
    # of other columns, another field
    return said_only({each.key: ask(each, known, f"upload_{each.key}_{suffix}_{len(columns)}") for each in options})


def ask_about_missing(error: MissingLabelsError, suffix: str) -> None:
    """Ask what label cells mean that are neither 0 nor 1, one question after the other; all answers are taken together.

    They are taken when the page is drawn next.
    """
    given = {}
    for question in error.questions:
        # what to do about it stands below, as answers to choose from
        st.warning(said(question.where), icon=":material/help:")
        option = READ_OPTIONS[question.option]
        answers = {key: title for key, title in choices_of(option).items() if key != UNSAID}
        answers["drop-rows"] += f" ({question.n_rows:,})"
        answers["drop-labels"] += f" ({question.n_labels:,})"
        answer = st.radio(
            option.title, list(answers), index=None, format_func=answers.__getitem__, key=f"ask_{option.key}_{suffix}"
        )
        if answer is None:
            return
        given[option.key] = answer
    st.session_state[f"answers_{suffix}"] = {**answered(suffix), **given}
    st.rerun()


def answered(suffix: str) -> dict[str, Any]:
    """Give the answers to questions about missing labels."""
    answers: dict[str, Any] = st.session_state.get(f"answers_{suffix}", {})
    return answers


def show_failure(error: OptisplitError, suffix: str, more: str = "") -> None:
    """Say why a file cannot be read, or ask what it takes to read it."""
    if isinstance(error, MissingLabelsError):
        ask_about_missing(error, suffix)
        return
    st.error(" ".join(filter(None, (said(error), md(more)))), icon=":material/error:")
    if answered(suffix):
        st.button("Answer anew", key=f"answer_anew_{suffix}", on_click=_forget_answers, args=(suffix,))


def _forget_answers(suffix: str) -> None:
    del st.session_state[f"answers_{suffix}"]
