"""Writers: labels in the usual formats, and splits in the forms that other programs take."""

from __future__ import annotations

from optisplit.io.writers.labels import FORMATS, Saved, SaveFormat, save
from optisplit.io.writers.splits import (
    FORMS,
    PART_NAMES,
    Form,
    form_of,
    part_names,
    save_split,
    split_bytes,
    split_file,
)

__all__ = [
    "FORMATS",
    "FORMS",
    "PART_NAMES",
    "Form",
    "SaveFormat",
    "Saved",
    "form_of",
    "part_names",
    "save",
    "save_split",
    "split_bytes",
    "split_file",
]
