#!/usr/bin/env python3
"""Plants faults into programs, and holds `hockney advise --verify` to naming and proving them.

    tests/benchmarks/advice_proof.py BUILD [--blocks 12] [--runs 20] [--faults eager,algorithm,mapping,none]

Of each fault (an eager limit too small for the messages, a slow algorithm forced, ranks that exchange parted over two nodes of
tests/rigs/nodes.sh) the machine is measured, the program recorded, and the advice launched beside the program as it was. Good is
what is named first, lies in the predicted range, and has the verdict "faster". A program without a fault is recorded as often as
--runs says, and must never get an advice. Exit code 1 where anything is not so, 77 for what cannot be tried here.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_mpi_yield_when_idle="1")
TCP = {"OMPI_MCA_btl": "self,tcp"}

# name: ranks, program, environment, in the rig, what the first advice says
FAULTS = {
    "eager": (2, ["late-receiver", "100", "16384"], dict(TCP, OMPI_MCA_btl_tcp_eager_limit="4096"), False, "eager_limit"),
    "algorithm": (2, ["allreduce", "400", "1048576"], {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1",
                                                      "OMPI_MCA_coll_tuned_allreduce_algorithm": "1"}, False, "allreduce"),
    "mapping": (4, ["far-neighbours", "200", "65536"], {}, True, "ranks"),
    "none": (2, ["none", "60", "64"], {}, False, ""),
}


class Trial:
    """One program on one machine."""

    def __init__(self, build, folder, fault):
        self.build, self.folder = build, folder
        self.ranks, arguments, variables, self.in_rig, self.expected = FAULTS[fault]
        self.environment = dict(ENVIRONMENT, **variables)
        self.launch = ["mpirun", "-n", str(self.ranks)] + ([] if self.in_rig else ["--oversubscribe"])
        self.program = self.launch + [self.binary("profile_faulty")] + arguments
        self.machine = self.path("machine")
        os.makedirs(self.machine)

    def binary(self, name):
        return os.path.join(self.build, "bin", name)

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, command, codes=(0,)):
        if self.in_rig:
            command = [os.path.join(ROOT, "tests/rigs/nodes.sh"), "--within", "2", "2"] + command
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=900, check=False)
        if done.returncode == 77:
            sys.stderr.write(done.stderr)
            sys.exit(77)
        if done.returncode not in codes:
            sys.exit(f"{' '.join(command)}\nended with {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout

    def measure(self, launches):
        for launch in range(launches):
            self.run(self.launch + [self.binary("hockney-pingpong"), "--sizes", "8:1M", "--epochs", "3", "-o",
                                    os.path.join(self.machine, f"pingpong-{launch}.json")])
        self.run(self.launch[:2] + ["2"] + self.launch[3:] + [self.binary("hockney-protocol"), "--searches", "1", "--most", "256K",
                                                              "--flood-messages", "50", "-o", os.path.join(self.machine, "protocol.json")])

    def record(self):
        """Anew: a profile replaces nothing."""
        for name in ("run.json", "run.events"):
            if os.path.exists(self.path(name)):
                os.remove(self.path(name))
        self.run([self.binary("hockney"), "profile", "--log", "-o", self.path("run.json"), "--"] + self.program)

    def advise(self, *more):
        """Exit codes: nothing is wrong, a wrong advice, none shown."""
        text = self.run([self.binary("hockney"), "advise", self.path("run.json"), self.machine, "--json", *more], codes=(0, 1, 4))
        return json.loads(text)


def interval(values, scale):
    return "not known" if values is None else f"{100 * (values['low'] / scale - 1):.0f} .. {100 * (values['high'] / scale - 1):.0f} %"


def prove(build, fault, blocks):
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(build, folder, fault)
        trial.measure(6)
        trial.record()
        document = trial.advise("--blocks", str(blocks), "-o", trial.path("trial"), "--verify", "--", *trial.program)
        if not document["advice"]:
            print(f"{fault:10} nothing advised")
            return False
        first = document["advice"][0]
        verified = first["verified"]
        is_named = trial.expected in first["change"] or trial.expected in json.dumps(first["variables"]) or \
            (fault == "mapping" and bool(first["hosts"]))
        print(f"{fault:10} {first['change']}: predicted {interval(first['range_seconds'], document['measured_seconds'])}, measured "
              f"{interval(verified['ratio_interval'], 1)}, {verified['verdict']}, {verified['agreement']}")
        return is_named and verified["verdict"] == "faster" and verified["agreement"] == "as predicted"


def leave_alone(build, runs):
    advised = 0
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(build, folder, "none")
        trial.measure(6)
        for _ in range(runs):
            trial.record()
            advised += 1 if trial.advise()["advice"] else 0
    print(f"none       {runs - advised} of {runs} runs got no advice")
    return advised == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--blocks", type=int, default=12)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--faults", default="eager,algorithm,mapping,none")
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    faults = options.faults.split(",")
    if unknown := [fault for fault in faults if fault not in FAULTS]:
        parser.error(f"unknown faults {unknown}: use {','.join(FAULTS)}")
    good = [leave_alone(build, options.runs) if fault == "none" else prove(build, fault, options.blocks) for fault in faults]
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
