"""The guide: its code runs, and it builds without a warning and without asking the network for anything."""

from __future__ import annotations

import contextlib
import doctest
import fcntl
import io
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from optisplit import cli

ROOT = Path(__file__).parents[1]
GUIDE = ROOT / "docs"
PAGES = sorted(path for path in GUIDE.glob("*.md") if "```python" in path.read_text() or "```sh" in path.read_text())

# a fence that is only shown has its language in braces: {code-block} sh
BLOCK = re.compile(r"^```(python|sh)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
EXIT_CODE = re.compile(r"# exit code (\d+)$")
CHECKER = doctest.OutputChecker()
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def commands_in(text):
    """Yield each command with the exit code that the page says it has."""
    for line in text.replace("\\\n", " ").splitlines():
        found = EXIT_CODE.search(line)
        if line.strip() and not line.startswith("#"):
            yield line, int(found[1]) if found else 0


def run_command(line):
    if " | " in line:  # several processes
        command = f'optisplit() {{ "{sys.executable}" -m optisplit "$@"; }}; set -o pipefail; {line}'
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, env=environment, check=False)
        return done.returncode, done.stdout + done.stderr
    words = shlex.split(line, comments=True)
    assert words[0] == "optisplit", f"{line!r} is not run here; show it with {{code-block}}"
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown):
        try:
            code = cli.main(words[1:])
        except SystemExit as end:
            code = end.code or 0
    return code, shown.getvalue()


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_code_of_the_guide_runs_as_it_says(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    albums = "\n".join(["album", *(f"a{row // 4}" for row in range(593))])
    Path("albums.csv").write_text(albums + "\n")
    names = {}
    page = path.read_text()
    n_run = 0
    for block in BLOCK.finditer(page):
        language, text = block.groups()
        line_number = page[: block.start()].count("\n") + 1
        if language == "sh":
            for line, expected in commands_in(text):
                code, shown = run_command(line)
                assert code == expected, f"{line}\n{shown}"
                n_run += 1
            continue
        test = doctest.DocTestParser().get_doctest(text, names, path.name, str(path), line_number)
        assert test.examples, f"line {line_number}: a python block without >>> is not run"
        failures = io.StringIO()
        runner = doctest.DocTestRunner(CHECKER, verbose=False, optionflags=FLAGS)
        result = runner.run(test, out=failures.write, clear_globs=False)
        names = test.globs
        assert not result.failed, failures.getvalue()
        n_run += result.attempted
    assert n_run > 0


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The built pages, made once for all workers: the first one builds, the others wait."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    pages = folder / "guide"
    options = ["-q", "-W", "--keep-going", "-D", "effort=quick", "-d", folder / "trees"]
    command = [sys.executable, "-m", "sphinx", *options, GUIDE, pages]
    with (folder / "guide.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "guide.built").exists():
            environment = {**os.environ, "PYTHONPATH": str(ROOT)}
            done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
            assert done.returncode == 0, done.stderr
            (folder / "guide.built").touch()
    return pages


def test_guide_builds_without_warnings(built):
    pages = {path.name for path in built.glob("*.html")}
    assert {"index.html", "search.html", "measures.html", "api.html"} <= pages
    assert {path.with_suffix(".html").name for path in GUIDE.glob("*.md")} <= pages


def test_notebooks_are_pages_with_what_they_show(built):
    for path in (GUIDE / "notebooks").glob("*.ipynb"):
        page = (built / "notebooks" / path.with_suffix(".html").name).read_text()
        assert '<svg xmlns="http://www.w3.org/2000/svg" role="img"' in page, path.name
    assert "instances" in (built / "notebooks/detection.html").read_text()


def test_pictures_are_drawn_as_the_guide_is_built(built):
    for name in ("index", "choose-a-method", "check-in-ci", "rare-labels"):
        assert '<figure class="picture">' in (built / f"{name}.html").read_text(), name


def test_pages_ask_the_network_for_nothing(built):
    loaded = re.compile(r"""<(?:script|img|iframe|link)\b[^>]*?(?:src|href)=["']((?:https?:)?//[^"']+)""")
    for path in built.rglob("*.html"):
        assert loaded.findall(path.read_text()) == [], path.name
    for path in built.rglob("*.css"):
        assert not re.search(r"url\(\s*['\"]?(?:https?:)?//", path.read_text()), path.name


def test_formulas_are_drawn_without_a_script(built):
    page = (built / "measures.html").read_text()
    assert page.count('<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">') == 9
    assert "\\frac" not in page


def test_reference_has_every_public_name(built):
    import optisplit
    from optisplit import model_selection

    page = (built / "api.html").read_text()
    for module in (optisplit, model_selection):
        for name in module.__all__:
            assert f'id="{module.__name__}.{name}"' in page, name


def test_every_method_is_in_the_table(built):
    from optisplit import METHODS

    page = (built / "choose-a-method.html").read_text()
    for method in METHODS.values():
        assert f">{method.key}</span>" in page, method.key


def test_every_command_has_its_help(built):
    page = (built / "commands.html").read_text()
    for command in ("info", "split", "check", "compare", "convert", "repair", "paper"):
        assert f'id="optisplit-{command}"' in page
