from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import os
import pkgutil
import subprocess
import sys
from functools import cached_property
from pathlib import Path
from types import FunctionType, ModuleType

import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher
from numpydoc.docscrape import NumpyDocString
from numpydoc.validate import validate

import optisplit
import optisplit.model_selection

ROOT = Path(__file__).parents[1]
MODULES = [
    name
    for _, name, _ in pkgutil.walk_packages(optisplit.__path__, "optisplit.")
    if not name.startswith("optisplit.ui")
]


def public_members():
    """Yield a label and an object for all public functions, classes and their methods, where they are defined."""
    for name in ["optisplit", *MODULES]:
        for key, value in vars(importlib.import_module(name)).items():
            plain = getattr(value, "py_func", value)
            if key.startswith("_") or getattr(plain, "__module__", None) != name:
                continue
            if isinstance(plain, type):
                yield f"{name}.{key}", plain
                for part, member in vars(plain).items():
                    inner = getattr(member, "fget", None) or getattr(member, "func", None) or member
                    inner = getattr(inner, "__func__", inner)
                    is_own = isinstance(inner, FunctionType) and inner.__module__ == name
                    if not part.startswith("_") and is_own:
                        yield f"{name}.{key}.{part}", inner
            elif isinstance(plain, FunctionType):
                yield f"{name}.{key}", plain


MEMBERS = dict(public_members())
CALLED = {
    f"{getattr(module, name).__module__}.{getattr(module, name).__qualname__}"
    for module in (optisplit, optisplit.model_selection)
    for name in module.__all__
    if callable(getattr(module, name))
} | {
    f"{function.__module__}.{function.__name__}"
    for function in (inspect.unwrap(method.function) for method in optisplit.METHODS.values() if not method.is_peer)
}
"""What users call: their docstrings say everything; one line does for the rest."""
PUBLIC = [name for name in MEMBERS if name in CALLED or name.rpartition(".")[0] in CALLED]
KERNELS = {
    f"{name}.{key}": value
    for name in MODULES
    if name.startswith("optisplit.kernels.")
    for key, value in vars(importlib.import_module(name)).items()
    if isinstance(value, Dispatcher) and value.py_func.__module__ == name
}


def parameters_of(thing):
    names = [name for name in inspect.signature(thing).parameters if name not in ("self", "cls")]
    return [name.removeprefix("_") for name in names]


def documented(doc, section):
    return [name.strip(" *") for entry in doc[section] for name in entry.name.split(",")]


def test_public_names():
    tree = ast.parse((Path(optisplit.__file__).parent / "__init__.pyi").read_text(encoding="utf-8"))
    homes = {alias.name: node.module for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert sorted(optisplit.__all__) == sorted(homes)
    for name, home in homes.items():
        assert getattr(optisplit, name) is getattr(importlib.import_module(f"optisplit.{home}"), name)
        assert name in dir(optisplit)


def test_other_names_do_not_exist():
    with pytest.raises(AttributeError, match="No optisplit attribute spilt"):
        optisplit.spilt  # noqa: B018 - asking for it is the test


@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("import optisplit", "numpy scipy pandas numba sklearn streamlit plotly joblib"),
        ("import optisplit.cli", "numpy scipy pandas numba sklearn streamlit plotly joblib"),
        ("from optisplit.methods.registry import METHODS", "numpy scipy pandas numba sklearn streamlit plotly joblib"),
        ("from optisplit import METHODS, SAMPLES, load", "pandas numba sklearn streamlit plotly joblib"),
        ("from optisplit import split, evaluate, compare", "pandas numba sklearn streamlit plotly joblib"),
    ],
)
def test_importing_stays_light(statement, absent):
    code = f"import sys; {statement}; print(*sorted(set({absent.split()!r}) & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == []


@pytest.mark.parametrize("command", ["split", "repair", "compare", "paper"])
def test_help_loads_nothing_heavy(command):
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "optisplit", command, "--help"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "optisplit.cli.parser" in loaded
    assert loaded.isdisjoint({"scipy", "pandas", "numba", "sklearn", "plotly", "joblib"})


