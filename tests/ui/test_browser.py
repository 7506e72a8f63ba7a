"""The app as a visitor has it: a real server, a real browser, real files."""

from __future__ import annotations

import csv
import gzip
import re
import time
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect
from visits import LONG_MS, data_uploader, expect_data, leave_out, open_page, run_and_wait, run_button, run_the_paper

import optisplit

pytestmark = pytest.mark.browser


def test_the_first_request_to_a_new_server_may_be_any_page(fresh_server, page):
    open_page(page, fresh_server, "/data?data=yeast")
    expect(page.get_by_role("heading", name="Data", exact=True)).to_be_visible()
    links = page.get_by_test_id("stSidebarNavLink")
    expect(links).to_have_count(6)
    titles = [text.split("\n")[-1] for text in links.all_inner_texts()]
    assert titles == ["Compare", "Check", "Learn", "Data", "Does it matter?", "The paper"]
    expect_data(page, "Yeast · 2,417 × 14")
    open_page(page, fresh_server, "/data?data=medical")
    expect_data(page, "Medical · 978 × 45")


def test_the_first_page_is_there_soon(fresh_server, page):
    start = time.monotonic()
    page.goto(fresh_server.url)
    expect(page.get_by_role("button", name="Use your own data")).to_be_visible(timeout=LONG_MS)
    assert time.monotonic() - start < 15  # 2.5 s on a quiet machine; six times that leaves room for a busy one
    expect(page.get_by_role("img", name="Fold maps")).to_be_visible(timeout=LONG_MS)
    assert time.monotonic() - start < 30  # the maps come after the words


def test_from_the_first_look_to_the_folds_on_disk(server, page, tmp_path):
    open_page(page, server, "/?data=emotions")
    expect(page.get_by_text("Nothing compared yet")).to_be_visible()
    run_and_wait(page)
    # folded away, and all on one screen, with the cards of a phone hidden
    expect(run_button(page)).to_be_hidden()
    box = page.locator(".st-key-wide_fold_maps_chart .js-plotly-plot").bounding_box()
    assert box["y"] + box["height"] < page.viewport_size["height"] + 40
    expect(page.locator(".st-key-narrow_board")).to_be_hidden()
    cells = page.locator(".st-key-wide_board canvas [role=gridcell]")  # what readers of screens have of it
    expect(cells.filter(has_text="Best possible").first).to_be_attached()
    with page.expect_download() as download:
        page.get_by_role("button", name="Take this split").click()
    download.value.save_as(tmp_path / "folds.csv")
    name = download.value.suggested_filename
    method, seed = re.fullmatch(r"emotions_(.+)_5-folds_seed-(\d+)\.csv", name).groups()
    with (tmp_path / "folds.csv").open() as lines:
        folds = [int(line["fold"]) for line in csv.DictReader(lines)]
    data = optisplit.load("emotions")
    np.testing.assert_array_equal(folds, optisplit.split(data, 5, method=method, random_state=int(seed)))

    page.get_by_role("tab", name="Take away").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Folds as NPZ").click()
    with np.load(download.value.path()) as archive:
        np.testing.assert_array_equal(archive["test_fold"], folds)
    with page.expect_download() as download:
        page.get_by_role("button", name="All 12 runs as CSV").click()
    with open(download.value.path(), encoding="utf-8") as lines:
        assert len(list(csv.DictReader(lines))) == 12


def test_an_upload_of_arff_and_xml_with_odd_names(server, page, tmp_path):
    rows = np.random.default_rng(0).integers(0, 2, (40, 2))
    arff = "@relation r\n@attribute size numeric\n@attribute '<b>x</b> **y**' {0,1}\n"
    arff += "@attribute '$z$ & :red[w]' {0,1}\n@data\n"
    arff += "".join(f"{i},{a},{b}\n" for i, (a, b) in enumerate(rows))
    (tmp_path / "odd.arff.gz").write_bytes(gzip.compress(arff.encode()))
    (tmp_path / "odd.xml").write_text(
        '<labels xmlns="http://mulan.sourceforge.net/labels"><label name="&lt;b&gt;x&lt;/b&gt; **y**"></label>'
        '<label name="$z$ &amp; :red[w]"></label></labels>'
    )
    open_page(page, server)
    page.get_by_role("button", name="Use your own data").click()
    data_uploader(page, "stMain").set_input_files([str(tmp_path / "odd.arff.gz"), str(tmp_path / "odd.xml")])
    expect_data(page, "odd.arff.gz · 40 × 2")
    run_and_wait(page)
    ticks = page.locator(".st-key-wide_fold_maps_chart .ytick")
    expect(ticks.filter(has_text="<b>x</b> **y**")).to_have_count(1)
    expect(ticks.filter(has_text="$z$ & :red[w]")).to_have_count(1)
    assert page.locator(".js-plotly-plot .ytick b, .js-plotly-plot .ytick tspan[style*=bold]").count() == 0


