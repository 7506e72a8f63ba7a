from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from optisplit.errors import FormatError, OptionError
from optisplit.io.samples import SAMPLES, load

ROOT = Path(__file__).parents[2]
SHAPES = {
    "emotions": (593, 6),
    "yeast": (2417, 14),
    "medical": (978, 45),
    "enron": (1702, 53),
    "bibtex": (7395, 159),
    "delicious": (16105, 983),
    "go_human_cc": (19869, 2024),
    "go_human_mf": (18432, 4964),
    "go_human_bp": (18903, 15975),
    "wiki10_31k": (20762, 30938),
}


def test_every_published_shape_is_in_the_catalogue():
    assert {key: (sample.n_rows, sample.n_labels) for key, sample in SAMPLES.items()} == SHAPES


@pytest.mark.parametrize("key", SHAPES)
def test_catalogue_and_files_agree(key):
    sample = SAMPLES[key]
    data = load(key)
    assert (data.n_rows, data.n_labels, data.n_positives) == (
        sample.n_rows,
        sample.n_labels,
        sample.n_positives,
    )
    assert data.name == key
    assert len(set(data.label_names)) == data.n_labels
    for name in sample.files:
        assert (ROOT / "sample_data" / name).is_file()
        assert f"`{key}`" in (ROOT / "sample_data" / "README.md").read_text(encoding="utf-8")


def test_no_file_is_left_out_of_the_catalogue():
    listed = {name for sample in SAMPLES.values() for name in sample.files}
    found = {path.name for path in (ROOT / "sample_data").iterdir()}
    assert found == listed | {
        "README.md", "catalogue.json", "shapes.json",
        "impact.csv", "impact.json", "impact_parts.csv", "impact_parts.json",
        "lesson_parts.npz", "lesson_ranking.npz", "paper.json", "paper_runs.csv",
    }  # fmt: skip


def test_samples_are_part_of_the_wheel():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert included["sample_data"] == "optisplit/sample_data"


def test_delicious_keeps_its_odd_names():
    names = load("delicious").label_names
    assert {"TAG_??", "TAG_???", "TAG_dise?o", "TAG_dise\\~no", "TAG_m\\'usica"} <= set(names)


def test_gene_ontology_has_names_row_ids_and_one_root():
    data = load("go_human_cc")
    assert data.label_names[0] == "GO:0000015 phosphopyruvate hydratase complex"
    assert data.row_ids[:2] == ("A1BG", "A2M")
    assert "1 label is on every row: 'GO:0005575 cellular_component'." in data.notes


def test_gene_ontology_needs_its_credit():
    assert all("CC BY 4.0" in SAMPLES[key].licence_note for key in SHAPES if key.startswith("go_"))


def test_unknown_names_and_files(tmp_path, monkeypatch):
    with pytest.raises(OptionError, match=r"Unknown data set 'bibtexx'; .*\n.*did you mean 'bibtex'"):
        load("bibtexx")
    with pytest.raises(FormatError, match=r"There is no file 'nowhere\.arff'"):
        load("nowhere.arff")
    with pytest.raises(OptionError, match="label_columns cannot be given with 'bibtex'"):
        load("bibtex", label_columns=3)
    monkeypatch.chdir(tmp_path)
    Path("plain").write_text("A,B\n1,0\n")
    assert load("plain").label_names == ("A", "B")
    assert load("plain", label_columns=["B"], name="shown.csv").name == "shown"


def test_the_catalogue_cannot_be_changed():
    with pytest.raises(TypeError, match="does not support item assignment"):
        SAMPLES["mine"] = SAMPLES["bibtex"]


def test_importing_is_cheap():
    code = "import sys, optisplit.io.samples; print([m for m in ('numpy', 'scipy', 'pandas') if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert result.stdout.strip() == "[]"
