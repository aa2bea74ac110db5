#!/usr/bin/env python3
"""Times of hockney-pingpong as two builds measure them, in random alternation.

    two_builds.py OLD NEW LAUNCHES -- [argument of hockney-pingpong]...

OLD and NEW are the folders of the executables. Prints for each size the median over launches of both, their ratio and a 95 %
bootstrap interval of it, and the spread (IQR / 1.349 / median) of both.
"""
import json
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile


def medians(folder, arguments, output):
    command = ["mpirun", "-n", "2", "--bind-to", "none", f"{folder}/hockney-pingpong", "-o", output, *arguments]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    series = json.loads(pathlib.Path(output).read_text())["series"]
    return {each["point"]["bytes"]: each["summary"]["median_seconds"] for each in series}


def spread(values):
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return (high - low) / 1.349 / statistics.median(values)


def interval(old, new, draw, rounds=2000):
    ratios = sorted(statistics.median(draw.choices(new, k=len(new))) / statistics.median(draw.choices(old, k=len(old)))
                    for _ in range(rounds))
    return ratios[rounds // 40], ratios[-rounds // 40]


def main():
    split = sys.argv.index("--")
    old_folder, new_folder, launches = sys.argv[1:split]
    draw = random.Random(1)
    found = {old_folder: [], new_folder: []}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(int(launches)):
            for build in draw.sample([old_folder, new_folder], 2):
                found[build].append(medians(build, sys.argv[split + 1:], f"{folder}/record.json"))
    for size in sorted(found[old_folder][0]):
        old, new = ([run[size] for run in found[build]] for build in (old_folder, new_folder))
        low, high = interval(old, new, draw)
        print(f"{size:9d} B  old {1e6 * statistics.median(old):10.3f} us  new {1e6 * statistics.median(new):10.3f} us  "
              f"ratio {statistics.median(new) / statistics.median(old):.4f} ({low:.4f} .. {high:.4f})  "
              f"spread {100 * spread(old):.2f} %, {100 * spread(new):.2f} %")


main()
