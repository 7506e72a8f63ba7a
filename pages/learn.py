"""The lesson: why LD is class-size biased."""

from optisplit.ui import frame


def page() -> None:
    """Show one of the lesson's five steps, each with something to move."""
    frame.heading("Why LD is class-size biased", "A lesson in five short steps. Each has something to move.")
    from optisplit.ui.learn import view  # heavy: the title need not wait for it

    view.show()


frame.show(page)
