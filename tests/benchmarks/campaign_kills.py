#!/usr/bin/env python3
"""campaign_kills.py BINARY_DIR [KILLS=44 [SEED=1]]

Kills a campaign again and again, and goes on with it by --resume: SIGKILL, SIGTERM and SIGINT, at drawn moments, to the
driver, the launcher or one of the ranks. After every kill each record that was complete before must be there, byte for
byte, no process of the campaign may be left, and in the end every launch must be complete. Exit code 1 otherwise.
"""
import collections
import glob
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PATIENCE_SECONDS = 120
VICTIMS = ("driver", "launcher", "rank")
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)


class Campaign:
    def __init__(self, binary_dir, launches):
        self.folder = tempfile.mkdtemp(prefix="hockney-kills-")
        self.out = f"{self.folder}/out"
        self.config = f"{self.folder}/kills.json"
        self.driver = f"{os.path.abspath(binary_dir)}/bin/hockney"
        self.launches = launches
        with open(self.config, "w", encoding="utf-8") as file:
            json.dump({"schema": "hockney.campaign/1", "name": "kills", "program": "hockney-pingpong",
                       "arguments": ["--sizes", "8", "--budget", "0.3s"], "launches": launches,
                       "settings": [{"name": "a"}, {"name": "b"}]}, file)

    def start(self):
        resume = ["--resume"] if os.path.exists(f"{self.out}/manifest.json") else []
        with open(f"{self.folder}/log", "a", encoding="utf-8") as log:
            return subprocess.Popen([self.driver, "run", self.config, "--out", self.out] + resume, stdout=log, stderr=log)

    def log(self):
        with open(f"{self.folder}/log", encoding="utf-8") as file:
            return file.read()[-2000:]

    def processes(self):
        """Command lines by process: the driver, its guardians, launchers and ranks all name the folder."""
        found = {}
        for entry in glob.glob("/proc/[0-9]*/cmdline"):
            try:
                with open(entry, "rb") as file:
                    words = file.read().decode(errors="replace").split("\0")
            except OSError:
                continue
            if any(self.folder in word for word in words):
                found[int(entry.split("/")[2])] = words
        return found

    def victims(self, what, driver):
        if what == "driver":
            return [driver.pid]
        is_rank = {pid: os.path.basename(words[0]) == "hockney-pingpong" for pid, words in self.processes().items()}
        others = [pid for pid, words in self.processes().items() if os.path.basename(words[0]).startswith("mpi")]
        return [pid for pid, rank in is_rank.items() if rank] if what == "rank" else others

    def complete(self):
        """The complete records, by name; one that cannot be read as it is named is none."""
        records = {}
        for file in glob.glob(f"{self.out}/records/*.json"):
            with open(file, "rb") as text:
                content = text.read()
            if json.loads(content)["status"] == "complete":
                records[os.path.basename(file)] = content
        return records


def await_true(condition):
    limit = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        if time.monotonic() > limit:
            return False
        time.sleep(0.02)
    return True


def kill_once(campaign, draw):
    """By what was killed what; None where there was none: the driver was between two launches."""
    driver = campaign.start()
    what, how = draw.choice(VICTIMS), draw.choice(SIGNALS)
    time.sleep(draw.uniform(0.1, 2.0))
    victims = campaign.victims(what, driver) if driver.poll() is None else []
    if victims:
        try:
            os.kill(draw.choice(victims), how)
        except ProcessLookupError:
            victims = []
    # A driver whose launch was killed goes on with the next one.
    if what != "driver" or not victims:
        time.sleep(draw.uniform(0, 0.5))
        driver.send_signal(signal.SIGTERM)
    driver.wait(PATIENCE_SECONDS)
    return f"{how.name} to {what}" if victims else None


def study(binary_dir, kills, seed):
    draw = random.Random(seed)
    campaign = Campaign(binary_dir, launches=2 + kills)
    counts = collections.Counter()
    struck = collections.Counter()
    known = {}
    while sum(struck.values()) < kills:
        victim = kill_once(campaign, draw)
        struck.update([victim] if victim else [])
        if not await_true(lambda: not campaign.processes()):
            counts["processes left"] += 1
            print(f"{victim}: left {campaign.processes()}")
        now = campaign.complete()
        counts["records lost"] += sum(now.get(name) != content for name, content in known.items())
        known = now
    ended = campaign.start().wait()
    final = campaign.complete()
    counts["records lost"] += sum(final.get(name) != content for name, content in known.items())
    counts["launches lacking"] += 2 * campaign.launches - len(final)
    counts["other files among the records"] += len(os.listdir(f"{campaign.out}/records")) - len(final)
    for what, number in sorted(struck.items()):
        print(f"{number:3} {what}")
    print(f"{len(known)} of {2 * campaign.launches} launches complete before the last resume, {len(final)} after it; "
          f"records lost {counts['records lost']}, launches lacking {counts['launches lacking']}, kills that left processes "
          f"{counts['processes left']}, exit code {ended}")
    good = ended == 0 and not any(counts.values())
    if not good:
        print(campaign.log())
    shutil.rmtree(campaign.folder)
    return 0 if good else 1


if __name__ == "__main__":
    defaults = [44, 1]
    numbers = [int(word) for word in sys.argv[2:]]
    sys.exit(study(sys.argv[1], *(numbers + defaults[len(numbers):])))
