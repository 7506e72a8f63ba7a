"""Compiled kernels are kept on disk wherever there is a place for them, and work where there is none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

CODE = """
import importlib, pkgutil
import optisplit.kernels
for module in pkgutil.iter_modules(optisplit.kernels.__path__):
    importlib.import_module("optisplit.kernels." + module.name)
from optisplit.kernels.counting import count_positives
print(optisplit.evaluate([[1, 0], [1, 0], [0, 1], [0, 1]], [0, 1, 0, 1]).rld)
stats = count_positives.stats
print(sum(stats.cache_hits.values()), stats.cache_path is not None, *optisplit.__path__)
"""


def run(root, **environment):
    done = subprocess.run(
        [sys.executable, "-B", "-c", CODE],
        env={**os.environ, "PYTHONPATH": str(root), **environment},
        cwd=root,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    score, counts = done.stdout.splitlines()
    hits, is_kept, path = counts.split(maxsplit=2)
    assert Path(path) == root / "optisplit"
    assert float(score) == 0.0
    return int(hits), is_kept


def test_kernels_are_compiled_once_for_all_processes(tmp_path):
    assert run(ROOT, NUMBA_CACHE_DIR=str(tmp_path)) == (0, "True")
    assert run(ROOT, NUMBA_CACHE_DIR=str(tmp_path)) == (1, "True")


def test_no_place_to_keep_them_is_no_error(tmp_path):
    """Every place is below a regular file, where not even the superuser can make a folder."""
    shutil.copytree(ROOT / "optisplit", tmp_path / "optisplit", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "optisplit" / "kernels" / "__pycache__").write_text("in the way")
    file = tmp_path / "file"
    file.write_text("no folder")
    below = {name: str(file / "below") for name in ("NUMBA_CACHE_DIR", "HOME", "XDG_CACHE_HOME")}
    before = sorted(path.name for path in tmp_path.iterdir())
    assert run(tmp_path, **below) == (0, "False")
    assert sorted(path.name for path in tmp_path.iterdir()) == before
