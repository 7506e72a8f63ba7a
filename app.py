"""OptiSplit's app: ``streamlit run app.py``."""

from optisplit.ui.shell import run_app

run_app()
