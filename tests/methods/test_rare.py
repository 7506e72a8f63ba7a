"""What becomes of labels too rare for a part: three words, the switch that they replace, and recipes from before."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest
from sklearn.base import clone

import optisplit
from optisplit import METHODS
from optisplit.errors import OptionError
from optisplit.methods.base import rare_of
from optisplit.methods.optisplit_sa import optisplit_sa
from optisplit.methods.rare import DEFAULT_RARE, RARE
from optisplit.methods.recipes import Recipe
from optisplit.methods.stamps import folds_digest
from optisplit.model_selection import (
    MultilabelKFold,
    MultilabelShuffleSplit,
    RepeatedMultilabelKFold,
    train_test_split,
)

BEFORE = {"cover": "7c755f65e7afc77f1f0e21252e207789", "score": "d06b6e8115184c9a2e91d07078a0b733"}
"""Digests of the folds of medical, parts of 80, 10 and 10 %, seed 0, quick, before there was the choice."""

TODAY = {"cover": "277d8476a493a9c15132be900e396ef9", "score": "0e2adc4e93d60f816f8e498721fe9455"}
"""Of the same folds since 0.4.2, whose search begins and looks at labels in another way."""

SHARES = [0.8, 0.1, 0.1]


@pytest.fixture(scope="module")
def medical():
    return optisplit.load("medical")


@pytest.fixture(scope="module")
def labels():
    return (np.random.default_rng(0).random((60, 6)) < [0.5, 0.3, 0.1, 0.05, 0.05, 0.03]).astype(np.int8)


def recipe_of_before(rare: str) -> str:
    """The recipe that version 0.4.0 wrote before there was the choice, without what says nothing here."""
    options = {"effort": "quick"} | ({"cover_rare": False} if rare == "score" else {})
    data = {"name": "medical", "n_rows": 978, "n_labels": 45, "labels": "846c7202bb7184937612bdc213c39302",
            "names": "deb537b99669cc1c2446c8c532456312", "row_ids": ""}  # fmt: skip
    return json.dumps({
        "optisplit_recipe": 1, "data": data, "method": "optisplit-sa", "seed": 0, "n_splits": 3,
        "folds": BEFORE[rare], "fold_sizes": SHARES, "options": options, "source": "medical",
        "scores": {"rld": 0.49178393716277924}, "versions": {"optisplit": "0.4.0", "numpy": "2.4.6"},
    })  # fmt: skip


@pytest.mark.parametrize("rare", BEFORE)
def test_the_seed_makes_the_same_folds_on_every_machine(medical, rare):
    folds = optisplit.split(medical, fold_sizes=SHARES, rare=rare, effort="quick", random_state=0)
    assert folds_digest(folds) == TODAY[rare]


@pytest.mark.parametrize("rare", BEFORE)
def test_recipes_from_before_are_understood_and_say_that_the_search_is_another(medical, rare):
    recipe = Recipe.from_json(recipe_of_before(rare))
    assert recipe.options == {"effort": "quick", "rare": rare}
    with pytest.raises(optisplit.errors.FoldAssignmentError, match=r"came out other.*optisplit 0\.4\.0, now "):
        recipe.split(medical)
    with pytest.warns(optisplit.SplitWarning, match=r"optisplit 0\.4\.0, now "):
        assert folds_digest(recipe.split(medical, differing="warn")) == TODAY[rare]
    assert Recipe.from_json(recipe.to_json()) == recipe


def test_a_recipe_says_what_was_chosen_and_the_default_too(medical):
    for options, said in (({}, DEFAULT_RARE), ({"rare": "score"}, "score"), ({"rare": None}, DEFAULT_RARE)):
        made = {"fold_sizes": SHARES, "method": "optisplit-sa"}
        folds = optisplit.split(medical, **made, **options, effort="quick", random_state=3)
        recipe = optisplit.make_recipe(medical, folds, **made, options={**options, "effort": "quick"}, seed=3)
        assert json.loads(recipe.to_json())["options"] == {"effort": "quick", "rare": said}
        np.testing.assert_array_equal(Recipe.from_json(recipe.to_json()).split(medical), folds)
    folds = np.arange(978) % 3
    assert optisplit.make_recipe(medical, folds, method="random", seed=0).options == {}


def test_recipes_that_say_both_or_no_switch_are_refused(medical):
    for options, key in (({"rare": "cover", "cover_rare": True}, "cover_rare"), ({"cover_rare": 1}, "cover_rare")):
        document = json.loads(recipe_of_before("cover")) | {"options": options}
        with pytest.raises(optisplit.errors.FormatError, match=f"A recipe has no key 'options.{key}'"):
            Recipe.from_json(json.dumps(document))


def first(pairs):
    return [rows.tolist() for rows in next(iter(pairs))]


DOORS = {
    "split": lambda y, **given: optisplit.split(y, 3, random_state=0, **given).tolist(),
    "the method": lambda y, **given: optisplit_sa(
        optisplit.as_labels(y), 3, rng=np.random.default_rng(0), **given
    ).tolist(),
    "folds": lambda y, **given: first(MultilabelKFold(3, random_state=0, **given).split(None, y)),
    "repeated folds": lambda y, **given: first(RepeatedMultilabelKFold(3, random_state=0, **given).split(None, y)),
    "hold-out": lambda y, **given: first(MultilabelShuffleSplit(2, random_state=0, **given).split(None, y)),
    "train and test": lambda y, **given: [
        part.tolist() for part in train_test_split(y, np.arange(60), stratify=y, random_state=0, **given)
    ],
    "compare": lambda y, **given: optisplit.compare(
        y, ["optisplit-sa"], 3, seeds=[0], options={"optisplit-sa": given}
    ).runs[0].folds.tolist(),
    "recipe": lambda y, **given: optisplit.make_recipe(
        optisplit.MultilabelDataset.from_labels(y), np.arange(60) % 3, method="optisplit-sa", seed=0, options=given
    ).options,
    "estimate": lambda y, **given: optisplit.estimate_times(y, ["optisplit-sa"], options={"optisplit-sa": given}),
}  # fmt: skip


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(("covers", "rare"), [(True, "cover"), (False, "score")])
def test_the_switch_still_works_and_warns_where_it_is_given(labels, door, covers, rare):
    ask = DOORS[door]
    with pytest.warns(DeprecationWarning, match="cover_rare") as told:
        found = ask(labels, cover_rare=covers)
    assert [str(each.message) for each in told] == [
        f"cover_rare={covers} is called rare={rare!r} since 0.4.0; cover_rare goes in 0.5.0."
    ]
    assert told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert found == ask(labels, rare=rare)


@pytest.mark.parametrize("door", DOORS)
def test_both_at_once(labels, door):
    ask = DOORS[door]
    with pytest.raises(OptionError, match=r"rare='score' contradicts cover_rare=True, which is rare='cover' in old"):
        ask(labels, rare="score", cover_rare=True)
    with pytest.warns(DeprecationWarning, match="cover_rare"):
        assert ask(labels, rare="cover", cover_rare=True)
    with pytest.raises(TypeError, match="cover_rare must be True or False; got 'yes'"):
        ask(labels, cover_rare="yes")


@pytest.mark.parametrize("door", DOORS)
def test_other_words_are_refused(labels, door):
    with pytest.raises(
        OptionError, match=r"(?s)Unknown choice for rare 'shares'.*'share', 'cover', 'score'.*'share'\?"
    ):
        DOORS[door](labels, rare="shares")


def test_cross_validators_keep_what_they_were_given():
    with pytest.warns(DeprecationWarning, match="cover_rare"):
        folds = MultilabelKFold(3, cover_rare=False)
    assert (folds.rare, folds.cover_rare) == (None, False)
    with pytest.warns(DeprecationWarning, match="cover_rare"):
        assert clone(folds).get_params() == folds.get_params()
    with pytest.raises(OptionError, match="contradicts"):
        folds.set_params(rare="share")
    folds.set_params(rare="share", cover_rare=None)
    assert clone(folds).rare == "share"


def test_what_a_method_does_with_rare_labels():
    assert next(iter(RARE)) == DEFAULT_RARE
    assert rare_of("optisplit-sa", {}) == DEFAULT_RARE
    assert rare_of("optisplit-sa", {"rare": "score"}) == "score"
    assert rare_of("random", {}) is None
    assert [key for key in METHODS if "rare" in METHODS[key].options] == ["optisplit-sa"]
    with pytest.raises(OptionError, match="Method 'is' takes no option 'rare'; these methods do: 'optisplit-sa'"):
        optisplit.split([[1], [0]], 2, method="is", rare="share")
