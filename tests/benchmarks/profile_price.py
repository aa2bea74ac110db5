#!/usr/bin/env python3
"""What profiling costs a program: runs of it with and without, in random order, and the ratio of their times.

    tests/benchmarks/profile_price.py [--log] [--sample HZ] [--time REGEX] BUILD PAIRS COMMAND...

The time is that of the command, or, without the launcher's own start, the seconds that the group of REGEX finds in what
it prints ("Loop time of ([0-9.]+)" of LAMMPS). The order within each pair is drawn. Prints the median of the ratios with its 95 % interval (order statistics), and the
fraction that the profiles themselves state.
"""

import argparse
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
import time


def timed(words, environment, pattern):
    begin = time.monotonic()
    run = subprocess.run(words, check=True, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    whole = time.monotonic() - begin
    if not pattern:
        return whole
    found = re.search(pattern, run.stdout)
    if not found:
        sys.exit(f"nothing that it prints is like '{pattern}'")
    return float(found.group(1))


def interval(values):
    """Median and the interval of order statistics that holds it with at least 95 %."""
    values = sorted(values)
    n = len(values)
    low = 0
    while low < n // 2 and 2 * sum(math.comb(n, k) for k in range(low + 1)) / 2**n <= 0.05:
        low += 1
    low = max(low - 1, 0)
    middle = (values[(n - 1) // 2] + values[n // 2]) / 2
    return middle, values[low], values[n - 1 - low]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--log", action="store_true")
    parser.add_argument("--sample", metavar="HZ")
    parser.add_argument("--time", metavar="REGEX")
    parser.add_argument("build")
    parser.add_argument("pairs", type=int)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    asked = parser.parse_args()
    hockney, pairs, command = os.path.join(asked.build, "bin/hockney"), asked.pairs, asked.command
    # As in a batch script: the driver itself takes time to start.
    shown = subprocess.check_output([hockney, "profile", "--env"]).decode()
    library = shown.split("LD_PRELOAD=")[1].split()[0]
    ratios, stated = [], []
    with tempfile.TemporaryDirectory() as folder:
        for index in range(pairs):
            out = os.path.join(folder, f"{index}.json")
            variables = {"LD_PRELOAD": library, "HOCKNEY_PROFILE_OUT": out, "HOCKNEY_PROFILE_LOG": "1" if asked.log else "0"}
            if asked.sample:
                variables["HOCKNEY_PROFILE_SAMPLE"] = asked.sample
            times = {}
            for way in random.sample(["with", "without"], 2):
                times[way] = timed(command, dict(os.environ, **(variables if way == "with" else {})), asked.time)
            shown = json.loads(subprocess.check_output([hockney, "profile", "show", out, "--json"]))
            stated.append(shown["price"]["fraction"] if shown["price"] else 0)
            ratios.append(times["with"] / times["without"])
    middle, low, high = interval(ratios)
    print(f"with / without: {middle:.4f} ({low:.4f} .. {high:.4f}), {pairs} pairs; "
          f"the profiles state {interval(stated)[0]:.5f}")


if __name__ == "__main__":
    main()
