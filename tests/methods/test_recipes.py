"""A recipe makes the same folds again, or says why not; whatever is in its file, nothing else happens."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import json
import warnings

import numpy as np
import pytest

import optisplit
from optisplit import METHODS, MultilabelDataset, Recipe, make_recipe
from optisplit.errors import FoldAssignmentError, FormatError, OptionError, OptisplitError, SplitWarning
from optisplit.io.registry import READ_OPTIONS
from optisplit.methods.base import CONSTRAINTS
from optisplit.methods.recipe_fields import OPTION_TYPES

OWN_METHODS = [key for key, method in METHODS.items() if not method.is_peer]


@pytest.fixture(scope="module")
def emotions():
    return optisplit.load("emotions")


@pytest.fixture(scope="module")
def small():
    matrix = np.random.default_rng(0).random((30, 4)) < 0.3
    return MultilabelDataset.from_labels(matrix, list("abcd"), row_ids=[f"r{i}" for i in range(30)])


def recipe_of(data, **options):
    given = {"n_splits": 3, "method": "random", "seed": 7} | options
    method, seed = given.pop("method"), given.pop("seed")
    own = given.pop("options", {})
    folds = optisplit.split(data, method=method, random_state=seed, **given, **own)
    return make_recipe(data, folds, method=method, seed=seed, options=own, **given), folds


@pytest.mark.parametrize("method", OWN_METHODS)
def test_the_same_folds_again(emotions, method):
    recipe, folds = recipe_of(emotions, method=method, n_splits=4)
    again = Recipe.from_json(recipe.to_json())
    assert again == recipe
    assert again.to_json() == recipe.to_json()
    assert np.array_equal(again.split(optisplit.load("emotions")), folds)


def test_the_version_of_a_peer_is_noted(small):
    folds = np.arange(30) % 3
    assert "iterative-stratification" in make_recipe(small, folds, method="iterstrat", seed=0).versions
    assert "scikit-multilearn" in make_recipe(small, folds, method="skml-sois", seed=0).versions
    assert set(recipe_of(small)[0].versions) == {"optisplit", "python", "numpy", "scipy", "numba"}


def test_options_sizes_groups_and_fixed_rows(small):
    groups = [row // 3 for row in range(30)]
    fixed = np.full(30, optisplit.FREE)
    fixed[:3], fixed[3:6] = 1, -1
    given = {"method": "optisplit-sa", "n_splits": None, "fold_sizes": [0.5, 0.25, 0.25], "groups": groups,
             "fixed": fixed, "options": {"measure": "dcp", "effort": "quick", "rare": "score"}}  # fmt: skip
    recipe, folds = recipe_of(small, **given)
    recipe = Recipe.from_json(recipe.to_json())
    assert recipe.fold_sizes == (0.5, 0.25, 0.25)
    assert np.array_equal(recipe.split(small, groups=groups, fixed=fixed), folds)
    named = [f"family {group}" for group in groups]  # what groups are called does not matter
    assert np.array_equal(recipe.split(small, groups=named, fixed=fixed), folds)
    for options, message in (
        ({"fixed": fixed}, "was made with groups, so they must be given again"),
        ({"fixed": fixed, "groups": [*groups[:-1], 0]}, "These are not the groups of the recipe"),
        ({"fixed": -np.ones(30), "groups": groups}, "These are not the fixed of the recipe"),
    ):
        with pytest.raises(OptionError, match=message):
            recipe.split(small, **options)
    with pytest.raises(OptionError, match="was made without groups"):
        recipe_of(small)[0].split(small, groups=groups)


def test_every_option_of_reading_but_files_has_a_place(small):
    values = {"choice": "x", "text": "", "columns": ["a", "b*"], "yes-no": False, "number": 0.5}
    values |= {"labels": ["a", "b,c"], "merging": {"rare": ["a", "b"]}}
    reading = {each.key: values[each.kind] for each in READ_OPTIONS.values() if each.kind != "file"}
    recipe = dataclasses.replace(recipe_of(small)[0], reading=reading)
    assert Recipe.from_json(recipe.to_json()).reading == reading
    assert "names" not in reading


def test_every_option_of_a_method_has_a_place():
    options = {option for method in METHODS.values() for option in method.options}
    assert options - {"initial", *CONSTRAINTS} == set(OPTION_TYPES)


def test_what_has_no_place_is_refused(small):
    folds = optisplit.split(small, 3, method="random", random_state=0)
    for options, message in (
        ({"method": "optisplit", "options": {"initial": folds}}, "'initial' with a value of type ndarray has no place"),
        ({"method": "random", "options": {"measure": "rld"}}, "takes no option 'measure'"),
        ({"method": "none"}, "Unknown method 'none'"),
        ({"method": "random", "seed": -1}, "needs a whole number from 0"),
    ):
        with pytest.raises(OptionError) as caught:
            make_recipe(small, folds, **({"seed": 0} | options))
        assert message in str(caught.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m, n, i: (m[:-1], n, i[:-1]), "30 rows then, 29 now"),
        (lambda m, n, i: (m[:, :3], n[:3], i), "4 labels then, 3 now"),
        (lambda m, n, i: (m, ["a", "b", "c", "x"], i), "other label names, or in another order"),
        (lambda m, n, i: (m[::-1], n, i), "other labels on some rows, or rows or labels in another order"),
        (lambda m, n, i: (m, n, i[::-1]), "other row ids, or in another order"),
    ],
)
def test_other_data_are_refused(small, change, message):
    recipe, _ = recipe_of(small)
    matrix, names, ids = change(small.labels.toarray(), list(small.label_names), list(small.row_ids))
    with pytest.raises(OptionError) as caught:
        recipe.split(MultilabelDataset.from_labels(matrix, names, row_ids=ids))
    assert str(caught.value) == f"These are not the data of the recipe ('data'): {message}."


def test_names_of_the_data_and_of_rows_that_only_one_has_do_not_count(small):
    recipe, folds = recipe_of(small)
    same = MultilabelDataset.from_labels(small.labels, small.label_names, name="other")
    assert np.array_equal(recipe.split(same), folds)


def test_other_folds_are_an_error_that_names_versions(small):
    recipe, folds = recipe_of(small)
    other = dataclasses.replace(recipe, folds="0" * 32)
    with pytest.raises(FoldAssignmentError, match="All versions are the same as then"):
        other.split(small)
    other = dataclasses.replace(other, versions={**recipe.versions, "numpy": "1.0"})
    assert other.other_versions() == {"numpy": ("1.0", np.__version__)}
    with pytest.raises(FoldAssignmentError, match=rf"numpy 1\.0, now {np.__version__}"):
        other.split(small)
    with pytest.warns(SplitWarning, match="numpy 1.0, now"):
        assert np.array_equal(other.split(small, differing="warn"), folds)
    with pytest.raises(OptionError, match="did you mean 'warn'"):
        other.split(small, differing="warm")


def test_other_versions_with_the_same_folds_are_fine(small):
    recipe, folds = recipe_of(small)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        other = dataclasses.replace(recipe, versions={"numpy": "1.0"})
        assert np.array_equal(other.split(small), folds)


def test_scores_are_those_of_the_split(small):
    recipe, folds = recipe_of(small)
    report = optisplit.evaluate(small, folds)
    assert recipe.scores == {"rld": report.rld, "dcp": report.dcp, "ld": report.ld}
    bare = MultilabelDataset.from_labels([[1], [1], [1], [1]])
    assert recipe_of(bare, n_splits=2)[0].scores["rld"] is None


def test_a_file_is_read_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "x.csv"
    path.write_text("A,B,n\n1,0,1\n,1,0\n0,1,1\n1,1,0\n0,0,1\n")
    data = optisplit.load(path, label_columns=["A", "B"], missing="drop-rows")
    recipe, folds = recipe_of(data, n_splits=2)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert (recipe.source, recipe.sha256) == ("x.csv", digest)
    with path.open("rb") as held:  # as a browser brings it
        held_data = optisplit.load(io.BytesIO(held.read()), name="x.csv", label_columns=["A", "B"], missing="drop-rows")
    assert recipe_of(held_data, n_splits=2)[0].sha256 == digest
    recipe = make_recipe(data, folds, method="random", seed=7, source=path)
    assert (recipe.source, recipe.sha256) == ("x.csv", digest)
    recipe.save(tmp_path / "recipe.json")
    again = Recipe.read(tmp_path / "recipe.json")
    assert again == recipe
    assert np.array_equal(again.split(again.load(path)), folds)
    monkeypatch.chdir(tmp_path)
    assert np.array_equal(again.split(again.load()), folds)
    path.write_text(path.read_text().replace("\n0,0,1\n", "\n0,0,0\n"))
    with pytest.warns(SplitWarning, match="'x.csv' is not byte for byte the file of the recipe"):
        assert np.array_equal(again.split(again.load(path)), folds)


def test_a_sample_is_found_by_its_key(emotions):
    recipe, folds = recipe_of(emotions)
    recipe = make_recipe(emotions, folds, method="random", seed=7, source="emotions")
    assert recipe.source == "emotions"
    assert np.array_equal(recipe.split(recipe.load()), folds)


def test_no_file_is_looked_for_elsewhere(small):
    recipe, _ = recipe_of(small)
    with pytest.raises(OptionError, match="does not say which file"):
        recipe.load()
    with pytest.raises(OptionError, match="which is more than a name; give the file"):
        dataclasses.replace(recipe, source="../../etc/passwd").load()


def document(small, **changes):
    return json.loads(recipe_of(small)[0].to_json()) | changes


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"optisplit_recipe": 2}, "has the version '2', but 1 is read here"),
        ({"optisplit_recipe": True}, "has the version 'True'"),
        ({"run": "rm"}, "A recipe has no key 'run'"),
        ({"method": 3}, "The recipe's method should be a valid string, got 3"),
        ({"seed": -1}, "seed should be greater than or equal to 0, got -1"),
        ({"seed": 1.0}, "seed should be a valid integer, got 1.0"),
        ({"seed": True}, "seed should be a valid integer, got True"),
        ({"n_splits": 1}, "n_splits should be greater than or equal to 2, got 1"),
        ({"fold_sizes": []}, "fold_sizes tuple should have at least 1 item"),
        ({"fold_sizes": [True, 0.5]}, "fold_sizes.0.int should be a valid integer, got True"),
        ({"fold_sizes": [-1]}, "fold_sizes.0 should be greater than or equal to 0"),
        ({"options": {"initial": [0]}}, "A recipe has no key 'options.initial'"),
        ({"options": {"max_epochs": "x"}}, "options.max_epochs should be a valid integer, got 'x'"),
        ({"options": {"max_epochs": 1 << 40}}, "options.max_epochs should be less than 2147483648"),
        ({"reading": {"label_file": "/etc/passwd"}}, "A recipe has no key 'reading.label_file'"),
        ({"reading": {"label_columns": [1]}}, "reading.label_columns.int should be a valid integer, got [1]"),
        ({"reading": {"format": 1}}, "reading.format should be a valid string, got 1"),
        ({"data": {"name": "x"}}, "The recipe lacks 'data.n_rows'"),
        ({"versions": {"numpy": 2}}, "versions.numpy should be a valid string, got 2"),
        ({"scores": {"rld": "0"}}, "scores.rld should be a valid number, got '0'"),
        ({"source": "\ud800"}, "it is no JSON"),
    ],
)
def test_parts_of_a_recipe_are_checked(small, changes, message):
    with pytest.raises(FormatError) as caught:
        Recipe.from_json(json.dumps(document(small, **changes)))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '{"a": 1}', "[" * 100_000, '{"optisplit_recipe": 1}', '{"optisplit_recipe": NaN}',
     '{"optisplit_recipe": ' + "9" * 5000 + "}", b"\xff\xfe\x00", b"\x80\x04K\x01.", " " * 10_000_001],
)  # fmt: skip
def test_what_is_no_recipe_is_refused(text):
    with pytest.raises(FormatError):
        Recipe.from_json(text)


@pytest.mark.parametrize("key", ["data", "method", "seed", "n_splits", "folds"])
def test_what_is_needed_is_named(small, key):
    given = document(small)
    del given[key]
    with pytest.raises(FormatError, match=f"The recipe lacks '{key}'"):
        Recipe.from_json(json.dumps(given))


@pytest.mark.parametrize(
    "changes",
    [
        {"method": "os.system"},
        {"n_splits": 10**30},
        {"fold_sizes": [1, 1, 1]},
        {"fold_sizes": [0.1] * 50},
        {"method": "optisplit", "options": {"measure": "x"}},
        {"method": "optisplit-sa", "options": {"effort": "__import__('os')"}},
        {"method": "optisplit", "options": {"max_epochs": 0, "ties": "\x00"}},
        {"method": "pmbsrs", "options": {"measure": "rld"}},
    ],
)
def test_recipes_that_lead_nowhere_are_refused_in_words(small, changes):
    recipe = Recipe.from_json(json.dumps(document(small, **changes)))
    with pytest.raises(OptisplitError):
        recipe.split(small)


def test_a_recipe_from_a_file_object(small):
    recipe, _ = recipe_of(small)
    assert Recipe.read(io.BytesIO(recipe.to_json().encode())) == recipe
    with pytest.raises(FormatError, match="There is no file"):
        Recipe.read("no such recipe.json")
