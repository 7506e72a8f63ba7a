"""OptiSplit's app: ``streamlit run app.py``."""

from streamlit.starlette import App

if __name__ == "__main__":  # drawn for a visitor
    from optisplit.ui.frame import run_app

    run_app()
else:  # served
    from optisplit.ui import server

    app = App(__file__, middleware=server.middleware())
