// The reader of time lines on logs whose waits are known: node --test tests/page/timeline_test.mjs
import assert from "node:assert/strict";
import test from "node:test";
import {
  callAt,
  chainOf,
  countMessages,
  messagesIn,
  orderOf,
  readTimeline,
  rowsOfRanks,
  tickStep,
  windowAt,
} from "../../report/page/timeline.js";

const signed = (value) => (value < 0 ? -2 * value - 1 : 2 * value);

/** The bytes that components/application/analysis/event_levels.hpp describes: a head, and numbers of 7 bits. */
function binaryOf(head, numbers) {
  const bytes = [...new TextEncoder().encode(JSON.stringify(head) + "\n")];
  for (let value of numbers) {
    for (; value >= 128; value = Math.floor(value / 128)) bytes.push(128 + (value % 128));
    bytes.push(value);
  }
  return Uint8Array.from(bytes);
}

/**
 * Three ranks for 1000 ns in ten slots of 100 units. Rank 2 computes for 600 ns and sends to rank 1, which waits in MPI_Recv from 200
 * on and then sends to rank 0, which waits from 100 on.
 */
function chainOfThree() {
  const head = {
    nanoseconds: 1000,
    unit: 1,
    slot_units: 100,
    slots: 10,
    ranks: [0, 1, 2],
    hosts: ["a", "b", "b"],
    doings: ["computing", "waiting", "messages", "collectives", "other MPI"],
    functions: [
      ["MPI_Recv", 2],
      ["MPI_Send", 2],
    ],
    sites: ["exchange (ring.c:5)"],
    windows: [[0, 1001]],
    typical: null,
    slowest: null,
    calls: 4,
  };
  const calls = [
    [{ begin: 100, end: 800, wait: 600, cause: [1, 1], args: 0 }],
    [
      { begin: 200, end: 690, wait: 400, cause: [2, 0], args: 1 },
      { begin: 700, end: 790, args: 2 },
    ],
    [{ begin: 600, end: 650, args: 3 }],
  ];
  const totals = [
    [600, 100],
    [400, 180],
    [0, 50],
  ];
  const slots = [
    [[1, 0], ...Array(6).fill([100, 0]), [0, 100], [0, 0], [0, 0]].map(([wait, send], i) => (i === 0 ? [0, 0] : [wait, send])),
    [
      [0, 0],
      [0, 0],
      [100, 0],
      [100, 0],
      [100, 0],
      [100, 0],
      [0, 90],
      [0, 90],
      [0, 0],
      [0, 0],
    ],
    [...Array(6).fill([0, 0]), [0, 50], [0, 0], [0, 0], [0, 0]],
  ];
  const numbers = [];
  for (const [wait, messages] of totals) numbers.push(0, 1000, wait, messages, 0, 0);
  for (const rank of slots)
    for (const [wait, messages] of rank) numbers.push((wait ? 1 : 0) + (messages ? 2 : 0), ...[wait, messages].filter(Boolean));
  numbers.push(...[0, 0, 0, 0, 0, 0, 1, 1, 0, 0]); // messages sent in each slot
  const peer = (difference) => 1 + signed(difference);
  numbers.push(4, ...[0, 1, 0, peer(1), 0, 9], ...[0, 1, 0, peer(1), 0, 9], ...[1, 1, peer(-1), 0, 9, 0], ...[1, 1, peer(-1), 0, 9, 0]);
  calls.forEach((list, place) => {
    numbers.push(0, list.length);
    let now = 0;
    list.forEach((call, i) => {
      numbers.push(signed(call.begin - now), call.end - call.begin, 2 * call.args + (call.wait ? 1 : 0));
      now = call.end;
      if (call.wait) numbers.push(call.wait, signed(call.cause[0] - place), signed(call.cause[1] - i));
    });
  });
  numbers.push(2, ...[1, 1, signed(-1), 0], ...[1, 0, signed(-1), 0]);
  return readTimeline(binaryOf(head, numbers));
}

test("ranks, calls and messages are read as they were written", () => {
  const line = chainOfThree();
  const call = callAt(line, 0, 150);
  assert.deepEqual(
    [call.name, call.site, call.from, call.to, call.received, call.begin, call.end, call.wait],
    ["MPI_Recv", "exchange (ring.c:5)", 1, null, 8, 100, 800, 600],
  );
  assert.equal(callAt(line, 0, 900), null);
  assert.equal(windowAt(line, 2000), null);
  const { messages } = line.windows[0];
  assert.deepEqual([...messages.from], [1, 2]);
  assert.deepEqual([...messages.to], [0, 1]);
  assert.deepEqual([...messages.sent], [700, 600]);
  assert.deepEqual([...messages.received], [800, 690]);
  assert.deepEqual(
    rowsOfRanks(line).map((row) => [row.computing, row.waiting].map((value) => Math.round(1e9 * value))),
    [
      [300, 600],
      [420, 400],
      [950, 0],
    ],
  );
});

test("every level of detail has the same time of each kind", () => {
  const line = chainOfThree();
  const sums = line.levels.map(({ units }) =>
    [0, 1, 2, 3, 4].map((kind) => units.reduce((sum, value, i) => sum + (i % 5 === kind ? value : 0), 0)),
  );
  assert.deepEqual(sums[0], [1670, 1000, 330, 0, 0]);
  for (const sum of sums) assert.deepEqual(sum, sums[0]);
  assert.equal(line.levels.at(-1).slots, 1);
});

test("a chain of waits ends at the rank that computed", () => {
  const line = chainOfThree();
  const { steps, origin } = chainOf(line, callAt(line, 0, 150));
  assert.deepEqual(
    steps.map(({ call, cause }) => [call.rank, cause.rank]),
    [
      [0, 1],
      [1, 2],
    ],
  );
  assert.deepEqual([origin.rank, origin.kind], [2, "computing"]);
  assert.deepEqual(chainOf(line, callAt(line, 2, 620)), { steps: [], origin: null });
});

test("messages in view are found between shown ranks, and counted where calls are not stored", () => {
  const line = chainOfThree();
  assert.deepEqual(
    messagesIn(line.windows[0], 0, 650, () => true, 9),
    { places: [1], count: 1 },
  );
  assert.deepEqual(
    messagesIn(line.windows[0], 0, 1000, (place) => place === 0, 9),
    { places: [0], count: 1 },
  );
  assert.deepEqual(
    messagesIn(line.windows[0], 0, 1000, () => true, 1),
    { places: [0], count: 2 },
  );
  assert.equal(countMessages(line, 650, 1000), 2);
  assert.equal(countMessages(line, 700, 800), 1);
});

test("ranks are searched by number, range and node, and sorted by wait", () => {
  const line = chainOfThree();
  assert.deepEqual(orderOf(line, "number"), [0, 1, 2]);
  assert.deepEqual(orderOf(line, "wait"), [0, 1, 2]);
  assert.deepEqual(orderOf(line, "number", "1-2"), [1, 2]);
  assert.deepEqual(orderOf(line, "number", "0, b"), [0, 1, 2]);
  assert.deepEqual(orderOf(line, "number", "B"), [1, 2]);
  assert.deepEqual(orderOf(line, "node", "nowhere"), []);
});

test("ticks of an axis are 1, 2 or 5 times a power of ten", () => {
  assert.equal(tickStep(1000, 10), 100);
  assert.equal(tickStep(1000, 9), 200);
  assert.equal(tickStep(900, 2), 500);
});
