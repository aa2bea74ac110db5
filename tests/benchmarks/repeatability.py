#!/usr/bin/env python3
"""Run-to-run spread of hockney's ping-pong campaign and of IMB-MPI1 PingPong, in alternation.

    repeatability.py HOCKNEY BUDGET_SECONDS REPETITIONS -- IMB COMMAND...

The IMB command should take as long as the budget (its -iter option says how). Spread: IQR / 1.349 / median of the
repetitions, per size; the figure is the median over sizes. Results stay in ./repeatability.
"""
import csv
import pathlib
import re
import statistics
import subprocess
import sys
import time


def timed(command, output):
    start = time.monotonic()
    with open(output, "w") as out:
        subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, check=True)
    return time.monotonic() - start


def hockney_medians(driver, folder):
    text = subprocess.run([driver, "export", "csv", folder], capture_output=True, text=True, check=True).stdout
    return {int(row["bytes"]): float(row["median_seconds"]) for row in csv.DictReader(text.splitlines())}


def imb_times(output):
    rows = re.findall(r"^\s+(\d+)\s+\d+\s+([\d.]+)\s+[\d.]+\s*$", output.read_text(), re.M)
    return {int(size): float(microseconds) * 1e-6 for size, microseconds in rows}


def spread(values):
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return (high - low) / 1.349 / statistics.median(values)


def main():
    split = sys.argv.index("--")
    driver, budget, repetitions = sys.argv[1:split]
    imb = sys.argv[split + 1:]
    config = pathlib.Path(__file__).resolve().parents[1] / "configs" / "repeatability.json"
    folder = pathlib.Path("repeatability")
    folder.mkdir(exist_ok=True)
    ours, theirs = [], []
    for i in range(int(repetitions)):
        campaign = folder / f"hockney-{i}"
        wall = timed([driver, "run", str(config), "--budget", budget, "--out", str(campaign)], folder / f"hockney-{i}.txt")
        ours.append(hockney_medians(driver, str(campaign)))
        imb_wall = timed(imb, folder / f"imb-{i}.txt")
        theirs.append(imb_times(folder / f"imb-{i}.txt"))
        print(f"repetition {i + 1}: hockney {wall:.1f} s, IMB {imb_wall:.1f} s", flush=True)
    spreads = []
    for size in sorted(set(ours[0]) & set(theirs[0])):
        pair = spread([run[size] for run in ours]), spread([run[size] for run in theirs])
        spreads.append(pair)
        print(f"{size:9d} B  hockney {100 * pair[0]:6.2f} %  IMB {100 * pair[1]:6.2f} %")
    hockney, imb_spread = (statistics.median(column) for column in zip(*spreads))
    print(f"median over sizes: hockney {100 * hockney:.2f} %, IMB {100 * imb_spread:.2f} %, ratio {hockney / imb_spread:.2f}")


main()
