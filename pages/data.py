"""What the chosen data is."""

from optisplit.ui import frame


def page() -> None:
    """Describe the data: sizes, label sizes, and what the reader noticed."""
    frame.heading(frame.DATA_TITLE, "What has been read, and how rare the labels are.")
    from optisplit.ui import data, datasets  # the title need not wait for what is heavy

    chosen = datasets.chosen()
    if chosen is not None:
        data.show(chosen)


frame.show(page)
