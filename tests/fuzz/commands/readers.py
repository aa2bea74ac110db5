"""Every kind of file that a command of hockney reads: undamaged files of it, and the commands.

Commands run in a folder of their own with the damaged file and what stands beside it; what they write goes to out/. `{s}` is the
folder of undamaged files. A new reader, or a new command of one, is a row here.
"""

import dataclasses
import fnmatch
import os


@dataclasses.dataclass(frozen=True)
class Reader:
    name: str
    kind: str        # of damage, as in mutations.DAMAGE
    file: str        # name of the damaged file in the folder of a run
    seeds: list      # undamaged files, patterns below the folder of them
    commands: list
    beside: dict = dataclasses.field(default_factory=dict)  # further files and folders of a run: where they come from
    code: int = 0    # of the undamaged file; 0, 1 and 4 always count as taken
    needs_launches: bool = True  # to make the undamaged files

    def with_seeds(self, folder):
        """With the files that the patterns stand for."""
        names = []
        for root, _, files in sorted(os.walk(folder)):
            names += [os.path.relpath(os.path.join(root, file), folder) for file in sorted(files)]
        found = [name for pattern in self.seeds for name in names if fnmatch.fnmatch(name, pattern)]
        if not found:
            raise LookupError(f"no undamaged file {self.seeds} of reader {self.name}")
        return dataclasses.replace(self, seeds=found)


HISTORY = "--history out/h.sqlite"
PRINTED = ["report f", "report f --all", "report f -o out/page.html", "fit f", "fit f --all", "fit f --json", "export csv f",
           "export csv f --launches"]


def placed(commands, name):
    """With the file's name in the place of the word "f"."""
    return [" ".join(name if word == "f" else word for word in command.split(" ")) for command in commands]


def records():
    any_record = ["documents/record.json", "two-record.json", "protocol-record.json", "sums-record.json", "halo-record.json"]
    name = "in/record.json"
    yield Reader("record", "json", name, any_record, placed(PRINTED + [
        f"health ingest f {HISTORY}", f"health ingest f --day 2026-11-22 {HISTORY}"], name), code=2)
    yield Reader("record-cbor", "cbor", "in/record.cbor", ["documents/record.json", "two-record.json"],
                 placed(["report f --all", "fit f", "export csv f", f"health ingest f {HISTORY}"], "in/record.cbor"), code=2)
    yield Reader("record-in-campaign", "json", "in/records/default-001.json", ["two-record.json"],
                 ["report in", "report in --all", "report in -o out/page.html", "fit in", "compare in:default in:eager", "compare in:default in:eager --json",
                  "compare in:default {s}/night.json --fail-on slower", "export csv in"], {"in": "two"})
    yield Reader("record-in-sweep", "json", "in/records/algorithm=chain-001.json", ["tuned/records/algorithm=chain-001.json"],
                 ["report in --by algorithm", "compare in --by algorithm", "compare in --by algorithm --json", "tune in", "tune in --json",
                  "tune in -o out/t.rules", "tune in --exact --extend", "guidelines in"], {"in": "tuned"}, code=2)
    yield Reader("record-of-guidelines", "json", "in/records/default-001.json", ["guideline-record.json"],
                 ["guidelines in", "guidelines in --all", "guidelines in --json --junit out/g.xml", "guidelines in --correction holm"], {"in": "guidelines"})
    yield Reader("record-of-sums", "json", "in/records/default-001.json", ["sums-record.json"],
                 ["fit in", "predict in --operation allreduce --algorithm default --ranks 4,8 --force",
                  "predict in --operation allreduce --algorithm ring --ranks 4 --sizes 8:64K --json --force"], {"in": "sums"}, code=2)
    yield Reader("record-of-self-test", "json", "in/records/default-001.json", ["self-test-record.json"],
                 ["self-test in --each 6", "self-test in --each 6 --json"], {"in": "self-test"})
    yield Reader("record-of-halo", "json", "in/records/default-001.json", ["halo-record.json"],
                 ["compare in --by way", "report in", "predict {s}/two {s}/sums in --operation halo --problem 32x32 --ranks 4"], {"in": "halo"}, code=2)
    yield Reader("record-of-pairs", "json", "in/records/default-001.json", ["pairs-record.json"],
                 [f"health ingest in {HISTORY}", "topo --network in", "topo --network in --all", "topo --network in --json", "topo --network in -o out/sites.json",
                  "run {s}/configs/pairs.json --suspects in --dry-run --out out/c", "fit in --by pair", "report in --all",
                  "health check --again in --history h.sqlite"], {"in": "pairs", "h.sqlite": "fleet.sqlite"})
    yield Reader("record-of-adapters", "json", "in/records/default-001.json", ["pairs-record.json"],
                 ["topo --network {s}/network/ib-leaf-spine.txt --guids in"], {"in": "pairs"}, code=2)
    yield Reader("record-of-network", "json", "in/record.json", ["two-record.json"], [
        "predict in --profile {s}/log.json", "predict in --profile {s}/log.json --json", "advise {s}/log.json in",
        "predict {s}/two --setting default --profile {s}/log.json --machine in"])
    yield Reader("record-of-protocol", "json", "in/record.json", ["protocol-record.json", "documents/record.json"], [
        "profile show {s}/profiles/p4.json in", "profile show {s}/log.json in --all", "advise {s}/log.json {s}/two in --setting default --all"], code=2)
    yield Reader("record-after-launch", "json", "launched", ["two-record.json", "documents/record.json"],
                 ["run {s}/one.json --executable-dir bin --launcher openmpi --launcher-command bin/mpirun --out out/c --no-page"], {"bin": "pretended/bin"}, code=3)
    yield Reader("journal", "jsonl", "journal", ["documents/launch.json.journal", "corpus/journal/two.journal"],
                 ["run {s}/one.json --executable-dir bin --launcher openmpi --launcher-command bin/mpirun --out out/c --no-page"], {"bin": "pretended/bin"}, code=3)


