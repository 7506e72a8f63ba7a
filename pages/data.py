"""What the chosen data is."""

from optisplit.ui import frame


def page() -> None:
    """Describe the data: sizes, class sizes, and what the reader noticed."""
    frame.heading("Data", "What has been read, and how rare the labels are.")
    from optisplit.ui import datasets  # heavy: the title need not wait for them
    from optisplit.ui.data import view

    data = datasets.chosen()
    if data is not None:
        view.show(data)


frame.show(page)
