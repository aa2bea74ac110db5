#!/usr/bin/env python3
"""Makes a campaign of many launches of a few real ones, to time what reads thousands of records.

    tests/benchmarks/many_records.py CAMPAIGN OUT [LAUNCHES=2000 [SEED=1]]

CAMPAIGN is a folder that `hockney run` made. OUT gets its records again and again as launches of their own: with another
number, a seed of their own, and the times of each series longer or shorter by a few per cent.
"""

import json
import pathlib
import random
import sys


def scaled(value, factor):
    if isinstance(value, list):
        return [scaled(element, factor) for element in value]
    return value if value is None else value * factor


def another_launch(text, launch, chance):
    record = json.loads(text)
    record["campaign"]["launch"] = launch
    record["seed"] = chance.getrandbits(53)
    of_launch = chance.gauss(0, 0.01)
    for series in record["series"]:
        factor = 1 + of_launch + chance.gauss(0, 0.02)
        for holder in series, series["summary"]:
            for key in holder:
                if key.endswith("_seconds") and key != "starts_seconds":
                    holder[key] = scaled(holder[key], factor)
    return json.dumps(record, indent=1)


def main(campaign, out, launches=2000, seed=1):
    folder = pathlib.Path(out)
    folder.mkdir(parents=True)
    originals = [path.read_text() for path in sorted(pathlib.Path(campaign, "records").glob("*.json"))]
    if not originals:
        sys.exit(f"no records in '{campaign}' (a campaign keeps them in records/) run one first")
    chance = random.Random(int(seed))
    for launch in range(1, int(launches) + 1):
        text = another_launch(originals[launch % len(originals)], launch, chance)
        (folder / f"default-{launch:05}.json").write_text(text)


if __name__ == "__main__":
    if not 3 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
