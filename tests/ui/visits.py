"""What visitors do in a real browser, for the tests that drive one."""

from __future__ import annotations

from playwright.sync_api import expect

LONG_MS = 60_000
expect.set_options(timeout=20_000)


def wait_for_rest(page):
    """Wait until the page is drawn: what is still to be replaced takes no file, and is dimmed."""
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for(timeout=LONG_MS)
    page.wait_for_function(
        "() => document.getAnimations().every("
        "each => each.playState !== 'running' || each.effect.getComputedTiming().endTime === Infinity)"
    )


def open_page(page, server, address="/"):
    page.goto(server.url + address)
    wait_for_rest(page)
    expect(page.get_by_test_id("stException")).to_have_count(0)


def leave_out(page, method):
    """Take a method out of those to compare."""
    page.locator(".st-key-methods").get_by_role("button", name=method, exact=True).click(timeout=10_000)
    expect(page.get_by_text("3 methods × 3 seeds")).to_be_visible()


def expect_data(page, title):
    expect(page.get_by_role("combobox", name="Data set")).to_have_value(title, timeout=LONG_MS)
    wait_for_rest(page)


def data_uploader(page, place="stSidebar"):
    return page.get_by_test_id(place).get_by_test_id("stFileUploaderDropzoneInput")


def run_button(page):
    """Find the button when the page is at rest: while it moves, a click may miss."""
    wait_for_rest(page)
    return page.locator(".st-key-run").get_by_role("button")


def run_and_wait(page):
    run_button(page).click()
    expect(page.locator(".st-key-take_split")).to_be_visible(timeout=LONG_MS)
    wait_for_rest(page)


def run_the_paper(page, server):
    """Run the quickest lines of Table 2 on bibtex with three seeds."""
    open_page(page, server, "/paper")
    page.get_by_role("button", name="delicious", exact=True).click()
    for method in ("IS (scikit-multilearn)", "SOIS (scikit-multilearn)", "OptiSplit-SA"):
        page.get_by_role("button", name=method, exact=True).click()
    expect(page.get_by_text("1 data set × 7 methods × 3 seeds")).to_be_visible(timeout=LONG_MS)
    page.locator(".st-key-run_paper").get_by_role("button").click()
    expect(page.get_by_text("3 of 3").first).to_be_visible(timeout=LONG_MS)
