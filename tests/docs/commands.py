#!/usr/bin/env python3
"""Runs the commands of a document as it writes them.

commands.py prepare FOLDER BINARY_DIR MPIEXEC    small results of every kind, measured now, for all documents
commands.py run FOLDER DOCUMENT                  every command of the document, in a copy of that folder; of --help: all examples

A command is a line of an indented block whose first word is a program of hockney, a launcher, CMake or a script of this
repository; what follows three blanks or a # explains it, and what stands in brackets may be left out. Each must end
with exit code 0. `exceptions` says of which another code is right, and which are not run as written, and why; what it
says of no command is an error, too.
"""
import fnmatch
import glob
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time

HELP = "--help"
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COMMAND = re.compile(r"([A-Z_]+=\S+ )*(hockney(-[a-z]+)?|mpirun|smpirun|srun|cmake|ctest|\./bootstrap|(build|tests)/\S+)( |$)")
LIMIT_SECONDS = 400  # four ranks on two busy cores


def commands_of(text):
    """In order, whole where a line ends with a backslash, without what explains them."""
    found, begun = [], ""
    for line in text.splitlines():
        if not line.startswith("    "):
            begun = ""
            continue
        line = re.split(r"   +|\s#\s", line.strip())[0].strip()
        if begun or COMMAND.match(line):
            begun += line
            if begun.endswith("\\"):
                begun = begun[:-1]
                continue
            found.append(" ".join(begun.split()))
            begun = ""
    return found


class Exceptions:
    """Lines `document | command, * for any text | how | why`."""

    def __init__(self, document):
        with open(os.path.join(SOURCE, "tests/docs/exceptions"), encoding="utf-8") as file:
            rows = [[part.strip() for part in line.split(" | ")] for line in file if line.strip() and line[0] != "#"]
        bad = [row for row in rows if len(row) != 4 or not all(row)]
        assert not bad, f"not 'document | command | how | why': {bad}"
        gone = [row for row in rows if row[0] != HELP and not os.path.exists(os.path.join(SOURCE, row[0]))]
        assert not gone, f"of documents that are gone: {gone}"
        self.rows = [row for row in rows if row[0] == document]
        self.used = set()

    def how(self, command):
        for number, (_, pattern, how, _) in enumerate(self.rows):
            if fnmatch.fnmatchcase(command, pattern.replace("[", "[[]")):
                self.used.add(number)
                return how
        return "as written"

    def stale(self):
        return [row[1] for number, row in enumerate(self.rows) if number not in self.used]


