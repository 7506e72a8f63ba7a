"""Pages of plain HTML: tables."""

from __future__ import annotations

from optisplit.plots.html_page import Page


def test_a_table_has_words_at_the_left_small_texts_and_notes_and_nothing_of_the_users_is_markup():
    page = Page("a < b")
    page.table(["label", "rows"], [["<i>", ("5", "of 7 & more")], ["plain", "6"]], left=(0,), notes=["why <not>", ""])
    assert page.parts == [
        "<div class='wide'>"
        '<table><thead><tr><th scope="col" class="left">label</th><th scope="col">rows</th></tr></thead>'
        '<tbody><tr><th scope="row" class="left">&lt;i&gt;</th><td>5<br><small>of 7 &amp; more</small></td></tr>'
        '<tr class="note"><td colspan="2">why &lt;not&gt;</td></tr>'
        '<tr><th scope="row" class="left">plain</th><td>6</td></tr></tbody></table></div>'
    ]
    assert "<title>a &lt; b</title>" in page.html()
