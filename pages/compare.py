"""Compare ways to split the chosen data."""

import streamlit as st

from optisplit.ui import finished_example, frame, jobs_panel, keys
from optisplit.ui.compare import landing


def page() -> None:
    """Show a finished comparison to begin with; ask for methods, folds and seeds; run them; show the best split."""
    if landing.is_due() or finished_example.is_wanted("compare"):
        landing.show()
        return
    job = jobs_panel.shown_job("compare")  # once, or it might end between the form and the result
    if job is None:
        frame.heading(
            "Compare ways to split",
            "Split the same rows by several methods and see how evenly each one spreads every label over the folds.",
        )
    else:
        frame.heading("", "")  # the verdict is the title
    from optisplit.ui import datasets  # the title need not wait for what is heavy
    from optisplit.ui.compare import form

    if keys.LINK_LACKS in st.session_state or any(name in st.query_params for name in keys.LINK):
        from optisplit.ui.compare import links

        links.follow()
        links.remind()
    data = datasets.chosen()
    if data is None:
        return
    form.show(data, job)
    if job is None:
        form.show_hint(data)
    else:
        from optisplit.ui.compare import result  # with pandas and the figures, for which the form need not wait

        result.show(job)
    if landing.is_there():
        finished_example.offer("compare")


frame.show(page)
