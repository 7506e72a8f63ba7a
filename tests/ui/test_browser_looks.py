"""How the app looks in a real browser: on windows of any width, and to those who use its accessibility tree."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from visits import LONG_MS, data_uploader, leave_out, open_page, run_and_wait, run_the_paper, wait_for_rest

pytestmark = pytest.mark.browser

LESSON = [
    "/learn?step=1", *(f"/learn?step={step}&guess{step}=unsure&set=enron" for step in range(1, 7)),
    "/learn?step=6&guess6=unsure&view=methods", "/learn?step=yours", "/learn?step=teachers",
]  # fmt: skip


@pytest.mark.parametrize(("scheme", "width"), [("light", 420), ("dark", 420), ("dark", 1920)])
def test_nothing_is_wider_than_the_window(server, browser, scheme, width):
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    tab = context.new_page()
    open_page(tab, server, "/?data=emotions")
    leave_out(tab, "IS")
    run_and_wait(tab)
    for address in ("", "/check", "/data", "/paper", *LESSON):
        if address:
            open_page(tab, server, address)
        overflow = tab.evaluate(
            "() => { const m = document.querySelector('[data-testid=stMain]'); return m.scrollWidth - m.clientWidth }"
        )
        assert overflow <= 0, address
    context.close()


@pytest.mark.parametrize(("scheme", "width"), [("light", 420), ("dark", 1280)])
def test_a_file_is_shown_as_it_was_understood_and_read_anew(server, browser, tmp_path, scheme, width):
    from axe_playwright_python.sync_playwright import Axe

    names = [f"http://example.org/a_rather_long_folder/scan_{row:04d}.png" for row in range(12)]
    lines = [f"{name},Mass|Edema;x,{'words ' * 40}\n" for name in names]
    (tmp_path / "scans.csv").write_text("File Name,Findings,a_name_of_a_column_without_blanks_in_it\n" + "".join(lines))
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    tab = context.new_page()
    open_page(tab, server, "/?data=emotions")
    if width < 800:
        tab.get_by_test_id("stExpandSidebarButton").click()
    tab.get_by_text("Use your own data").click()
    data_uploader(tab).set_input_files(str(tmp_path / "scans.csv"))
    card = tab.get_by_test_id("stMain").get_by_test_id("stExpander").filter(has_text="How the file was understood")
    expect(card.get_by_test_id("stTable").first).to_contain_text("scan_0003", timeout=LONG_MS)
    if width < 800:
        tab.get_by_test_id("stSidebarCollapseButton").get_by_role("button").click(force=True)
    card.get_by_text("Read it in another way").click()
    expect(card.get_by_role("combobox", name="Between the labels of a list")).to_be_visible()
    expect(card.locator("[data-tag]").filter(has_text="Findings")).to_be_visible()
    wait_for_rest(tab)
    overflow = tab.evaluate(
        "() => { const m = document.querySelector('[data-testid=stMain]'); return m.scrollWidth - m.clientWidth }"
    )
    assert overflow <= 0
    found = Axe().run(tab).response["violations"]
    theirs = {"presentation-role-conflict", "list", "aria-required-children"}  # inside Streamlit's own widgets
    assert [v["id"] for v in found if v["impact"] in ("serious", "critical") and v["id"] not in theirs] == []
    card.get_by_role("combobox", name="Between the labels of a list").press("ArrowDown")
    tab.get_by_role("option").filter(has_text="(semicolon)").click(timeout=10_000)
    expect(card).to_contain_text("label_separator=';'", timeout=LONG_MS)
    card.get_by_role("button", name="That is right").click()
    expect(card).to_have_count(0)
    context.close()


@pytest.mark.parametrize(
    "addresses",
    [
        ["/?data=emotions"], ["/check?data=emotions", "/data?data=emotions"], ["/paper"],
        LESSON,
    ],
)  # fmt: skip
def test_no_serious_accessibility_fault_of_ours(server, page, addresses):
    from axe_playwright_python.sync_playwright import Axe

    for address in addresses:
        open_page(page, server, address)
        if address == "/paper":
            run_the_paper(page, server)
        elif address.startswith("/?"):
            leave_out(page, "IS")
            run_and_wait(page)
        found = Axe().run(page).response["violations"]
        # inside Streamlit's own widgets
        theirs = {"presentation-role-conflict"}
        serious = [v["id"] for v in found if v["impact"] in ("serious", "critical") and v["id"] not in theirs]
        assert serious == [], address
