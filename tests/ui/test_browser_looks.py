"""How the app looks in a real browser: on windows of any width, and to those who use its accessibility tree."""

from __future__ import annotations

import pytest
from playwright.sync_api import TimeoutError, expect
from visits import LONG_MS, data_uploader, leave_out, open_page, run_and_wait, run_the_paper, wait_for_rest

pytestmark = pytest.mark.browser

LESSON = [
    "/learn?step=1", *(f"/learn?step={step}&guess{step}=unsure&set=enron" for step in range(1, 7)),
    "/learn?step=6&guess6=unsure&view=methods", "/learn?step=yours", "/learn?step=teachers",
]  # fmt: skip


def violations(page, **options):
    """List what the axe checker finds serious."""
    from axe_playwright_python.sync_playwright import Axe

    theirs = {"presentation-role-conflict"}  # inside Streamlit's own widgets
    return [
        (each["id"], [node["target"] for node in each["nodes"]][:3])
        for each in Axe().run(page, options={"resultTypes": ["violations"], **options}).response["violations"]
        if each["impact"] in ("serious", "critical") and each["id"] not in theirs
    ]


def change_scheme(page):
    """Have dark for light, or light for dark, without opening the page anew."""
    is_dark = page.evaluate("() => matchMedia('(prefers-color-scheme: dark)').matches")
    page.emulate_media(color_scheme="light" if is_dark else "dark")
    page.wait_for_function(
        "isDark => (getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor"
        " === 'rgb(255, 255, 255)') === isDark",
        arg=is_dark,
        timeout=LONG_MS,
    )
    wait_for_rest(page)


def faults(page):
    """List what is wrong in light or dark, which colours are in the other, and at which widths a page scrolls."""
    wait_for_rest(page)
    found = violations(page)
    change_scheme(page)
    found += violations(page, runOnly=["color-contrast"])
    for width in (400, 1920, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        try:  # charts take a moment to follow
            page.wait_for_function(
                "() => { const m = document.querySelector('[data-testid=stMain]');"
                " return m.clientWidth > 0 && m.scrollWidth <= m.clientWidth }",
                timeout=5_000,
            )
        except TimeoutError:
            found.append(("scrolls sideways", width))
    return found


def test_every_page_is_accessible_and_no_wider_than_the_window(server, page):
    """One walk, since each page takes a while."""
    found = {}
    for address in ("/", "/check?data=emotions", "/data?data=medical", "/impact", *LESSON):
        open_page(page, server, address)
        if address.startswith("/data"):
            wait_for_rest(page)
            page.get_by_text("Characteristics: cardinality").click(timeout=LONG_MS)
            expect(page.get_by_text("As in Table 1 of the paper")).to_be_visible()
        elif address == "/impact":
            page.get_by_text("Enron", exact=True).click()
            expect(page.get_by_text("Run your own on Enron")).to_be_visible()
        found[address] = faults(page)
    assert {place: what for place, what in found.items() if what} == {}


def test_results_are_accessible_and_no_wider_than_the_window(server, page):
    found = {}
    open_page(page, server, "/check?data=emotions&from=example")
    expect(page.get_by_role("button", name="Repair").first).to_be_visible(timeout=LONG_MS)
    found["a check"] = faults(page)
    open_page(page, server, "/?data=emotions")
    leave_out(page, "IS")
    run_and_wait(page)
    found["a comparison"] = faults(page)
    run_the_paper(page, server)
    found["the paper"] = faults(page)
    assert {place: what for place, what in found.items() if what} == {}


def test_a_file_is_shown_as_it_was_understood_and_read_anew(server, browser, tmp_path):
    """On a phone, and then on a wide window in the other scheme."""
    names = [f"http://example.org/a_rather_long_folder/scan_{row:04d}.png" for row in range(12)]
    lines = [f"{name},Mass|Edema;x,{'words ' * 40}\n" for name in names]
    (tmp_path / "scans.csv").write_text("File Name,Findings,a_name_of_a_column_without_blanks_in_it\n" + "".join(lines))
    context = browser.new_context(viewport={"width": 420, "height": 900}, color_scheme="light")
    tab = context.new_page()
    open_page(tab, server, "/?data=emotions")
    tab.get_by_test_id("stExpandSidebarButton").click()
    tab.get_by_text("Use your own data").click()
    data_uploader(tab).set_input_files(str(tmp_path / "scans.csv"))
    card = tab.get_by_test_id("stMain").get_by_test_id("stExpander").filter(has_text="How the file was understood")
    expect(card.get_by_test_id("stTable").first).to_contain_text("scan_0003", timeout=LONG_MS)
    tab.get_by_test_id("stSidebarCollapseButton").get_by_role("button").click(force=True)
    card.get_by_text("Read it in another way").click()
    expect(card.get_by_role("combobox", name="Between the labels of a list")).to_be_visible()
    expect(card.locator("[data-tag]").filter(has_text="Findings")).to_be_visible()
    wait_for_rest(tab)
    theirs = {"list", "aria-required-children"}  # inside Streamlit's own widgets
    assert scrolls_by(tab) <= 0
    assert [each for each in violations(tab) if each[0] not in theirs] == []
    card.get_by_role("combobox", name="Between the labels of a list").press("ArrowDown")
    tab.get_by_role("option").filter(has_text="(semicolon)").click(timeout=10_000)
    expect(card).to_contain_text("label_separator=';'", timeout=LONG_MS)
    tab.set_viewport_size({"width": 1280, "height": 900})
    change_scheme(tab)
    assert scrolls_by(tab) <= 0
    assert [each for each in violations(tab) if each[0] not in theirs] == []
    card.get_by_role("button", name="That is right").click()
    expect(card).to_have_count(0)
    context.close()


def scrolls_by(page):
    """Measure how much wider the page is than the window."""
    return page.evaluate(
        "() => { const m = document.querySelector('[data-testid=stMain]'); return m.scrollWidth - m.clientWidth }"
    )
