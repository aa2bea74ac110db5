#!/usr/bin/env python3
"""The numbers of OMB and IMB themselves beside those that hockney takes the way they do, and hockney's, in alternation.

    side_by_side.py HOCKNEY CONFIG REPETITIONS [HOCKNEY RUN OPTION...] -- COMMAND... [-- COMMAND...]

Each repetition runs the campaign CONFIG (whose program has --compat osu or imb) and every command of the suite, in random
order. The table has for each operation and size the median over repetitions of hockney's time, of hockney's time as the
suite takes it and of the suite's own [us], and the ratios to the suite's own with their exact intervals over repetitions.
Parameters that both have (window-kind, synchronisation) must be the same. "-" where hockney does not time like the
suite (files). Results stay in ./side-by-side.
"""
import csv
import itertools
import math
import pathlib
import random
import statistics
import subprocess
import sys


def run(command, output):
    with open(output, "w") as out:
        code = subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, check=False).returncode
    if code != 0:
        last = output.read_text().strip().splitlines()[-1:]
        sys.exit(f"no figures of '{command[0]}' (it ended with {code}: {' '.join(last)}) see {output}")


def times_of(driver, folder):
    """Times [us] by operation, bytes and the other parameters, of which `timing` says whose way it is ("": hockney's)."""
    text = subprocess.run([driver, "export", "csv", folder], capture_output=True, text=True, check=True).stdout
    times = {}
    for row in csv.DictReader(text.splitlines()):
        parameters = dict(item.split("=", 1) for item in row["parameters"].split(";") if item)
        if row["median_seconds"]:
            point = row["operation"], int(row["bytes"]), frozenset(parameters.items())
            times[point] = 1e6 * float(row["median_seconds"])
    return times


def suite_times(driver, output, ranks):
    """The same of what a suite printed."""
    suite = "imb" if "Intel(R) MPI Benchmarks" in output.read_text() else "osu"
    folder = output.with_suffix(".records")
    subprocess.run([driver, "import", suite, output, "--ranks", ranks, "--out", folder], check=True, capture_output=True)
    return times_of(driver, folder)


def ranks_of(command):
    """What follows -n or -np."""
    return next(word for flag, word in itertools.pairwise(command) if flag in ("-n", "-np"))


def agree(one, other):
    """Whether two sets of parameters have the same where both have any."""
    both = dict(one), dict(other)
    return all(both[1].get(name, value) == value for name, value in both[0].items())


def find(times, operation, size, parameters):
    found = [time for (name, of, own), time in times.items() if (name, of) == (operation, size) and agree(own, parameters)]
    return found[0] if len(found) == 1 else None


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


def commands_after(words):
    """Lists of words between "--" and "--"."""
    return [list(group) for is_end, group in itertools.groupby(words, lambda word: word == "--") if not is_end]


def print_table(ours, theirs):
    print(f"{'operation':30} {'bytes':>8} {'hockney':>9} {'its way':>9} {'suite':>9}   {'its way / suite':24} hockney / suite")
    missing = {}
    for operation, size, parameters in sorted(theirs[0], key=lambda point: point[:2]):
        plain = frozenset(item for item in parameters if item[0] != "timing")
        own = [find(run, operation, size, plain | {("timing", "")}) for run in ours]
        same = [find(run, operation, size, parameters) for run in ours]
        suite = [run.get((operation, size, parameters)) for run in theirs]
        if None in own + suite:
            missing.setdefault(" ".join([operation] + sorted("=".join(item) for item in plain)), []).append(str(size))
            continue
        is_timed_alike = None not in same  # not of files, to which --compat does not apply
        alike = ratio_text([a / b for a, b in zip(same, suite)]) if is_timed_alike else "-"
        middle = " ".join(f"{statistics.median(values):9.3f}" if None not in values else f"{'-':>9}" for values in (own, same, suite))
        print(f"{operation:30} {size:8d} {middle}   {alike:24} {ratio_text([a / b for a, b in zip(own, suite)])}")
    for point, sizes in missing.items():
        print(f"no one point of hockney's is like {point} at {', '.join(sizes)}")


def main():
    split = sys.argv.index("--")
    driver, config, repetitions, *options = sys.argv[1:split]
    commands = commands_after(sys.argv[split:])
    folder = pathlib.Path("side-by-side")
    if folder.exists():
        sys.exit("'side-by-side' exists (it has other results) move it, or work from another folder")
    folder.mkdir()
    ours, theirs = [], []

    def run_hockney(i):
        run([driver, "run", config, *options, "--out", str(folder / f"hockney-{i}")], folder / f"hockney-{i}.txt")
        times = times_of(driver, str(folder / f"hockney-{i}"))
        ours.append({(name, size, parameters | {("timing", "")} if "timing" not in dict(parameters) else parameters): time
                     for (name, size, parameters), time in times.items()})

    def run_suite(i, k):
        output = folder / f"suite-{i}-{k}.txt"
        run(commands[k], output)
        theirs[i].update(suite_times(driver, output, ranks_of(commands[k])))

    for i in range(int(repetitions)):
        theirs.append({})
        steps = [lambda: run_hockney(i), *(lambda k=k: run_suite(i, k) for k in range(len(commands)))]
        for step in random.sample(steps, len(steps)):
            step()
        print(f"repetition {i + 1} of {repetitions}", file=sys.stderr, flush=True)
    print_table(ours, theirs)


main()
