"""A comparison as an address, and an address as a comparison: what is in a link, and who may not be trusted with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

import streamlit as st

from optisplit.errors import OptionError, OptisplitError
from optisplit.io.samples import SAMPLES
from optisplit.measures.registry import objectives
from optisplit.methods import METHODS
from optisplit.methods.annealing.efforts import EFFORTS
from optisplit.methods.base import DEFAULT_METHODS
from optisplit.methods.rare import RARE
from optisplit.text import clean_name, joined
from optisplit.ui import datasets, forms, jobs_panel, keys
from optisplit.ui.compare.request import CompareRequest, Division, checked, read_shares, run
from optisplit.ui.widgets import said

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

NUMBERS = {"folds": keys.N_SPLITS, "seeds": keys.N_SEEDS, "passes": keys.MAX_EPOCHS, "seconds": keys.TIME_LIMIT}
"""Numbers in the address, and the form's name of each."""

OWN = {"data": "data", "groups": "groups", "columns": "columns to balance"}
"""What somebody brought, which is in no link, and what it is called."""

CHOICES: dict[str, Collection[str]] = {"lowers": objectives(), "effort": EFFORTS, "pairs": ("0", "1"), "rare": RARE}
"""Settings in the address and what they may be; the first stands for none, but of efforts it is the middle one."""

LONGEST = 40  # characters of a value that is not understood, to be shown


@dataclass(frozen=True)
class Asked:
    """What a link asks for."""

    request: CompareRequest | None  # None where something of it is not in the link
    fields: dict[str, Any]  # what the form is to show, by its keys
    lacking: tuple[str, ...] = ()  # what is not in the link
    groups: str = ""  # the column of the data whose rows of one value stay together


def to_query(request: CompareRequest) -> dict[str, str]:
    """Write a comparison as the fields of an address."""
    division, annealing = request.division, request.options["optisplit-sa"]
    shares = ",".join(f"{100 * share:.7g}" for share in division.shares)
    is_sample = request.chosen.key in SAMPLES
    column = "" if division.groups is None else division.groups.column
    is_lacking = (not is_sample, division.groups is not None and not column, bool(request.balance))
    lacking = ",".join(what for what, is_it in zip(OWN, is_lacking, strict=True) if is_it)
    return {
        **({keys.DATA: request.chosen.key} if is_sample else {}),
        **({"parts": shares} if shares else {"folds": str(division.n_splits)}),
        "methods": ",".join(request.methods),
        "seeds": str(request.n_seeds),
        "lowers": annealing["measure"],
        "effort": annealing["effort"],
        "passes": str(request.options["optisplit"]["max_epochs"]),
        "pairs": str(int(annealing["balance_pairs"])),
        "rare": annealing["rare"],
        "seconds": f"{request.time_limit_s:.0f}",
        **({"groups": column} if column else {}),
        **({keys.LINK_OWN: lacking} if lacking else {}),
    }


def from_query(query: Mapping[str, str]) -> Asked:
    """Read what a link asks for, which anybody may have written."""
    numbers = {name: _number(query, name) for name in NUMBERS}
    chosen = {name: _choice(query, name) for name in CHOICES}
    shares = read_shares(query["parts"]) if "parts" in query else ()
    methods = _methods(query, for_parts=bool(shares))
    annealing = {
        "measure": chosen["lowers"], "effort": chosen["effort"], "balance_pairs": chosen["pairs"] == "1",
        "rare": chosen["rare"],
    }  # fmt: skip
    groups = query.get("groups", "")
    kept = [[], ["groups"]] if groups else [[]]  # which of the fields of methods is shown depends on groups
    division = Division(len(shares) or numbers["folds"], shares)
    fields = {
        keys.DIVIDE: "parts" if shares else "folds",
        **({keys.SHARES: query["parts"]} if shares else {keys.N_SPLITS: numbers["folds"]}),
        **{"_".join([keys.METHODS, *(["fold_sizes"] if shares else []), *more]): list(methods) for more in kept},
        keys.N_SEEDS: numbers["seeds"], keys.MEASURE: chosen["lowers"], keys.EFFORT: chosen["effort"],
        keys.MAX_EPOCHS: numbers["passes"], keys.TIME_LIMIT: numbers["seconds"],
        keys.BALANCE_PAIRS: annealing["balance_pairs"], keys.RARE: chosen["rare"],
    }  # fmt: skip
    own = query.get(keys.LINK_OWN, "")
    lacking = tuple(dict.fromkeys(OWN.get(each, OWN["columns"]) for each in own.split(",") if own))
    if lacking or groups:
        return Asked(None, fields, lacking, groups)
    sample = SAMPLES[_one_of("data", query.get(keys.DATA, datasets.DEFAULT_SAMPLE), SAMPLES)]
    options = {"optisplit": {"measure": chosen["lowers"], "max_epochs": numbers["passes"]}, "optisplit-sa": annealing}
    request = CompareRequest(
        datasets.of_sample(sample.key), methods, checked(division, sample.n_rows), numbers["seeds"], options,
        float(numbers["seconds"]),
    )  # fmt: skip
    return Asked(request, fields)


