"""The package as it is installed: what is in it, and that it works without what is only extra."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

import optisplit
from optisplit.cli import app

ROOT = Path(__file__).parents[1]
EXTRAS = ("streamlit", "distributed", "dask", "skmultilearn", "iterstrat", "skrub")

BLOCK_EXTRAS = f"""
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {EXTRAS!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Blocked())
"""


def run_python(*arguments, folder, path):
    environment = {**os.environ, "PYTHONPATH": str(path), "NO_COLOR": "1"}
    return subprocess.run(
        [sys.executable, *map(str, arguments)], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The source archive, and the wheel that is built from it."""
    folder = tmp_path_factory.mktemp("dist")
    done = run_python("-m", "build", "--no-isolation", "--outdir", folder, ROOT, folder=folder, path="")
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = folder.glob("*.whl")
    (archive,) = folder.glob("*.tar.gz")
    return archive, wheel


@pytest.fixture(scope="module")
def wheel_files(built):
    with zipfile.ZipFile(built[1]) as wheel:
        return set(wheel.namelist())


@pytest.fixture(scope="module")
def installed(built, tmp_path_factory):
    """A folder that holds the wheel's content, as an installer would put it."""
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(built[1]) as wheel:
        wheel.extractall(folder)
    return folder


@pytest.fixture(scope="module")
def metadata(built):
    with zipfile.ZipFile(built[1]) as wheel:
        (name,) = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
        return Parser().parsestr(wheel.read(name).decode())


def sources(folder, pattern="*"):
    return {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / folder).rglob(pattern)
        if path.is_file() and "__pycache__" not in path.parts and path.suffix not in {".nbi", ".nbc", ".pyc"}
    }


def test_wheel_has_the_library_its_samples_and_the_app(wheel_files):
    expected = sources("optisplit")
    expected |= {f"optisplit/{name}" for name in sources("sample_data")}
    expected |= {f"optisplit/_app/{name}" for folder in ("pages", "assets", ".streamlit") for name in sources(folder)}
    expected |= {"optisplit/_app/app.py"}
    assert {name for name in wheel_files if ".dist-info/" not in name} == expected
    assert "optisplit/py.typed" in wheel_files
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in wheel_files)