def environment(folder):
    """Open MPI gets what a machine with enough cores needs not."""
    path = [os.path.join(folder, "bin"), os.path.join(folder, "build/ci/bin"), os.environ["PATH"]]
    return os.environ | {
        "PATH": ":".join(path), "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1",
        "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}


def run(folder, command):
    return subprocess.run(["bash", "-c", command], cwd=folder, env=environment(folder), text=True, check=False,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT_SECONDS)


def examples(folder, program):
    """Those of a program's help and of its subcommands', indented as in documents."""
    text = run(folder, f"{program} --help").stdout
    own = text.partition("\nExamples:\n")[2].replace("\n", "\n  ")
    assert own, f"{program} --help has no examples"
    listed = re.search(r"\nSubcommands:\n((  .*\n)+)", text)
    below = re.findall(r"^  (\S+)", listed[1], re.MULTILINE) if listed else []
    return f"  {own}\n" + "".join(examples(folder, f"{program} {name}") for name in below)


def text_of(folder, document):
    if document == HELP:
        programs = sorted(os.path.basename(file) for file in glob.glob(f"{folder}/build/ci/bin/hockney-*"))
        return "".join(examples(folder, program) for program in ["hockney"] + programs)
    with open(os.path.join(SOURCE, document), encoding="utf-8") as file:
        return file.read()


def run_documented(folder, document):
    commands = list(dict.fromkeys(commands_of(text_of(folder, document))))
    exceptions, failures = Exceptions(document), []
    for command in commands:
        how, codes, executed = exceptions.how(command), {0}, re.sub(r" \[.*\]", "", command)
        if how == "nothing":
            continue
        if how == "0 or 1":
            codes = {0, 1}
        elif how == "--dry-run":
            executed = command.replace("hockney run ", "hockney run --dry-run ")
        elif how != "as written":
            executed = how
        begin = time.monotonic()
        result = run(folder, executed)
        seconds = f"{time.monotonic() - begin:5.1f} s"
        print(f"{'ok' if result.returncode in codes else 'FAILED'} {result.returncode}  {seconds}  {executed}", flush=True)
        if result.returncode not in codes:
            failures.append(executed)
            print(result.stdout[-2000:], result.stderr[-2000:])
    stale = exceptions.stale()
    for pattern in stale:
        print(f"tests/docs/exceptions: {document} has no command '{pattern}' any more")
    return 1 if failures or stale else 0


def copy_records(source, target, setting=None, name=None, axes=None, files="*"):
    """The records of a campaign as launches of their own in another folder, of another setting, campaign and place."""
    os.makedirs(target, exist_ok=True)
    for file in glob.glob(f"{source}/records/{files}.json"):
        with open(file, encoding="utf-8") as text:
            record = json.load(text)
        place = record["campaign"]
        place |= {"setting": setting or place["setting"], "name": name or place["name"], "axes": axes or place["axes"]}
        record["seed"] = random.getrandbits(32)
        with open(f"{target}/{place['setting']}-{record['procedure']}-{place['launch']}.json", "w", encoding="utf-8") as text:
            json.dump(record, text)


def measure(folder, name, config):
    config = {"schema": "hockney.campaign/1", "name": name, "launches": 2} | config
    with open(f"{folder}/{name}.json", "w", encoding="utf-8") as file:
        json.dump(config, file)
    result = run(folder, f"hockney run {name}.json --out measured/{name}")
    assert result.returncode == 0, f"{name}: {result.stderr}"
    return f"{folder}/measured/{name}"


def prepare(folder, binary_dir, mpiexec):
    """Everything a document may name, of four campaigns."""
    shutil.rmtree(folder, ignore_errors=True)
    for made in ("bin", "build", "results", "nights", "again"):
        os.makedirs(f"{folder}/{made}")
    for entry in ("configs", "docs", "tests", "bootstrap"):
        os.symlink(f"{SOURCE}/{entry}", f"{folder}/{entry}")
    os.symlink(binary_dir, f"{folder}/build/ci")
    os.symlink(binary_dir, f"{folder}/build/dev")
    if os.path.isdir(f"{binary_dir}/simulated"):
        os.symlink(f"{binary_dir}/simulated", f"{folder}/build/smpi")
    os.symlink(mpiexec, f"{folder}/bin/mpirun")
    short = ["--epochs", "2", "--samples", "5"]
    pairs = measure(folder, "pairs", {"program": "hockney-pingpong", "arguments": ["--sizes", "0:64K"] + short})
    forced = {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1"}
    collectives = measure(folder, "collectives", {
        "program": "hockney-collectives", "environment": forced,
        "arguments": ["--operations", "allreduce,bcast", "--sizes", "8,1K,8K,64K"] + short,
        "axes": [{"name": "algorithm", "variable": "OMPI_MCA_coll_tuned_allreduce_algorithm", "values": [None, "ring", "recursive_doubling"]}]})
    guidelines = measure(folder, "guidelines", {
        "program": "hockney-guidelines", "launches": 1, "arguments": ["--sizes", "8,1K"] + short})
    protocol = measure(folder, "protocol", {
        "program": "hockney-protocol", "launches": 1, "arguments": ["--searches", "1", "--most", "64K"]})
    for target, settings in {"results/before": ["a"], "results/after": ["a"], "A": ["a"], "B": ["a"],
                             "nights/2026-11-22/pairs": ["a"], "again/2026-11-22": ["a"], "results/hops": ["a"], "results/hops-1": ["a"],
                             "results/tonight": ["eager", "tcp"], "r": ["shm", "cma"]}.items():
        for setting in settings:
            copy_records(pairs, f"{folder}/{target}", setting)
    for target in ("results/sweep", "FOLDER", "results/bcast", "results/p4", "results/collectives-1"):
        shutil.copytree(collectives, f"{folder}/{target}")
    # results/x stands for whatever the command is about: settings a and b, an axis, guidelines.
    for setting, algorithm in (("a", "default"), ("b", "ring")):
        copy_records(collectives, f"{folder}/results/x", setting, axes={"algorithm": algorithm}, files=f"algorithm={algorithm}-*")
    copy_records(guidelines, f"{folder}/results/x", "g", "collectives", {"algorithm": "recursive_doubling"})
    shutil.copy(f"{folder}/pairs.json", f"{folder}/eager.json")
    shutil.copytree(protocol, f"{folder}/results/protocol")
    for number in (1, 2, 3):
        with open(f"{folder}/lat-{number}.txt", "w", encoding="utf-8") as file:
            file.write(f"# OSU MPI Latency Test v7.4\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n8 0.2{number}\n1024 0.5{number}\n")
    for name in ("p2.json", "p4.json"):
        shutil.copy(f"{SOURCE}/tests/fixtures/profiles/{name}", folder)
    network = f"{SOURCE}/tests/fixtures/network"
    shutil.copy(f"{network}/tree-three-levels.conf", f"{folder}/topology.conf")
    shutil.copy(f"{network}/ib-leaf-spine.txt", f"{folder}/fabric.txt")
    shutil.copy(f"{network}/topology.yaml", f"{folder}/topology.yaml")
    with open(f"{folder}/guids.txt", "w", encoding="utf-8") as file:
        file.write("n0: 0000:0000:0010:0000\n")
    shutil.copytree(f"{network}/lldp", f"{folder}/lldp")
    logged = run(folder, "hockney profile --log -o run.json -- mpirun -n 2 hockney-pingpong --sizes 8,64K --epochs 1")
    assert logged.returncode == 0, logged.stderr
    sampled = run(folder, "hockney profile --sample -o s4.json -- mpirun -n 2 hockney-pingpong --sizes 8,64K --epochs 1")
    assert sampled.returncode == 0, sampled.stderr
    with open(f"{folder}/known.json", "w", encoding="utf-8") as file:
        json.dump({"schema": "hockney.guidelines-baseline/1", "known": []}, file)
    return 0


def main(action, folder, *more):
    if action == "prepare":
        return prepare(folder, *more)
    document = more[0]
    own = f"{folder}-{document.replace('/', '-')}"
    shutil.rmtree(own, ignore_errors=True)
    shutil.copytree(folder, own, symlinks=True)
    code = run_documented(own, document)
    shutil.rmtree(own)
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