def _number(query: Mapping[str, str], name: str) -> int:
    low, high, usual = forms.NUMBERS[NUMBERS[name]]
    given = query.get(name, str(usual))
    if not (given.isascii() and given.isdigit() and len(given) < 10 and low <= int(given) <= high):
        msg = f"The link asks for {name} “{_short(given)}”; a whole number from {low:,} to {high:,}, please."
        raise OptionError(msg)
    return int(given)


def _choice(query: Mapping[str, str], name: str) -> str:
    possible = list(CHOICES[name])
    return _one_of(name, query.get(name, "normal" if name == "effort" else possible[0]), possible)


def _one_of(name: str, given: str, possible: Collection[str]) -> str:
    if given not in possible:
        msg = f"The link asks for {name} “{_short(given)}”; possible here: {joined(list(possible))}."
        raise OptionError(msg)
    return given


def _methods(query: Mapping[str, str], *, for_parts: bool) -> tuple[str, ...]:
    able = [key for key, each in METHODS.items() if not each.obstacle and (not for_parts or each.keeps("fold_sizes"))]
    if "methods" not in query:
        return tuple(key for key in able if key in DEFAULT_METHODS)
    wanted = [_one_of("methods", each, able) for each in query["methods"].split(",")]
    return tuple(key for key in METHODS if key in wanted)


def _short(given: str) -> str:
    return clean_name(given, LONGEST)


def follow() -> None:
    """Fill the form in as the address says, and run the comparison that it asks for."""
    query = {name: st.query_params[name] for name in (*keys.LINK, keys.DATA) if name in st.query_params}
    if query.keys().isdisjoint(keys.LINK):
        return
    for name in keys.LINK:
        st.query_params.pop(name, None)  # what it asks for is asked once
    try:
        asked = from_query(query)
    except OptisplitError as error:
        st.error(said(error), icon=":material/link_off:")
        return
    st.session_state.update({**asked.fields, keys.LINK_GROUPS: asked.groups, keys.LINK_LACKS: asked.lacking})
    if asked.request is not None and not jobs_panel.is_busy():
        jobs_panel.start("compare", run, asked.request)


def remind() -> None:
    """Say, until a comparison is run, what a link that was followed has not, and what it has set."""
    lacking: tuple[str, ...] = st.session_state.get(keys.LINK_LACKS, ())
    if lacking:
        st.info(
            f"The {joined(lacking)} of this comparison, somebody's own, cannot be in a link. Bring what is missing; "
            "all else is set as it was. Then press **Run**.",
            icon=":material/link:",
        )


def offer(request: CompareRequest) -> None:
    """Offer the link to a comparison."""
    query = to_query(request)
    with st.popover("Copy link", icon=":material/link:", key="link"):
        if keys.LINK_OWN in query:
            what = joined([OWN[each] for each in query[keys.LINK_OWN].split(",")])
            st.caption(
                f"Your {what} cannot be in the link: who opens it finds all other settings"
                f"{', the column of the groups too' if 'groups' in query else ''}, and brings the rest."
            )
        else:
            st.caption("Opens the same data, settings and seeds in another browser, and runs them.")
        path = (st.context.url or "").split("?")[0]
        st.code(f"{path}?{urlencode(query, safe=',', quote_via=quote)}", language=None, wrap_lines=True)