def test_there_is_something_to_look_at():
    assert len(MODULES) > 25
    assert len(PUBLIC) > 60
    assert len(KERNELS) > 15


@pytest.mark.parametrize("name", MODULES)
def test_modules_say_what_they_are(name):
    assert importlib.import_module(name).__doc__


@pytest.mark.parametrize("name", PUBLIC)
def test_docstrings_match_signatures(name):
    thing = MEMBERS[name]
    text = inspect.getdoc(thing) if isinstance(thing, type) else thing.__doc__
    assert text, "no docstring"
    doc = NumpyDocString(inspect.cleandoc(text))
    assert " ".join(doc["Summary"]).rstrip("_").endswith((".", "::"))
    if isinstance(thing, type):
        has_fields = dataclasses.is_dataclass(thing) or issubclass(thing, tuple)
        if has_fields:
            assert documented(doc, "Parameters") + documented(doc, "Attributes") == parameters_of(thing)
        return
    assert documented(doc, "Parameters") == parameters_of(thing)
    for entry in doc["Parameters"]:
        assert entry.type, f"no type for {entry.name}"
        assert entry.desc, f"no words for {entry.name}"


@pytest.mark.parametrize("name", [name for name in PUBLIC if not isinstance(MEMBERS[name], type)])
def test_docstrings_tell_of_results(name):
    function = MEMBERS[name]
    returns = inspect.signature(function).return_annotation
    owner, _, part = name.rpartition(".")
    is_property = owner in MEMBERS and isinstance(vars(MEMBERS[owner])[part], property | cached_property)
    if returns in ("None", None) or is_property:
        return
    doc = NumpyDocString(inspect.cleandoc(function.__doc__))
    assert doc["Returns"] or doc["Yields"]


CHECKED = (
    "GL05", "GL06", "GL07", "GL08", "GL10", "SS01", "SS02", "SS03", "SS04", "SS05", "SS06", "PR01",
    "PR02", "PR03", "PR04", "PR06", "PR07", "PR10", "RT01", "RT03", "YD01", "SA04", "EX01",
)  # fmt: skip
"""numpydoc's checks that are ours too: sections in order, every parameter and result told of, an example."""


@pytest.mark.parametrize(
    "name",
    [
        "as_labels",
        "check_split",
        "compare",
        "evaluate",
        "find_absences",
        "find_missing_labels",
        "label_pairs",
        "load",
        "read_split",
        "repair",
        "rule_costs",
        "split",
    ],
)
def test_the_main_functions_pass_numpydoc(name):
    path = f"{getattr(optisplit, name).__module__}.{name}"
    assert [(code, text) for code, text in validate(path)["errors"] if code in CHECKED] == []


@pytest.mark.parametrize("name", KERNELS)
def test_kernels_release_the_lock_and_keep_no_state(name):
    kernel = KERNELS[name]
    options = kernel.targetoptions
    assert options["nogil"] is True
    assert not options.get("fastmath")
    assert not options.get("parallel")
    function = kernel.py_func
    assert function.__closure__ is None
    used = {key: function.__globals__[key] for key in function.__code__.co_names if key in function.__globals__}
    for key, value in used.items():
        is_intrinsic = type(value).__name__ == "_Intrinsic"
        assert is_intrinsic or isinstance(
            value, int | np.integer | float | FunctionType | Dispatcher | ModuleType | type
        ), key
    assert function.__defaults__ is None


@pytest.mark.parametrize("name", sorted({name.rsplit(".", 1)[0] for name in KERNELS}))
def test_kernel_modules_hold_nothing_that_changes(name):
    for key, value in vars(importlib.import_module(name)).items():
        if not key.startswith("__"):
            assert not isinstance(value, list | dict | set | bytearray), key
            assert type(value).__name__ != "ndarray", key
