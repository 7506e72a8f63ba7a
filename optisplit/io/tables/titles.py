"""What columns that name rows are called."""

from __future__ import annotations

import re

_KEY_NAME = re.compile(
    r"(?:.*[\s_.\-])?(?:ids?|uuid|guid|key|index|idx|accession|entry|file|filename|fname|path|image|img|video|audio|track|"
    r"clip|recording|document|doc|article|record|study|sample|protein|gene|item|row)"
    r"(?:[\s_.\-]?(?:ids?|names?|index|idx|no|number|nr|path|key|file|accession|uid))?|.*[a-z]I[Dd]",
    re.IGNORECASE,
)
_ID_NAME = re.compile(r"(?:.*[\s_.\-])ids?|.*[a-z]I[Dd]", re.IGNORECASE)


def is_row_name(title: str) -> bool:
    """Tell whether a column's name says that it names rows."""
    return _KEY_NAME.fullmatch(title.strip(" #")) is not None


def is_id_title(title: str) -> bool:
    """Tell whether a column is called as ids are."""
    return _ID_NAME.fullmatch(title.strip(" #")) is not None
