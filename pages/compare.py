"""Compare ways to split the chosen data."""

from optisplit.ui import frame


def page() -> None:
    """Ask for methods, folds and seeds; run them; show which split is best and why."""
    frame.heading(
        "Compare ways to split",
        "Split the same rows by several methods and see how evenly each one spreads every label over the folds.",
    )
    from optisplit.ui import datasets, jobs_panel  # the title need not wait for what is heavy
    from optisplit.ui.compare import form, links

    links.follow()
    data = datasets.chosen()
    if data is None:
        return
    job = jobs_panel.shown_job("compare")  # once, or it might end between the form and the result
    form.show(data, job)
    if job is None:
        form.show_hint()
        return
    from optisplit.ui.compare import result  # with pandas and the figures, for which the form need not wait

    result.show(data, job)


frame.show(page)
