#!/usr/bin/env python3
"""Wall time, CPU time and peak memory of a command of hockney in two builds, in random alternation.

    two_commands.py OLD NEW RUNS -- [argument of hockney]...

OLD and NEW are the folders of the executables. In the arguments {empty} is a new folder of each run. Prints medians over runs, and
the median of NEW/OLD over pairs of runs with its 95 % interval (by order of the ratios, from six pairs). With --files PART in place
of RUNS it prints how often each build opens files with PART in their names (needs strace).
"""
import math
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time


def run(command):
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"exit code {os.waitstatus_to_exitcode(status)}: {' '.join(command)}")
    return time.monotonic() - begin, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def opened(command, part, folder):
    trace = f"{folder}/trace"
    subprocess.run(["strace", "-f", "-e", "trace=open,openat", "-o", trace, *command], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=True)
    names = [re.search(r'open(?:at)?\((?:AT_FDCWD, )?"([^"]*)", (?!.*(?:O_DIRECTORY|= -1))', line) for line in open(trace)]
    return sum(1 for name in names if name and part in name[1])


def interval(ordered):
    """Between the k-th of each end, with the largest k whose chance to miss the median is 5 % at most."""
    n = len(ordered)
    misses, k = 0, 0
    while (misses := misses + 2 * math.comb(n, k) / 2**n) <= 0.05:
        k += 1
    return ordered[k - 1], ordered[n - k]


def main():
    split = sys.argv.index("--")
    old, new, *how = sys.argv[1:split]
    with tempfile.TemporaryDirectory() as folder:
        count = iter(range(10**6))

        def command(build):
            empty = f"{folder}/{next(count)}"
            os.mkdir(empty)
            return [f"{build}/hockney", *(word.replace("{empty}", empty) for word in sys.argv[split + 1:])]

        if how[0] == "--files":
            for build in (old, new):
                print(f"{build}: {opened(command(build), how[1], folder)} files opened with '{how[1]}' in their names")
            return
        found = {old: [], new: []}
        for _ in range(int(how[0])):
            for build in random.sample([old, new], 2):
                found[build].append(run(command(build)))
        for build, runs in found.items():
            wall, cpu, memory = (statistics.median(column) for column in zip(*runs))
            print(f"{build}: {wall:.3f} s, CPU {cpu:.3f} s, {memory:.1f} MiB")
        ratios = sorted(after[0] / before[0] for before, after in zip(found[old], found[new]))
        beside = "no interval" if len(ratios) < 6 else "{:.3f} .. {:.3f}".format(*interval(ratios))
        print(f"wall time NEW/OLD: {statistics.median(ratios):.3f} ({beside})")


main()
