"""What has to be known of the whole of a text before it is read."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

from optisplit.cells import HAS_GUARDS

if TYPE_CHECKING:
    from collections.abc import Iterable


def scanned(blocks: Iterable[bytes]) -> tuple[str, bool]:
    """Go through a text once: tell its encoding, and whether cells may have marks that :func:`guarded` puts."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    is_utf8, has_guards, last = True, False, b""
    for block in blocks:
        has_guards = has_guards or bool(HAS_GUARDS.search(block) or HAS_GUARDS.search(last + block[:1]))
        last = (last + block)[-2:]
        try:
            decoder.decode(block if is_utf8 else b"")
        except UnicodeDecodeError:
            is_utf8 = False
    return "utf-8-sig" if is_utf8 and not decoder.getstate()[0] else "latin-1", has_guards
