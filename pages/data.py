"""What the chosen data is."""

from optisplit.ui import frame


def page() -> None:
    """Describe the data: sizes, label sizes, and what the reader noticed."""
    frame.heading(
        frame.DATA_TITLE,
        "Which labels are too rare for the folds or parts asked for, and what else there is to say of the data.",
    )
    from optisplit.ui import datasets  # the title need not wait for what is heavy
    from optisplit.ui.data import view

    chosen = datasets.chosen()
    if chosen is not None:
        view.show(chosen)


frame.show(page)
