#!/usr/bin/env python3
"""Repeats a campaign of guidelines and counts the cells whose verdict changes from one time to another, for both corrections
of hockney guidelines and for the first launches of each campaign.

Usage: guideline_stability.py BUILD CAMPAIGNS CONFIG [argument of hockney run]...
Exit code 1 when a cell was violated in one campaign and satisfied in another, by all launches.
"""

import collections
import glob
import itertools
import json
import os
import subprocess
import sys
import tempfile

CORRECTIONS = ("max-t", "holm")


def launches_of(folder):
    """The records of a campaign by the number of their launch."""
    launches = collections.defaultdict(list)
    for file in glob.glob(f"{folder}/records/*.json"):
        with open(file, encoding="utf-8") as record:
            launches[json.load(record)["campaign"]["launch"]].append(file)
    return [launches[number] for number in sorted(launches)]


def verdicts(hockney, correction, files):
    """What is compared -> verdict and ratio."""
    judged = subprocess.run([hockney, "guidelines", "--json", "--correction", correction, *files],
                            capture_output=True, text=True, check=False)
    cells = {}
    for cell in json.loads(judged.stdout)["verdicts"]:
        points = json.dumps([cell["lhs_point"], cell["rhs_point"], cell["factor"]])
        cells[cell["guideline"], cell["bytes"], points] = (cell["verdict"], cell["ratio"])
    return cells


def stability(campaigns):
    """Cells in all campaigns with their verdicts; in which fraction of them two campaigns differ."""
    keys = set.intersection(*(set(cells) for cells in campaigns))
    complete = {key: [cells[key] for cells in campaigns] for key in sorted(keys)}
    pairs = list(itertools.combinations(range(len(campaigns)), 2))
    differing = sum(found[a][0] != found[b][0] for found in complete.values() for a, b in pairs)
    return complete, differing / max(1, len(pairs) * len(complete))


def is_opposed(found):
    return {"violated", "satisfied"} <= {verdict for verdict, _ in found}


def print_row(correction, launches, campaigns):
    complete, fraction = stability(campaigns)
    counts = collections.Counter(verdict for found in complete.values() for verdict, _ in found)
    mean = [f"{counts[verdict] / len(campaigns):.1f}" for verdict in ("violated", "satisfied", "undecided")]
    opposed = sum(is_opposed(found) for found in complete.values())
    changed = sum(len({verdict for verdict, _ in found}) > 1 for found in complete.values())
    print(f"{correction:>10}{launches:>10}{len(complete):>8}{mean[0]:>10}{mean[1]:>11}{mean[2]:>11}{opposed:>9}{changed:>9}"
          f"{fraction:>14.1%}", flush=True)
    return complete


def main():
    build, count, config, arguments = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4:]
    hockney = os.path.join(build, "bin", "hockney")
    with tempfile.TemporaryDirectory() as folder:
        campaigns = []
        for number in range(count):
            out = f"{folder}/{number}"
            subprocess.run([hockney, "run", config, "--out", out, *arguments], check=True, stdout=subprocess.DEVNULL)
            campaigns.append(launches_of(out))
            print(f"campaign {number + 1}: {len(campaigns[-1])} launches", flush=True)
        print("correction  launches   cells  violated  satisfied  undecided  opposed  changed  two differ in")
        all_launches = min(len(launches) for launches in campaigns)
        for launches in sorted({n for n in (5, 6, 8, 10, 12, 16, 20) if n < all_launches} | {all_launches}):
            for correction in CORRECTIONS:
                judged = [verdicts(hockney, correction, sum(each[:launches], [])) for each in campaigns]
                complete = print_row(correction, launches, judged)
        for key, found in complete.items():
            if len({verdict for verdict, _ in found}) > 1:
                print(f"{key[0]} at {key[1]}: " + " ".join(f"{verdict[0]}{ratio:.3f}" for verdict, ratio in found))
        return 1 if any(is_opposed(found) for found in complete.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
