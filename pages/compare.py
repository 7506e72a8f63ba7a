"""Compare ways to split the chosen data."""

from optisplit.ui import frame


def page() -> None:
    """Ask for methods, folds and seeds; run them; show which split is best and why."""
    frame.heading(
        "Compare ways to split",
        "Split the same rows by several methods and see how evenly each one spreads every label over the folds.",
    )
    from optisplit.ui import datasets  # heavy: the title need not wait for them
    from optisplit.ui.compare import form, result

    data = datasets.chosen()
    if data is None:
        return
    form.show(data)
    result.show(data)


frame.show(page)
