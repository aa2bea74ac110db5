#!/usr/bin/env python3
"""IMB-MPI1's own numbers beside those that hockney takes the way IMB does, and hockney's, in alternation.

    side_by_side.py HOCKNEY CONFIG REPETITIONS [HOCKNEY RUN OPTION...] -- IMB COMMAND...

Each repetition runs the campaign CONFIG (whose program has --compat imb) and the IMB command, in random order. The table has
for each operation and size the median over repetitions of hockney's time, of hockney's `imb` and of IMB's own t_max [us], and
the ratios to IMB's own with their exact intervals over repetitions. Results stay in ./side-by-side.
"""
import csv
import math
import pathlib
import random
import re
import statistics
import subprocess
import sys


def run(command, output):
    with open(output, "w") as out:
        subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, check=True)


def hockney_times(driver, folder):
    """By (operation, bytes, timing), timing "" being hockney's own [us]."""
    text = subprocess.run([driver, "export", "csv", folder], capture_output=True, text=True, check=True).stdout
    times = {}
    for row in csv.DictReader(text.splitlines()):
        parameters = dict(item.split("=", 1) for item in row["parameters"].split(";") if item)
        if row["median_seconds"]:
            key = row["operation"], int(row["bytes"]), parameters.get("timing", "")
            times[key] = 1e6 * float(row["median_seconds"])
    return times


def imb_times(output):
    """By (operation, bytes): t_max, or the only time there is [us]."""
    times, operation, column = {}, None, None
    for line in output.read_text().splitlines():
        begin = re.match(r"# Benchmarking (\S+)", line)
        if begin:
            operation = begin.group(1).lower()
        words = line.split()
        if "#repetitions" in words:
            column = words.index("t_max[usec]") if "t_max[usec]" in words else words.index("t[usec]")
            sized = words[0] == "#bytes"
        elif words and words[0].isdigit() and column is not None:
            times[operation, int(words[0]) if sized else 0] = float(words[column])
    return times


def interval(values):
    """Exact 95 % interval of the median by order statistics, or None for fewer than six."""
    n = len(values)
    tail, rank = 0.0, 0
    while rank < n / 2 and tail + math.comb(n, rank) / 2**n <= 0.025:
        tail += math.comb(n, rank) / 2**n
        rank += 1
    ordered = sorted(values)
    return (ordered[rank - 1], ordered[n - rank]) if rank > 0 else None


def ratio_text(values):
    bounds = interval(values)
    text = f"{statistics.median(values):6.3f}"
    return f"{text}, {bounds[0]:.3f} .. {bounds[1]:.3f}" if bounds else f"{text} (fewer than six)"


def main():
    split = sys.argv.index("--")
    driver, config, repetitions, *options = sys.argv[1:split]
    imb = sys.argv[split + 1:]
    folder = pathlib.Path("side-by-side")
    folder.mkdir(exist_ok=True)
    ours, theirs = [], []

    def run_hockney(i):
        run([driver, "run", config, *options, "--out", str(folder / f"hockney-{i}")], folder / f"hockney-{i}.txt")
        ours.append(hockney_times(driver, str(folder / f"hockney-{i}")))

    def run_imb(i):
        run(imb, folder / f"imb-{i}.txt")
        theirs.append(imb_times(folder / f"imb-{i}.txt"))

    for i in range(int(repetitions)):
        for step in random.sample([run_hockney, run_imb], 2):
            step(i)
        print(f"repetition {i + 1} of {repetitions}", file=sys.stderr, flush=True)
    print(f"{'operation':12} {'bytes':>8} {'hockney':>9} {'as imb':>9} {'IMB':>9}   {'as imb / IMB':28} hockney / IMB")
    for operation, size in sorted(set(theirs[0]) & {key[:2] for key in ours[0]}):
        own = [run[operation, size, ""] for run in ours]
        same = [run[operation, size, "imb"] for run in ours]
        imb_own = [run[operation, size] for run in theirs]
        middle = (f"{statistics.median(values):9.3f}" for values in (own, same, imb_own))
        print(f"{operation:12} {size:8d} {' '.join(middle)}   "
              f"{ratio_text([a / b for a, b in zip(same, imb_own)]):28} "
              f"{ratio_text([a / b for a, b in zip(own, imb_own)])}")


main()
