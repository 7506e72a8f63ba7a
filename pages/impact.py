"""Whether the way of splitting changes what cross-validation says."""

from optisplit.ui import frame


def page() -> None:
    """Show, for each data set with features, what the split does to estimates; run it anew when asked."""
    frame.heading(
        "Does it matter?",
        "A model is trained and tested under each method's folds or parts. How much do the estimates differ by chance, "
        "how many labels cannot be scored at all, and how far is each estimate from the truth?",
    )
    from optisplit.ui.impact import view  # heavy: the title need not wait for it

    view.show()


frame.show(page)
