"""How the guide is built: ``sphinx-build -W docs docs/_build``."""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent / "_ext"), str(Path(__file__).parents[1])]

import optisplit  # noqa: E402 - the checkout's own, installed or not
from optisplit.methods.annealing.efforts import EFFORTS  # noqa: E402

project = "OptiSplit"
author = "the OptiSplit authors"
version = release = optisplit.__version__

extensions = ["sphinx.ext.autodoc", "numpydoc", "myst_parser", "mathml", "from_code", "pictures", "notebooks"]
exclude_patterns = ["_build", "images"]
nitpicky = True
nitpick_ignore_regex = [(r"py:.*", r"(numpy|scipy|pandas|sklearn|pathlib)\..*")]  # other projects' names

myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 3
html_math_renderer = "mathml"

autodoc_typehints = "none"  # the docstrings give types, with shapes
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

html_theme = "furo"
html_title = f"OptiSplit {version}"
html_favicon = "../assets/icon.svg"
html_static_path = ["_static"]
html_css_files = ["guide.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0072B2", "color-brand-content": "#0072B2"},
    "dark_css_variables": {"color-brand-primary": "#56B4E9", "color-brand-content": "#56B4E9"},
}


def setup(app):
    """Let a build that only shows that all can be built take less time: ``-D effort=quick``."""
    app.add_config_value("effort", "", "env")
    app.connect("config-inited", _shorten)


def _shorten(_, config):
    if config.effort:
        EFFORTS.update(dict.fromkeys(EFFORTS, EFFORTS[config.effort]))
