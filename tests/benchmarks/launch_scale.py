#!/usr/bin/env python3
"""What a launch of `configs/nightly-pairs.json` costs by number of ranks, and at 4392 nodes:

    tests/benchmarks/launch_scale.py BUILD [NODES=4392]

Simulated (SMPI, one rank on each host of a dragonfly as large as Theta's): time of the launch in the network, size of the record.
For real, with all ranks on this machine: memory of rank 0 beside that of the others. Straight lines over the ranks are fitted to
all but the largest number, which is held out, and carried on to NODES.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

SOURCE = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
SIMULATED = (128, 256, 512, 1024)
REAL = (16, 32, 64)
ARGUMENTS = ["--pairs", "sparse:16", "--concurrent", "--sizes", "8,256K", "--operations", "pingpong"]


def run(words, **variables):
    return subprocess.run([str(word) for word in words], env=os.environ | variables, text=True, check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout


def simulated(build, ranks, folder):
    record = f"{folder}/{ranks}.json"
    platform = f"{SOURCE}/configs/platforms/theta"
    begin = time.monotonic()
    printed = run(["smpirun", "-np", ranks, "-platform", f"{platform}.xml", "-hostfile", f"{platform}.hosts",
                   "--cfg=smpi/host-speed:1Gf", "--cfg=smpi/simulate-computation:no", "--cfg=smpi/display-timing:yes",
                   f"{build}/simulated/bin/hockney-pingpong", *ARGUMENTS, "--sites", f"{platform}.sites", "-o", record])
    wall = time.monotonic() - begin
    seconds = float(printed.split("Simulated time: ")[1].split()[0])
    with open(record, encoding="utf-8") as file:
        document = json.load(file)
    return {"ranks": ranks, "series": len(document["series"]), "network [s]": seconds,
            "record [MB]": os.path.getsize(record) / 1e6, "host [s]": wall}


def memory_of_ranks(build, ranks, folder):
    """Peak resident memory [MB] of rank 0, and the median of all others."""
    wrapper = f"{os.path.realpath(__file__)}"
    run(["mpirun", "--oversubscribe", "-n", ranks, sys.executable, wrapper, "--rank", folder, f"{build}/bin/hockney-pingpong",
         *ARGUMENTS, "--bind", "none", "--epochs", "2", "-o", f"{folder}/real.json"], OMPI_MCA_mpi_yield_when_idle="1")
    peaks = {}
    for rank in range(ranks):
        with open(f"{folder}/peak-{rank}", encoding="utf-8") as file:
            peaks[rank] = int(file.read()) / 1e3
    return {"ranks": ranks, "rank 0 [MB]": peaks.pop(0), "others [MB]": statistics.median(peaks.values())}


def as_rank(folder, command):
    code = subprocess.run(command, check=False).returncode
    with open(f"{folder}/peak-{os.environ['OMPI_COMM_WORLD_RANK']}", "w", encoding="utf-8") as file:
        file.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
    return code


def line(rows, key):
    return statistics.linear_regression([row["ranks"] for row in rows], [row[key] for row in rows])


def show(rows, nodes):
    keys = list(rows[0])
    print("  ".join(f"{key:>12}" for key in keys))
    for row in rows:
        print("  ".join(f"{row[key]:12.4g}" for key in keys))
    for key in keys[1:]:
        held_out = rows[-1]
        slope, intercept = line(rows[:-1], key)
        predicted = intercept + slope * held_out["ranks"]
        slope, intercept = line(rows, key)
        print(f"{key}: {predicted:.4g} predicted at {held_out['ranks']} ranks by those before, {held_out[key]:.4g} seen "
              f"({predicted / held_out[key] - 1:+.1%}); {intercept + slope * nodes:.4g} at {nodes}")


def main(build, nodes="4392"):
    with tempfile.TemporaryDirectory() as folder:
        print("# simulated, one rank on each host", flush=True)
        show([simulated(build, ranks, folder) for ranks in SIMULATED], int(nodes))
        print("# memory, all ranks on this machine", flush=True)
        show([memory_of_ranks(build, ranks, folder) for ranks in REAL], int(nodes))


if __name__ == "__main__":
    if len(sys.argv) > 2 and sys.argv[1] == "--rank":
        sys.exit(as_rank(sys.argv[2], sys.argv[3:]))
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
