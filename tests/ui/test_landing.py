"""The comparison that stands on the first page: what was made beforehand is what is made now."""

from __future__ import annotations

import html
import json

import numpy as np

from optisplit.ui.compare import landing
from optisplit.ui.compare.make_landing import drawings, made, maps_of


def test_what_was_made_beforehand_is_what_is_made_now():
    kept, now = json.loads(landing.FILE.read_text(encoding="utf-8")), made()
    assert kept.pop("drawings") == drawings(maps_of(kept["maps"]))
    assert now.pop("drawings").keys() == {"wide", "narrow"}
    for map_kept, map_now in zip(kept["maps"].pop("methods"), now["maps"].pop("methods"), strict=True):
        assert map_kept.keys() == map_now.keys()
        assert (map_kept.pop("key"), map_kept.pop("name")) == (map_now.pop("key"), map_now.pop("name"))
        for key, value in map_kept.items():
            np.testing.assert_allclose(map_now[key], value, rtol=1e-9, atol=1e-9, err_msg=key)
    assert kept == now


def test_the_headline_says_what_maps_verdict_and_table_say():
    shown = landing.read()
    random, best = maps_of(shown.maps).methods
    assert f"{random.n_labels_missing:g} of {shown.about.split(' labels')[0].split()[-1]} labels" in shown.headline[0]
    assert (best.n_labels_missing, best.is_blank) == (0, True)
    assert shown.headline[1] == f"This split, by {best.name}: none, and every label is as even as rounding allows."
    assert best.name in shown.verdict[0]
    assert (shown.leaderboard[0]["Method"], shown.leaderboard[0]["Grade"]) == (best.name, shown.grade["title"])
    faulty = next(line for line in shown.leaderboard if line["Method"] == random.name)
    assert f"{random.n_labels_missing:g} labels" in faulty["Grade"]
    words = maps_of(shown.maps).alt_text
    assert all(f"<desc>{html.escape(words)}</desc>" in drawn for drawn in shown.drawings.values())
