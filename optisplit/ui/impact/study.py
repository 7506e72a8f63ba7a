"""What the page shows of a study, and how it is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from optisplit.methods.rare import RARE
from optisplit.methods.variants import as_variant, variant_name
from optisplit.studies.impact import MODELS
from optisplit.ui import keys
from optisplit.ui.impact import own
from optisplit.ui.impact.request import MODEL_TITLES
from optisplit.ui.widgets import md, whole_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from optisplit.ui.datasets import ChosenData
    from optisplit.ui.impact.request import StudyRequest

ICONS = {"smaller": ":material/south_east:", "larger": ":material/north_east:", "none": ":material/drag_handle:"}


@dataclass(frozen=True)
class Study:
    """A study: its texts, its results and its form."""

    kind: str  # of its jobs
    title: str  # what is reported
    how: str  # how it is found out, as markdown
    kept: Callable[[str], Any]  # the result of a sample that comes along, or None
    request_of: Callable[[Any], StudyRequest]  # the request that leads to the result of a sample
    settings: Callable[[Any], str]  # the settings of a result, in words
    score: str  # key of the score that people report most
    score_names: Mapping[str, str]  # names of the scores, by their keys
    differs: Callable[[dict[Any, Any]], bool]  # whether a line of a result's summary shows a difference from chance
    headlines: Callable[[Any, str], list[str]]  # what is found of each method by a score, as markdown
    figure: Callable[[Any, str], tuple[Any, Any]]  # every estimate of a score: what the figure shows, and the figure
    ask_score: Callable[[Any], str]  # asks which score of a result is to be shown
    points: tuple[str, str]  # title of the figure of every estimate, and help
    line: Callable[[dict[Any, Any]], dict[str, str]]  # writes a line of a result's summary, for a table
    table_alt: str  # what the table has
    form: Callable[[ChosenData], StudyRequest | None]  # asks for a run, and starts it; gives what is asked for


def model_field(place: Any, chosen: ChosenData) -> str:
    """Ask which model to train; of large data, the fast one stands first."""
    models = sorted(MODELS, key=lambda key: key != "fast") if own.is_large(chosen) else list(MODELS)
    return str(
        place.selectbox(
            "Model", models, format_func=MODEL_TITLES.__getitem__, key=own.key_of(keys.IMPACT_MODEL, chosen),
            persist_state="session",
            help="; ".join(f"{MODEL_TITLES[key]}: {what}" for key, what in MODELS.items()) + ".",
        )
    )  # fmt: skip


def seeds_field(place: Any, default: int, key: str, help: str) -> int | None:
    """Ask for the number of seeds."""
    return whole_number(place, "Seeds", (2, 50), default, key=key, help=help)


def headline(method: str, way: str, found: str, interval: str, *more: str) -> str:
    """Write a line on a method: an icon, what was found, its interval, and what else there is to say."""
    return f"{ICONS[way]} {md(variant_name(method))}: {found} ({interval}).{''.join(more)}"


def rare_words(methods: Iterable[str]) -> list[str]:
    """Say what the names of methods mean that end in what becomes of rare labels."""
    choices = dict.fromkeys(as_variant(method).options.get("rare") for method in methods)
    return [f"rare={each}: {RARE[each].title.lower()}" for each in choices if each is not None]
