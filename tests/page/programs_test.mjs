// Numbers that the pages of programs compute: node --test tests/page/programs_test.mjs
import assert from "node:assert/strict";
import test from "node:test";
import { ranksOfNodes } from "../../report/page/map.js";
import { matrixOf } from "../../report/page/matrix.js";
import { groupsOfRanks, placesOfTree } from "../../report/page/profile.js";
import { curveOfLaw, timeOfLaw } from "../../report/page/scaling.js";

const rank = (number, computing, mpi, host = "a") => ({
  rank: number,
  host,
  computing_seconds: computing,
  mpi_seconds: mpi,
  mpi_io_seconds: 0,
  io_seconds: 0,
});

test("ranks beyond the number of bars become means of ranks in a row", () => {
  const all = { rank_times: [rank(0, 8, 2), rank(1, 4, 6), rank(2, 4, 6, "b"), rank(3, 2, 8, "b")], split: null };
  const groups = groupsOfRanks(all, 2);
  assert.deepEqual(
    groups.map((one) => one.name),
    ["0-1", "2-3"],
  );
  assert.deepEqual(
    groups.map((one) => one.parts.computing),
    [6, 3],
  );
  assert.deepEqual(
    groupsOfRanks(all, 4, "MPI").map((one) => one.name),
    ["3", "1", "2", "0"],
  );
});

test("with a log the parts of a rank are those of the replay", () => {
  const split = { ranks: [{ computing: 3, dependency: 2, protocol: null, transfer: 1, not_scheduled: 0 }] };
  const [only] = groupsOfRanks({ rank_times: [rank(0, 3, 3)], split });
  assert.deepEqual(only.parts, {
    computing: 3,
    "waiting for senders": 2,
    "waiting for receivers": 0,
    "transfer and other MPI": 1,
    "not scheduled": 0,
  });
});

test("children of a call tree stand below their parent, one after the other", () => {
  const nodes = [
    ["main", 0, 10],
    ["a", 1, 6],
    ["b", 2, 5],
    ["c", 1, 3],
    ["other", 0, 2],
  ];
  const places = placesOfTree(nodes.map(([name, depth, samples]) => ({ function: name, depth, samples })));
  assert.deepEqual(
    places.map(({ from, to }) => [from, to]),
    [
      [0, 10],
      [0, 6],
      [0, 5],
      [6, 9],
      [10, 12],
    ],
  );
});

test("few ranks are marks, many are pixels, and messages without bytes are counted", () => {
  const cells = [{ from: 0, to: 1, messages: 4, bytes: 0 }];
  const names = (count) => Array.from({ length: count }, (_, i) => String(i));
  const few = matrixOf("m", "M", cells, names(2), {});
  assert.equal(few.spec.layer[0].encoding.color.legend.title, "messages");
  assert.deepEqual([few.rows[0].sender, few.rows[0].receiver], ["0", "1"]);
  assert.ok(matrixOf("m", "M", cells, names(100), {}).draw);
  assert.equal(matrixOf("m", "M", [], names(2), {}), null);
});

test("the curve of a law goes through its times", () => {
  const law = { constant_seconds: 1, divided_seconds: 8, doubled_seconds: 0.5 };
  assert.equal(timeOfLaw(law, 4), 1 + 2 + 1);
  const curve = curveOfLaw(law, 1, 16, 4);
  assert.deepEqual(
    curve.map((point) => Math.round(point.ranks)),
    [1, 2, 4, 8, 16],
  );
  assert.equal(curve[0].seconds, 9);
});

test("ranks of a node are listed by ranges", () => {
  assert.deepEqual(ranksOfNodes([0, 0, 1, 0], ["a", "b"]), [
    { node: "a", ranks: "0-1, 3", count: 3 },
    { node: "b", ranks: "2", count: 1 },
  ]);
});
