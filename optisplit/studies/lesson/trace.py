"""OptiSplit at work on the small example: one step a label, and the pictures that show a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from optisplit.measures.registry import name_of
from optisplit.studies.lesson.points import N_SPLITS, ROWS, report_of, rows_data
from optisplit.studies.lesson.words import number
from optisplit.text import counted, joined

if TYPE_CHECKING:
    from optisplit.folds.arrays import FoldArray
    from optisplit.methods.optisplit import Step

MAX_EPOCHS = 3


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture of a run: where the rows are, and what is said of it."""

    folds: FoldArray  # shape (n_rows,): the fold of each row
    says: tuple[tuple[str, str], ...] = ()  # sentences: the words that stand out, and the rest
    label: int | None = None  # the label that is looked at
    moved: tuple[int, ...] = ()  # the rows that have just been moved, or moved back
    tally: str = ""  # what the pictures up to this one have shown
    is_proof: bool = False  # they have shown what becomes of moves that make other labels worse


def trace(measure: Literal["rld", "dcp", "ld"], seed: int) -> tuple[Step, ...]:
    """Run OptiSplit on the example."""
    from optisplit.methods.optisplit import optisplit_steps  # heavy: compiled loops

    rng = np.random.default_rng(seed)
    return tuple(optisplit_steps(rows_data().labels, N_SPLITS, rng=rng, measure=measure, max_epochs=MAX_EPOCHS))


def result_of(steps: tuple[Step, ...]) -> FoldArray:
    """Tell how a run ended."""
    last = steps[-1]
    return last.folds_after if last.kept else last.folds


def end_loss(steps: tuple[Step, ...]) -> float:
    """Give the mean score at the end."""
    return steps[-1].loss_after if steps[-1].kept else steps[-1].loss


def frames_of(steps: tuple[Step, ...], measure: str) -> tuple[Frame, ...]:
    """Show a run in pictures: the start, each move as it is tried, what becomes of it, and the end."""
    name = name_of(measure)
    first = rows_data().label_names[steps[0].label]
    start = (
        f"Mean {name} is {number(steps[0].loss)}. The worst label, {first}{_as_bad(steps[0])}, comes first: rows with "
        "it will be orange. A round goes once through the labels, the worst first."
    )
    frames = [Frame(steps[0].folds, (("A random start.", start),))]
    fates: list[bool] = []  # of each move so far: was it kept?
    spoilers: set[bool] = set()  # the same, of those that made other labels worse
    for step in steps:
        tally, is_proof = _tally(fates, name, steps[0].loss, step.loss), len(spoilers) == 2
        moved = tuple(step.rows.tolist())
        which = ("Which label?", _which(step, name))
        if not moved:
            letter = rows_data().label_names[step.label]
            says = (which, ("Nothing to move:", f"{letter} is as even as it can be."))
            frames.append(Frame(step.folds, says, step.label, (), tally, is_proof))
            continue
        moves = (which, ("Which rows?", _moves(step)))
        tried = f"{tally} With this move it would be {number(step.loss_after)}, as drawn."
        frames.append(Frame(step.folds_after, moves, step.label, moved, tried, is_proof))
        worse = _made_worse(step, measure)
        fates.append(step.kept)
        spoilers |= {step.kept} if worse else set()
        loss, after = (step.loss_after, step.folds_after) if step.kept else (step.loss, step.folds)
        tally, is_proof = _tally(fates, name, steps[0].loss, loss), len(spoilers) == 2
        frames.append(Frame(after, (_verdict(step, name, worse),), step.label, moved, tally, is_proof))
    ends = f"It stops after a round in which no change was kept, or after {MAX_EPOCHS} rounds."
    tally = _tally(fates, name, steps[0].loss, end_loss(steps))
    frames.append(Frame(result_of(steps), (("The end.", ends),), tally=tally, is_proof=True))
    return tuple(frames)


def _tally(fates: list[bool], measure: str, first: float, now: float) -> str:
    """Say what has been seen so far."""
    kept = sum(fates)
    went = f"fell from {number(first)} to {number(now)}" if now < first else f"is still {number(now)}"
    return f"So far {counted(kept, 'move')} kept and {len(fates) - kept} undone; mean {measure} {went}."


def _made_worse(step: Step, measure: str) -> list[str]:
    """Name the labels whose score a move raises; the one that was to be repaired may be among them."""
    before, after = (report_of(rows_data(), folds).per_label(measure) for folds in (step.folds, step.folds_after))
    return [name for at, name in enumerate(rows_data().label_names) if after[at] > before[at] + 1e-9]


def _as_bad(step: Step) -> str:
    """Name the labels that are as bad as the worst, which comes first."""
    ties = np.flatnonzero(np.abs(step.scores - step.scores[step.label]) < 1e-9)
    others = [rows_data().label_names[at] for at in ties.tolist() if at != step.label]
    return f", as bad as {joined(others)}" if others else ""


def _which(step: Step, measure: str) -> str:
    letter = rows_data().label_names[step.label]
    score = f"{measure} {number(float(step.scores[step.label]))}"
    start = f"Round {step.epoch + 1}: "
    if step.rank == 0:
        as_bad = f"{tied}," if (tied := _as_bad(step)) else ""
        if step.rows.size:  # the picture shows what the move has made of it
            return f"{start}{letter}{as_bad} was worst, with {score} before the move."
        return f"{start}{letter}{as_bad} is worst, with {score}."
    return f"{start}{counted(step.rank, 'label')} before it could not be bettered; next is {letter}, with {score}."


def _moves(step: Step) -> str:
    letter = rows_data().label_names[step.label]
    moves = [
        f"{ROWS[row]} from fold {step.folds[row]} to {target}"
        for row, target in zip(step.rows.tolist(), step.targets.tolist(), strict=True)
    ]
    return f"From where {letter} has too many to where it has too few, rows with few labels first: {joined(moves)}."


def _verdict(step: Step, measure: str, worse: list[str]) -> tuple[str, str]:
    now, then = number(step.loss), number(step.loss_after)
    letter = rows_data().label_names[step.label]
    others = joined([name for name in worse if name != letter])
    if letter in worse:
        others = f"{letter} itself, which was to be repaired,{f' and {others}' if others else ''}"
    others = f"{others} {'gets' if len(worse) == 1 else 'get'} worse" if worse else "no label gets worse"
    if step.kept:
        return (
            "Kept:",
            f"{others}, {'but' if worse else 'and'} the mean {measure} of all labels falls from {now} to {then}.",
        )
    if step.loss_after >= step.loss:
        return "Undone:", f"{others}, and the mean {measure} of all labels would not fall: {now} to {then}."
    return "Undone:", "a fold would be left without a row."


def trace_table(steps: tuple[Step, ...]) -> pd.DataFrame:
    """Lay out a run."""
    return pd.DataFrame([_line(at, step) for at, step in enumerate(steps, start=1)])


def _line(at: int, step: Step) -> dict[str, Any]:
    moves = [
        f"{ROWS[row]} {step.folds[row]}→{target}"
        for row, target in zip(step.rows.tolist(), step.targets.tolist(), strict=True)
    ]
    return {
        "step": at,
        "round": step.epoch + 1,
        "label": rows_data().label_names[step.label],
        "score": float(step.scores[step.label]),
        "moves": ", ".join(moves),
        "mean before": step.loss,
        "mean with the moves": step.loss_after,
        "decision": "kept" if step.kept else "undone" if moves else "nothing to move",
    }
