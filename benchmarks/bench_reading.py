"""Time the readers on large files, each in a process of its own, and weigh what they take.

Writes the files to a temporary folder first (about 1 GB): an XMC file of 500 MB, and label files of ten million
positives in every form that has them. Memory is the most that the process held while reading, less what it held
before, beside the size of the label arrays that came out.

    python benchmarks/bench_reading.py [--positives 10000000] [--only xmc long]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

CHILD = """
import json, resource, sys, threading, time
import optisplit
from optisplit.io.formats.reading import load_file
import optisplit.kernels.label_lines
import io
if not sys.argv[1].endswith("arff.gz"):
    load_file(io.BytesIO(b"1,2 1:1\\n2 1:1\\n"))  # compiled before the clock starts
    load_file(io.BytesIO(b"2 3\\n1:1\\n2:1\\n"))
peak = [0]
def held():
    with open("/proc/self/statm") as stat:
        return int(stat.read().split()[1]) * resource.getpagesize()
before = held()
is_over = False
def watch():
    while not is_over:
        peak[0] = max(peak[0], held())
        time.sleep(0.005)
thread = threading.Thread(target=watch); thread.start()
calls = [0]
def on_progress(done, total, score):
    calls[0] += 1
start = time.perf_counter()
data = optisplit.load(sys.argv[1], on_progress=on_progress, **json.loads(sys.argv[2]))
took = time.perf_counter() - start
is_over = True; thread.join()
labels = data.labels
arrays = labels.data.nbytes + labels.indices.nbytes + labels.indptr.nbytes
print(json.dumps({"seconds": took, "peak": peak[0] - before, "arrays": arrays, "rows": data.n_rows,
                  "labels": data.n_labels, "positives": data.n_positives, "calls": calls[0]}))
"""


def write_files(folder: Path, n_positives: int) -> dict[str, tuple[Path, dict]]:
    """Write the files, and give how each is to be read."""
    rng = np.random.default_rng(0)
    n_rows, n_labels = n_positives // 10, 5000
    numbers = np.sort(rng.integers(0, n_labels, (n_rows, 10)), axis=1)
    text = numbers.astype(str).tolist()
    files: dict[str, tuple[Path, dict]] = {}

    def add(name: str, ending: str, lines, **options) -> None:
        path = folder / f"{name}{ending}"
        with path.open("w", encoding="utf-8") as sink:
            sink.writelines(lines)
        files[name] = (path, options)

    features = " ".join(f"{i}:{i % 7}.25" for i in range(60))
    n_xmc = 500_000_000 // (len(features) + 44)
    add("xmc", ".txt", (line for part in (
        [f"{n_xmc} 60 {n_labels}\n"], (f"{','.join(text[row % n_rows])} {features}\n" for row in range(n_xmc))
    ) for line in part))  # fmt: skip
    add("libsvm-labels", ".svm", (f"{','.join(row)} 1:1\n" for row in text))
    add("xmc-labels", ".txt", (line for part in (
        [f"{n_rows} {n_labels}\n"], (" ".join(f"{each}:1" for each in row) + "\n" for row in text)
    ) for line in part))  # fmt: skip
    add("tags", ".csv", (line for part in (
        ["id,labels\n"], (f"r{row},{'|'.join('l' + each for each in tags)}\n" for row, tags in enumerate(text))
    ) for line in part))  # fmt: skip
    add("quoted-lists", ".csv", (line for part in (
        ["id,labels\n"],
        (f"""r{row},"[{", ".join(f"'l{each}'" for each in tags)}]"\n""" for row, tags in enumerate(text)),
    ) for line in part))  # fmt: skip
    add("wide", ".csv", (line for part in (
        [f"id,{','.join(f'label{j}' for j in range(1, 11))}\n"],
        (f"r{row},{','.join('l' + each for each in tags)}\n" for row, tags in enumerate(text)),
    ) for line in part))  # fmt: skip
    add("jsonl-numbers", ".jsonl", (
        json.dumps({"id": row, "labels": [int(each) for each in dict.fromkeys(tags)]}) + "\n"
        for row, tags in enumerate(text)
    ))  # fmt: skip
    add("long", ".csv", (line for part in (
        ["row,label\n"],
        (f"r{row},l{each}\n" for row, tags in enumerate(text) for each in dict.fromkeys(tags)),
    ) for line in part), layout="long")  # fmt: skip
    add("jsonl", ".jsonl", (
        json.dumps({"id": row, "labels": [f"l{each}" for each in dict.fromkeys(tags)]}) + "\n"
        for row, tags in enumerate(text)
    ))  # fmt: skip
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        return files
    path = folder / "list.parquet"
    pq.write_table(pa.table({"id": range(n_rows), "labels": [list(dict.fromkeys(tags)) for tags in text]}), path)
    files["parquet"] = (path, {})
    return files


def main() -> None:
    """Write, read, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positives", type=int, default=10_000_000)
    parser.add_argument("--only", nargs="*")
    options = parser.parse_args()
    root = Path(__file__).resolve().parents[1]
    with tempfile.TemporaryDirectory() as name:
        files = write_files(Path(name), options.positives)
        files |= {each: (root / "sample_data" / f"{each}.arff.gz", {}) for each in ("bibtex", "delicious")}
        print("| file | MB | seconds | MB a second | positives | most memory, MB | of the file | of the labels |")
        print("|---|---:|---:|---:|---:|---:|---:|---:|")
        for key, (path, how) in files.items():
            if options.only and key not in options.only:
                continue
            done = subprocess.run([sys.executable, "-c", CHILD, str(path), json.dumps(how)],
                                  capture_output=True, text=True, cwd=root)  # fmt: skip
            if done.returncode:
                print(f"| {key} | failed: {done.stderr.strip().splitlines()[-1]} |")
                continue
            got = json.loads(done.stdout)
            size = path.stat().st_size
            print(f"| {key} | {size / 1e6:,.0f} | {got['seconds']:.2f} | {size / 1e6 / got['seconds']:,.0f} | "
                  f"{got['positives']:,} | {got['peak'] / 1e6:,.0f} | {got['peak'] / size:.2f} x | "
                  f"{got['peak'] / got['arrays']:.1f} x |", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
