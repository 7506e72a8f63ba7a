"""The paper's tables, claims and figures, run again."""

from optisplit.ui import frame


def page() -> None:
    """Show both tables beside the printed numbers, check what the article says, and run it all here."""
    frame.heading(
        "The paper, re-run",
        "The tables, claims and figures of Tiittanen, Holm and Törönen (2022), run again beside the printed numbers.",
    )
    from optisplit.ui import paper  # heavy: the title need not wait for it

    paper.show()


frame.show(page)
