"""Directives that take what they show from the package, so that the guide cannot say anything else."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import io
import os
import re
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

import optisplit
from optisplit.io.registry import FORMATS, FORMS
from optisplit.measures.registry import MEASURES
from optisplit.text import capital

ELSEWHERE = "set_split_request, get_metadata_routing"
"""Methods that scikit-learn makes and documents."""


def _table(titles: list[str], lines: list[list[str]], widths: list[int]) -> nodes.table:
    group = nodes.tgroup("", *(nodes.colspec(colwidth=width) for width in widths), cols=len(titles))
    head, body = nodes.thead(), nodes.tbody()
    for place, line in [(head, titles), *((body, each) for each in lines)]:
        row = nodes.row()
        for at, cell in enumerate(line):
            text = nodes.literal(text=cell) if at == 0 and place is body else nodes.Text(cell)
            row += nodes.entry("", nodes.paragraph("", "", text))
        place += row
    group += [head, body]
    return nodes.table("", group, classes=["from-code"])


class MethodsTable(SphinxDirective):
    """Every method: what it does, where it is published, how its time grows."""

    def run(self) -> list[nodes.Node]:
        """Build the table."""
        lines = [[each.key, each.summary, each.reference, each.cost] for each in optisplit.METHODS.values()]
        return [_table(["key", "what it does", "source", "time grows with"], lines, [12, 45, 25, 18])]


class MethodOptions(SphinxDirective):
    """Which method takes which option."""

    def run(self) -> list[nodes.Node]:
        """Build the table."""
        names = dict.fromkeys(name for each in optisplit.METHODS.values() for name in each.options)
        lines = [
            [name, ", ".join(key for key, each in optisplit.METHODS.items() if name in each.options)] for name in names
        ]
        return [_table(["option", "methods that take it"], lines, [30, 70])]


class MeasuresTable(SphinxDirective):
    """Every measure: its name, what it is, and what is known of it."""

    def run(self) -> list[nodes.Node]:
        """Build the table."""
        lines = [
            [
                each.key,
                each.name,
                each.title,
                each.unit or ("a ratio" if each.overall is None else "a share"),
                "yes" if each.per_label else "",
                "yes" if each.has_bound else "",
                "yes" if each.is_objective else "",
            ]
            for each in MEASURES.values()
        ]
        titles = ["key", "name", "what it is", "counts", "of each label", "bound", "can be lowered"]
        return [_table(titles, lines, [8, 8, 40, 12, 12, 8, 12])]


class SamplesTable(SphinxDirective):
    """The data sets that come along."""

    def run(self) -> list[nodes.Node]:
        """Build the table."""
        lines = [
            [each.key, each.what, f"{each.n_rows:,}", f"{each.n_labels:,}", f"{each.n_positives:,}"]
            for each in optisplit.SAMPLES.values()
        ]
        return [_table(["key", "rows, labels", "rows", "labels", "positives"], lines, [20, 40, 13, 13, 14])]


class FormatsTable(SphinxDirective):
    """The formats that are read and written."""

    def run(self) -> list[nodes.Node]:
        """Build the table."""
        lines = [
            [
                each.key,
                each.name,
                " ".join(each.endings + each.more_endings),
                "" if each.read is None else ", ".join(each.options) or "yes",
                "" if each.write is None else ", ".join(each.layouts) or "yes",
            ]
            for each in FORMATS.values()
        ]
        titles = ["key", "format", "endings", "read, with these arguments", "written, in these layouts"]
        return [_table(titles, lines, [12, 28, 15, 25, 20])]


class FormsTable(SphinxDirective):
    """The forms that splits are written in."""

    def run(self) -> list[nodes.Node]:
        """Build the table."""
        return [_table(["key", "what it is", "what is in it"], [[e.key, e.title, e.help] for e in FORMS.values()],
                       [14, 36, 50])]  # fmt: skip


class ImpactTable(SphinxDirective):
    """What the study of impact found on the samples, as it comes along with them."""

    def run(self) -> list[nodes.Node]:
        """Build the table."""
        from optisplit.studies.impact import SCORES
        from optisplit.studies.impact.kept import kept_impact, kept_names

        lines = []
        for name in kept_names():
            kept = kept_impact(name)
            if kept is None:
                continue
            for line in kept.result.summary.to_dict("records"):
                if line["method"] == "random":
                    base = line
                    continue
                ratio, low, high = (100 * line[key] for key in ("ratio", "ratio_low", "ratio_high"))
                lines.append(
                    [
                        name,
                        SCORES[line["score"]],
                        line["method"],
                        f"{base['sd']:.4f}",
                        f"{ratio:.0f} % ({low:.0f} to {high:.0f})",
                        f"{base['error']:.4f} / {line['error']:.4f}",
                        f"{base['unscored']:.1f} / {line['unscored']:.1f}",
                    ]
                )
        titles = [
            "data",
            "score",
            "method",
            "random's spread",
            "of random's",
            "distance from held-out, random / method",
            "labels not scored in some fold, random / method",
        ]
        return [_table(titles, lines, [10, 22, 12, 10, 16, 16, 14])]


class PartsImpactTable(SphinxDirective):
    """What the study of parts found on the samples, a table for each score that is named."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Build the tables, each under the name of its score."""
        from optisplit.studies.impact import PART_SCORES
        from optisplit.studies.impact.kept import kept_names, kept_parts_impact

        studies = {
            name: kept.result.summary for name in kept_names("impact_parts") if (kept := kept_parts_impact(name))
        }
        titles = ["data", "method", "bias", "spread", "root mean square", "less random's", "labels not scored"]
        found: list[nodes.Node] = []
        for score in self.content:
            lines = [
                _parts_line(name, line)
                for name, summary in studies.items()
                for line in summary[summary["score"] == score].to_dict("records")
            ]
            title = PART_SCORES[score]
            found.append(nodes.rubric(text=capital(title)))
            found.append(_table(titles, lines, [8, 18, 16, 16, 16, 16, 8]))
        return found


