#!/usr/bin/env python3
"""Writes a page of each kind of document from the inputs of tests/golden, the same on every machine:

pages.py BUILD FOLDER [NAME...]

BUILD has bin/hockney and share/hockney/page (target page-scripts). FOLDER gets NAME.html of the pages named below, or of all.
pictures.mjs compares what they show with pictures.json; docs/picture.sh makes the pictures of the documents.
"""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(SOURCE, "tests/golden"))
import inputs  # noqa: E402

HISTORY = "hockney health ingest in/{0} --history {0}.sqlite && hockney health {1} --history {0}.sqlite --page {2}.html"
COMMANDS = {
    "campaign": "tar -xJf reference/hops.tar.xz && hockney report hops -o campaign.html",
    "pairs": "hockney report in/hops -o pairs.html",
    "sweep": "hockney report in/allreduces -o sweep.html",
    "comparison": "hockney compare in/tuned --by algorithm -o comparison.html",
    "guidelines": "hockney guidelines in/guidelines -o guidelines.html",
    "tune": "hockney tune in/tuned --page tune.html",
    "protocol": "hockney report in/protocol -o protocol.html",
    "contention": "hockney report in/contention -o contention.html",
    "noise": "hockney report in/noise -o noise.html",
    "paths": "hockney report in/paths -o paths.html",
    "kernels": "hockney report in/halo -o kernels.html",
    "overlap": "hockney report in/overlap -o overlap.html",
    "profile": "hockney profile show in/grid-8.json --page profile.html",
    "log": "hockney profile show in/run.json --page log.html",
    "runs": "hockney profile compare in/grid-4.json in/grid-8.json --weak --page runs.html",
    "map": "hockney map in/grid-8.json --page map.html --machine 'pack:2 core:8 pu:1'",
    "projection": "hockney predict in/hops --setting a --profile in/run.json --page projection.html",
    "topology": "hockney topo --synthetic 'pack:2 l3:2 core:2 pu:1' --pairs all -q --page topology.html",
    "network": "hockney topo --network tests/fixtures/network/tree-three-levels.conf -q --page network.html",
    "health": HISTORY.format("nights", "check --all", "health"),
    "fleet": HISTORY.format("fleet", "check --all", "fleet"),
    "calibration": HISTORY.format("nights", "calibrate --series-years 50 -q", "calibration"),
}


def where():
    """Four ranks on two nodes of eight CPUs; two of them share a CPU."""
    def node(host):
        return {"host": host, "cpu_model": "Example CPU", "launcher_cpus": list(range(8)), "list": None, "listed_cpus": [], "others": [],
                "pus": [{"os_cpu": cpu, "core": cpu, "l2": cpu, "l3": cpu // 4, "numa": [cpu // 4], "package": 0, "kind": None}
                        for cpu in range(8)]}

    def rank(number, host, cpus, threads):
        return {"rank": number, "host": host, "mpi_library": "Open MPI v5.0.9", "started_on": [cpus], "of": 4,
                "threads": [{"allowed_cpus": cpus, "last_cpu": int(cpus[0]), "memory_node": 0} for _ in range(threads)]}

    def ranks(first):
        return [rank(0, "node0", first, 1), rank(1, "node0", "1", 1), rank(2, "node1", "0-3", 2), rank(3, "node1", "4-7", 2)]

    fault = {"kind": "shared-cpu", "host": "node0", "cpus": [1], "ranks": [0, 1], "text": "ranks 0 and 1 share CPU 1 of node0",
             "fix": "bind each rank to a core"}
    command = ["mpirun", "-n", "4", "./app"]
    nodes = [node("node0"), node("node1")]
    return {"schema": "hockney.where/2", "summary": {}, "command": command, "launcher": "openmpi5", "ran_program": False,
            "nodes": nodes, "ranks": ranks("1"), "faults": [fault], "causes": ["mpirun was told to bind to nothing"],
            "fixed_command": command[:3] + ["--bind-to", "core"] + command[3:], "left_out": [], "not_mendable": None,
            "proof_failure": None, "proof": {"nodes": nodes, "ranks": ranks("0"), "faults": []}}


def scaling():
    """Times of the law 2 s + 64 s / ranks, two percent off in turns; two more doublings by the law."""
    def point(step):
        ranks = 2**step
        seconds = (2 + 64 / ranks) * (1.02 if step % 2 else 1)
        measured = step < 5
        return {"ranks": ranks, "measured": measured, "seconds": seconds, "efficiency": 66 / (ranks * seconds), "way": None,
                "interval_seconds": {"low": 0.97 * seconds, "high": 1.03 * seconds}, "launches": 6 if measured else None,
                "computing_fraction": 64 / ranks / seconds if measured else None, "load_imbalance_fraction": 0,
                "communication_fraction": 1 - 64 / ranks / seconds}

    return {"schema": "hockney.scaling/1", "summary": {"reliability": ["six launches of each"]}, "command": ["mpirun", "-n", "{}", "./app"],
            "asked_efficiency": 0.7, "best_ranks": 8, "scaling": "strong", "held_out_error": 0.013,
            "law": {"constant_seconds": 2, "divided_seconds": 64, "doubled_seconds": 0.01}, "points": [point(step) for step in range(7)]}


DOCUMENTS = {"where": where, "scaling": scaling}  # only a launch writes pages of these
FIRST = re.compile(r'(<script type="application/json" class="document"[^>]*>).*?(</script>)', re.DOTALL)


def main(build, folder, *names):
    names = names or (*COMMANDS, *DOCUMENTS)
    build = os.path.abspath(build)
    with tempfile.TemporaryDirectory() as scratch:
        inputs.make(os.path.join(scratch, "in"), SOURCE)
        for link, target in (("tests", "tests"), ("reference", "results/reference")):
            os.symlink(os.path.join(SOURCE, target), os.path.join(scratch, link))
        environment = {"PATH": f"{build}/bin:/usr/bin:/bin", "HOME": "/nonexistent", "TZ": "UTC", "LANG": "C.UTF-8"}

        def page(name):
            made = subprocess.run(["bash", "-c", COMMANDS[name]], cwd=scratch, env=environment, check=False, capture_output=True, text=True)
            with open(os.path.join(scratch, name + ".html"), encoding="utf-8") as file:
                return file.read() if made.returncode < 2 else sys.exit(f"{name}: {made.stderr}")

        os.makedirs(folder, exist_ok=True)
        for name in names:
            text = page(name if name in COMMANDS else "topology")
            if name in DOCUMENTS:
                document = inputs.json.dumps(DOCUMENTS[name]())
                text = FIRST.sub(lambda found, new=document: found[1] + new + found[2], text, count=1)
            inputs.write(os.path.join(folder, name + ".html"), text)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: pages.py BUILD FOLDER [NAME...]")
    main(*sys.argv[1:])