def campaigns():
    yield Reader("config", "json", "c.json", ["corpus/config/quick.json", "corpus/config/hops.json", "corpus/config/eager-openmpi5.json",
                                              "corpus/config/tuned-openmpi-bcast.json", "corpus/config/heap-glibc.json", "configs/*.json"],
                 ["run c.json --dry-run --out out/c", "run c.json --dry-run --out out/c --vary a=1,2 --launches 3",
                  "scale c.json --ranks 2,4 -o out/s"], code=2)
    yield Reader("manifest", "json", "c/manifest.json", ["two/manifest.json", "documents/campaign/manifest.json"], [
        "run --resume --out c --no-page --dry-run", "report c", "tune c --verify {s}/tuned.rules --dry-run --out out/v"], {"c": "two"}, code=2)
    yield Reader("manifest-resumed", "json", "c/manifest.json", ["pretended/c/manifest.json"],
                 ["run --resume --out c --no-page -q --executable-dir bin"], {"c": "pretended/c", "bin": "pretended/bin", "launched": "two-record.json"})
    yield Reader("sites", "json", "sites.json", ["corpus/sites/*.json", "network.json"], [
        "topo --network sites.json", "topo --network sites.json --all", "topo --network sites.json --json", "fit {s}/pairs --sites sites.json",
        "fit {s}/pairs --sites sites.json --json", "run {s}/configs/pairs.json --sites sites.json --dry-run --out out/c",
        "predict {s}/two --setting default --profile {s}/log.json --sites sites.json", "advise {s}/log.json {s}/two --setting default --sites sites.json",
        "predict {s}/sums --operation allreduce --algorithm default --ranks 4 --sites sites.json --force"], code=2)


def networks():
    for name, pattern, kind in (("slurm-topology", "corpus/slurm_topology/*", "text"),
                                ("slurm-yaml", "corpus/slurm_yaml/*", "text"), ("slurm-address", "corpus/slurm_address/*", "text"),
                                ("ibnetdiscover", "corpus/ibnetdiscover/*", "text"), ("lldp", "corpus/lldp/*", "json"), ("cray", "corpus/cray/*", "text")):
        file = "switches/c1.json" if name == "lldp" else "network.txt"
        source = "switches" if name == "lldp" else file
        yield Reader(name, kind, file, [pattern], [
            f"topo --network {source}", f"topo --network {source} --all", f"topo --network {source} --json", f"topo --network {source} -o out/sites.json"],
                     {"switches": "corpus/lldp"} if name == "lldp" else {}, needs_launches=False)
    yield Reader("topology", "xml", "machine.xml", ["topologies/*.xml"], [
        "topo --xml machine.xml", "topo --xml machine.xml --json", "topo --xml machine.xml --pairs all",
        "map --grid 4x2 --nodes 2 --order compact --cpus numa --machine machine.xml -o out/pins --format intel"], code=2, needs_launches=False)


def suites():
    for suite, seed, facts in (("osu", "corpus/osu/runs.txt", "--ranks 4"), ("imb", "corpus/imb/run.txt", "--ranks 4"),
                               ("nccl-tests", "corpus/nccl/run.txt", "--ranks 4")):
        yield Reader(suite, "text", "printed.txt", [seed], [f"import {suite} printed.txt --out out/r {facts}", f"import {suite} printed.txt --out out/r"],
                     code=2, needs_launches=False)


