"""Compare ways to split the chosen data."""

from optisplit.ui import shell


def page() -> None:
    """Ask for methods, folds and seeds; run them; show which split is best and why."""
    shell.heading(
        "Compare ways to split",
        "Split the same rows by several methods and see how evenly each one spreads every label over the folds.",
    )
    from optisplit.ui import compare_form, compare_result, datasets  # heavy: the title need not wait for them

    data = datasets.chosen()
    if data is None:
        return
    compare_form.show(data)
    compare_result.show(data)


shell.show(page)