def test_a_bad_upload_says_so_and_the_rest_stays(server, page, tmp_path):
    (tmp_path / "bad.csv").write_text("a,b\n1,0\n0,2\n1,1\n")
    open_page(page, server, "/?data=emotions")
    page.get_by_text("Use your own data").click()
    data_uploader(page).set_input_files(str(tmp_path / "bad.csv"))
    # b is no label, being not only 0 and 1; it is said on the data page
    expect_data(page, "bad.csv · 3 × 1")
    (tmp_path / "cut.npz").write_bytes(b"PK\x03\x04 nothing more")
    data_uploader(page).set_input_files(str(tmp_path / "cut.npz"))
    expect(page.get_by_test_id("stAlert").filter(has_text="damaged")).to_be_visible(timeout=LONG_MS)
    expect_data(page, "bad.csv · 3 × 1")


def test_a_job_lives_on_over_pages_and_a_reload_and_can_be_cancelled(server, page):
    open_page(page, server, "/?data=wiki10_31k")
    run_button(page).click()
    expect(page.get_by_test_id("stProgress")).to_contain_text("of 12 runs done", timeout=LONG_MS)
    expect(run_button(page)).to_be_hidden()  # with the form, of which one line is left

    start = time.monotonic()
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Data").click()
    expect(page.get_by_role("heading", name="Data", exact=True)).to_be_visible()
    assert time.monotonic() - start < 3  # 0.4 s on a quiet machine
    expect(page.get_by_test_id("stProgress")).to_contain_text("runs done")

    page.reload()
    expect(page.get_by_test_id("stProgress")).to_contain_text("runs done", timeout=LONG_MS)
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Compare").click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Cancelled after")).to_be_visible(timeout=15_000)
    page.get_by_text("Change the settings", exact=True).click()
    expect(run_button(page)).to_be_enabled()
    # what was done until then is kept
    expect(page.locator(".st-key-wide_board")).to_be_visible()


def test_parts_of_given_sizes_with_groups_kept_whole(server, page, tmp_path):
    groups = [f"patient {row * 7 % 60}" for row in range(593)]
    (tmp_path / "patients.txt").write_text("\n".join(groups) + "\n")
    open_page(page, server, "/?data=emotions")
    page.get_by_text("Parts of given sizes", exact=True).click()
    left_out = page.locator(".st-key-methods_unable_fold_sizes").get_by_role("button")
    expect(left_out).to_have_count(5)
    for method in left_out.all():
        expect(method).to_be_disabled()
    shares = page.get_by_role("textbox", name="Shares in %")
    shares.fill("70, 15, 10")  # said while typing: nothing has been pressed
    expect(page.get_by_text("these add up to 95.")).to_be_visible()
    expect(run_button(page)).to_be_disabled()
    shares.fill("70, 15, 15")
    page.get_by_text("More settings").click()
    expect(page.locator(".st-key-groups_0").get_by_text("Upload", exact=True)).to_be_visible()
    expect(run_button(page)).to_be_enabled()  # nothing is drawn anew any more: a file given meanwhile would be lost
    page.locator(".st-key-groups_0").get_by_test_id("stFileUploaderDropzoneInput").set_input_files(
        str(tmp_path / "patients.txt")
    )
    expect(page.get_by_text("60 groups; one a line")).to_be_visible()
    expect(page.get_by_text("2 methods × 3 seeds · parts of 70, 15 and 15 % of the rows")).to_be_visible()
    run_and_wait(page)
    page.get_by_role("button", name="More about this result").click()
    expect(
        page.get_by_text("Parts of 70, 15 and 15 % of the rows · 60 groups of patients.txt kept whole · 3 seeds")
    ).to_be_visible()
    page.keyboard.press("Escape")
    with page.expect_download() as download:
        page.get_by_role("button", name="Take this split").click()
    assert re.fullmatch(r"emotions_optisplit-sa_70-15-15_seed-\d\.csv", download.value.suggested_filename)
    with open(download.value.path(), encoding="utf-8") as lines:
        parts = np.array([int(line["fold"]) for line in csv.DictReader(lines)])
    sizes = np.bincount(parts)
    page.get_by_role("tab", name="Take away").click()
    expect(page.get_by_text(f"Rows in each part: {sizes[0]} (70 % asked for), {sizes[1]} (15 %)")).to_be_visible()
    np.testing.assert_allclose(sizes, [415, 89, 89], atol=5)  # a group has ten rows
    for group in set(groups):
        assert len(set(parts[np.array(groups) == group])) == 1
    report = optisplit.evaluate(optisplit.load("emotions"), parts, shares=[0.7, 0.15, 0.15])
    seed = page.get_by_role("combobox", name="Seed", exact=True)
    expect(seed).to_have_value(re.compile(re.escape(f"rLD {report.rld:.4g} · best")))


