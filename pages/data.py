"""What the chosen data is."""

from optisplit.ui import shell


def page() -> None:
    """Describe the data: sizes, class sizes, and what the reader noticed."""
    shell.heading("Data", "What has been read, and how rare the labels are.")
    from optisplit.ui import data_view, datasets  # heavy: the title need not wait for them

    data = datasets.chosen()
    if data is not None:
        data_view.show(data)


shell.show(page)
