"""A label that says that a row has none, such as "No Finding"."""

from __future__ import annotations

import dataclasses
import difflib
import re
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from optisplit.errors import OptionError, argument
from optisplit.io.tables.table import Guess
from optisplit.text import clean_name, counted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optisplit.io.parsed import Parsed, Unknown

_ABSENT = re.compile(
    r"\W*(?:(?:no|without)(?:[\s_-]+(?:any|known|other|valid))?[\s_-]+(?:\w+[\s_-]+)?(?:findings?|labels?|tags?|genres?|"
    r"diseases?|categor(?:y|ies)|class(?:es)?|topics?|annotations?|diagnos[ei]s|abnormalit(?:y|ies)|anomal(?:y|ies)|"
    r"lesions?|patholog(?:y|ies)|objects?|species|defects?|events?|objections?|terms?|codes?|keywords?)"
    r"(?:[\s_-]+(?:listed|found|given|present|detected|assigned|applicable))?|none(?:[\s_-]+of[\s_-].*)?|nothing|"
    r"unlabell?ed|nolabels?|nofindings?)\W*",
    re.IGNORECASE,
)


def settle_absent(parsed: Parsed, absent_label: str | None) -> Parsed:
    """Take a label that means that there is none for what it says, if asked for; otherwise tell of one."""
    names = parsed.label_names
    if absent_label is not None:
        return _without(parsed, _place(names or [], absent_label))
    for label, name in enumerate(names or []):
        if _ABSENT.fullmatch(name) and len(names or []) > 1:
            n_rows, n_mixed = _rows_of(parsed, label)
            if n_rows and 2 * n_mixed <= n_rows:
                _tell(parsed, name, n_rows, n_mixed)
    return parsed


def _tell(parsed: Parsed, name: str, n_rows: int, n_mixed: int) -> None:
    shown = clean_name(name)
    note = f"The label {shown!r} is on {counted(n_rows, 'row')}, "
    note += f"on {n_mixed:,} of them with other labels" if n_mixed else "each time alone"
    note += "; if it means that they have none, " + argument("absent_label", shown)
    parsed.notes.append(note + " reads it so.")
    why = f"the label {shown!r} looks as if it meant that there is none"
    parsed.guesses.append(Guess("absent_label", None, why, is_sure=False, others=(shown,)))


def _place(names: list[str], absent_label: str) -> int:
    for names_as in (names, [clean_name(name) for name in names], [name.strip().casefold() for name in names]):
        wanted = absent_label if names_as is names else absent_label.strip().casefold()
        if wanted in names_as:
            return names_as.index(wanted)
    near = difflib.get_close_matches(absent_label, names, n=1)
    hint = f"\nHint: did you mean {clean_name(near[0])!r}?" if near else ""
    msg = argument("absent_label", absent_label) + " is no label of the file." + hint
    raise OptionError(msg)


def _rows_of(parsed: Parsed, label: int) -> tuple[int, int]:
    """Count the rows that have a label, and those of them that have others too."""
    having = np.unique(sp.csc_array(parsed.labels[:, [label]]).indices)
    sizes = np.diff(sp.csr_array(parsed.labels).indptr)[having]
    return len(having), int((sizes > 1).sum())


def _without(parsed: Parsed, label: int) -> Parsed:
    """Take one label out; its rows have none unless they have others."""
    n_rows, n_mixed = _rows_of(parsed, label)
    names = list(parsed.label_names or [])
    name = clean_name(names.pop(label))
    kept = np.delete(np.arange(parsed.labels.shape[1]), label)
    parsed.labels = sp.csr_array(parsed.labels)[:, kept]
    parsed.label_names = names
    parsed.counts = None if parsed.counts is None else parsed.counts[:, kept]
    parsed.unknown = [each for each in (_moved(each, label) for each in parsed.unknown) if each is not None]
    parsed.notes.append(f"{name!r} is no label, as asked for: {counted(n_rows - n_mixed, 'row', 'has')} none.")
    if n_mixed:
        parsed.notes.append(f"{counted(n_mixed, 'row', 'has')} {name!r} and other labels too; the others were kept.")
    parsed.options["absent_label"] = name
    return parsed


def _moved(unknown: Unknown, label: int) -> Unknown | None:
    """Leave a label's unknown cells out, and number the others anew."""
    if unknown.cells is None:
        return unknown
    cells: NDArray[np.integer] = unknown.cells[unknown.cells[:, 1] != label].copy()
    cells[:, 1] -= cells[:, 1] > label
    if not len(cells) and unknown.rows is None:
        return None
    return dataclasses.replace(unknown, cells=cells)