def test_a_cancelled_run_hands_over_the_best_split_that_it_had(server, page):
    open_page(page, server, "/?data=delicious")
    for method, left in (("Random", "3 methods"), ("IS", "2 methods"), ("OptiSplit", "1 method")):
        page.locator(".st-key-methods").get_by_role("button", name=method, exact=True).click()
        expect(page.get_by_text(f"{left} × 3 seeds")).to_be_visible()
    page.get_by_text("More settings").click()
    effort = page.get_by_role("combobox", name="OptiSplit-SA: effort")
    effort.fill("Thorough")  # not by the mouse: the list of choices closes while the page still moves
    effort.press("Enter")
    expect(effort).to_have_value("Thorough")
    run_button(page).click()
    expect(page.get_by_test_id("stProgress")).to_contain_text(re.compile(r"seed \d: [1-9]\d* %"), timeout=LONG_MS)
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("No run was done, but the best splits until then are below.")).to_be_visible(timeout=15_000)
    kept = page.get_by_text("cancelled; the best split until then has rLD").first
    rld, seed = re.search(r"seed (\d): .* rLD (0\.\d+) \(.* above the best possible", kept.inner_text()).group(2, 1)
    with page.expect_download() as download:
        page.locator(f".st-key-stopped_optisplit-sa_{seed}").get_by_role("button", name="Split as CSV").click()
    assert download.value.suggested_filename == f"delicious_optisplit-sa_5-folds_seed-{seed}_stopped.csv"
    with open(download.value.path(), encoding="utf-8") as lines:
        folds = [int(line["fold"]) for line in csv.DictReader(lines)]
    report = optisplit.evaluate(optisplit.load("delicious"), folds)
    assert report.rld == pytest.approx(float(rld), rel=0.01)
    assert report.ed < 1
    expect(page.get_by_text("Change the settings", exact=True)).to_be_visible()


def test_one_visitor_never_sees_anothers_job(server, page, browser):
    open_page(page, server, "/?data=emotions")
    leave_out(page, "IS")
    run_and_wait(page)
    address = page.url
    assert "job=" in address
    other = browser.new_context().new_page()
    other.goto(address)
    expect(other.get_by_text("Nothing compared yet")).to_be_visible(timeout=LONG_MS)
    other.context.close()