def _parts_line(name: str, line: dict[Any, Any]) -> list[str]:
    """Write what a method did on a sample."""
    change = f"{line['rmse_change']:+.3f} ({_span(line, 'rmse_change')})"
    return [
        name,
        line["method"],
        f"{line['bias']:+.3f} ({_span(line, 'bias')})",
        f"{line['sd']:.3f} ({line['sd_low']:.3f} to {line['sd_high']:.3f})",
        f"{line['rmse']:.3f} ({line['rmse_low']:.3f} to {line['rmse_high']:.3f})",
        "" if line["method"] == "random" else change,
        f"{100 * line['unscored']:.0f} %",
    ]


def _span(line: dict[Any, Any], key: str) -> str:
    return f"{line[f'{key}_low']:+.3f} to {line[f'{key}_high']:+.3f}"


class FaultsTable(SphinxDirective):
    """What a check calls a fault."""

    def run(self) -> list[nodes.Node]:
        """Build the list."""
        from optisplit.check.faults import FAULT_NAMES

        items = [nodes.list_item("", nodes.paragraph(text=text)) for text in FAULT_NAMES.values()]
        return [nodes.bullet_list("", *items)]


class Formula(SphinxDirective):
    """A measure's formula."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Build the formula."""
        formula = MEASURES[self.arguments[0]].equation
        return [nodes.math_block(formula, formula, nowrap=False, number=None, label=None)]


class CommandHelp(SphinxDirective):
    """What ``optisplit COMMAND --help`` prints, for every command."""

    def run(self) -> list[nodes.Node]:
        """Build a section a command."""
        overview = _help()
        lines = overview.partition("COMMAND\n")[2].splitlines()
        commands = [found[1] for line in lines if (found := re.match(r" {4}(\w+)(?: |$)", line))]
        if not commands:
            msg = "optisplit --help names no command"
            raise self.error(msg)
        found: list[nodes.Node] = [_console(overview)]
        for command in commands:
            section = nodes.section(ids=[f"optisplit-{command}"], names=[f"optisplit {command}"])
            section += nodes.title(text=f"optisplit {command}")
            section += _console(_help(command))
            found.append(section)
        return found


def _help(*command: str) -> str:
    from optisplit.cli import main

    shown = io.StringIO()
    os.environ["COLUMNS"] = "100"  # argparse would ask the terminal
    with contextlib.redirect_stdout(shown), contextlib.suppress(SystemExit):
        main([*command, "--help"])
    return shown.getvalue()


