"""Figures as SVG: marks stand where their values are, nothing needs a script, and names are no markup."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

import optisplit
from optisplit.plots.fold_maps import fold_maps_info, plot_fold_maps
from optisplit.plots.kinds import KINDS, Splits, drawing_of, kinds_of, splits_of_check
from optisplit.plots.style import new_figure
from optisplit.plots.svg import to_svg
from optisplit.plots.svg.colors import color_at

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '<script>x</script> & "y"'


def read(figure, title="t", alt="a"):
    return ElementTree.fromstring(to_svg(figure, title, alt))


def texts(root):
    return ["".join(each.itertext()) for each in root.iter(f"{SVG}text")]


def circles(root):
    return [tuple(float(each.get(key)) for key in ("cx", "cy", "r")) for each in root.iter(f"{SVG}circle")]


def test_points_stand_where_their_values_are_on_linear_and_logarithmic_axes():
    figure = new_figure(300, legend=False)
    figure.add_scatter(x=[1, 10, 1000], y=[0, 5, 10], mode="markers", marker={"size": [4, 8, 12]})
    figure.update_xaxes(type="log", range=[0, 3])
    figure.update_yaxes(range=[0, 10])
    (x0, y0, r0), (x1, y1, r1), (x2, y2, r2) = circles(read(figure))
    assert (x1 - x0) / (x2 - x0) == pytest.approx(1 / 3, abs=1e-3)
    assert (y0 - y1) / (y0 - y2) == pytest.approx(1 / 2, abs=1e-3)
    assert (r0, r1, r2) == (2, 4, 6)


def test_an_axis_reaches_over_all_that_is_drawn():
    figure = new_figure(300, legend=False)
    figure.add_scatter(x=[3, 4], y=[1, np.nan], mode="markers")
    figure.add_vline(x=0)
    root = read(figure)
    ((x, _, _),) = circles(root)
    assert [text for text in texts(root) if text in "01234"] == ["0", "1", "2", "3", "4", "1"]
    assert 400 < x < 800


def test_bars_are_as_long_as_their_values():
    figure = new_figure(300, legend=False)
    figure.add_bar(x=["a", "b"], y=[2, 4])
    figure.update_yaxes(rangemode="tozero")
    paths = [each.get("d") for each in read(figure).iter(f"{SVG}path") if each.get("fill") != "none"]
    tops = [[float(each) for each in re.fullmatch(r"M[\d.]+,([\d.]+)H[\d.]+V([\d.]+)H[\d.]+z", d).groups()]
            for d in paths]  # fmt: skip
    assert (tops[1][0] - tops[1][1]) / (tops[0][0] - tops[0][1]) == pytest.approx(2, abs=0.01)


def test_cells_have_the_colours_of_their_values_and_no_cell_is_drawn_for_nothing():
    figure = new_figure(300, legend=False)
    scale = [[0, "#000000"], [1, "#ffffff"]]
    figure.add_heatmap(z=[[0, 0.5], [1, np.nan]], zmin=0, zmax=1, colorscale=scale, showscale=False,
                       text=[[7, 8], [9, 0]], texttemplate="%{text:,}")  # fmt: skip
    root = read(figure)
    drawn = [each.get("fill") for each in root.iter(f"{SVG}path") if each.get("fill") != "none"]
    assert drawn == ["#000000", "#808080", "#ffffff"]
    assert {"7", "8", "9"} <= set(texts(root))
    assert color_at([(0, "rgba(0, 0, 0, 0.5)"), (1, "rgba(200, 0, 0, 0.5)")], 2) == "rgba(200,0,0,0.5)"


def test_a_line_stops_where_a_value_is_missing():
    figure = new_figure(300, legend=False)
    figure.add_scatter(x=[0, 1, 2, 3], y=[0, 1, None, 3], mode="lines", line={"color": "#123456", "dash": "dash"})
    (line,) = (each for each in read(figure).iter(f"{SVG}path") if each.get("stroke") == "#123456")
    assert re.sub(r"[^ML]", "", line.get("d")) == "MLM"
    assert line.get("stroke-dasharray")


def test_nothing_of_the_users_is_markup_and_the_figure_has_a_name_and_a_description():
    figure = new_figure(300, x_title=HOSTILE.replace("<", "&lt;"))
    figure.add_scatter(x=[0], y=[0], name="<b>a</b> &amp; b")
    root = read(figure, HOSTILE, HOSTILE)
    assert (root.get("role"), root.find(f"{SVG}title").text, root.find(f"{SVG}desc").text) == ("img", HOSTILE, HOSTILE)
    assert HOSTILE in texts(root)
    assert not list(root.iter(f"{SVG}script"))


@pytest.mark.parametrize("n_labels", [4, 400])
def test_every_kind_of_figure_is_drawn_and_says_what_it_says(n_labels):
    rng = np.random.default_rng(0)
    labels = rng.random((300, n_labels)) < rng.uniform(0.02, 0.4, n_labels)
    names = [HOSTILE, *(f"label {at}" for at in range(1, n_labels))]
    data = optisplit.MultilabelDataset.from_labels(labels.astype(int), names)
    check = optisplit.check_split(data, rng.permutation(300) % 5, n_random=20)
    splits = splits_of_check(check)
    assert kinds_of(splits) == list(KINDS)
    for kind in KINDS:
        drawing = drawing_of(splits, kind)
        root = ElementTree.fromstring(drawing.svg)
        assert root.find(f"{SVG}desc").text == drawing.alt_text
        assert len(texts(root)) > 5
        assert "NaN" not in drawing.svg
        assert "nan" not in re.sub(r">[^<]*<", "><", drawing.svg)
        assert len(drawing.svg) < 150_000
    assert drawing_of(splits).title == drawing_of(splits, "range").title


def test_what_there_is_no_figure_of_is_said():
    report = optisplit.evaluate([[1], [0], [1], [0]], [0, 0, 1, 1])
    splits = Splits({"yours": [report]}, {}, report.fold_titles, "fold")
    with pytest.raises(optisplit.OptisplitError, match=r"Unknown figure 'map'(?s:.*)did you mean 'maps'"):
        drawing_of(splits, "map")
    with pytest.raises(optisplit.OptisplitError, match="Unknown measure"):
        drawing_of(splits, "scores", "no")


def test_a_figure_of_nothing_says_so():
    assert "No labels to show" in texts(read(plot_fold_maps(fold_maps_info({}))))


def test_notes_on_a_logarithmic_axis_stand_at_the_power_of_ten_that_they_give():
    figure = new_figure(200, legend=False)
    figure.add_scatter(x=[1, 1000], y=[1, 2])
    figure.update_xaxes(type="log", range=[0, 3])
    for x in (0, 3):
        figure.add_annotation(x=x, y=1, text=f"at {x}", showarrow=False)
    places = re.findall(r'<text x="([\d.]+)"[^>]*>at ', to_svg(figure, "t", "a"))
    assert [float(each) for each in places] == pytest.approx([29.4, 784])
