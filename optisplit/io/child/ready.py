"""Loaded where processes are copied from: compiled code is fetched once, and not anew for each file."""

from __future__ import annotations

import io

import pandas  # noqa: F401 - Arrow does, when it first gives an array

from optisplit.io.samples import load

for _format, _text in (("libsvm", b"1,2 1:1\n"), ("xmc", b"1 2 3\n1 1:1\n"), ("xmc-labels", b"1 3\n1:1\n")):
    load(io.BytesIO(_text), name="any", format=_format)
