"""Texts as a sparse table of their words, in any script."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

MAX_WORDS = 50_000
"""Most words of a column; the rarest are left out beyond it."""

# between words: white space, and marks of the scripts that have them; combining marks belong to words
_WORD = re.compile(r"[^\s!-/:-@\[-`{-~\u00a0-\u00bf\u2000-\u206f\u3000-\u303f\uff00-\uff0f\uff1a-\uff20]+")
# scripts without spaces between words: Thai, Lao, Burmese, Khmer, kana and Chinese characters
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+"
)


def words_of(text: str) -> list[str]:
    """Take a text apart: words in small letters; pairs of characters where a script has no spaces between words."""
    if text.isascii():
        return _WORD.findall(text.lower())
    found: list[str] = []
    for word in _WORD.findall(unicodedata.normalize("NFKC", text).casefold()):
        at = 0
        for run in _UNSPACED.finditer(word):
            found += filter(None, (word[at : run.start()],))
            found += _pairs(run[0])
            at = run.end()
        found += filter(None, (word[at:],))
    return found


def _pairs(run: str) -> list[str]:
    return [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]


def word_table(texts: Iterable[str], on_text: Callable[[], object] | None = None) -> tuple[Any, list[str]]:
    """Count words that two texts or more have, weighed by how few have them (tf-idf), and name them."""
    from sklearn.feature_extraction.text import TfidfVectorizer  # a second of work

    def each() -> Iterator[str]:
        for number, text in enumerate(texts):
            if on_text is not None and number % 1000 == 0:
                on_text()
            yield text

    vectorizer = TfidfVectorizer(
        analyzer=words_of, min_df=2, max_features=MAX_WORDS, sublinear_tf=True, dtype=np.float64
    )  # fmt: skip
    try:
        table = vectorizer.fit_transform(each())
    except ValueError:  # not a word that two texts have
        return None, []
    return table, list(vectorizer.get_feature_names_out())
