#!/usr/bin/env python3
"""What each way of placing ranks is worth: the bytes between nodes without it, over those with all.

    python3 tests/benchmarks/mappings.py HOCKNEY [SEEDS]

HOCKNEY is a build with Scotch. Patterns are made, with ranks numbered in order or at random; the result is the same each time."""
import collections
import itertools
import json
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

PROFILE = pathlib.Path(__file__).parent.parent / "fixtures/profiles/p4.json"


def grid(sizes, periodic=False, diagonals=False):
    edges = collections.Counter()
    cells = list(itertools.product(*map(range, sizes)))
    number = {cell: i for i, cell in enumerate(cells)}
    for cell in cells:
        for step in itertools.product((-1, 0, 1), repeat=len(sizes)):
            moved = sum(map(abs, step))
            if moved == 0 or (moved > 1 and not diagonals):
                continue
            place = [c + s for c, s in zip(cell, step)]
            if periodic:
                place = [p % size for p, size in zip(place, sizes)]
            other = number.get(tuple(place))
            if other is not None and other != number[cell]:
                edges[number[cell], other] += 1024 // 4 ** (moved - 1)
    return edges


def mesh(ranks, neighbours, chance):
    """Points in a square that exchange with those nearest to them."""
    points = [(chance.random(), chance.random()) for _ in range(ranks)]
    edges = collections.Counter()
    for a, (x, y) in enumerate(points):
        near = sorted(range(ranks), key=lambda b: (x - points[b][0]) ** 2 + (y - points[b][1]) ** 2)
        for b in near[1 : neighbours + 1]:
            edges[a, b] = edges[b, a] = chance.randint(100, 2000)
    return edges


def hubs(ranks, chance):
    """Few ranks exchange with many."""
    edges = collections.Counter()
    for a in range(1, ranks):
        for _ in range(3):
            b = min(int(a * chance.random() ** 2), a - 1)
            edges[a, b] = edges[b, a] = chance.randint(1, 100)
    return edges


def renumbered(edges, ranks, chance):
    order = list(range(ranks))
    chance.shuffle(order)
    return {(order[a], order[b]): size for (a, b), size in edges.items()}


def cases(seeds):
    yield "grid 24x16", 384, 16, grid((24, 16))
    yield "grid 12x8x4", 384, 16, grid((12, 8, 4))
    yield "periodic grid 10x10", 100, 5, grid((10, 10), periodic=True)
    yield "grid 13x11", 143, 11, grid((13, 11))
    for seed in range(seeds):
        chance = random.Random(seed)
        yield "grid 16x12, renumbered", 192, 12, renumbered(grid((16, 12)), 192, chance)
        yield "grid 8x6x4, renumbered", 192, 8, renumbered(grid((8, 6, 4)), 192, chance)
        yield "27 points, periodic, renumbered", 192, 8, renumbered(grid((8, 8, 3), True, True), 192, chance)
        yield "mesh of 192", 192, 12, mesh(192, 6, chance)
        yield "mesh of 384", 384, 16, mesh(384, 8, chance)
        yield "hubs", 192, 12, hubs(192, chance)


def profile_of(ranks, nodes, edges):
    profile = json.loads(PROFILE.read_text())
    profile["world_ranks"] = profile["communicators"][0]["size"] = ranks
    each = ranks // nodes
    profile["ranks"] = [profile["ranks"][0] | {"rank": r, "host": f"n{r // each:03}", "cpus": [r % each]} for r in range(ranks)]
    profile["provenance"]["hosts"] = [profile["provenance"]["hosts"][0] | {"name": f"n{i:03}"} for i in range(nodes)]
    profile["messages"] = [
        profile["messages"][0] | {"from": a, "to": b, "bytes": size, "messages": 1, "min_bytes": size, "max_bytes": size}
        for (a, b), size in edges.items()
    ]
    for call in profile["calls"]:
        call["ranks"] = ranks
    return profile


WITHOUT = {
    "swaps": lambda how: "then swaps" not in how,
    "blocks": lambda how: "blocks" not in how,
    "grown": lambda how: "grown" not in how,
    "Scotch": lambda how: "Scotch" not in how,
    "both": lambda how: "Scotch" not in how and "grown" not in how,
}


def main():
    hockney, seeds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    losses = collections.defaultdict(lambda: collections.defaultdict(list))
    gains = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "profile.json"
        for name, ranks, nodes, edges in cases(seeds):
            file.write_text(json.dumps(profile_of(ranks, nodes, edges)))
            found = json.loads(subprocess.check_output([hockney, "map", file, "--json"]))
            now = found["now"]["cut_bytes"]
            tried = {one["how"]: one["cut_bytes"] for one in found["tried"]}
            best = min([now, *tried.values()])
            gains[name].append(best / now)
            for part, stays in WITHOUT.items():
                rest = min([now, *(cut for how, cut in tried.items() if stays(how))])
                losses[name][part].append(rest / best)
    print("bytes between nodes: best over ranks in order, and best without each way over best with all (median, largest)")
    print(f"{'pattern':34}{'best':>7}" + "".join(f"{'no ' + part:>15}" for part in WITHOUT))
    for name, parts in losses.items():
        cells = (f"{statistics.median(ratios):8.3f} {max(ratios):6.3f}" for ratios in parts.values())
        print(f"{name:34}{statistics.median(gains[name]):7.3f}" + "".join(cells))


main()
