"""What the lesson keeps in the address, step by step, so that a link opens exactly the picture.

Only what every step needs is imported here: the address is read before it is known which step is to be drawn.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.errors import OptisplitError
from optisplit.io.samples import SAMPLES
from optisplit.studies.lesson.points import POINTS
from optisplit.ui import keys

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

STRATIFIED, SWAPPED = "012301230123012301230123", "112301230123002301230123"
NOT_SURE = "unsure"
"""The answer of those who do not guess."""

SEEDS = tuple(range(20))
FOLDS = tuple(range(3, 11))
DATA_FOLDS = (3, 5, 10)
PERCENTS = tuple(range(5, 101, 5))
SMALL = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05)
LARGE = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45)  # a step of 100 % must stay below 1
MOST_IN_TEST = 50
MAX_AMOUNT = 300
FIRST_AMOUNTS = (150, 50, 100)
"""What each fold has of what is due, in per cent, until the user says otherwise; further folds have the last."""


@dataclass(frozen=True)
class Field:
    """One thing that is kept."""

    key: str  # its key in the session
    name: str  # its name in the address
    default: Any  # its value where the address says nothing, or nonsense
    # makes the value of the address's text; raises ValueError for anything that is not allowed
    read: Callable[[str], Any]
    write: Callable[[Any], str] = lambda value: "" if value is None else str(value)  # "" is left out


def one_of(options: Iterable[Any]) -> Callable[[str], Any]:
    """Build a reader that allows some values."""
    allowed = {str(option): option for option in options}

    def read(text: str) -> Any:
        if text not in allowed:
            raise ValueError(text)
        return allowed[text]

    return read


def _split(text: str) -> str:
    if not re.fullmatch(r"[0-3]{24}", text, re.ASCII):
        raise ValueError(text)
    return text


def _amounts(text: str) -> tuple[int, ...]:
    if not re.fullmatch(r"\d{1,3}(-\d{1,3}){1,9}", text, re.ASCII):
        raise ValueError(text)
    amounts = tuple(map(int, text.split("-")))
    if max(amounts) > MAX_AMOUNT or not any(amounts):
        raise ValueError(text)
    return amounts


def guess_key(step: Any) -> str:
    """Give the session's key of what was answered to a step's question."""
    return f"{keys.LEARN_GUESS}_{step}"


def _guess(step: int, *answers: str) -> Field:
    known = {answer.lower(): answer for answer in (*answers, NOT_SURE)}
    read = one_of(known)  # people write LD as well as ld
    return Field(guess_key(step), f"guess{step}", None, lambda text: known[read(text.lower())])


SPLIT = Field(keys.LEARN_SPLIT, "split", STRATIFIED, _split)
FIELDS: Mapping[Any, tuple[Field, ...]] = MappingProxyType(
    {
        1: (_guess(1, "A", "C", "same"), SPLIT, Field(keys.LEARN_BEFORE, "before", None, _split),
            Field(keys.LEARN_ROW, "row", POINTS[0], one_of(POINTS))),
        2: (_guess(2, "A", "C", "same"), Field(keys.LEARN_CLASS, "class", "C", one_of("ABC"))),
        3: (
            _guess(3, "ld", "rld", "dcp", "none"),
            Field(keys.LEARN_ERROR, "error", "difference", one_of(("equal", "difference", "missing", "free"))),
            Field(keys.LEARN_FOLDS, "folds", 10, one_of(FOLDS)),
            Field(keys.LEARN_DIFFERENCE, "percent", 20, one_of(PERCENTS)),
            Field(
                keys.LEARN_AMOUNTS, "amounts", FIRST_AMOUNTS, _amounts, lambda given: "-".join(map(str, given))
            ),
            Field(keys.LEARN_AXES, "axes", "log", one_of(("log", "linear"))),
            Field(keys.LEARN_SMALL, "small", SMALL[0], one_of(SMALL)),
            Field(keys.LEARN_LARGE, "large", LARGE[0], one_of(LARGE)),
        ),
        4: (
            _guess(4, "best", "middle", "worst"),
            Field(keys.LEARN_DATA, "set", "go_human_cc", one_of(SAMPLES), lambda key: key if key in SAMPLES else ""),
            Field(keys.LEARN_DATA_FOLDS, "folds_of_data", 5, one_of(DATA_FOLDS)),
        ),
        5: (
            _guess(5, "kept", "undone", "mean"),
            Field(keys.LEARN_MEASURE, "measure", "rld", one_of(("rld", "dcp", "ld"))),
            Field(keys.LEARN_START, "start", 4, one_of(SEEDS)),
            Field(keys.LEARN_POSITION, "at", 1, one_of(range(1, 1000))),
        ),
        6: (
            _guess(6, "none", "half", "due"),
            Field(keys.LEARN_VIEW, "view", "round", one_of(("round", "methods"))),
            Field(keys.LEARN_IN_TEST, "in_test", None, one_of(range(MOST_IN_TEST + 1))),
        ),
    }
)  # fmt: skip
"""What each step's picture depends on."""


def restore(fields: Iterable[Field]) -> None:
    """Fill the session from the address, where the session has nothing yet."""
    for field in fields:
        if field.key in st.session_state:
            continue
        text = st.query_params.get(field.name)
        value = field.default
        if text is not None:
            try:
                value = field.read(text)
            except (ValueError, OptisplitError):  # anybody can write there
                value = field.default
        st.session_state[field.key] = value


def remember(shown: Sequence[Field], others: Iterable[Field]) -> None:
    """Write to the address what the picture depends on, and take the rest out."""
    texts = {field.name: field.write(st.session_state[field.key]) for field in shown}
    for name in {field.name for field in others} | set(texts):
        text = texts.get(name, "")
        if text and st.query_params.get(name) != text:
            st.query_params[name] = text
        elif not text and name in st.query_params:
            del st.query_params[name]
