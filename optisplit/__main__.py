"""``python -m optisplit``: the command line, also where its script is not on the path."""

from optisplit.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
