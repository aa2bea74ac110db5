#!/usr/bin/env python3
"""Which commands name data that MPI delivered wrong?

    tests/benchmarks/corruption_table.py BUILD [--kinds 60] [--jobs 2] [--only PATTERN] [--keep FOLDER]

Sixty kinds of wrong data are planted, one at a time, into the launches of a campaign (tests/benchmarks/corruption): a bit, a byte,
an element, a block; halves that changed places; messages of before; in one delivery of 50, to one rank, of large messages alone;
in point-to-point messages, collectives, windows and files. The campaign then goes the way of a nightly job: run, ingest, check; and
it is compared with one whose data were right. Prints who found each kind. Exit code 1 when a launch found wrong data, or must have,
and any of the commands after it does not name them.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import datetime
import fnmatch
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

NIGHTS = 18  # with right data, before
LAUNCHES = 2
PATIENCE_SECONDS = 600
WORDS = re.compile(r"wrong data|corrupt", re.IGNORECASE)
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith(("HOCKNEY_", "OMPI_", "SLURM_"))}
ENVIRONMENT.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
                   OMPI_MCA_mpi_yield_when_idle="1", LC_ALL="C.UTF-8")
COLUMNS = ("launch", "run", "screen", "report", "ingest", "check", "verdict", "compare", "fit")


@dataclasses.dataclass(frozen=True)
class Kind:
    name: str
    program: str
    arguments: tuple
    fault: str  # HOCKNEY_FAULT
    is_certain: bool = True  # checks of deliveries find it in every launch


PINGPONG = ("--sizes", "64,1K,64K", "--epochs", "4", "--samples", "40")
SUMS = ("--sizes", "64,4K", "--epochs", "4", "--samples", "40", "--datatype", "float", "--operations")
WINDOWS = ("--sizes", "64,4K", "--epochs", "4", "--samples", "40", "--operations")
FILES = ("--path", ".", "--space", "8M", "--sizes", "64K", "--epochs", "4", "--samples", "40", "--operations")


def kinds():
    found = []

    def add(name, program, arguments, fault, is_certain=True):
        found.append(Kind(name, program, tuple(arguments), fault, is_certain))

    for kind in ("first-bit", "middle-bit", "last-bit", "last-byte", "block", "swap", "everything", "zeroes", "stale"):
        add(f"message: {kind}, one in 50", "hockney-pingpong", PINGPONG, f"type=byte,kind={kind},every=50")
    for name, fault, is_certain in (
            ("every one", "every=1", True), ("one in 3", "every=3", True), ("to rank 0, one in 50", "every=50,rank=0", True),
            ("to rank 1, one in 50", "every=50,rank=1", True), ("each with probability 1/50", "probability=0.02,seed=3", False),
            ("only of 1 KiB, one in 50", "every=50,bytes=1024", True), ("only of 64 KiB and more, one in 50", "every=50,least=65536", True),
            ("after the first 100, one in 50", "every=50,after=100", True), ("one in 1000", "every=1000", False), ("a single one", "delivery=333", False)):
        add(f"message: {name}", "hockney-pingpong", PINGPONG, f"type=byte,{fault}", is_certain)
    for operation in ("bandwidth", "bidirectional-bandwidth", "persistent-pingpong", "sendrecv", "sendrecv-replace", "mprobe-pingpong"):
        # Not 50: no launch of persistent-pingpong with these options found that period.
        add(f"{operation}: last-bit, one in 49", "hockney-pingpong", (*PINGPONG, "--operations", operation), "type=byte,every=49")
    for operation in ("bcast", "allreduce", "reduce", "scan", "gather", "scatter", "allgather", "alltoall", "reduce-scatter", "reduce-scatter-block",
                      "allgatherv", "alltoallv", "exscan", "alltoallw", "gatherv", "scatterv"):
        add(f"{operation}: last-bit, one in 5", "hockney-collectives", (*SUMS, operation), "type=float,every=5")
    for operation, kind in (("allreduce", "contributions"), ("allgather", "swap"), ("alltoall", "block"), ("allreduce", "stale"), ("bcast", "zeroes"),
                            ("reduce", "element"), ("alltoall", "middle-bit")):
        add(f"{operation}: {kind}", "hockney-collectives", (*SUMS, operation), f"type=float,kind={kind},every=2")
    for operation, kind in (("put", "last-bit"), ("put", "late"), ("put", "stale"), ("put", "unlocked"), ("get", "last-bit"), ("get", "block"),
                            ("accumulate", "last-bit"), ("fetch-and-op", "last-bit")):
        fault = f"type={'byte' if operation in ('put', 'get') else 'int64'},kind={kind}" + (",every=5" if kind not in ("late", "unlocked") else "")
        more = ("--synchronisation", "lock") if kind in ("unlocked", "late") else ()
        add(f"window, {operation}: {kind}", "hockney-rma", (*WINDOWS, operation, *more), fault)
    for operation, kind in (("file-write", "last-bit"), ("file-write", "zeroes"), ("file-read", "last-bit"), ("file-read", "block")):
        add(f"{operation}: {kind}", "hockney-io", (*FILES, operation), f"type=byte,kind={kind},every=5")
    return found


class Site:
    """A folder for one kind: a campaign with right data, nights of it, and the campaign with wrong data."""

    def __init__(self, build, folder, kind):
        self.bin = pathlib.Path(build, "bin").resolve()
        self.corrupt = pathlib.Path(build, "tests/benchmarks/planted/corrupt").resolve()
        self.folder = pathlib.Path(folder)
        self.kind = kind

    def hockney(self, *words):
        try:
            done = subprocess.run([str(self.bin / "hockney"), *words], cwd=self.folder, env=ENVIRONMENT, capture_output=True, text=True,
                                  timeout=PATIENCE_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return -1, "", f"it did not end within {PATIENCE_SECONDS} s"
        return done.returncode, done.stdout, done.stderr

    def campaign(self, name, environment):
        config = {"schema": "hockney.campaign/1", "name": "nightly", "program": self.kind.program, "arguments": list(self.kind.arguments), "ranks": 2,
                  "launches": LAUNCHES, "environment": environment, "witness": False}
        (self.folder / f"{name}.json").write_text(json.dumps(config))
        return self.hockney("run", f"{name}.json", "--out", name, "--no-page", "--executable-dir", str(self.corrupt))

    def nights(self, source):
        """The right campaign again and again, each a day later; the last one is yesterday's."""
        record = json.loads(sorted((self.folder / source / "records").glob("*.json"))[0].read_text())
        today = datetime.datetime.now(datetime.timezone.utc).date()
        for night in range(1, NIGHTS + 1):
            day = (today - datetime.timedelta(days=night)).isoformat()
            record["started_utc"] = f"{day}T03:00:00Z"
            place = self.folder / "nights" / day / "1.json"
            place.parent.mkdir(parents=True)
            place.write_text(json.dumps(record))


