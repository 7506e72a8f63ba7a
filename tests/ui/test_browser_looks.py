"""How the app looks in a real browser: on windows of any width, and to those who use its accessibility tree."""

from __future__ import annotations

import pytest
from visits import leave_out, open_page, run_and_wait, run_the_paper

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("scheme", "width"), [("light", 420), ("dark", 420), ("dark", 1920)])
def test_nothing_is_wider_than_the_window(server, browser, scheme, width):
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    tab = context.new_page()
    open_page(tab, server, "/?data=emotions")
    leave_out(tab, "IS")
    run_and_wait(tab)
    for address in ("", "/check", "/data", "/paper", *(f"/learn?step={step}" for step in range(1, 6))):
        if address:
            open_page(tab, server, address)
        overflow = tab.evaluate(
            "() => { const m = document.querySelector('[data-testid=stMain]'); return m.scrollWidth - m.clientWidth }"
        )
        assert overflow <= 0, address
    context.close()


@pytest.mark.parametrize(
    "address",
    [
        "/?data=emotions", "/check?data=emotions", "/data?data=emotions", "/paper",
        *(f"/learn?step={step}&data=enron" for step in range(1, 6)),
    ],
)  # fmt: skip
def test_no_serious_accessibility_fault_of_ours(server, page, address):
    from axe_playwright_python.sync_playwright import Axe

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
    assert serious == []