def test_archive_has_the_sources_and_no_tests(built):
    with tarfile.open(built[0]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    folders = ("optisplit", "sample_data", "pages", "assets", ".streamlit")
    expected = {name for folder in folders for name in sources(folder)} | {"app.py"}
    assert expected <= names
    assert {"LICENSE", "README.md", "CHANGELOG.md", "pyproject.toml"} <= names
    assert not {name for name in names if name.startswith(("tests", "benchmarks", "docs", ".ci", ".git/"))}


def test_nothing_packed_names_this_machine(installed):
    for path in installed.rglob("*"):
        if path.suffix in {".py", ".json", ".toml", ".md", ".txt"} or path.name in {"METADATA", "RECORD"}:
            assert str(ROOT) not in path.read_text(encoding="utf-8"), path.name


def test_metadata(metadata):
    assert metadata["Version"] == optisplit.__version__
    assert re.fullmatch(r"\d+\.\d+\.\d+", optisplit.__version__)
    assert f"## {optisplit.__version__} " in (ROOT / "CHANGELOG.md").read_text()
    assert metadata["License-Expression"] == "MIT"
    needed = [line for line in metadata.get_all("Requires-Dist") if "extra ==" not in line]
    names = {re.split(r"[\[<>=! ;]", line)[0] for line in needed}
    assert names.isdisjoint({*EXTRAS, "scikit-multilearn", "iterative-stratification", "sphinx"})
    assert {"numpy", "scipy", "numba", "pydantic"} <= names
    assert {"app", "dask", "docs", "peers"} <= set(metadata.get_all("Provides-Extra"))


def test_pinned_files_have_all_that_the_package_names(metadata):
    pinned = (ROOT / "requirements.txt").read_text() + (ROOT / "requirements-dev.txt").read_text()
    having = {re.split(r"[\[=<>]", line.strip())[0].lower() for line in pinned.splitlines()}
    wanted = {re.split(r"[\[<>=! ;]", line)[0].lower() for line in metadata.get_all("Requires-Dist")}
    assert wanted <= having
    app = {re.split(r"[\[=<>]", line)[0] for line in (ROOT / "requirements.txt").read_text().splitlines()}
    needed = [line for line in metadata.get_all("Requires-Dist") if "extra ==" not in line or "'app'" in line]
    assert {re.split(r"[\[<>=! ;]", line)[0] for line in needed} <= app


def test_commands_are_installed(installed):
    (path,) = installed.glob("*.dist-info/entry_points.txt")
    lines = path.read_text().splitlines()
    assert "optisplit = optisplit.cli:main" in lines
    assert "optisplit-app = optisplit.cli.app:main" in lines


def test_installed_command_works_in_another_folder(installed, tmp_path):
    done = run_python("-m", "optisplit", "info", "emotions", folder=tmp_path, path=installed)
    assert (done.returncode, "593 rows" in done.stdout) == (0, True), done.stderr
    assert "6 labels" in done.stdout


def test_installed_package_is_whole_without_the_extras(installed, tmp_path):
    code = (
        BLOCK_EXTRAS
        + """
import optisplit
assert optisplit.__file__.startswith(sys.argv[1]), optisplit.__file__
from optisplit.cli.app import app_folder
assert app_folder().parts[-2:] == ("optisplit", "_app"), app_folder()
for name in optisplit.__all__:
    getattr(optisplit, name)
"""
    )
    done = run_python("-c", code, installed, folder=tmp_path, path=installed)
    assert done.returncode == 0, done.stderr


def test_commands_work_without_the_extras(tmp_path):
    # in the checkout, whose compiled code is kept: elsewhere all of it would be compiled anew
    code = (
        BLOCK_EXTRAS
        + """
from optisplit import cli
for line in (
    "info emotions",
    "split emotions --effort quick -o folds.csv",
    "check emotions --folds folds.csv --report report.html",
    "repair emotions --folds folds.csv -o better.csv",
    "compare emotions --methods random,is --seeds 1",
):
    assert cli.main(line.split()) == 0, line
"""
    )
    done = run_python("-c", code, folder=tmp_path, path=ROOT)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "folds.csv").read_text().count("\n") == 594
    assert (tmp_path / "report.html").stat().st_size > 10_000


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("from optisplit.cli import app; sys.exit(app.main(['--port', '8765']))", "pip install '.[app]'"),
        (
            "from optisplit import cli; sys.exit(cli.main(['compare', 'emotions', '--dask', 'tcp://127.0.0.1:1']))",
            "pip install",
        ),
        (
            "from optisplit import cli; sys.exit(cli.main(['split', 'emotions', '--method', 'iterstrat']))",
            "iterstrat needs the package iterative-stratification, which is not installed.",
        ),
    ],
    ids=["app", "dask", "peers"],
)
def test_missing_extra_is_one_sentence_that_says_how_to_get_it(code, message, tmp_path):
    blocked = f"""
import importlib.util, sys
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name.partition(".")[0] in {EXTRAS!r} else find(name, *rest)
"""
    done = run_python("-c", blocked + code, folder=tmp_path, path=ROOT)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_app_is_started_as_streamlit_documents(monkeypatch):
    ran = []
    monkeypatch.setattr(sys, "argv", ["optisplit-app"])
    monkeypatch.setattr(app.runpy, "run_module", lambda name, run_name: ran.append((name, run_name, list(sys.argv))))
    assert app.main(["--port", "8765", "--address", "0.0.0.0", "--no-browser"]) == 0
    script = str(ROOT / "app.py")
    options = ["--server.port", "8765", "--server.address", "0.0.0.0", "--server.headless", "true"]
    assert ran == [("streamlit", "__main__", ["streamlit", "run", script, *options])]


@pytest.mark.parametrize("port", [0, -1, 65_536])
def test_port_that_is_none_is_refused(port, capsys):
    assert app.main(["--port", str(port)]) == 2
    assert "is no port; give a number from 1 to 65535" in capsys.readouterr().err


def test_importing_the_package_loads_nothing_heavy(tmp_path):
    code = "import optisplit, sys; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    done = run_python("-c", code, folder=tmp_path, path=ROOT)
    assert done.returncode == 0, done.stderr
    heavy = {"numpy", "scipy", "pandas", "numba", "sklearn", "plotly", "joblib", "streamlit", "distributed", "pyarrow"}
    assert heavy.isdisjoint(done.stdout.split())