def _console(text: str) -> nodes.literal_block:
    return nodes.literal_block(text, text, language="text")


class PublicApi(SphinxDirective):
    """The documentation of all public names of a module; of the names given, if any."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Let autodoc write one entry a name."""
        module = importlib.import_module(self.arguments[0])
        lines = []
        for name in list(self.content) or sorted(module.__all__, key=str.lower):
            value = getattr(module, name)
            if inspect.isclass(value):
                stranger = next(base for base in value.__mro__ if not base.__module__.startswith("optisplit"))
                lines += [
                    f".. autoclass:: {module.__name__}.{name}",
                    "   :members:",
                    f"   :inherited-members: {stranger.__name__}",
                    f"   :exclude-members: {ELSEWHERE}",
                    "",
                ]
            elif callable(value):
                lines += [f".. autofunction:: {module.__name__}.{name}", ""]
            else:
                lines += [f".. autodata:: {module.__name__}.{name}", "   :no-value:", ""]
        parent = nodes.section()
        parent.document = self.state.document
        self.state.nested_parse(StringList(lines, source=self.arguments[0]), 0, parent)
        return parent.children


class AnnealingTrace(SphinxDirective):
    """The score while OptiSplit-SA works, of a run made when the guide is built."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Run the method and draw the line."""
        told: list[tuple[float, float]] = []

        def note(done: int, total: int, score: float) -> None:
            if total:
                told.append((done / total, score))

        data = optisplit.load(self.arguments[0])
        folds = optisplit.split(data, 5, effort="thorough", random_state=0, on_progress=note)
        report = optisplit.evaluate(data, folds)
        return [nodes.raw("", _drawing(told, report.rld, report.rld_bound), format="html")]


def _drawing(told: list[tuple[float, float]], final: float, bound: float) -> str:
    """Draw score against progress as SVG in the colours of the text around it."""
    width, height, left, bottom = 440.0, 240.0, 48.0, 40.0
    top = max(score for _, score in told) * 1.05

    def place(x: float, y: float) -> str:
        return f"{left + x * (width - left - 16):.1f},{(height - bottom) * (1 - y / top) + 8:.1f}"

    line = " ".join(place(x, y) for x, y in told)
    lowest = place(0, bound).split(",")[1]
    marks = "".join(
        f'<text x="{left - 8}" y="{float(place(0, value).split(",")[1]) + 4:.1f}" text-anchor="end">{value:.2f}</text>'
        for value in (0.0, top / 2, top)
    )
    told_in_words = f"The score falls from {told[0][1]:.3f} to {final:.4f}; the bound is {bound:.4f}."
    return f"""<figure class="trace"><svg viewBox="0 0 {width:.0f} {height + 12:.0f}" role="img"
aria-label="{told_in_words}"><g fill="currentColor" font-size="13">{marks}
<text x="{left}" y="{height:.0f}">first sweep</text>
<text x="{width - 16}" y="{height:.0f}" text-anchor="end">last sweep</text>
<text x="{width - 16}" y="{float(lowest) - 6:.1f}" text-anchor="end">bound {bound:.4f}</text></g>
<g fill="none" stroke="currentColor"><path d="M{left} 8V{height - bottom + 8:.0f}H{width - 16}" opacity="0.5"/>
<path d="M{left} {lowest}H{width - 16}" stroke-dasharray="5 4"/>
<polyline points="{line}" stroke-width="2.5" class="trace-line"/></g></svg>
<figcaption>{told_in_words} Made when these pages were built.</figcaption></figure>"""


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx of the directives."""
    for name, directive in (
        ("methods-table", MethodsTable),
        ("method-options", MethodOptions),
        ("measures-table", MeasuresTable),
        ("samples-table", SamplesTable),
        ("formats-table", FormatsTable),
        ("forms-table", FormsTable),
        ("faults-list", FaultsTable),
        ("impact-table", ImpactTable),
        ("impact-parts-table", PartsImpactTable),
        ("formula", Formula),
        ("command-help", CommandHelp),
        ("public-api", PublicApi),
        ("annealing-trace", AnnealingTrace),
    ):
        app.add_directive(name, directive)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