def profiles():
    show = ["profile show p.json", "profile show p.json --all", "profile show p.json --json", "profile show p.json --csv", "profile show p.json --csv --by node",
            "profile show p.json --mpip", "profile show p.json -q", "profile show p.json --page out/p.html"]
    both = ["profile compare p.json {s}/profiles/p2.json", "profile compare {s}/profiles/p2.json p.json --all", "profile compare p.json {s}/profiles/p2.json --json"]
    maps = ["map p.json", "map p.json --all", "map p.json --json", "map p.json -o out/ranks --format rankfile"]
    yield Reader("profile", "json", "p.json", ["profiles/p4.json"], show + both + maps, needs_launches=False)
    logged = ["profile show p.json", "profile show p.json --all", "profile show p.json --json", "profile show p.json --timeline out/t.json",
              "predict {s}/two --setting default --profile p.json", "predict {s}/two --setting default --profile p.json --json", "predict {s}/two --setting default --profile p.json --map hosts",
              "advise p.json {s}/two --setting default"]
    yield Reader("profile-with-log", "json", "p.json", ["log.json"], logged, {"p.events": "log.events", "hosts": "hosts"})
    yield Reader("events", "bytes", "p.events", ["log.events"], logged, {"p.json": "log.json", "hosts": "hosts"})
    yield Reader("hosts-of-ranks", "text", "hosts", ["hosts"], ["predict {s}/two --setting default --profile {s}/log.json --map hosts"])
    yield Reader("profile-part", "bytes", "part", ["corpus/profile_part/rank0", "corpus/profile_part/rank1"],
                 ["profile --mpi openmpi -o out/p.json -- cp part out/p.json.rank0.part"], code=3, needs_launches=False)


def selections():
    yield Reader("rules-openmpi", "text", "rules", ["tuned.rules", "corpus/open_mpi_rules/two.conf"],
                 ["tune {s}/tuned --verify rules --dry-run --out out/v"], code=2)
    for target, seed, kind in (("intel", "corpus/intel_adjustments/two.sh", "text"), ("mpich", "corpus/shell_variables/two.sh", "text"),
                               ("mpich-json", "corpus/mpich_tree/base.json", "json")):
        yield Reader(f"rules-{target}", kind, "rules", [seed], [f"tune {{s}}/tuned --for {target} --verify rules --dry-run --out out/v"], code=2)
    yield Reader("base-tree", "json", "base.json", ["corpus/mpich_tree/base.json"], ["tune {s}/tuned --for mpich-json --base base.json -o out/t.json"], code=2)
    yield Reader("predicted", "text", "rows.csv", ["corpus/predictions/rows.csv"], ["tune {s}/tuned --predicted rows.csv", "tune {s}/tuned --predicted rows.csv --json"],
                 code=2)
    yield Reader("verified", "json", "v.json", ["corpus/verification/slower.json", "verified.json"], ["tune {s}/tuned --verified v.json", "tune {s}/tuned --verified v.json --json"],
                 code=2)
    yield Reader("guideline-baseline", "json", "known.json", ["corpus/guideline_baseline/known.json", "known.json"],
                 ["guidelines {s}/guidelines --baseline known.json", "guidelines {s}/guidelines --baseline known.json --json"], code=2)


def histories():
    listed = [f"health list {what} --history h.sqlite" for what in ("nights", "series", "values", "remarks")]
    checks = ["health check --history h.sqlite", "health check --all --history h.sqlite", "health check --reason --history h.sqlite", "health check --json --history h.sqlite",
              "health check --history h.sqlite --junit out/h.xml --openmetrics out/h.prom --influx out/h.influx --jsonl out/h.jsonl -o out/h.json",
              "health check --history h.sqlite --page out/h.html", "health calibrate --series-years 1 --baseline-nights 8 --history h.sqlite"]
    writes = ["health ingest {s}/night.json --history h.sqlite", "health note text --day 2026-11-22 --history h.sqlite",
              "health forget 2026-11-22 --history h.sqlite"]
    yield Reader("history", "sqlite", "h.sqlite", ["history.sqlite"], listed + checks + writes, code=2)
    yield Reader("nightly-record", "json", "in/1.json", ["night.json"], [f"health ingest in {HISTORY}"])


def programs():
    yield Reader("program", "bytes", "app", ["corpus/program/shared.elf", "ring"], ["where --limit 5s -- mpirun -n 1 ./app"], code=2)


def readers(fixtures_only):
    """All of them, or those whose undamaged files need no launch."""
    found = []
    for group in (records, campaigns, networks, suites, profiles, selections, histories, programs):
        found += list(group())
    return [reader for reader in found if not (fixtures_only and reader.needs_launches)]
