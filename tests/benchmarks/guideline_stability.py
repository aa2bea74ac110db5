#!/usr/bin/env python3
"""Repeats a campaign of guidelines and counts the cells whose verdict changes from one time to another.

Usage: guideline_stability.py BUILD CAMPAIGNS CONFIG [argument of hockney run]...
Exit code 1 when a cell was violated in one campaign and satisfied in another.
"""

import collections
import itertools
import json
import os
import subprocess
import sys
import tempfile


def verdicts(hockney, config, arguments, folder):
    """What is compared -> verdict and ratio, of one campaign."""
    subprocess.run([hockney, "run", config, "--out", folder, *arguments], check=True, stdout=subprocess.DEVNULL)
    judged = subprocess.run([hockney, "guidelines", folder, "--json"], capture_output=True, text=True)
    cells = {}
    for cell in json.loads(judged.stdout)["verdicts"]:
        points = json.dumps([cell["lhs_point"], cell["rhs_point"], cell["factor"]])
        cells[cell["guideline"], cell["bytes"], points] = (cell["verdict"], cell["ratio"])
    return cells


def main():
    build, campaigns, config, arguments = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4:]
    hockney = os.path.join(build, "bin", "hockney")
    seen = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for campaign in range(campaigns):
            cells = verdicts(hockney, config, arguments, f"{folder}/{campaign}")
            for key, verdict in cells.items():
                seen[key].append(verdict)
            count = collections.Counter(verdict for verdict, _ in cells.values())
            print(f"campaign {campaign + 1}: {len(cells)} cells, {dict(count)}", flush=True)
    complete = {key: found for key, found in seen.items() if len(found) == campaigns}
    opposed = changed = 0
    for key, found in sorted(complete.items()):
        kinds = {verdict for verdict, _ in found}
        if len(kinds) == 1:
            continue
        changed += 1
        opposed += {"violated", "satisfied"} <= kinds
        ratios = " ".join(f"{verdict[0]}{ratio:.3f}" if ratio else verdict for verdict, ratio in found)
        print(f"{key[0]} at {key[1]}: {ratios}")
    pairs = list(itertools.combinations(range(campaigns), 2))
    differing = sum(found[a][0] != found[b][0] for found in complete.values() for a, b in pairs)
    share = differing / max(1, len(pairs) * len(complete))
    print(f"{len(complete)} cells in all {campaigns} campaigns: {opposed} both violated and satisfied, {changed} of more than "
          f"one verdict; two campaigns differ in {share:.1%} of the cells")
    return 1 if opposed else 0


if __name__ == "__main__":
    sys.exit(main())