def test_faults_in_a_file_are_found_repaired_and_taken_away(server, page, tmp_path):
    """60 rows in 3 folds: two rows have no fold, and all of the rare label's 9 rows are in fold 0."""
    rng = np.random.default_rng(0)
    folds = np.repeat(np.arange(3), 20)
    rare = (folds == 0) & (np.arange(60) < 9)
    common = rng.integers(0, 2, 60)
    table = ["id,common,rare"] + [f"r{i},{common[i]},{int(rare[i])}" for i in range(60)]
    given = ["id,fold"] + [f"r{i},{folds[i]}" for i in range(60) if i not in (25, 45)]
    (tmp_path / "mine.csv").write_text("\n".join(table) + "\n")
    (tmp_path / "split.csv").write_text("\n".join(given) + "\n")
    open_page(page, server, "/check")
    page.get_by_text("Use your own data").click()
    data_uploader(page).set_input_files(str(tmp_path / "mine.csv"))
    expect_data(page, "mine.csv · 60 × 2")
    page.get_by_test_id("stMain").get_by_test_id("stFileUploaderDropzoneInput").first.set_input_files(
        str(tmp_path / "split.csv")
    )
    expect(page.get_by_text("3 folds for cross-validation").first).to_be_visible(timeout=LONG_MS)
    page.get_by_role("button", name="Check this split").click()
    verdict = page.get_by_test_id("stMain").get_by_test_id("stAlert")
    expect(verdict.filter(has_text="2 rows").first).to_be_visible(timeout=LONG_MS)
    expect(page.get_by_test_id("stPlotlyChart").first).to_be_visible(timeout=LONG_MS)
    with page.expect_download() as report:
        page.get_by_role("button", name="Report as HTML").click()
    kept = Path(report.value.path()).read_text(encoding="utf-8")
    assert "split.csv, a split of mine" in kept
    assert "2 rows" in kept
    page.get_by_role("button", name="Repair this split").click()
    expect(page.get_by_role("button", name="Undo the repair")).to_be_visible(timeout=LONG_MS)
    with page.expect_download() as download:
        page.locator(".st-key-check_take").get_by_role("button").click()
    with open(download.value.path(), encoding="utf-8") as lines:
        repaired = {line["id"]: int(line["fold"]) for line in csv.DictReader(lines)}
    assert set(repaired) == {f"r{i}" for i in range(60)}
    assert np.bincount(list(repaired.values())).tolist() == [20, 20, 20]
    assert [sum(repaired[f"r{i}"] == fold for i in range(9)) for fold in range(3)] == [3, 3, 3]


def test_the_lesson_moves_in_the_browser_alone_and_its_address_opens_the_same_picture(server, page, browser):
    sent = []
    page.on("request", lambda request: sent.append(request.url))
    page.on("websocket", lambda socket: socket.on("framesent", lambda _: sent.append("socket")))
    open_page(page, server, "/learn")
    page.get_by_text("C (12 rows)", exact=True).click()
    expect(page.get_by_text("Right:")).to_be_visible(timeout=LONG_MS)
    row = page.get_by_role("button", name="A1, in Fold 1")
    row.focus()
    row.press("ArrowDown")
    expect(page.get_by_role("button", name="A1, in Fold 2")).to_be_visible(timeout=LONG_MS)
    expect(page).to_have_url(re.compile("split=2"))
    open_page(page, server, "/learn?step=5&guess5=undone")
    run = page.get_by_role("group", name="The run, step by step")
    expect(run.get_by_text("1 of ")).to_be_visible(timeout=LONG_MS)
    assert sent
    sent.clear()
    run.get_by_role("button", name="Play").click()
    slides = "rows => rows.some(row => parseFloat(getComputedStyle(row).top) % 54 > 1)"  # one is between two folds
    assert any(page.locator(".token").evaluate_all(slides) or page.wait_for_timeout(40) for _ in range(60))
    expect(run.get_by_text("3 of ")).to_be_visible()
    assert sent == []
    run.get_by_role("button", name="Pause").click()
    expect(page).to_have_url(re.compile("at=[34]"), timeout=LONG_MS)
    other = browser.new_context(reduced_motion="reduce").new_page()
    other.goto(page.url)
    expect(other.locator(".says")).to_have_text(page.locator(".says").inner_text(), timeout=LONG_MS)
    assert other.locator(".token").nth(1).evaluate("each => getComputedStyle(each).transitionDuration") == "0s, 0s, 0s"
    other.context.close()


def test_the_paper_from_run_to_the_page_on_disk(server, page, tmp_path):
    run_the_paper(page, server)
    expect(page.get_by_text("3 of 3").first).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Everything as one page").click()
    download.value.save_as(tmp_path / "paper.html")
    context = page.context.browser.new_context()
    kept = context.new_page()
    requests = []
    kept.on("request", lambda request: requests.append(request.url))
    kept.goto((tmp_path / "paper.html").as_uri())
    expect(kept.locator("svg").first).to_be_visible(timeout=LONG_MS)
    expect(kept.get_by_role("heading", name="bibtex")).to_be_visible()
    expect(kept.get_by_text("Two digits are exchanged").first).to_be_attached()
    assert [url for url in requests if url.startswith("http")] == []
    context.close()


def test_the_server_says_nothing_of_users_data(server):
    assert "Traceback" not in server.log.read_text()
