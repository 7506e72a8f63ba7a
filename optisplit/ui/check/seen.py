"""Which check is to be seen, and whether of the split as it was or as it was repaired."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import streamlit as st

from optisplit.check.verdict import repaired_sentences
from optisplit.ui import jobs_panel, keys

if TYPE_CHECKING:
    from optisplit.check.checks import SplitCheck
    from optisplit.ui.check.request import CheckRequest, Repaired
    from optisplit.ui.jobs import Job


@dataclass(frozen=True, eq=False)
class History:
    """Where the split of a check comes from, if that is a repair: what the page remembers beside the request."""

    before: Job  # the check of the split as it was
    repaired: Job


@dataclass(frozen=True, eq=False)
class Seen:
    """What is to be seen of a check: the split as it was, or as it was repaired."""

    job: Job  # the check that was run
    request: CheckRequest  # the split that is seen, as it is checked
    check: SplitCheck  # what was found of it
    before: SplitCheck | None = None  # of the split as it was, where this is the repaired one
    repaired: Job | None = None  # the repair of the split, seen or not

    @property
    def made(self) -> Repaired | None:
        """What the repair gave, where that is what is seen."""
        return None if self.before is None or self.repaired is None else self.repaired.result

    @property
    def history(self) -> History | None:
        """Where the split that is seen comes from, if that is a repair."""
        if self.made is None or self.repaired is None:
            return None
        return self.job.details or History(self.job, self.repaired)

    @property
    def first(self) -> Job:
        """The check of the split as it came."""
        return self.job if self.job.details is None else self.job.details.before

    @property
    def asked(self) -> CheckRequest:
        """What the form asked for."""
        request: CheckRequest = self.first.request
        return request

    @property
    def sentences(self) -> tuple[str, ...]:
        """The verdict in a few sentences; after a repair, the way to it first."""
        if self.before is None or self.made is None:
            return self.check.sentences
        return repaired_sentences(self.before, self.check, self.made.repair)


def seen() -> Seen | None:
    """Find what is to be seen: the latest check, and its repair where that was not undone."""
    job = _shown_check()
    if job is None:
        return None
    if job.details is not None:  # the check of a repaired split, made once more for pairs of labels
        history: History = job.details
        return Seen(job, job.request, job.result, history.before.result, history.repaired)
    done = _repair_of(job)
    if done is None or done.id in _undone():
        return Seen(job, job.request, job.result, None, done)
    return Seen(job, rewritten(done.request.checked, done.result), done.result.after, job.result, done)


def rewritten(request: CheckRequest, made: Repaired) -> CheckRequest:
    """Give what a check of the repaired split is asked to do."""
    reading = request.reading
    if reading.file is not None:
        reading = reading.rewritten(made.file_name, made.content)
    return replace(request, split=made.again, reading=reading)


def _undone() -> set[str]:
    undone: set[str] = st.session_state.setdefault(keys.CHECK_UNDONE, set())
    return undone


def _shown_check() -> Job | None:
    """Find the check that is to be seen: the latest, or the one before a repair that was undone."""
    job, repaired = jobs_panel.shown_job("check"), jobs_panel.shown_job("repair")
    if job is None and repaired is not None:  # after a reload, the session has its latest job only
        job = repaired.details
    while job is not None and job.id in _undone():
        job = None if job.details is None else job.details.before
    return job


def _repair_of(check: Job) -> Job | None:
    """Find the repair of the split that a check is of."""
    latest = jobs_panel.shown_job("repair")
    if latest is not None and _is_of_same_split(latest.details, check):
        return latest
    after = jobs_panel.shown_job("check")  # after a reload
    while after is not None and after.details is not None:
        history: History = after.details
        if _is_of_same_split(history.before, check):
            return history.repaired
        after = history.before
    return None


def _is_of_same_split(one: Job, other: Job) -> bool:
    """Tell whether two checks are of one split: the second may have been made for pairs of labels."""
    first: CheckRequest = one.request
    second: CheckRequest = other.request
    return first.split is second.split and first.groups == second.groups


def undo(shown: Seen) -> None:
    """Go back from the repaired split to the split as it was."""
    if shown.repaired is not None:
        _undone().add(shown.repaired.id)
    if shown.job.details is not None:
        _undone().add(shown.job.id)


def redo(shown: Seen) -> None:
    """Show the repaired split again."""
    if shown.repaired is not None:
        _undone().discard(shown.repaired.id)
