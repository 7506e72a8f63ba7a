"""Check a split before training, and repair it."""

from optisplit.ui import finished_example, frame


def page() -> None:
    """Ask for a split; show what is wrong with it and how good it is; repair it."""
    frame.heading(
        "Check a split",
        "Bring the split that you are about to train with: see what is wrong with it, how good it is, and have it "
        "repaired.",
    )
    from optisplit.ui import datasets  # the title need not wait for what is heavy
    from optisplit.ui.check import form, preview, seen

    data = datasets.chosen()
    if data is None:
        return
    if finished_example.is_wanted("check"):
        finished_example.offer_back("check")
        preview.show_example()
        return
    shown = seen.seen()
    wanted = form.show(data, shown)
    if shown is None:
        preview.show(data, can_offer=wanted is None)
        return
    from optisplit.ui.check import result  # with pandas and the figures, for which the form need not wait

    result.show(shown, data, wanted)
    finished_example.offer("check")


frame.show(page)
