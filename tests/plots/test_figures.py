from __future__ import annotations

import itertools
import subprocess
import sys

import numpy as np
import pytest

import optisplit
from optisplit import plots
from optisplit.errors import OptionError
from optisplit.methods import METHODS
from optisplit.methods.base import DEFAULT_METHODS
from optisplit.plots.bands import equal_bands, log_bands, means_by_band, wide_bands
from optisplit.plots.style import log_ticks, root_ticks, shorten, wrapped

HOSTILE = "<b>x</b> & $y$ %{x}"
ESCAPED = "&lt;b&gt;x&lt;/b&gt; &amp; &#36;y&#36; &#37;{x}"
WHITE, DARK = "#ffffff", "#0e1117"


# bands


def test_log_bands_by_hand():
    sizes = np.array([1, 1, 2, 3, 8, 9, 100])
    bands = log_bands(sizes, 10, min_labels=2)
    assert bands.of_label.tolist() == [0, 0, 1, 1, 2, 2, 2]
    assert bands.lowest.tolist() == [1, 2, 8]
    assert bands.highest.tolist() == [1, 3, 100]
    assert bands.middle.tolist() == [1, 2.5, 9]
    assert [bands.describe(band) for band in range(len(bands))] == [
        "1 row (2 labels)",
        "2–3 rows (2 labels)",
        "8–100 rows (3 labels)",
    ]


def test_equal_bands_by_hand():
    bands = equal_bands(np.array([5, 1, 1, 1, 1, 7, 6, 9]), 3)
    # 8 classes in 3 bands; the four of size 1 stay together, and the other four are shared out
    assert bands.of_label.tolist() == [1, 0, 0, 0, 0, 2, 1, 2]
    assert bands.n_labels.tolist() == [4, 2, 2]


def test_wide_bands_are_fewer_where_most_labels_are_of_one_size():
    sizes = np.array([2] * 80 + list(range(3, 23)))
    assert wide_bands(sizes, (3, 12), 0.06).n_labels.tolist() == [80, 7, 7, 6]
    assert wide_bands(sizes, (3, 12), 0.0).n_labels.min() < 5
    assert len(wide_bands(sizes, (3, 12), 0.5)) == 3


def test_means_by_band():
    bands = equal_bands(np.array([1] * 10 + [2]), 2)
    assert means_by_band(np.array([*range(10), 50.0]), bands).tolist() == [4.5, 50]


def test_one_class_makes_one_band():
    for bands in (log_bands(np.array([7]), 24, 10), equal_bands(np.array([7]), 24)):
        assert bands.describe(0) == "7 rows (1 label)"


# names and colours


def test_shorten_keeps_what_fits():
    assert shorten("abcd", 4) == "abcd"
    assert shorten("ab cde", 4) == "ab…"


