"""The undamaged files: those of tests/fixtures and tests/fuzz/corpus, and what the built programs make.

Few launches are measured. Campaigns of many launches, nights and nodes are copies of them whose times differ a little, so that every
verdict and model is reached. What is made stays in OUT/seeds for the next run.
"""

import copy
import datetime
import hashlib
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[3]
LAUNCHES = 8
NIGHTS = 24
HOSTS = 8
PATIENCE_SECONDS = 300

PROGRAM = r"""
#include <mpi.h>
int main(int argc, char** argv) {
  int rank, size;
  double sum = 0, one = 1;
  static char in[100000], out[100000];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 12; ++i) {
    MPI_Request requests[2];
    int bytes = i % 3 == 0 ? 100000 : 800;
    MPI_Irecv(in, bytes, MPI_CHAR, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, bytes, MPI_CHAR, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[1]);
    for (volatile int work = 0; work < 20000 * (rank + 1); ++work) {}
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
"""

# A launch in place of MPI's: what a program of the suite would have left is already there.
PRETENDER = """#!/bin/sh
# Takes --output FILE and leaves the file "launched" there (or "journal" as its journal, and fails), beside this program's folder.
here=$(dirname "$0")
while [ $# -gt 1 ]; do
  [ "$1" = --output ] && output=$2
  shift
done
[ -f "$here/../journal" ] && cp "$here/../journal" "$output.journal" && exit 3
cp "$here/../launched" "$output"
"""


def environment():
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HOCKNEY_", "OMPI_", "PMIX_", "SLURM_"))}
    kept.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
                OMPI_MCA_mpi_yield_when_idle="1", LC_ALL="C.UTF-8", COLUMNS="100")
    return kept


class Maker:
    def __init__(self, build, folder):
        self.bin = pathlib.Path(build, "bin").resolve()
        self.folder = folder

    def command(self, *words, accepted=(0, 1), cwd=None):
        done = subprocess.run([str(word) for word in words], env=environment(), cwd=cwd or self.folder, capture_output=True,
                              timeout=PATIENCE_SECONDS, check=False)
        if done.returncode not in accepted:
            sys.exit(f"cannot make the undamaged files ({' '.join(map(str, words))}: exit code {done.returncode}: "
                     f"{done.stderr.decode(errors='replace')[-500:]})")
        return done.stdout

    def hockney(self, *words, **options):
        return self.command(self.bin / "hockney", *words, **options)

    def campaign(self, name, program, arguments, settings=None, axes=None, ranks=2, env=None):
        """Measures one launch of each setting, in folder `name`."""
        config = {"schema": "hockney.campaign/1", "name": name, "program": program, "arguments": arguments, "ranks": ranks, "launches": 1,
                  "environment": env or {}}
        config.update({"axes": axes} if axes else {"settings": settings or [{"name": "default"}]})
        file = self.folder / "configs" / f"{name}.json"
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(config))
        self.hockney("run", file, "--out", name, "--no-page", "-q")
        shutil.rmtree(self.folder / name / "logs", ignore_errors=True)


def scaled(value, factor):
    if isinstance(value, list):
        return [scaled(element, factor) for element in value]
    return value if value is None else value * factor


def another(record, factor, draw):
    """A launch like this one, whose times are longer by a factor and a little chance."""
    made = copy.deepcopy(record)
    made["seed"] = draw.getrandbits(40)
    for series in made["series"]:
        of_series = factor * (1 + draw.gauss(0, 0.02))
        for holder in series, series.get("summary") or {}:
            for key in holder:
                if key.endswith("_seconds") and key != "starts_seconds":
                    holder[key] = scaled(holder[key], of_series)
    return made


def first_records(folder):
    return {path.stem: json.loads(path.read_text()) for path in sorted(pathlib.Path(folder, "records").glob("*.json"))}


def save(record, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(record))


def multiply(folder, draw, launches=LAUNCHES):
    """Further launches of a measured campaign, beside the first ones."""
    for name, record in first_records(folder).items():
        for launch in range(2, launches + 1):
            made = another(record, 1 + 0.01 * draw.random(), draw)
            made["campaign"]["launch"] = launch
            save(made, folder / "records" / f"{name[:-3]}{launch:03}.json")


