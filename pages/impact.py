"""Whether the way of splitting changes what cross-validation says."""

from optisplit.ui import frame


def page() -> None:
    """Show, for each data set with features, what the split does to estimates; run it anew when asked."""
    frame.heading(
        "Does it matter?",
        "How the rows are split can change what is said of a model: where labels are rare it does, and elsewhere it "
        "need not.",
    )
    from optisplit.ui.impact import view  # heavy: the title need not wait for it

    view.show()


frame.show(page)
