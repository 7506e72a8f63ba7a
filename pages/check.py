"""Check a split before training, and repair it."""

from optisplit.ui import frame


def page() -> None:
    """Ask for a split; show what is wrong with it and how good it is; repair it."""
    frame.heading(
        "Check a split",
        "Bring the split that you are about to train with: see what is wrong with it, how good it is, and have it "
        "repaired.",
    )
    from optisplit.ui import datasets  # the title need not wait for what is heavy
    from optisplit.ui.check import form, request

    data = datasets.chosen()
    if data is None:
        return
    form.show(data)
    if request.shown_check() is None:
        form.show_hint(data)
        return
    from optisplit.ui.check import result  # with pandas and the figures, for which the form need not wait

    result.show(data)


frame.show(page)
