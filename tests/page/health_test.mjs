// Numbers and words of the pages of nights, nodes and places. node --test tests/page/
import assert from "node:assert/strict";
import test from "node:test";
import { View } from "../../report/page/kit.js";
import { linksOf, nodesOf } from "../../report/page/fleet.js";
import { chosenOf, eventsOf, figureText, groupName, happenings, nightRows, unmeasured } from "../../report/page/health.js";

const series = (more) => ({
  name: `${more.bytes} B latency (pingpong, 2 ranks, l3)`,
  figure: "latency",
  operation: "pingpong",
  ranks: 2,
  hop: "l3",
  host: null,
  setting: "nightly",
  unit: "seconds",
  role: "subject",
  verdict: "steady",
  change: null,
  change_ci: null,
  since: null,
  since_ci: null,
  missing_because: null,
  undecided_because: null,
  environment: [],
  notes: [],
  controls: [],
  values: [],
  ...more,
});
const changed = (bytes, change, more = {}) =>
  series({
    bytes,
    change,
    verdict: change > 0 ? "regressed" : "improved",
    since: "2026-10-23",
    since_ci: ["2026-10-23", "2026-10-23"],
    change_ci: [change - 0.01, change + 0.01],
    ...more,
  });

test("sizes that changed on one night are one event", () => {
  const events = eventsOf([
    changed(8, 0.1),
    changed(1024, 0.2),
    series({ bytes: 64 }),
    changed(8, -0.3, { hop: "smt", since: "2026-10-24" }),
  ]);
  assert.equal(events.length, 2);
  assert.equal(events[0].name, "latency at 8 B, 1K (pingpong, 2 ranks, l3)");
  assert.equal(events[0].change, 0.2);
  assert.equal(events[0].change_ci[0], 0.19);
  assert.equal(events[0].count, 2);
  assert.equal(events[1].verdict, "improved");
});

test("changes of controls come after those of MPI, improvements last", () => {
  const names = eventsOf([
    changed(8, -0.5, { figure: "time" }),
    changed(8, 0.5, { operation: "spin", role: "control" }),
    changed(8, 0.1, { operation: "bcast" }),
  ]).map((event) => event.series[0].operation);
  assert.deepEqual(names, ["bcast", "spin", "pingpong"]);
});

test("a group of many sizes is named by its ends", () => {
  const all = [8, 64, 1024, 65536].map((bytes) => series({ bytes }));
  assert.equal(groupName(all), "latency at 8 B .. 64K (pingpong, 2 ranks, l3)");
  assert.equal(groupName([all[0]]), "8 B latency (pingpong, 2 ranks, l3)");
});

test("several series are drawn against their baselines, one as it is", () => {
  const values = [{ day: "2026-10-01", value: 1.1e-6, value_ci: [1e-6, 1.2e-6], launches: 3 }];
  const one = series({ bytes: 8, baseline: 1e-6, values });
  const [alone] = nightRows([one]);
  assert.equal(alone.drawn, 1.1e-6);
  assert.ok(Math.abs(alone.against - 0.1) < 1e-9);
  const [, second] = nightRows([one, series({ bytes: 1024, baseline: 2.2e-6, values })]);
  assert.ok(Math.abs(second.drawn + 0.5) < 1e-9);
  assert.equal(second.curve, "1K");
  assert.equal(second.value, 1.1e-6);
});

test("facts and notes of a night are told once for all series", () => {
  const facts = [{ fact: "mpi.library", before: "A", after: "B" }];
  const both = [8, 64].map((bytes) =>
    series({ bytes, environment: [{ day: "2026-10-23", facts }], notes: [{ day: "2026-10-22", text: "new library" }] }),
  );
  assert.deepEqual(
    happenings(both).map((one) => [one.day, one.name]),
    [
      ["2026-10-22", "“new library”"],
      ["2026-10-23", "MPI library A → B"],
    ],
  );
});

test("values have the unit of their series", () => {
  assert.equal(figureText(1.5e-6, "seconds"), "1.50 us");
  assert.equal(figureText(2e9, "bytes_per_second"), "2.00 GB/s");
  assert.equal(figureText(1.2e-10, "seconds_per_byte"), "0.120 ns/B");
  assert.equal(figureText(null, "seconds"), "–");
});

const point = "pingpong/ranks=2 bytes=8/seconds";
const fleet = {
  point,
  name: "8 B latency (pingpong, 2 ranks)",
  day: "2026-10-31",
  undecided_because: null,
  nodes: [
    { host: "hx2", effect: 0.25, effect_ci: [0.2, 0.3], severity: "ISOLATE", score: 9, pairs: 3, day: null },
    { host: "hx1", effect: 0, effect_ci: null, severity: "OK", score: 0, pairs: 3, day: null },
  ],
  suspects: [{ hosts: ["hx1", "hx3"], hop: "switch", effect: 0.5, score: 6, expected_seconds: 1e-6 }],
};
const link = {
  hosts: ["hx1", "hx3"],
  hop: "switch",
  effect: 0.4,
  effect_ci: null,
  severity: "MONITOR",
  values: 4,
  is_repeated: false,
  point,
};

test("nodes are slow where the document names them", () => {
  const rows = nodesOf({ nodes: [{ host: "hx2", point }] }, fleet);
  assert.deepEqual(
    rows.map((row) => [row.host, row.isBad, row.verdict]),
    [
      ["hx2", true, "slow: drain"],
      ["hx1", false, "as usual"],
    ],
  );
});

test("a link that stays slow is one row, though it is suspect too", () => {
  const rows = linksOf({ links: [link], fleet: [fleet] });
  assert.equal(rows.length, 1);
  assert.equal(rows[0].evidence, "for 4 nights");
  assert.equal(linksOf({ links: [], fleet: [fleet] })[0].action, "measure again");
});

test("what was not measured is counted by its reason", () => {
  const verdicts = [8, 64, 512, 4096].map((bytes) => series({ bytes, verdict: "missing", missing_because: "SIGSEGV" }));
  verdicts.push(series({ bytes: 1, verdict: "undecided", undecided_because: "short_baseline", nights: 5, nights_needed: 15 }));
  const rows = unmeasured({ verdicts, fleet: [{ ...fleet, undecided_because: "too_few_nodes" }], nights_in_future: ["2027-01-01"] });
  assert.deepEqual(
    rows.map((row) => [row.verdict, row.count]),
    [
      ["missing", 4],
      ["undecided", 1],
      ["nodes undecided", undefined],
      ["not judged", undefined],
    ],
  );
  assert.equal(rows[0].names, "latency at 8 B .. 4K (pingpong, 2 ranks, l3)");
  assert.equal(rows[1].reason, "5 of 15 nights that a baseline needs");
});

test("what is chosen leaves other series, nodes and links out", () => {
  const health = {
    verdicts: [series({ bytes: 8 }), series({ bytes: 8, operation: "bcast" })],
    nodes: [{ host: "hx2", point }],
    links: [link],
    fleet: [fleet],
  };
  const all = chosenOf(health, new View(""));
  assert.deepEqual([all.verdicts.length, all.nodes.length, all.links.length, all.fleet.length], [2, 1, 1, 1]);
  const bcast = chosenOf(health, new View("#operation=bcast"));
  assert.deepEqual([bcast.verdicts.length, bcast.nodes.length, bcast.links.length, bcast.fleet.length], [1, 0, 0, 0]);
  const node = chosenOf(health, new View("#host=hx3"));
  assert.deepEqual([node.verdicts.length, node.nodes.length, node.links.length, node.fleet.length], [0, 0, 1, 1]);
});
