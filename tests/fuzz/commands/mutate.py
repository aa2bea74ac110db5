#!/usr/bin/env python3
"""Gives damaged files to every command that reads files, and looks at how it ends and what it prints.

    tests/fuzz/commands/mutate.py BUILD OUT [--runs 2000] [--seconds 0] [--jobs 2] [--seed 1] [--readers PATTERN]
                                            [--limit 10] [--fixtures-only] [--keep 20]

BUILD has bin/hockney. OUT is a new folder, or one of an earlier run, whose documents in OUT/seeds are used again. Run number i
of a seed always damages the same file in the same way. Each run has a limit of processor time, which does not depend on what else
the machine does. README.md beside this file says what counts as a fault.

Prints a table of readers and commands with their runs, exit codes and faults, then the faults in groups. OUT/faults has a folder
for each fault, with the damaged file, what was printed, and the command line as a shell script; of each group --keep at most.
Exit code 1 when there is a fault, 2 when a command refuses an undamaged file.
"""

import argparse
import collections
import fnmatch
import json
import os
import pathlib
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import faults  # noqa: E402
import mutations  # noqa: E402
import readers  # noqa: E402
import seeds  # noqa: E402

SLOWNESS = 12  # times the limit of processor time that a run may take on a busy machine
MOST_ADDRESSES = 16 << 30  # [B]
MOST_READ = 32 << 20  # of one text [B]


