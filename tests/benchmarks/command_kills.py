#!/usr/bin/env python3
"""What do kills leave of `hockney profile`, `hockney where` and `hockney health ingest`?

    tests/benchmarks/command_kills.py BUILD [KILLS=30 [SEED=1 [COMMANDS=profile,where,ingest]]]

Ends each command KILLS times at drawn moments, by SIGKILL and SIGTERM in turn; it is the command itself that is killed, not its
ranks (profile_kills.py does that). Afterwards there must be no process, no scratch folder and no temporary file; a history is
whole, with all or some of the nights; and the same command once more ends as if nothing had happened, with its own ranks alone in
a profile, and all nights in a history. Prints what was left of each command; exit code 1 when anything is wrong.
"""

import collections
import datetime
import json
import os
import pathlib
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

PATIENCE_SECONDS = 60
NIGHTS = 40
SIGNALS = (signal.SIGKILL, signal.SIGTERM)
MARK = "HOCKNEY_KILLS_FOLDER"  # in the environment of every process of a run
# The last run of a name has another number of ranks, so that ranks of the run before would be seen.
RANKS, RANKS_AFTERWARDS = "4", "2"


class Site:
    def __init__(self, build, folder):
        self.hockney = str(pathlib.Path(build, "bin/hockney").resolve())
        self.program = str(pathlib.Path(build, "bin/hockney-pingpong").resolve())
        self.folder = pathlib.Path(folder).resolve()
        (self.folder / "tmp").mkdir()
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(("HOCKNEY_", "OMPI_"))}
        self.environment.update({"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
                                 "OMPI_MCA_mpi_yield_when_idle": "1", "TMPDIR": str(self.folder / "tmp"), MARK: str(self.folder)})

    def start(self, words):
        return subprocess.Popen([self.hockney, *words], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)

    def run(self, words):
        child = self.start(words)
        try:
            said = child.communicate(timeout=PATIENCE_SECONDS)[0].decode(errors="replace")
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            return -1, "it did not end"
        return child.returncode, said

    def processes(self):
        found = {}
        for entry in os.listdir("/proc"):
            if not entry.isdigit():
                continue
            try:
                with open(f"/proc/{entry}/environ", "rb") as file:
                    if f"{MARK}={self.folder}\0".encode() not in file.read():
                        continue
                with open(f"/proc/{entry}/cmdline", "rb") as file:
                    words = file.read().replace(b"\0", b" ").decode(errors="replace").strip()
                if words:  # not one that has ended and waits for its parent
                    found[int(entry)] = words[:80]
            except OSError:
                pass
        return found

    def names(self):
        """Files and folders, but for what Open MPI keeps in TMPDIR."""
        return {str(path.relative_to(self.folder)) for path in self.folder.rglob("*")
                if not any(part.startswith(("ompi.", "openmpi-sessions")) for part in path.relative_to(self.folder).parts)}


def await_true(condition, seconds=PATIENCE_SECONDS):
    limit = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > limit:
            return False
        time.sleep(0.02)
    return True


class Profile:
    name = "profile"
    results = {"y.json", "y.events"}

    def __init__(self, site):
        self.site = site
        self.words = self.of_ranks(RANKS)

    def of_ranks(self, ranks):
        return ["profile", "--log", "-o", "y.json", "--", "mpirun", "-n", ranks, self.site.program, "--sizes", "8", "--epochs", "2", "--samples", "4"]

    def problems(self):
        """What is wrong with the results; empty: nothing. A profile that is there is whole."""
        file = self.site.folder / "y.json"
        if not file.exists():
            return ["events without a profile"] if (self.site.folder / "y.events").exists() else []
        return [] if self.site.run(["profile", "show", "y.json"])[0] == 0 else ["the profile cannot be read"]

    def again(self):
        for name in self.results:
            (self.site.folder / name).unlink(missing_ok=True)
        code, said = self.site.run(self.of_ranks(RANKS_AFTERWARDS))
        if code != 0:
            return [f"the next run: exit code {code}: {said.strip()[-150:]}"]
        profile = json.loads((self.site.folder / "y.json").read_text())
        ranks = len(profile["ranks"])
        return [] if ranks == int(RANKS_AFTERWARDS) else [f"the next run has {ranks} ranks"]

    def clear(self):
        for name in self.results:
            (self.site.folder / name).unlink(missing_ok=True)


class Where:
    name = "where"
    results = set()

    def __init__(self, site):
        self.site = site
        self.words = ["where", "--", "mpirun", "-n", "2", site.program]

    def problems(self):
        return []

    def again(self):
        code, said = self.site.run(self.words)
        return [] if code in (0, 1) else [f"the next run: exit code {code}: {said.strip()[-150:]}"]

    def clear(self):
        pass


