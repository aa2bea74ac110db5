"""Records, profiles and histories for the commands: written from formulas and seeds, the same on every machine.

Only +, -, *, / are used on numbers, so that no mathematical library has a say in the last digit.
"""
import glob
import gzip
import json
import os
import shutil

HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARY = "Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, repo rev: v4.1.4, May 26, 2022"
KIB = 1024


class Noise:
    """A linear congruential generator; `normal` is a sum of uniform numbers."""

    def __init__(self, seed):
        self.state = seed * 2654435761 + 1

    def uniform(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 11) / 2**53

    def normal(self):
        return sum(self.uniform() for _ in range(12)) - 6

    def factor(self, spread):
        return 1 + spread * self.normal()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def save(path, document):
    write(path, json.dumps(document, indent=1, sort_keys=True))


def host(number):
    return f"node{number}"


def point(operation, size, ranks=2, hop=None, pair=(), algorithm=None, **parameters):
    return {"operation": operation, "point": {
        "bytes": size, "ranks": ranks, "hop": hop, "path": None, "algorithm": algorithm, "pair": list(pair),
        "parameters": {name.replace("_", "-"): value for name, value in parameters.items()}}}


class Launch:
    """One record; `add` measures a point in two blocks of five samples around its true time."""

    def __init__(self, procedure, campaign, setting, number, ranks=2, per_host=None, axes=None, day="2026-11-22"):
        self.noise = Noise(sum(map(ord, procedure + campaign + setting + day)) * 1000 + number)
        self.slower = self.noise.factor(0.01)
        per_host = per_host or ranks
        nodes = range((ranks + per_host - 1) // per_host)
        self.record = {
            "schema": "hockney.record/1", "procedure": procedure, "status": "complete",
            "started_utc": f"{day}T03:{number // 60:02}:{number % 60:02}Z", "elapsed_seconds": 900.5, "measuring_seconds": 900.0,
            "stopped_because": "epochs done", "seed": number, "start": "round-time", "flags": [], "points": [], "series": [],
            "campaign": {"name": campaign, "setting": setting, "launch": number, "axes": axes},
            "clock": {"source": "CLOCK_MONOTONIC_RAW", "resolution_seconds": 1e-9, "cost_seconds": 2e-8 * self.slower},
            "ranks": [{"rank": rank, "host": host(rank // per_host), "asked_cpu": rank % per_host, "actual_cpus": [rank % per_host]}
                      for rank in range(ranks)],
            "provenance": {
                "command_line": [f"hockney-{procedure}"], "environment": {},
                "build": {"version": "0.1.0", "git_revision": "0123456789ab", "compiler": "GNU 12.2.0", "flags": "-O2"},
                "mpi": {"library": LIBRARY, "standard": "3.1", "settings": {"btl_vader_eager_limit": "4096"}, "asked": []},
                "hosts": [{"name": host(node), "cpu_model": "Example CPU", "kernel": "Linux 6.1", "governor": "performance",
                           "clocksource": "tsc", "topology_digest": "feedbeef", "cpus": per_host, "load_average": 0.25}
                          for node in nodes]}}

    def add(self, where, seconds, counted=None, spread=0.004):
        size = where["point"]["bytes"]
        counted = size if counted is None else counted
        begin = 0.5 * len(self.record["series"]) % 800
        centre = seconds * self.slower * self.noise.factor(0.003)
        samples = [centre * abs(self.noise.factor(spread)) for _ in range(10)]
        if self.noise.uniform() < 0.05:
            samples[7] *= 4
        self.record["points"].append(where | {"bytes_per_sample": counted, "status": "measured", "reason": ""})
        self.record["series"].append(where | {
            "samples_seconds": samples, "visits": [5, 5], "starts_seconds": [begin, begin + 0.25], "batch": 10,
            "bytes_per_sample": counted, "controls_seconds": [5e-6, 5e-6 * (1 + 0.01 * self.noise.uniform())],
            "deliveries_checked": 20, "late_starts": 0, "page_faults": [0.0, 0.0], "warm_up_visits": 0,
            "summary": {}, "flags": []})
        return self

    def skip(self, where, reason):
        self.record["points"].append(
            where | {"bytes_per_sample": where["point"]["bytes"], "status": "skipped", "reason": reason})
        return self

    def force(self, variable, value, setting, number):
        """A setting that the library took; its number is what MPI_T says."""
        self.record["provenance"]["environment"][variable] = value
        mpi = self.record["provenance"]["mpi"]
        mpi["asked"].append({"variable": variable, "value": value, "in_force": str(number), "proof": "proven", "reason": ""})
        mpi["settings"][setting] = str(number)
        return self

    def save(self, folder):
        place = self.record["campaign"]
        save(f"{folder}/{place['setting']}-{self.record['procedure']}-{place['launch']:03}.json", self.record)


def message_seconds(size, hop, eager=4 * KIB):
    latency, gap = {"l3": (3e-7, 1e-10), "package": (5e-7, 1.5e-10), "cross-node": (1.5e-6, 8e-11)}[hop]
    return latency + gap * size + (0 if size <= eager else 1.2 * latency)


PAIRS = (((0, 1), "l3"), ((0, 2), "package"), ((0, 4), "cross-node"))
SIZES = (0, 1, 8, 64, 512, 2 * KIB, 4 * KIB, 8 * KIB, 16 * KIB, 64 * KIB, 256 * KIB, KIB * KIB)


def add_pingpongs(launch, slower, eager):
    for pair, hop in PAIRS:
        for size in SIZES:
            seconds = message_seconds(size, hop, eager) * (slower if size > 8 * KIB else 1)
            launch.add(point("pingpong", size, hop=hop, pair=pair, cache="hot"), seconds)
            if size > 0:
                launch.add(point("bandwidth", size, hop=hop, pair=pair, cache="hot", window="64"), 64 * (seconds / 3), 64 * size)
    launch.skip(point("pingpong", 8, hop="numa", pair=(0, 3)), "one NUMA node")


def pingpongs(folder):
    """Pairs of three hop classes: `hops` has two settings, `later` is another campaign, slower on large messages."""
    for number in range(1, 9):
        for setting, slower, eager in (("a", 1, 4 * KIB), ("b", 1.08, 8 * KIB)):
            launch = Launch("pingpong", "hops", setting, number, ranks=8, per_host=4)
            add_pingpongs(launch, slower, eager)
            launch.save(f"{folder}/hops")
        launch = Launch("pingpong", "later", "a", number, ranks=8, per_host=4, day="2026-11-23")
        add_pingpongs(launch, 1.25, 4 * KIB)
        launch.save(f"{folder}/later")


def loggp(folder):
    for number in range(1, 7):
        launch = Launch("pingpong", "loggp", "default", number)
        for size in SIZES[1:]:
            latency = message_seconds(size, "l3")
            for operation, seconds in (("half-round-trip", latency), ("send-overhead", 1e-7 + 2e-11 * size),
                                       ("receive-overhead", 1.2e-7 + 2e-11 * size), ("gap", 1.5e-7 + 9e-11 * size)):
                launch.add(point(operation, size, hop="l3", pair=(0, 1)), seconds)
        launch.save(f"{folder}/loggp")


def steps(ranks):
    return (ranks - 1).bit_length()


def recursive_doubling(ranks, size):
    return steps(ranks) * (4e-7 + 1.2e-10 * size)


def ring(ranks, size):
    """As Open MPI runs it: recursive doubling where there are fewer doubles than ranks."""
    return recursive_doubling(ranks, size) if size < 8 * ranks else 2 * (ranks - 1) * (4e-7 + 1.3e-10 * size / ranks)


ALLREDUCE = {
    "default": lambda ranks, size: steps(ranks) * (4e-7 + 1.1e-10 * size),
    "recursive_doubling": recursive_doubling,
    "ring": ring}


def collectives(folder):
    """A sweep of algorithms at several numbers of ranks, for tables by an axis, fits and predictions."""
    for number in range(1, 7):
        for algorithm, seconds in ALLREDUCE.items():
            for ranks in (2, 4, 8):
                launch = Launch("collectives", "allreduces", f"algorithm={algorithm},ranks={ranks}", number, ranks=ranks,
                                axes={"algorithm": algorithm, "ranks": str(ranks)})
                if algorithm != "default":
                    launch.force("OMPI_MCA_coll_tuned_allreduce_algorithm", algorithm, "coll_tuned_allreduce_algorithm",
                                 4 if algorithm == "ring" else 3)
                for size in (8, KIB, 8 * KIB, 64 * KIB, 512 * KIB):
                    launch.add(point("allreduce", size, ranks, datatype="double", operator="sum"), seconds(ranks, size))
                ran = "recursive_doubling" if algorithm == "default" else algorithm
                launch.record["algorithms"] = [
                    {"operation": "allreduce", "bytes": 8 * KIB, "ranks": ranks, "parameters": {"datatype": "double"},
                     "asked_algorithm": algorithm, "ran": ran, "proof": "proven", "evidence": "messages as it sends them"}]
                launch.save(f"{folder}/allreduces")


BCAST = {
    "default": (0, {8: 1e-6, KIB: 2e-6, 64 * KIB: 4e-5, KIB * KIB: 6e-4}),
    "chain": (2, {8: 2e-6, KIB: 3e-6, 64 * KIB: 3e-5, KIB * KIB: 3e-4}),
    "pipeline": (3, {8: 2.5e-6, KIB: 4e-6, 64 * KIB: 2.9e-5, KIB * KIB: 2.5e-4}),
    "binomial": (6, {8: 0.8e-6, KIB: 1.5e-6, 64 * KIB: 4.5e-5, KIB * KIB: 7e-4})}


def tuned(folder):
    for number in range(1, 13):
        for algorithm, (place, times) in BCAST.items():
            launch = Launch("collectives", "tuned-openmpi-bcast", f"algorithm={algorithm}", number, ranks=4,
                            axes={"algorithm": algorithm})
            if place > 0:
                launch.force("OMPI_MCA_coll_tuned_bcast_algorithm", algorithm, "coll_tuned_bcast_algorithm", place)
                launch.record["provenance"]["mpi"]["settings"] |= {
                    "coll_tuned_bcast_algorithm_segmentsize": "0", "coll_tuned_bcast_algorithm_chain_fanout": "4"}
            for size, seconds in times.items():
                launch.add(point("bcast", size, 4), seconds)
            launch.save(f"{folder}/tuned")


def guideline(name, left, right, relation="same", factor=1):
    return {"name": name, "left": {"operation": left, "parameters": {}}, "right": {"operation": right, "parameters": {}},
            "map": relation, "factor": factor}


def guidelines(folder):
    """One is violated at every size, one at large sizes, one holds."""
    rules = [guideline("allreduce <= reduce + bcast", "allreduce", "allreduce-by-reduce-bcast"),
             guideline("bcast <= scatter + allgather", "bcast", "bcast-by-scatter-allgather"),
             guideline("gather <= allgather", "gather", "allgather"),
             guideline("bcast by parts", "bcast", "bcast", "parts", 1.5)]
    for number in range(1, 17):
        launch = Launch("guidelines", "guidelines", "default", number, ranks=4)
        launch.record["guidelines"] = rules
        for size in (8, KIB, 64 * KIB):
            base = 1e-6 + 2e-10 * size
            for operation, seconds in (
                    ("allreduce", 2.4 * base), ("allreduce-by-reduce-bcast", 2 * base), ("bcast", base),
                    ("bcast-by-scatter-allgather", 3e-6 + 1e-10 * size), ("gather", 1.2 * base), ("allgather", 1.6 * base)):
                launch.add(point(operation, size, 4), seconds)
        launch.save(f"{folder}/guidelines")


def measured(folder):
    """Each launch in `records`, which a program of that name or kind measured, becomes six."""
    for file in sorted(glob.glob(os.path.join(HERE, "records", "*.json"))):
        name = os.path.basename(file).removesuffix(".json")
        for number in range(1, 7):
            with open(file, encoding="utf-8") as text:
                record = json.load(text)
            noise = Noise(sum(map(ord, name)) * 1000 + number)
            record["campaign"] = {"name": name, "setting": "default", "launch": number, "axes": None}
            record |= {"seed": number, "started_utc": f"2026-11-22T03:00:{number:02}Z"}
            slower = noise.factor(0.01)
            for series in record["series"]:
                factor = slower * noise.factor(0.005)
                series["samples_seconds"] = [factor * seconds for seconds in series["samples_seconds"]]
            save(f"{folder}/{name}/{number}.json", record)


def kernels(folder):
    for number in range(1, 7):
        for ranks in (2, 4):
            launch = Launch("kernels", "halo", f"ranks={ranks}", number, ranks=ranks, axes={"ranks": str(ranks)})
            for problem, extent in (("64x64", 64), ("256x256", 256)):
                alone = extent * extent * 2e-9 / ranks
                for way, message in (("blocking", 4e-6), ("persistent", 3e-6)):
                    for work, seconds in (("alone", alone), ("after", alone + message), ("during", alone + message / 2),
                                          ("none", message)):
                        launch.add(point("halo", 8 * extent, ranks, points=problem, way=way, work=work, grid=f"{ranks}x1",
                                         iterations="10", mapping="linear"), seconds)
            launch.save(f"{folder}/halo")


def protocols(folder):
    def hand_over(call, limit):
        return {"call": call, "receiver": "progressing", "datatype": "bytes", "limit_bytes": limit, "held_bytes": limit + 1,
                "most_bytes": 4194304, "exceptions": [], "probes": 51, "corrections": 0}
    for number in range(1, 4):
        launch = Launch("protocol", "protocol", "default", number)
        launch.record["protocols"] = [
            {"hop": "l3", "pair": [0, 1], "path": "shm", "eager_limit_bytes": 4040, "reason": "", "flags": [],
             "evidence": {"hand_overs": [hand_over("send", 4040), hand_over("isend", 4040)],
                          "unexpected": [{"bytes": 1, "receiver": "asleep", "accepted": 4096, "most": 65536}],
                          "stated": [{"variable": "btl_vader_eager_limit", "value_bytes": 4096, "header_bytes": 56}]}}]
        launch.record["memory"] = [
            {"rank": rank, "moment": moment, "rss_bytes": rss, "pss_bytes": rss // 2, "shared_bytes": rss // 4, "peers": peers,
             "communicators": None, "waiting_messages": None, "waiting_message_bytes": None}
            for rank in (0, 1) for moment, rss, peers in (("initialised", 30000000, 0), ("connected", 31000000 + number * 4096, 1))]
        launch.save(f"{folder}/protocol")


def recorded_noise(folder):
    for number in range(1, 4):
        launch = Launch("noise", "recorded-noise", "default", number)
        launch.record["noise"] = [
            {"rank": rank, "recorded_seconds": 2.5, "work_seconds": 5e-6, "limit_seconds": 5.5e-6, "stolen": [0.002, 0.003],
             "interruptions_per_second": [250.0, 260.0 + number], "interruptions": 637, "median_seconds": 3e-6,
             "longest_seconds": 4e-3, "periods": [{"period_seconds": 4e-3, "false_alarm": 1e-9, "share": 0.75}]}
            for rank in (0, 1)]
        launch.save(f"{folder}/recorded-noise")


def self_tests(folder):
    for number in range(1, 25):
        launch = Launch("self-test", "self-test", "default", number)
        check = {"estimate_seconds": 1e-8 * launch.noise.normal(), "bound_seconds": 3e-7, "passed": True}
        launch.record["sync"] = {"scheme": "same-clock", "bound_seconds": 0.0, "slope_used": False, "duration_seconds": 0.1,
                                 "checks": [check, check]}
        for variant, slow in (("a", 1), ("b", 1), ("slow-10", 1.1)):
            for size in (8, KIB):
                launch.add(point("pingpong", size, pair=(0, 1), variant=variant), slow * message_seconds(size, "l3"))
        launch.save(f"{folder}/self-test")


def nights(folder):
    """Forty nights of one pair, the last eight slower; and three nights of a fleet with a slow node and a slow link."""
    for night in range(40):
        day = f"2026-{9 + night // 30:02}-{1 + night % 30:02}"
        for number in range(1, 4):
            launch = Launch("pingpong", "nightly", "default", number, day=day)
            for size in (8, KIB, 64 * KIB):
                launch.add(point("pingpong", size, hop="l3", pair=(0, 1)), message_seconds(size, "l3") * (1 if night < 32 else 1.2))
            launch.add(point("floor-memcpy", 64, hop="l3", pair=(0, 1)), 1e-8)
            launch.save(f"{folder}/nights/{day}")
    for night in range(3):
        day = f"2026-10-{8 + night:02}"
        launch = Launch("pingpong", "fleet", "default", 1, ranks=8, per_host=1, day=day)
        for a in range(8):
            for b in range(a + 1, 8):
                slow = 1.4 if 3 in (a, b) else 1.6 if (a, b) == (0, 5) else 1
                launch.add(point("pingpong", 8, hop="switch", pair=(a, b)), slow * 1.5e-6)
        launch.save(f"{folder}/fleet/{day}")


def profiles(folder):
    """A program on a grid of ranks, which four nodes got by turns; and one of two ranks that was recorded with its log."""
    for rows in (4, 8):
        save(f"{folder}/grid-{rows}.json", grid_profile(rows))
    shutil.copyfile(f"{HERE}/records/run.profile", f"{folder}/run.json")
    with gzip.open(f"{HERE}/records/run.events.gz") as packed, open(f"{folder}/run.events", "wb") as file:
        shutil.copyfileobj(packed, file)


def grid_profile(rows):
    ranks = rows * rows
    messages = []
    for rank in range(ranks):
        beside = [rank + 1] if rank % rows < rows - 1 else []
        below = [rank + rows] if rank + rows < ranks else []
        for other in beside + below:
            size = 8 * KIB if other in below else KIB
            messages += [{"from": a, "to": b, "communicator": 0, "carrier": "message", "messages": 1000, "bytes": 1000 * size,
                          "min_bytes": size, "max_bytes": size} for a, b in ((rank, other), (other, rank))]
    computing = 64.0 / ranks
    slowest = {rank: 0.5 + 0.01 * (rank % 5) for rank in range(ranks)}

    def calls(name, count, size, seconds, site, communicator=0):
        return {"call": name, "communicator": communicator, "count": count, "bytes": count * size, "min_bytes": size,
                "max_bytes": size, "seconds": seconds, "min_seconds": seconds / count / 2, "max_seconds": 0.01, "ranks": ranks,
                "region": 0, "site": site, "slowest_rank": 1, "slowest_seconds": 2 * seconds / ranks}
    return {
        "schema": "hockney.profile/1", "written_utc": "2026-11-22T20:22:55Z", "seconds": computing + 0.6, "world_ranks": ranks,
        "thread_level": "MPI_THREAD_SINGLE", "notes": [], "messages": messages,
        "communicators": [{"identity": "0", "name": "MPI_COMM_WORLD", "size": ranks}],
        "price": {"completion_seconds": 8e-8, "other_seconds": 5e-8, "receive_seconds": 6e-8, "send_seconds": 6e-8},
        "regions": [{"entered": ranks, "name": "solve", "seconds": computing * ranks * 0.9}],
        "sites": [{"function": "exchange", "module": "/opt/app/poisson", "offset": 4660},
                  {"function": "norm", "module": "/opt/app/poisson", "offset": 4864}],
        "calls": [calls("MPI_Isend", len(messages) * 1000, 4 * KIB, 0.1 * ranks, 0),
                  calls("MPI_Waitall", 1000 * ranks, 0, 0.3 * ranks, 0, None), calls("MPI_Allreduce", 100 * ranks, 8, 0.1 * ranks, 1)],
        "ranks": [{"rank": rank, "host": host(rank % 4), "cpus": [rank // 4], "calls": 5000, "end": "finalized", "folded_calls": 0,
                   "folded_messages": 0, "io_bytes": 0, "io_seconds": 0.0, "mpi_io_seconds": 0.0, "mpi_seconds": slowest[rank],
                   "seconds": computing + 0.6, "signal": 0} for rank in range(ranks)],
        "provenance": {
            "command_line": ["./poisson", "3600"], "environment": {"OMPI_MCA_pml": "ob1"},
            "build": {"version": "0.1.0", "git_revision": "0123456789ab", "compiler": "GNU 12.2.0", "flags": "-O2"},
            "hosts": [{"name": host(node), "cpu_model": "Example CPU", "kernel": "Linux 6.1", "governor": "", "clocksource": "",
                       "topology_digest": "", "cpus": 16, "load_average": 0.0} for node in range(4)],
            "mpi": {"library": LIBRARY, "standard": "3.1", "settings": {}, "asked": []}}}


def suites(folder, source):
    """What other suites printed, with a time of its own: an import takes the file's as that of the run."""
    for suite in ("osu", "imb", "nccl"):
        for file in glob.glob(f"{source}/tests/fuzz/corpus/{suite}/*.txt"):
            target = f"{folder}/{suite}/{os.path.basename(file)}"
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copyfile(file, target)
    for number in range(1, 7):
        rows = "".join(f"{size} {(0.25 + 0.0001 * size) * (1 + 0.01 * number):.2f}\n" for size in (1, 8, 64, 512, 4096, 32768))
        write(f"{folder}/latency/run-{number}.txt",
              f"# OSU MPI Latency Test v7.4\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n{rows}")
    for file in glob.glob(f"{folder}/*/*.txt"):
        os.utime(file, (1767323045, 1767323045))


PROGRAM = """#!/bin/sh
# Stands for a program that measures: its record is the one of that setting and launch.
while [ $# -gt 0 ]; do
  case $1 in --output) out=$2 ;; --setting) setting=$2 ;; --launch) launch=$2 ;; esac
  shift
done
cp "$(dirname "$0")/../hops/$setting-pingpong-00$launch.json" "$out"
"""


def programs(folder):
    """A campaign that needs no MPI, by a launcher of tests/campaign; half a record; scripts of a page, which draw nothing."""
    save(f"{folder}/campaign.json", {
        "schema": "hockney.campaign/1", "name": "hops", "description": "Two settings.", "program": "hockney-pingpong",
        "arguments": ["--sizes", "8,1K"], "ranks": 8, "launches": 3,
        "settings": [{"name": "a"}, {"name": "b", "arguments": ["--samples", "50"]}]})
    for name in ("programs/hockney-pingpong", "programs/hockney-collectives", "programs/hockney-self-test"):
        write(f"{folder}/{name}", PROGRAM)
        os.chmod(f"{folder}/{name}", 0o755)
    write(f"{folder}/half.json", '{"schema": "hockney.record/1", "procedure":')
    save(f"{folder}/fleet.json", {
        "schema": "hockney.campaign/1", "name": "fleet", "description": "Pairs of nodes.", "program": "hockney-pingpong",
        "arguments": ["--pairs", "all", "--sizes", "8"], "ranks": 8, "launches": 1, "settings": [{"name": "default"}]})
    save(f"{folder}/known.json", {"schema": "hockney.guidelines-baseline/1", "known": [
        {"guideline": "allreduce <= reduce + bcast", "bytes": size, "ranks": 4, "note": "a bug"} for size in (8, KIB, 64 * KIB)]})
    save(f"{folder}/sites.json", {
        "schema": "hockney.sites/1", "levels": ["switch"], "places": [{"hosts": "node[0-63]", "sites": ["s0"]}],
        "origin": {"source": "site-file", "detail": "made up", "inferred": False}})
    for name in ("vega", "vega-lite", "vega-embed"):
        write(f"{folder}/scripts/{name}.min.js", "")


def make(folder, source):
    for write in (pingpongs, loggp, collectives, tuned, guidelines, measured, kernels, protocols, recorded_noise, self_tests, nights, profiles, programs):
        write(folder)
    suites(folder, source)
