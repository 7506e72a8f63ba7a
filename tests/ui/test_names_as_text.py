"""Names are texts: no character of a user's is markdown, a link, a picture or an arrow in what Streamlit is given."""

import re

import pytest

from optisplit.ui.widgets import md

# what Streamlit's page looks for in a text once its escapes are gone, seen in a browser
ALIVE = re.compile(r"(?i)https?://|www\.|[-.\w+]+@[-\w]+\.|:streamlit:|<-")
NAMES = [
    "http://a.example/x", "HTTPS://a.b", "www.example.org", "WWW.a.b", "me@example.org", "xmpp:a@b.c", ":streamlit:",
    "<-", "a<-b", "[l](http://q.r)", "![i](https://a.b/c.png)", "<img src=http://a.b/c>", "**b** $x^2$ :red[r] `c`",
]  # fmt: skip


def texts_of(markdown):
    """Take a markdown text apart as the page does: at directives without anything in them, and without escapes."""
    return [re.sub(r"\\(.)", r"\1", part) for part in markdown.split(":small[]")]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_in_a_name_is_alive(name):
    parts = texts_of(md(name))
    assert "".join(parts) == name
    assert not any(map(ALIVE.search, parts))
    bare = re.sub(r"\\.", "", md(name).replace(":small[]", ""))
    assert not re.search(r"[^\w ]", bare)


@pytest.mark.parametrize("name", ["fold 1", "a:b", "12:30:45", "naïve", "x > 5", "http", "www"])
def test_usual_names_are_not_parted(name):
    assert texts_of(md(name)) == [name]


def test_titles_of_tables_are_texts_too():
    from streamlit.testing.v1 import AppTest

    def page():
        from optisplit.ui.widgets import small_table

        small_table([{"www.a.b": "1"}], "Some table")

    at = AppTest.from_function(page).run()
    assert list(at.table[0].value.columns) == [md("www.a.b")]
