"""What the app's pages share. The only part of OptiSplit that knows Streamlit."""