def first_line(text):
    return next((line.strip() for line in text.splitlines() if line.strip()), "")


def names_it(text):
    return bool(WORDS.search(text))


def launches_that_failed(site, name):
    """Their exit codes."""
    manifest = json.loads((site.folder / name / "manifest.json").read_text())
    return [attempt["exit_code"] for attempt in manifest["attempts"] if attempt["exit_code"] != 0]


def study(build, folder, kind):
    """By column, whether it is as it must be; and what was said."""
    site = Site(build, folder, kind)
    code, out, err = site.campaign("right", {})
    if code != 0 or launches_that_failed(site, "right"):
        return None, f"with right data: exit code {code}: {err.strip()[-300:]}"
    site.nights("right")
    site.hockney("health", "ingest", "nights", "--history", "h.sqlite")
    code, out, err = site.campaign("wrong", {"HOCKNEY_FAULT": kind.fault})
    found = {"launch": 3 in launches_that_failed(site, "wrong"), "run": code == 3, "screen": names_it(first_line(out)) or names_it(first_line(err))}
    said = {"run": (code, first_line(out), first_line(err))}
    for name, words in (("report", ["report", "wrong"]), ("ingest", ["health", "ingest", "wrong", "--history", "h.sqlite"]),
                        ("check", ["health", "check", "--history", "h.sqlite"]), ("compare", ["compare", "right", "wrong"]), ("fit", ["fit", "wrong"])):
        code, out, err = site.hockney(*words)
        said[name] = (code, first_line(out), first_line(err))
        found[name] = names_it(out + err)
        if name in ("report", "compare", "fit"):
            found[name] = names_it("\n".join((out + err).splitlines()[:6]))
        if name == "check":
            found["check"] = code == 1
            found["verdict"] = "CORRUPT" in out
    return found, said


def show(kind, found, said, counts):
    """Prints the row of a kind, and counts who found it. Whether it is as it must be."""
    if found is None:
        print(f"{kind.name:48} {said}", flush=True)
        return False
    must = kind.is_certain or found["launch"]
    counts.update(column for column in COLUMNS if found[column])
    counts["must"] += must
    print(f"{kind.name:48} " + " ".join(f"{'yes' if found[column] else 'NO' if must else 'no':>7}" for column in COLUMNS), flush=True)
    if not must or all(found[column] for column in COLUMNS):
        return True
    for command, (code, out, err) in said.items():
        print(f"      {command}: exit code {code}: {(out or err)[:120]}", flush=True)
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--kinds", type=int, default=1000, help="at most so many, spread over all")
    parser.add_argument("--only", default="*", help="pattern of their names")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", default="", help="folder for what was measured")
    arguments = parser.parse_args()
    tried = [kind for kind in kinds() if fnmatch.fnmatch(kind.name, arguments.only)]
    step = max(1, len(tried) // arguments.kinds)
    tried = tried[::step]
    with tempfile.TemporaryDirectory(prefix="hockney-corruption-") as temporary:
        place = pathlib.Path(arguments.keep or temporary).resolve()
        folders = [place / f"{number:02}" for number in range(len(tried))]
        for folder in folders:
            folder.mkdir(parents=True)
        counts, missed = collections.Counter(), []
        print(f"{'kind':48} " + " ".join(f"{column:>7}" for column in COLUMNS), flush=True)
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            for kind, (found, said) in zip(tried, pool.map(study, [arguments.build] * len(tried), folders, tried)):
                if not show(kind, found, said, counts):
                    missed.append(kind.name)
    print(f"{len(tried)} kinds, of which {counts['must']} must be found; found: " + ", ".join(f"{column} {counts[column]}" for column in COLUMNS))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
