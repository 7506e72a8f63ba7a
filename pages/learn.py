"""The lesson: why LD depends on the size of a label, and what even rLD does not see."""

from optisplit.ui import frame


def page() -> None:
    """Show one of the lesson's steps: each asks, shows, and has something to move."""
    frame.heading("Why LD depends on the size of a label", "")  # the lesson begins with a question
    from optisplit.ui.learn import view  # heavy: the title need not wait for it

    view.show()


frame.show(page)
