"""``python -m optisplit.cli``: the command line."""

from optisplit.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
