"""The lesson: why LD is class-size biased."""

from optisplit.ui import shell


def page() -> None:
    """Show one of the lesson's five steps, each with something to move."""
    shell.heading("Why LD is class-size biased", "A lesson in five short steps. Each has something to move.")
    from optisplit.ui import learn_view  # heavy: the title need not wait for it

    learn_view.show()


shell.show(page)
