"""Long rounds of fuzzing, outside the tests: so many minutes, with every reader through every door.

From the project's folder; with whole files made anew, and mutations of the corpus and of all cases,
in processes that may end as they like::

    python tests/fuzz 30 --seed 1

What is found (a signal, a hang, too much memory, an error that is not the package's) is made smaller and kept in
``tests/fuzz/found``, once for each place in the code. Once it is mended, its answer is noted, and a test asks for it::

    python tests/fuzz --answers

With a fuzzer that follows which lines are reached (``pip install atheris``); arguments after CORPUS are libFuzzer's::

    python tests/fuzz --follow CORPUS -max_total_time=3600 -timeout=20 -rss_limit_mb=2048
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

from fuzz import rounds, worker

READERS = ["optisplit.io", "optisplit.methods.recipes", "optisplit.labels"]


def follow_lines(arguments: list[str]) -> None:
    """Let libFuzzer mutate, guided by the lines of the readers that it reaches."""
    import atheris

    with atheris.instrument_imports(include=READERS):
        from fuzz.readers import WAYS, one_input, seeds

    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    for number, content in enumerate(seeds()):
        for way in range(len(WAYS)):
            (folder / f"seed-{number}-{way}").write_bytes(bytes((way,)) + content[1:])
    atheris.Setup([sys.argv[0], *arguments], one_input)
    atheris.Fuzz()


def main() -> None:
    """Choose the round by the arguments."""
    if sys.argv[1:2] == ["--follow"]:
        follow_lines(sys.argv[2:])
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("minutes", type=float, nargs="?", default=10.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--parquet", type=float, default=0.2, help="share of the inputs that begin as Parquet")
    parser.add_argument("--answers", action="store_true", help="note what is said of all that was found")
    parser.add_argument("--worker", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker is not None:
        worker.work(*options.worker, seed=options.seed, parquet=options.parquet)
    elif options.answers:
        rounds.note_answers()
    else:
        sys.exit(rounds.run(options.minutes, options.seed, options.parquet))


if __name__ == "__main__":
    main()
