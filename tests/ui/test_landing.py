"""The comparison that stands on the first page: what was made beforehand is what is made now."""

from __future__ import annotations

import html
import json
import re

from optisplit.ui.compare import landing
from optisplit.ui.compare.make_landing import made


def test_what_was_made_beforehand_is_what_is_made_now():
    kept = json.loads(landing.FILE.read_text(encoding="utf-8"))
    assert kept["drawings"].keys() == {"wide", "narrow"}
    assert kept == made()


def test_the_headline_says_what_maps_verdict_and_table_say():
    shown = landing.read()
    (words,) = {html.unescape(re.search("<desc>(.*)</desc>", drawn)[1]) for drawn in shown.drawings.values()}
    random, n_labels, n_missing = re.search(r" (\S+): \d+ of (\d+) labels uneven, (\d+) missing from", words).groups()
    best = re.search(r" (\S+): every label within rounding\.$", words)[1]
    assert f"Random folds: {n_missing} of {n_labels} labels are missing" in shown.headline[0]
    assert n_labels == shown.about.split(" labels")[0].split()[-1]
    assert shown.headline[1] == f"This split, by {best}: none, and every label is as even as rounding allows."
    assert best in shown.verdict[0]
    first = shown.leaderboard[0]
    assert (first["Method"], first["Grade"]) == (best, shown.grade["title"])
    assert first["Labels missing where they should be"] == "0"
    faulty = next(line for line in shown.leaderboard if line["Method"] == random)
    assert f"{n_missing} labels" in faulty["Grade"]
