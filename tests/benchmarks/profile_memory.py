#!/usr/bin/env python3
"""What recording costs a program of very many calls in memory: its largest resident size with and without.

    tests/benchmarks/profile_memory.py BUILD [CALLS=100000000]

Two ranks make so many calls each: messages of sixteen sizes on four hundred communicators first, so that there is something
to keep, then polls. Prints the difference for the library's usual 64 MiB and for 1 MiB, without and with a log of events.
"""

import json
import os
import subprocess
import sys
import tempfile

ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_mpi_yield_when_idle="1")


def largest(build, calls, variables):
    """Largest resident size of a rank [MiB], and the calls that its profile has."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "profile.json")
        program = os.path.realpath(os.path.join(build, "bin/profile_endings"))
        run = subprocess.run(["mpirun", "--oversubscribe", "-n", "2", program, "polls", str(calls)], stdout=subprocess.PIPE,
                             env=dict(ENVIRONMENT, HOCKNEY_PROFILE_OUT=out, **variables), stderr=subprocess.DEVNULL, text=True)
        sizes = [int(line.split()[1]) / 1024 for line in run.stdout.splitlines() if line.startswith("resident")]
        counted = 0
        if os.path.exists(out):
            with open(out) as file:
                counted = sum(rank["calls"] for rank in json.load(file)["ranks"])
        return max(sizes), counted


def main():
    build, calls = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100_000_000
    library = os.path.realpath(os.path.join(build, "lib/libhockney-profile-openmpi.so"))
    without, _ = largest(build, calls, {})
    print(f"without: {without:.1f} MiB")
    for memory in ("64", "1"):
        for log in ("0", "1"):
            variables = {"LD_PRELOAD": library, "HOCKNEY_PROFILE_MEMORY": memory, "HOCKNEY_PROFILE_LOG": log}
            size, counted = largest(build, calls, variables)
            print(f"{memory:>2} MiB{', log' if log == '1' else '     '}: {size - without:+.1f} MiB, {counted} calls counted", flush=True)


if __name__ == "__main__":
    main()