class Runner:
    """Runs commands in a folder of its own, each beginning with the same files."""

    def __init__(self, build, out, limit):
        self.hockney = str(pathlib.Path(build, "bin/hockney").resolve())
        self.seeds = str(pathlib.Path(out, "seeds").resolve())
        self.limit = limit
        # In memory where possible: a run makes a dozen of files.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="hockney-mutate-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None))
        self.environment = seeds.environment()
        self.environment["TMPDIR"] = str(self.folder / "tmp")
        self.usual = {}
        resource.setrlimit(resource.RLIMIT_AS, (MOST_ADDRESSES, MOST_ADDRESSES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def prepare(self, reader, content):
        run = self.folder / "run"
        for folder in (run, self.folder / "tmp"):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
        (run / "out").mkdir()
        for name, source in reader.beside.items():
            place = run / name
            place.parent.mkdir(parents=True, exist_ok=True)
            origin = pathlib.Path(self.seeds, source)
            (shutil.copytree if origin.is_dir() else shutil.copyfile)(origin, place)
        place = run / reader.file
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
        return run

    def words(self, command):
        return [word.replace("{s}", self.seeds) for word in shlex.split(command)]

    def run(self, reader, command, content):
        """The Outcome of a command of hockney on this content, and its folder as the command left it."""
        run = self.prepare(reader, content)
        before = names_in(run)
        words = [self.hockney] + self.words(command)
        printed = {"stdout": self.folder / "stdout", "stderr": self.folder / "stderr"}
        with open(printed["stdout"], "wb") as out, open(printed["stderr"], "wb") as err, open(os.devnull, "rb") as nothing:
            begin = time.monotonic()
            child = subprocess.Popen(words, cwd=run, stdin=nothing, stdout=out, stderr=err, env=self.environment, start_new_session=True)
            outcome = self.wait(child)
        outcome.texts, outcome.sizes = {}, {}
        files = dict(printed)
        files.update({str(path.relative_to(run)): path for path in (run / "out").rglob("*") if path.is_file()})
        for name, path in files.items():
            outcome.sizes[name] = path.stat().st_size
            if path.suffix not in (".sqlite", ".events", ".part"):
                with open(path, "rb") as file:
                    outcome.texts[name] = file.read(MOST_READ)
        outcome.left = left_over(names_in(run) - before, self.folder / "tmp")
        outcome.wall = time.monotonic() - begin
        return outcome, run

    def wait(self, child):
        """Ends it when it takes more than the limit of processor time, or many times that of time."""
        try:
            resource.prlimit(child.pid, resource.RLIMIT_CPU, (self.limit, self.limit + 2))
        except ProcessLookupError:
            pass
        late = []

        def end(*_):
            late.append(True)
            os.killpg(child.pid, signal.SIGKILL)

        signal.signal(signal.SIGALRM, end)
        signal.setitimer(signal.ITIMER_REAL, SLOWNESS * self.limit)
        _, status, usage = os.wait4(child.pid, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        try:
            os.killpg(child.pid, signal.SIGKILL)  # what it may have started
        except ProcessLookupError:
            pass
        seconds = usage.ru_utime + usage.ru_stime
        is_late = bool(late) or child.returncode == -signal.SIGXCPU or seconds > self.limit
        # A child begins with the peak of this process as its own.
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        memory = usage.ru_maxrss if usage.ru_maxrss > own else 0
        return faults.Outcome(code=child.returncode, seconds=seconds, is_late=is_late, memory=memory)

    def usual_of(self, reader, command, seed):
        """What the command prints of the undamaged file, and its exit code."""
        key = (reader.name, command, seed)
        if key not in self.usual:
            content = pathlib.Path(self.seeds, seed).read_bytes()
            if reader.kind == "cbor":
                content = mutations.cbor(json.loads(content))
            outcome, _ = self.run(reader, command, content)
            texts = {name: faults.usual_words(faults.decoded(text)) for name, text in outcome.texts.items()}
            self.usual[key] = outcome, texts
        return self.usual[key]


def names_in(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def left_over(new, temporary):
    # SQLite leaves its log and index beside a history that was only read.
    new = [name for name in sorted(new) if not re.search(r"\.sqlite-(wal|shm)$", name)]
    left = [name for name in new if not name.startswith("out/") or re.search(r"\.tmp\.|-journal$", name)]
    return left + sorted(f"TMPDIR/{name}" for name in names_in(temporary))


class Case:
    """One run, by its number."""

    def __init__(self, index, seed, schedule):
        self.index = index
        draw = random.Random(f"{seed}/{index}")
        self.reader, self.command = schedule[index % len(schedule)]
        self.seed = draw.choice(self.reader.seeds)
        self.draw = draw

    def content(self, folder):
        original = pathlib.Path(folder, self.seed).read_bytes()
        damage = mutations.DAMAGE[self.reader.kind]
        content = damage(original, self.draw)
        while content == original:
            content = damage(original, self.draw)
        return content


def group_of(reader, fault):
    """Faults alike: of one kind, in the same words but for names and numbers; of lines that are too long by reader."""
    if fault.kind == "long line":
        return f"{fault.kind}: {reader.name}"
    words = re.sub(r"'[^']*'|\"[^\"]*\"", "'..'", fault.words)
    return f"{fault.kind}: {re.sub(r'[-+]?[0-9][0-9.e+-]*', 'N', words)[:110]}"


def keep(out, case, words, run, outcome, found, most, kept):
    """Copies what repeats a fault, unless there are enough of its group. Returns the folder."""
    groups = [group_of(case.reader, fault) for fault in found]
    if all(kept[group] >= most for group in groups):
        return ""
    kept.update(groups)
    folder = pathlib.Path(out, "faults", f"{case.index:06}-{case.reader.name}")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(run, folder, ignore=shutil.ignore_patterns("*.html"))
    for name in ("stdout", "stderr"):
        (folder / f"printed-{name}").write_bytes(outcome.texts[name][:200_000])
    said = "\n".join(f"# {fault.kind}: {fault.words}".replace("\n", " ") for fault in found)
    line = " ".join(shlex.quote(word) for word in words)
    (folder / "repeat.sh").write_text(f'#!/bin/sh\n# exit code {outcome.code}\n{said}\ncd "$(dirname "$0")" && {line}\n')
    return str(folder)


def work(number, arguments, schedule, deadline):
    """One of several processes: every so-manieth run."""
    runner = Runner(arguments.build, arguments.out, arguments.limit)
    kept = collections.Counter()
    try:
        with open(pathlib.Path(arguments.out, f"results-{number}.jsonl"), "w", encoding="utf-8") as results:
            for index in range(number, arguments.runs, arguments.jobs):
                if time.monotonic() > deadline:
                    break
                case = Case(index, arguments.seed, schedule)
                _, usual = runner.usual_of(case.reader, case.command, case.seed)
                content = case.content(runner.seeds)
                outcome, run = runner.run(case.reader, case.command, content)
                words = [runner.hockney] + runner.words(case.command)
                found = faults.faults_of(outcome, words, faults.Given(mutations.values_in(content)), usual, "--json" in words)
                folder = keep(arguments.out, case, words, run, outcome, found, arguments.keep, kept) if found else ""
                results.write(json.dumps({
                    "index": index, "reader": case.reader.name, "command": case.command, "code": outcome.code, "wall": round(outcome.wall, 4),
                    "seconds": round(outcome.seconds, 4), "memory": outcome.memory, "faults": [[fault.kind, fault.words] for fault in found],
                    "groups": [group_of(case.reader, fault) for fault in found], "folder": folder}) + "\n")
                results.flush()
    finally:
        runner.close()


def check_seeds(arguments, schedule):
    """Every command takes every undamaged file that is given to it, without a fault."""
    runner = Runner(arguments.build, arguments.out, arguments.limit)
    bad = []
    try:
        for reader, command in schedule:
            for seed in reader.seeds:
                outcome, usual = runner.usual_of(reader, command, seed)
                found = faults.faults_of(outcome, [], faults.Given(pathlib.Path(runner.seeds, seed).read_bytes()), usual, "--json" in command.split())
                if outcome.code != reader.code and outcome.code not in faults.TOOK or found:
                    said = outcome.texts["stderr"].decode(errors="replace").strip()[:200]
                    bad.append(f"{reader.name} {seed}: hockney {command}: exit code {outcome.code}: {said} {[fault.kind for fault in found]}")
    finally:
        runner.close()
    return bad


def start(number, arguments, schedule, deadline):
    process = os.fork()
    if process == 0:
        try:
            work(number, arguments, schedule, deadline)
            os._exit(0)
        except BaseException:  # this process must not go on as its parent would
            traceback.print_exc()
            os._exit(1)
    return process


def table(results, schedule):
    rows = collections.defaultdict(list)
    for result in results:
        rows[result["reader"], result["command"]].append(result)
    lines = [f"{'reader':20} {'command':72} {'runs':>5} {'0':>5} {'1':>4} {'2':>5} {'3':>4} {'4':>4} {'max s':>6}  faults"]
    for reader, command in schedule:
        of_command = rows.get((reader.name, command), [])
        if not of_command:
            continue
        codes = collections.Counter(result["code"] for result in of_command)
        kinds = collections.Counter(kind for result in of_command for kind, _ in result["faults"])
        shown = command.replace("{s}/", "")
        lines.append(f"{reader.name:20} {shown if len(shown) <= 72 else shown[:69] + '...':72} {len(of_command):5} {codes[0]:5} {codes[1]:4} "
                     f"{codes[2]:5} {codes[3]:4} {codes[4]:4} {max(result['seconds'] for result in of_command):6.2f}  "
                     + ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())))
    return lines


def groups(results):
    """Groups of faults, the most frequent first."""
    found = collections.defaultdict(list)
    for result in results:
        for group in result["groups"]:
            found[group].append(result)
    lines = []
    for group, members in sorted(found.items(), key=lambda item: -len(item[1])):
        by_command = collections.Counter(f"{result['reader']}: {result['command'].replace('{s}/', '')}" for result in members)
        words = next(words for kind, words in members[0]["faults"] if group.startswith(kind + ":"))
        lines.append(f"{len(members):5} {group}")
        lines.append(f"        such as {words!r}")
        lines += [f"        {count:4} {name}" for name, count in by_command.most_common(4)]
        lines += [f"        {folder}" for folder in [result["folder"] for result in members if result["folder"]][:3]]
    return lines


def read_results(out):
    results = []
    for file in pathlib.Path(out).glob("results-*.jsonl"):
        for line in file.read_text(encoding="utf-8").splitlines():
            results.append(json.loads(line))
    return sorted(results, key=lambda result: result["index"])


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("out")
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=0, help="end after this time; 0: after all runs")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--readers", default="*", help="only readers of such names, joined by commas")
    parser.add_argument("--limit", type=int, default=10, help="of the processor time of a run [s]")
    parser.add_argument("--keep", type=int, default=20, help="of each group of faults in each process")
    parser.add_argument("--fixtures-only", action="store_true", help="only files that need no launch to be made")
    return parser.parse_args(words)


def main(words):
    arguments = parse(words)
    if not os.access(pathlib.Path(arguments.build, "bin/hockney"), os.X_OK):
        sys.exit(f"no program '{arguments.build}/bin/hockney' (it is what is tried) build hockney_driver first")
    os.nice(15)
    seeds.make(arguments.build, arguments.out, arguments.fixtures_only)
    all_readers = readers.readers(arguments.fixtures_only)
    wanted = arguments.readers.split(",")
    chosen = [reader for reader in all_readers if any(fnmatch.fnmatch(reader.name, pattern) for pattern in wanted)]
    schedule = [(reader.with_seeds(pathlib.Path(arguments.out, "seeds")), command) for reader in chosen for command in reader.commands]
    if not schedule:
        sys.exit(f"no reader '{arguments.readers}' (there are: {' '.join(reader.name for reader in all_readers)})")
    for old in pathlib.Path(arguments.out).glob("results-*.jsonl"):
        old.unlink()
    shutil.rmtree(pathlib.Path(arguments.out, "faults"), ignore_errors=True)
    begin = time.monotonic()
    bad = check_seeds(arguments, schedule)
    for line in bad:
        print(f"undamaged: {line}", flush=True)
    checked = time.monotonic()
    deadline = checked + arguments.seconds if arguments.seconds > 0 else float("inf")
    workers = [start(number, arguments, schedule, deadline) for number in range(arguments.jobs)]
    broken = [pid for pid in workers if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) != 0]
    results = read_results(arguments.out)
    print("\n".join(table(results, schedule)))
    print()
    print("\n".join(groups(results)) or "no fault")
    faulty = sum(bool(result["faults"]) for result in results)
    wall = time.monotonic() - checked
    print(f"\n{len(results)} runs of {len(schedule)} commands of {len(chosen)} readers in {wall:.0f} s ({1000 * wall * arguments.jobs / max(1, len(results)):.0f} ms "
          f"each in {arguments.jobs} processes; {checked - begin:.0f} s before for undamaged files), {faulty} with a fault; seed {arguments.seed}")
    if broken:
        sys.exit("a process of this program failed (see above)")
    return 1 if faulty else 2 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
