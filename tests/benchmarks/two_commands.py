#!/usr/bin/env python3
"""Wall time, CPU time and peak memory of a command of hockney in two builds, in random alternation.

    two_commands.py OLD NEW RUNS -- [argument of hockney]...

OLD and NEW are the folders of the executables. In the arguments {empty} is a new folder of each run. Prints medians over runs, and
with --files PART in place of RUNS how often each build opens files with PART in their names (needs strace).
"""
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


main()
