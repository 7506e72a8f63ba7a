"""What the chosen data is."""

from optisplit.ui import frame


def page() -> None:
    """Describe the data: sizes, label sizes, and what the reader noticed."""
    frame.heading("Data", "What has been read, and how rare the labels are.")
    from optisplit.ui import datasets  # the title need not wait for what is heavy
    from optisplit.ui.data import view

    data = datasets.chosen()
    if data is not None:
        view.show(data)


frame.show(page)
