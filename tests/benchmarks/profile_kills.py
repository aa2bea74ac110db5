#!/usr/bin/env python3
"""Ends a program at random moments while it is profiled, and reads what is left.

    tests/benchmarks/profile_kills.py BUILD TIMES [SEED]

Four ways in turn: one rank is killed (SIGKILL), all ranks are asked to end (SIGTERM), a rank crashes (SIGSEGV), a rank calls
MPI_Abort. Fails when a profile cannot be read, when a part is left over, or when what is missing is not said.
"""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

RANKS = 4
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_mpi_yield_when_idle="1")


def ranks_of(program, folder):
    """Processes of this very run: those that run the program and write into the folder."""
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            executable = os.readlink(f"/proc/{entry}/exe")
            with open(f"/proc/{entry}/environ", "rb") as file:
                if executable == program and folder.encode() in file.read():
                    found.append(int(entry))
        except OSError:
            pass
    return found


def send(way, ranks):
    number = {"kill": signal.SIGKILL, "terminate": signal.SIGTERM, "crash": signal.SIGSEGV, "abort": signal.SIGUSR1}[way]
    for rank in ranks if way == "terminate" else [random.choice(ranks)]:
        try:
            os.kill(rank, number)
        except ProcessLookupError:
            pass


def end_one(build, way):
    """What is wrong with what a run left that was ended so; empty: nothing."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "profile.json")
        program = os.path.realpath(os.path.join(build, "bin/profile_endings"))
        run = subprocess.Popen(
            [os.path.join(build, "bin/hockney"), "profile", "-o", out, "--", "mpirun", "--oversubscribe", "-n",
             str(RANKS), program, "forever"], env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while len(ranks_of(program, folder)) < RANKS:
            time.sleep(0.01)
        time.sleep(random.uniform(0, 1))
        send(way, ranks_of(program, folder))
        said = run.communicate(timeout=60)[1].decode()
        if not os.path.exists(out):
            early = "no profile was written" in said
            return ("", 0) if early else (f"nothing was left, and nothing said: {said}", 0)
        with open(out, encoding="utf-8") as file:
            profile = json.load(file)
        left = [name for name in os.listdir(folder) if name != "profile.json"]
        here = len(profile["ranks"])
        if left:
            return f"left over: {left}", here
        if here < RANKS and not any("nothing is known of" in note for note in profile["notes"]):
            return f"{RANKS - here} ranks are missing, and nobody says so", here
        return "", here


def main():
    build, times = os.path.realpath(sys.argv[1]), int(sys.argv[2])
    random.seed(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    kept = {}
    for index in range(times):
        way = ["kill", "terminate", "crash", "abort"][index % 4]
        problem, here = end_one(build, way)
        if problem:
            sys.exit(f"{way}: {problem}")
        kept.setdefault(way, []).append(here)
    for way, ranks in kept.items():
        print(f"{way}: {len(ranks)} runs, of {RANKS} ranks were kept: {ranks}")


if __name__ == "__main__":
    main()