def nights(maker, draw):
    """Nightly campaigns: two thirds of a month, of which the last days are slower."""
    record = next(iter(first_records(maker.folder / "two").values()))
    first = datetime.date.today() - datetime.timedelta(days=NIGHTS)
    for night in range(NIGHTS):
        day = (first + datetime.timedelta(days=night)).isoformat()
        made = another(record, 2 if night > NIGHTS - 6 else 1, draw)
        made["started_utc"] = f"{day}T03:00:00Z"
        made["campaign"] = {"name": "nightly", "setting": "default", "launch": 1, "axes": {}}
        save(made, maker.folder / "nights" / day / "1.json")
    last = maker.folder / "nights" / day / "1.json"
    shutil.copyfile(last, maker.folder / "night.json")
    shutil.rmtree(last.parent)
    history = maker.folder / "history.sqlite"
    for words in (["ingest", "nights"], ["note", "a note", "--day", (first + datetime.timedelta(days=3)).isoformat()],
                  ["maintenance", "--from", first.isoformat(), "--to", first.isoformat(), "--why", "power"]):
        maker.hockney("health", *words, "--history", history)


def fleet(maker, draw):
    """Pairs of hosts: those of one launch of many ranks, each on a host of its own; one host is slow."""
    record = next(iter(first_records(maker.folder / "pairs").values()))
    facts = record["provenance"]["hosts"][0]
    record["provenance"]["hosts"] = [dict(facts, name=f"n{host}") for host in range(HOSTS)]
    for place in record["ranks"]:
        place["host"] = f"n{place['rank']}"
    for owner in record["points"] + record["series"]:
        point = owner.get("point") or owner
        if point.get("pair"):
            point["hop"] = "cross-node"
    shutil.rmtree(maker.folder / "pairs")
    for launch in range(1, 4):
        made = another(record, 1, draw)
        made["campaign"]["launch"] = launch
        save(made, maker.folder / "pairs" / "records" / f"default-{launch:03}.json")
    maker.hockney("health", "ingest", "pairs", "--history", "fleet.sqlite")


def logged(maker):
    """A profile with a log of its events, of a program of four ranks."""
    with tempfile.TemporaryDirectory() as place:
        source = pathlib.Path(place, "ring.c")
        source.write_text(PROGRAM)
        maker.command("mpicc", "-O1", source, "-o", maker.folder / "ring")
    maker.hockney("profile", "--log", "-o", "log.json", "--", "mpirun", "-n", "4", "./ring")
    maker.hockney("profile", "-o", "log2.json", "--", "mpirun", "-n", "2", "./ring")


def answers(folder):
    """What people and earlier commands say of these records: known violations, sizes at which a file was slower."""
    guideline = next(iter(first_records(folder / "guidelines").values()))["guidelines"][0]["name"]
    (folder / "known.json").write_text(json.dumps({
        "schema": "hockney.guidelines-baseline/1", "known": [{"guideline": guideline, "bytes": 8, "ranks": 2, "note": "a bug"}]}))
    points = [{"operation": "bcast", "slower": slower, "point": {"bytes": size, "ranks": 2}} for size, slower in ((8, True), (1024, False))]
    (folder / "verified.json").write_text(json.dumps({"schema": "hockney.tune-verify/1", "points": points}))


