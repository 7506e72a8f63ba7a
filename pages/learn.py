"""The lesson: why LD depends on the size of a label."""

from optisplit.ui import frame


def page() -> None:
    """Show one of the lesson's five steps, each with something to move."""
    frame.heading("Why LD depends on the size of a label", "A lesson in five short steps. Each has something to move.")
    from optisplit.ui.learn import view  # heavy: the title need not wait for it

    view.show()


frame.show(page)
