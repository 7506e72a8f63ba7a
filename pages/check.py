"""Check a split before training, and repair it."""

from optisplit.ui import shell


def page() -> None:
    """Ask for a split; show what is wrong with it and how good it is; repair it."""
    shell.heading(
        "Check a split",
        "Bring the split that you are about to train with: see what is wrong with it, how good it is, and have it "
        "repaired.",
    )
    from optisplit.ui import check_view, datasets  # heavy: the title need not wait for them

    data = datasets.chosen()
    if data is None:
        return
    check_view.show(data)


shell.show(page)