class Ingest:
    name = "ingest"
    # SQLite keeps what it needs to undo a transaction until the file is opened again.
    results = {"h.sqlite", "h.sqlite-journal", "h.sqlite-wal", "h.sqlite-shm"}

    def __init__(self, site):
        self.site = site
        self.words = ["health", "ingest", "nights", "--history", "h.sqlite"]
        self.make_nights()
        site.run(self.words)
        self.right = self.listed()
        self.clear()

    def make_nights(self):
        done = subprocess.run(["mpirun", "-n", "2", self.site.program, "--sizes", "8,1K", "--epochs", "2", "--samples", "4", "-o", "record.json"],
                              cwd=self.site.folder, env=self.site.environment, capture_output=True, check=False)
        if done.returncode != 0:
            sys.exit(f"no record could be measured ({done.stderr.decode()[-300:]})")
        record = json.loads((self.site.folder / "record.json").read_text())
        today = datetime.datetime.now(datetime.timezone.utc).date()
        for night in range(1, NIGHTS + 1):
            day = (today - datetime.timedelta(days=night)).isoformat()
            record["started_utc"] = f"{day}T03:00:00Z"
            (self.site.folder / "nights" / day).mkdir(parents=True)
            (self.site.folder / "nights" / day / "1.json").write_text(json.dumps(record))

    def listed(self):
        code, said = self.site.run(["health", "list", "values", "--history", "h.sqlite"])
        return said if code == 0 else None

    def problems(self):
        file = self.site.folder / "h.sqlite"
        if not file.exists():
            return []
        code, said = self.site.run(["health", "list", "nights", "--history", "h.sqlite"])
        if code != 0:
            return [f"the history cannot be read: {said.strip()[:150]}"]
        connection = sqlite3.connect(file)
        state = connection.execute("pragma integrity_check").fetchone()[0]
        connection.close()
        return [] if state == "ok" else [f"the history is damaged: {state}"]

    def again(self):
        code, said = self.site.run(self.words)
        if code != 0:
            return [f"the next ingest: exit code {code}: {said.strip()[:150]}"]
        return [] if self.listed() == self.right else ["the history has other nights after the next ingest"]

    def clear(self):
        for name in self.results:
            (self.site.folder / name).unlink(missing_ok=True)


def one_kill(command, how, after_seconds):
    """The kind of end, and what is wrong after it."""
    site = command.site
    before = site.names()
    child = site.start(command.words)
    time.sleep(after_seconds)
    was_running = child.poll() is None
    if was_running:
        child.send_signal(how)
    wrong = []
    try:
        child.communicate(timeout=PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        wrong.append(f"its output is still open {PATIENCE_SECONDS} s after {how.name}")
    if not await_true(lambda: not site.processes(), 10):
        left = site.processes()
        wrong.append(f"processes left: {sorted(set(left.values()))}")
        for process in left:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
    left = sorted(name for name in site.names() - before if name not in command.results)
    if left:
        wrong.append(f"left: {' '.join(left[:6])}")
    wrong += command.problems()
    wrong += command.again()
    for name in sorted(site.names() - before - command.results):
        if name not in left:
            wrong.append(f"left by the next run: {name}")
        path = site.folder / name
        shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
    command.clear()
    return f"{how.name if was_running else 'ended before'}", wrong


def study(build, make, kills, draw):
    with tempfile.TemporaryDirectory(prefix="hockney-kills-") as folder:
        command = make(Site(build, folder))
        begin = time.monotonic()
        code, said = command.site.run(command.words)
        duration = time.monotonic() - begin
        if code not in (0, 1):
            sys.exit(f"hockney {' '.join(command.words)} fails without a kill (exit code {code}: {said[-300:]})")
        command.clear()
        ends, problems = collections.Counter(), collections.Counter()
        for kill in range(kills):
            end, wrong = one_kill(command, SIGNALS[kill % len(SIGNALS)], draw.uniform(0, duration))
            ends[end] += 1
            # Drawn names and processes differ each time.
            problems.update(re.sub(r"hockney-\w{6}\b", "hockney-XXXXXX", re.sub(r"-\d{3,}\b", "-N", f"{end}: {problem}")) for problem in wrong)
        print(f"{command.name}: {kills} runs of {duration:.1f} s: " + ", ".join(f"{count} {end}" for end, count in sorted(ends.items()))
              + f"; {sum(problems.values())} problems")
        for problem, count in problems.most_common():
            print(f"  {count:3} {problem}")
        return not problems


def main(build, kills="30", seed="1", commands="profile,where,ingest"):
    draw = random.Random(int(seed))
    every = {"profile": Profile, "where": Where, "ingest": Ingest}
    return 0 if all([study(build, every[name], int(kills), draw) for name in commands.split(",")]) else 1


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