def measured(maker, draw):
    """What needs launches of MPI programs."""
    quick = ["--epochs", "2", "--samples", "4"]
    maker.campaign("two", "hockney-pingpong", ["--sizes", "8,1K,64K", *quick],
                   [{"name": "default"}, {"name": "eager", "environment": {"OMPI_MCA_btl_vader_eager_limit": "512"}}])
    maker.campaign("guidelines", "hockney-guidelines",
                   ["--sizes", "8,1K", "--guidelines", "scan <= exscan + reduce_local,allgather <= allgatherv", "--budget", "300ms"])
    maker.campaign("tuned", "hockney-collectives", ["--operations", "bcast", "--sizes", "8,1K", "--budget", "200ms"],
                   axes=[{"name": "algorithm", "variable": "OMPI_MCA_coll_tuned_bcast_algorithm", "values": [None, "basic_linear", "chain"]}],
                   env={"OMPI_MCA_coll_tuned_use_dynamic_rules": "1"})
    maker.campaign("sums", "hockney-collectives", ["--operations", "allreduce", "--sizes", "8,1K,64K", "--budget", "200ms"], ranks=4)
    maker.campaign("self-test", "hockney-self-test", ["--operations", "pingpong", "--slow-downs", "20", "--sizes", "8,1K", *quick])
    maker.campaign("halo", "hockney-halo", ["--points", "32x32", "--ways", "blocking,immediate", "--budget", "300ms"])
    maker.campaign("pairs", "hockney-pingpong", ["--pairs", "all", "--operations", "pingpong", "--sizes", "8,1K,64K", *quick], ranks=HOSTS)
    maker.campaign("protocol", "hockney-protocol",
                   ["--most", "64K", "--flood-messages", "64", "--searches", "1", "--layouts", "bytes", "--overhead-sizes", "8,512", "--calls", "send"])
    for name in ("two", "guidelines", "tuned", "sums", "halo"):
        multiply(maker.folder / name, draw)
    multiply(maker.folder / "self-test", draw, 12)
    nights(maker, draw)
    fleet(maker, draw)
    logged(maker)
    maker.hockney("tune", "tuned", "-o", "tuned.rules")
    answers(maker.folder)
    maker.hockney("topo", "--network", SOURCE / "tests/fixtures/network/tree-two-leaves.txt", "-o", "network.json")


def pretended(maker):
    """A campaign of launches of no MPI, that can go on after any change of its manifest."""
    place = maker.folder / "pretended"
    shutil.copyfile(maker.folder / "two-record.json", place / "launched")
    maker.hockney("run", "../one.json", "--executable-dir", "bin", "--launcher", "openmpi", "--launcher-command", "bin/mpirun", "--out", "c", "--no-page",
                  "-q", cwd=place, accepted=(0, 3))


def derived(folder):
    """Single files of the folders that were made."""
    for name, source in (("two-record.json", "two"), ("guideline-record.json", "guidelines"), ("tuned-record.json", "tuned"),
                         ("sums-record.json", "sums"), ("self-test-record.json", "self-test"), ("halo-record.json", "halo"),
                         ("pairs-record.json", "pairs"), ("protocol-record.json", "protocol")):
        shutil.copyfile(sorted((folder / source / "records").glob("*.json"))[0], folder / name)


def fixtures(folder):
    """What needs no launch."""
    for name in ("documents", "network", "profiles", "topologies"):
        shutil.copytree(SOURCE / "tests/fixtures" / name, folder / name)
    shutil.copytree(SOURCE / "tests/fuzz/corpus", folder / "corpus")
    pretended = folder / "pretended" / "bin"
    pretended.mkdir(parents=True)
    program = pretended / "hockney-pingpong"
    program.write_text(PRETENDER)
    program.chmod(0o755)
    shutil.copyfile(SOURCE / "tests/driver/campaign/mock_mpirun.sh", pretended / "mpirun")
    (pretended / "mpirun").chmod(0o755)
    (folder / "one.json").write_text(json.dumps({
        "schema": "hockney.campaign/1", "name": "one", "program": "hockney-pingpong", "arguments": [], "ranks": 2, "launches": 1}))
    (folder / "hosts").write_text("a\na\nb\nb\n")


def made_by(build, fixtures_only):
    """Another one where the files would be others: by another program, or by other lines here."""
    program = pathlib.Path(build, "bin/hockney").resolve()
    lines = hashlib.sha256(pathlib.Path(__file__).read_bytes()).hexdigest()
    return f"{program} {program.stat().st_mtime_ns} {lines} {'fixtures' if fixtures_only else 'all'}"


def make(build, out, fixtures_only):
    """Makes OUT/seeds, unless they are there from the same program."""
    folder = pathlib.Path(out, "seeds").resolve()
    origin = made_by(build, fixtures_only)
    mark = folder / "made-by"
    if mark.exists() and mark.read_text() == origin and not fixtures_only:
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    fixtures(folder)
    if not fixtures_only:
        maker = Maker(build, folder)
        measured(maker, random.Random(1))
        derived(folder)
        pretended(maker)
    mark.write_text(origin)
