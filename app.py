"""OptiSplit's app: ``streamlit run app.py``."""

from optisplit.ui.frame import run_app

run_app()