def linear(color):
    values = np.array([int(color[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    bright, dim = sorted((linear(each) @ [0.2126, 0.7152, 0.0722] for each in (one, other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


# how a deutan and a protan eye sees linear RGB (Machado, Oliveira, Fernandes 2009, severity 1)
VISIONS = {
    "full": np.eye(3),
    "deutan": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "protan": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
}


def oklab(color, vision):
    to_cones = [
        [0.41222147, 0.53633254, 0.05144599],
        [0.21190350, 0.68069955, 0.10739696],
        [0.08830246, 0.28171884, 0.62997870],
    ]
    to_lab = [
        [0.21045426, 0.79361779, -0.00407205],
        [1.97799850, -2.42859221, 0.45059371],
        [0.02590404, 0.78277177, -0.80867577],
    ]
    seen = np.clip(np.array(VISIONS[vision]) @ linear(color), 0, 1)
    return np.array(to_lab) @ np.cbrt(np.array(to_cones) @ seen)


STYLES = [plots.method_style(key) for key in METHODS]


@pytest.mark.parametrize(("vision", "least"), [("full", 0.12), ("deutan", 0.07), ("protan", 0.07)])
def test_method_colours_are_distinct(vision, least):
    labs = [oklab(style.color, vision) for style in STYLES]
    assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(labs, 2)) > least


@pytest.mark.parametrize("vision", VISIONS)
def test_the_methods_that_are_chosen_first_are_told_apart_at_a_glance(vision):
    labs = {key: oklab(METHODS[key].color, vision) for key in DEFAULT_METHODS}
    assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(labs.values(), 2)) > 0.13
    assert np.linalg.norm(labs["optisplit"] - labs["optisplit-sa"]) > 0.2
    for page in (WHITE, DARK):
        assert min(np.linalg.norm(lab - oklab(page, vision)) for lab in labs.values()) > 0.3


def test_methods_have_symbols_of_their_own_and_show_on_light_and_dark():
    styles = [*STYLES, *(plots.method_style(f"mine {i}") for i in range(40))]
    assert len({style.symbol for style in STYLES}) == 10
    for color in (plots.NEUTRAL, *(style.color for style in styles)):
        assert contrast(color, WHITE) >= 3
        assert contrast(color, DARK) >= 3


def test_unknown_methods_have_a_fixed_style_of_their_own():
    assert plots.method_style("mine") == plots.method_style("mine")
    assert plots.method_style("mine") not in STYLES
    assert plots.method_style("sois").translucent(0.5) == "rgba(6, 115, 146, 0.5)"


def test_deviation_scale_is_symmetric_in_lightness():
    stops = dict(plots.DEVIATION)
    assert sorted(stops) == [0, 0.25, 0.5, 0.75, 1]
    for low, high in ((0, 1), (0.25, 0.75)):
        assert abs(oklab(stops[low], "full")[0] - oklab(stops[high], "full")[0]) < 0.1
    for vision in VISIONS:
        assert np.linalg.norm(oklab(stops[0], vision) - oklab(stops[1], vision)) > 0.15


@pytest.fixture
def tiny():
    return optisplit.evaluate([[1, 0], [1, 1], [0, 1], [1, 0], [1, 0], [0, 0]], [0, 0, 0, 0, 1, 1])


def test_figures_bring_no_text_colour_or_background(tiny):
    for figure in (
        plots.plot_per_class(plots.per_class_info({"is": [tiny]}, "rld")),
        plots.plot_fold_maps(plots.fold_maps_info({"is": [tiny]})),
        plots.plot_rare_shares(plots.rare_shares_info({"is": [tiny]})),
    ):
        assert figure.layout.font.color is None
        assert figure.layout.paper_bgcolor == figure.layout.plot_bgcolor == "rgba(0, 0, 0, 0)"
        assert figure.layout.xaxis.automargin
        assert figure.layout.yaxis.automargin


def test_old_names_warn(tiny):
    with pytest.warns(DeprecationWarning, match="worst_labels"):
        assert plots.worst_classes is plots.worst_labels
    with pytest.warns(DeprecationWarning, match="method_style"):
        assert plots.METHOD_STYLES["is"] == plots.method_style("is")
    info = plots.per_class_info({"is": [tiny]}, "rld")
    with pytest.warns(DeprecationWarning, match="alt_text"):
        assert plots.per_class_alt_text(info) == info.alt_text
    with pytest.warns(DeprecationWarning, match="fold_maps_info"):
        maps = plots.fold_heatmap_info(tiny, noun="part", max_rows=3)
    assert (maps.noun, len(maps.methods)) == ("part", 1)
    with pytest.warns(DeprecationWarning, match="plot_fold_maps"):
        assert plots.plot_fold_heatmap is plots.plot_fold_maps


# worst labels


def test_worst_labels_lists_only_what_is_above_its_best():
    # c is even, b has two of its three rows in a fold, which cannot be helped, and a is one off
    counts, names = np.array([[3, 2, 1], [1, 1, 1]], dtype=np.int32), ("a", "b", "c")
    report = optisplit.Report(counts, np.array([10, 10]), np.array([0.5, 0.5]), names)
    table = plots.worst_labels(report)
    assert table.to_dict("records") == [
        {"label": "a", "positives": 4, "score": pytest.approx(0.5), "best possible": 0, "fold 0": 3, "fold 1": 1}
    ]
    assert list(plots.worst_labels(report, fold_names=("train", "val")).columns[-2:]) == ["train", "val"]
    with pytest.raises(OptionError, match="1 name for 2 folds"):
        plots.worst_labels(report, fold_names=["all"])


def test_worst_labels_puts_larger_labels_first_among_equals_and_stops_at_n():
    counts = np.array([[2, 6, 4], [0, 0, 0]], dtype=np.int32)
    report = optisplit.Report(counts, np.array([10, 10]), np.array([0.5, 0.5]), ("a", "b", "c"))
    assert plots.worst_labels(report)["positives"].tolist() == [6, 4, 2]
    assert plots.worst_labels(report, n=1)["label"].tolist() == ["b"]


def test_worst_labels_needs_a_bound(tiny):
    with pytest.raises(OptionError, match="'ld'"):
        plots.worst_labels(tiny, by="ld")


# the package


def test_public_names_exist():
    assert plots.__all__ == sorted(plots.__all__, key=lambda name: (not name.isupper(), name.islower(), name))
    assert all(hasattr(plots, name) for name in plots.__all__)


def test_import_is_quick():
    code = (
        "import numpy, pandas, scipy.sparse, time; start = time.process_time(); import optisplit.plots; "
        "print(time.process_time() - start)"
    )
    command = [sys.executable, "-c", code]
    tries = (float(subprocess.run(command, capture_output=True, text=True, check=True).stdout) for _ in range(4))
    assert any(took < 0.2 for took in tries)  # on a busy machine the same work takes more of the processor's time


@pytest.mark.parametrize(
    ("low", "high", "ticks"), [(0.09, 1, [0.1, 0.2, 0.5, 1]), (1, 1e6, [1, 10, 100, 1e3, 1e4, 1e5, 1e6])]
)
def test_log_ticks(low, high, ticks):
    assert log_ticks(low, high) == ticks


@pytest.mark.parametrize(
    ("top", "ticks"), [(1, [0, 0.05, 0.2, 0.5, 1]), (0.03, [0, 0.002, 0.005, 0.01, 0.02]), (7, [0, 0.2, 1, 2, 5])]
)
def test_root_ticks(top, ticks):
    assert root_ticks(top) == ticks


def test_wrapped_lines_show_as_they_stand():
    assert wrapped("a <b> c", 4) == "a<br>&lt;b&gt;<br>c"
    assert wrapped("x" * 10, 4) == "xxxx<br>xxxx<br>xx"
