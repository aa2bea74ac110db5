#!/usr/bin/env python3
"""Iterations of the halo kernel, predicted from ping-pongs and from computing alone, against their measured time, on this machine.

    held_out.py BUILD [--launches 8] [--limits 1024,4096,32768] [--points 64x64,128x128,256x256,512x512]

For each eager limit of Open MPI's shared memory three campaigns, those of all limits in random order: `hops` (models of
messages), halo with `--work alone` (computing), and halo with immediate messages and computing afterwards, which no
prediction knows. Prints for each limit and grid the prediction and its range, the measured median over launches and its
interval, and their ratio; then the mean error with a 95 % interval over launches (bootstrap). Two ranks.
"""
import argparse
import csv
import json
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

BOOTSTRAPS = 4000


def hockney(build, *words):
    result = subprocess.run([f"{build}/bin/hockney", *map(str, words)], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"hockney {' '.join(map(str, words))}: exit code {result.returncode}\n{result.stdout[-2000:]}{result.stderr[-2000:]}")
    return result.stdout


def write_campaign(file, program, arguments, limit, launches, budget):
    file.write_text(json.dumps({
        "schema": "hockney.campaign/1", "name": file.stem, "program": program, "ranks": 2, "launches": launches,
        "budget_seconds": budget, "arguments": arguments,
        "settings": [{"name": "default", "environment": {"OMPI_MCA_btl_vader_eager_limit": str(limit)}}]}))


def launches_of(build, folder, points):
    """Medians of launches [s] of immediate messages and computing afterwards."""
    rows = csv.DictReader(hockney(build, "export", "csv", folder, "--launches").splitlines())
    return [float(row["median_seconds"]) for row in rows
            if row["median_seconds"] and f"points={points}" in row["parameters"] and "work=after" in row["parameters"]]


def interval(values):
    ordered = sorted(values)
    return ordered[int(0.025 * len(ordered))], ordered[int(0.975 * len(ordered))]


def resampled_median(values):
    return statistics.median(random.choices(values, k=len(values)))


def measure(build, folder, arguments):
    kinds = {"messages": ("hockney-pingpong", ["--sizes", "0:64K:2"], 25),
             "computing": ("hockney-halo", ["--points", arguments.points, "--work", "alone"], 15),
             "measured": ("hockney-halo", ["--points", arguments.points, "--work", "after", "--ways", "immediate"], 25)}
    steps = [(limit, kind) for limit in arguments.limits.split(",") for kind in kinds]
    for limit, kind in random.sample(steps, len(steps)):
        program, words, budget = kinds[kind]
        config = folder / f"{kind}-{limit}.json"
        write_campaign(config, program, words, limit, arguments.launches, budget)
        hockney(build, "run", config, "--out", folder / kind / limit)
        print(f"measured: {kind}, eager limit {limit}", file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--launches", type=int, default=8)
    parser.add_argument("--limits", default="1024,4096,32768")
    parser.add_argument("--points", default="64x64,128x128,256x256,512x512")
    arguments = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="held-out-"))
    measure(arguments.build, folder, arguments)
    settings = []
    print(f"{'limit':>6} {'points':>9} {'predicted [us]':>28} {'measured [us]':>28} {'predicted / measured':>28}")
    for limit in arguments.limits.split(","):
        for points in arguments.points.split(","):
            told = json.loads(hockney(arguments.build, "predict", folder / "messages" / limit, folder / "computing" / limit,
                                      "--operation", "halo", "--problem", points, "--ranks", "2", "--json"))
            predicted = told["predictions"][0]
            measured = launches_of(arguments.build, folder / "measured" / limit, points)
            medians = [resampled_median(measured) for _ in range(BOOTSTRAPS)]
            settings.append((predicted["seconds"], measured))
            low, high = interval(medians)
            span = predicted["range_seconds"]
            ratios = interval([predicted["seconds"] / median for median in medians])
            print(f"{limit:>6} {points:>9} {1e6 * predicted['seconds']:9.2f} ({1e6 * span['low']:.2f} .. {1e6 * span['high']:.2f})".ljust(46)
                  + f"{1e6 * statistics.median(measured):9.2f} ({1e6 * low:.2f} .. {1e6 * high:.2f})".ljust(29)
                  + f"{predicted['seconds'] / statistics.median(measured):7.3f} ({ratios[0]:.3f} .. {ratios[1]:.3f})")
    errors = [statistics.mean(abs(predicted / resampled_median(measured) - 1) for predicted, measured in settings)
              for _ in range(BOOTSTRAPS)]
    error = statistics.mean(abs(predicted / statistics.median(measured) - 1) for predicted, measured in settings)
    low, high = interval(errors)
    print(f"mean error of {len(settings)} settings: {100 * error:.1f} % ({100 * low:.1f} .. {100 * high:.1f}), records in {folder}")


main()
