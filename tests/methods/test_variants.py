"""Methods named with options of their own."""

import pytest

from optisplit.errors import OptionError
from optisplit.methods.variants import as_variant, variant_name


@pytest.mark.parametrize(
    ("text", "key", "options", "name"),
    [
        ("is", "is", {}, "IS"),
        (
            "optisplit-sa,effort = quick",
            "optisplit-sa, effort=quick",
            {"effort": "quick"},
            "OptiSplit-SA, effort=quick",
        ),
        (
            "optisplit-sa, measure=ld, balance_pairs=True",
            "optisplit-sa, measure=ld, balance_pairs=true",
            {"measure": "ld", "balance_pairs": True},
            "OptiSplit-SA, measure=ld, balance_pairs=true",
        ),
        ("optisplit, max_epochs=2", "optisplit, max_epochs=2", {"max_epochs": 2}, "OptiSplit, max_epochs=2"),
    ],
)
def test_a_method_with_options_is_one_text(text, key, options, name):
    found = as_variant(text)
    assert (found.key, found.options, found.name) == (key, options, name)
    assert as_variant(found.key) == found
    assert variant_name(text) == name


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("optisplitt, effort=quick", "did you mean 'optisplit'"),
        ("optisplit-sa, effort", "write a key and what it is given"),
        ("optisplit-sa, =quick", "is no method with options"),
        ("optisplit-sa, fold_sizes=3", "is no method with options"),
        ("is, effort=quick", "'is' takes no option 'effort'"),
        ("optisplit-sa, effort=fast", "effort 'fast'"),
    ],
)
def test_what_is_no_method_with_options_is_refused(text, said):
    with pytest.raises(OptionError, match=said):
        as_variant(text)
