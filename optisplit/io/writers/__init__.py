"""Writers: labels in the usual formats, and splits in the forms that other programs take."""

from __future__ import annotations

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "labels": ["Saved", "save"],
        "parts": ["PART_NAMES", "part_names"],
        "splits": ["form_of", "save_split", "split_bytes", "split_file"],
    },
)
