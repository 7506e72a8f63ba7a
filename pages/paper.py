"""The paper's tables and figures, re-run."""

from optisplit.ui import frame


def page() -> None:
    """Show the synthetic experiment and the data's table; run the table of methods; put ours beside the printed."""
    frame.heading(
        "The paper, re-run",
        "The tables and figures of Tiittanen, Holm and Törönen (2022), computed here, beside the printed numbers.",
    )
    from optisplit.ui import paper  # heavy: the title need not wait for it

    paper.show()


frame.show(page)
