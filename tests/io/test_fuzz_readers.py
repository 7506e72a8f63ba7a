"""A short, fixed round of the fuzzing in ``tests/fuzz``."""

import random
from itertools import islice

import pytest
from fuzz.readers import FIXED_BYTES, MOST_TIMES, mutations, one_input, peak_bytes, seeds

N_INPUTS = 4000
N_WEIGHED = 60


def test_the_corpus_is_there():
    assert len(seeds()) > 50


@pytest.mark.parametrize("seed", range(2))
def test_whatever_the_bytes_only_errors_of_the_package_come_out(seed):
    for content in islice(mutations(random.Random(seed), seeds()), N_INPUTS // 2):
        one_input(content)


def test_reading_takes_memory_in_proportion_to_the_file():
    for content in islice(mutations(random.Random(99), seeds()), N_WEIGHED):
        assert peak_bytes(content) <= FIXED_BYTES + MOST_TIMES * len(content)
