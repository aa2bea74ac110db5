// What pages of measurements compute, without a browser: node --test tests/page
import assert from "node:assert/strict";
import { test } from "node:test";
import * as results from "../../report/page/results.js";
import { comparedRows } from "../../report/page/compare.js";
import { guidelineRows } from "../../report/page/guidelines.js";
import { decisionRows } from "../../report/page/tune.js";
import { columnsOf } from "../../report/page/kit.js";
import { sectionOfFinding } from "../../report/page/records.js";
import { csvOf, unpacked, View } from "../../report/page/kit.js";

const row = (more) => ({
  operation: "bcast",
  setting: "default",
  axes: "",
  ranks: 4,
  hop: "",
  pair: "",
  parameters: "",
  bytes: 8,
  median_seconds: 1,
  launch_places: [],
  launch_seconds: [],
  ...more,
});

test("medians have exact intervals from six values on", () => {
  assert.equal(results.medianOf([3, 1, 2]), 2);
  assert.equal(results.quantileOf([1, 2, 3, 4], 0.25), 1.75);
  assert.equal(results.medianInterval([1, 2, 3, 4, 5]), null);
  // Order statistics of a binomial with n / 2: 96.9 %, 99.2 % (the next are 92.97 %), 97.9 %.
  assert.deepEqual(results.medianInterval([6, 5, 4, 3, 2, 1]), [1, 6]);
  assert.deepEqual(results.medianInterval([1, 2, 3, 4, 5, 6, 7, 8]), [1, 8]);
  assert.deepEqual(results.medianInterval([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), [2, 9]);
});

test("curves are named by what differs", () => {
  const named = (rows) => results.nameCurves(results.preparedRows(rows)).map((one) => one.curve);
  assert.deepEqual(named([row({}), row({ bytes: 64 })]), ["bcast", "bcast"]);
  assert.deepEqual(named([row({ hop: "l3", pair: "0-1" }), row({ hop: "cross-node", pair: "0-4" })]), ["same L3", "other node"]);
  assert.deepEqual(named([row({ hop: "l3", pair: "0-1" }), row({ hop: "l3", pair: "0-2" })]), ["ranks 0 and 1", "ranks 0 and 2"]);
  assert.deepEqual(named([row({ parameters: "cache=hot;memory=host" }), row({ parameters: "cache=hot;memory=cuda" })]), [
    "memory host",
    "memory cuda",
  ]);
  const swept = ["ring", "tree"].map((algorithm) =>
    row({ setting: `ranks=4,algorithm=${algorithm}`, axes: `algorithm=${algorithm};ranks=4` }),
  );
  assert.deepEqual(named(swept), ["ring", "tree"]);
});

test("a window that follows from the size is no property of a curve", () => {
  const keys = (rows) => new Set(results.preparedRows(rows).map((one) => one.key)).size;
  assert.equal(keys([row({ bytes: 8, parameters: "window=64" }), row({ bytes: 64, parameters: "window=8" })]), 1);
  const chosen = [8, 64].flatMap((bytes) => [1, 2].map((window) => row({ bytes, parameters: `window=${window}` })));
  assert.equal(keys(chosen), 2);
});

test("pairs are pooled where there are too many curves, and nothing else", () => {
  const rows = results.preparedRows(
    [1, 2, 3].flatMap((to) => [8, 64].map((bytes) => row({ hop: "l3", pair: `0-${to}`, bytes, median_seconds: to }))),
  );
  assert.equal(results.fewCurves(rows, 3).rows.length, 6);
  const few = results.fewCurves(rows, 2);
  assert.deepEqual(
    few.rows.map((one) => [one.bytes, one.median_seconds, one.ci_low_seconds, one.ci_high_seconds, one.pairs]),
    [
      [8, 2, 1, 3, 3],
      [64, 2, 1, 3, 3],
    ],
  );
  assert.equal(few.pooled, 2);
  const settings = results.preparedRows(["a", "b", "c"].map((setting) => row({ setting })));
  assert.equal(results.fewCurves(settings, 2).left, 1);
});

test("of many settings the base comes first, then what is fastest somewhere", () => {
  const times = { base: [5, 5], slow: [9, 9], once: [6, 1], twice: [1, 6] };
  const rows = Object.entries({ slow: times.slow, twice: times.twice, once: times.once, base: times.base }).flatMap(([setting, list]) =>
    list.map((median_seconds, i) => row({ setting, median_seconds, bytes: 8 ** i })),
  );
  const order = results.uniqueOf(results.fastestFirst(results.preparedRows(rows), "base"), (one) => one.setting);
  assert.deepEqual(order, ["base", "twice", "once", "slow"]);
});

test("a model is drawn where it holds", () => {
  const line = (from_bytes, to_bytes, alpha_seconds) => ({ from_bytes, to_bytes, alpha_seconds, beta_seconds_per_byte: 0.5 });
  const fit = {
    operation: "bcast",
    setting: "default",
    point: { ranks: 4, hop: null, parameters: {} },
    segments: [line(0, 8, 1), line(16, 64, 3)],
  };
  assert.equal(results.modelSeconds(fit, 4), 3);
  assert.equal(results.modelSeconds(fit, 12), null);
  assert.equal(results.modelSeconds(fit, 16), 11);
  const points = results.modelPoints(fit, "c");
  assert.ok(points.every((one) => one.drawnBytes <= 8 || one.drawnBytes >= 16));
  assert.deepEqual(points[0], { curve: "c", part: "c 0", drawnBytes: 0.5, value: 1 });
  assert.equal(points.at(-1).value, 35);
  const [found, other] = results.preparedRows([row({}), row({ ranks: 8 })]);
  assert.equal(results.fitOf([fit], found), fit);
  assert.equal(results.fitOf([fit], other), undefined);
});

const launches = ["a", "b"].flatMap((setting) => [0, 1, 2, 3, 4, 5].map((launch) => ({ campaign: "c", setting, launch })));
const settings = [
  row({ setting: "a", median_seconds: 2, launch_places: [0, 1, 2, 3, 4, 5], launch_seconds: [1, 2, 3, 2, 2, 2] }),
  row({ setting: "b", median_seconds: 4, launch_places: [6, 7, 8, 9, 10, 11], launch_seconds: [2, 4, 6.75, 4, 4, 3.5] }),
];

test("ratios are paired by launch, with the document's verdict where it has this base", () => {
  const rows = results.preparedRows(settings);
  const [ratio] = results.ratiosAgainst(rows, { launches }, "a");
  assert.deepEqual([ratio.setting, ratio.ratio, ...ratio.interval, ratio.verdict, ratio.family], ["b", 2, 1.75, 2.25, "slower", false]);
  const [back] = results.ratiosAgainst(rows, { launches }, "b");
  assert.equal(back.verdict, "faster");
  const judged = { ...row({}), base: "a", setting: "b", ratio: 1.9, ratio_low: 0.9, ratio_high: 2.5, verdict: "no evidence" };
  const [known] = results.ratiosAgainst(rows, { launches, comparisons: [judged] }, "a");
  assert.deepEqual([known.ratio, known.verdict, known.family, known.isDecided], [1.9, "no evidence", true, false]);
});

test("the fastest setting is one that is shown to be faster", () => {
  const rows = results.preparedRows(settings);
  const best = (against) => results.bestSettings(results.ratiosAgainst(rows, { launches }, against), against)[0];
  assert.deepEqual([best("a").fastest, best("a").gain, best("a").seconds], ["a", 1, 2]);
  assert.deepEqual([best("b").fastest, best("b").gain, best("b").seconds], ["a", 2, 2]);
});

test("pairs are cells of a matrix, in blocks where there are many", () => {
  const pairs = (count) => Array.from({ length: count }, (_, to) => row({ pair: `0-${to + 1}`, hop: "l3", median_seconds: to + 1 }));
  const small = results.pairMatrix(pairs(3), 32);
  assert.deepEqual(small.sides, ["0", "1", "2", "3"]);
  assert.equal(small.mirrored.length, 3);
  const large = results.pairMatrix(pairs(127), 32);
  assert.equal(large.sides.length, 32);
  assert.equal(large.sides.at(-1), "124..127");
  assert.equal(
    large.rows.reduce((sum, cell) => sum + cell.pairs, 0),
    127,
  );
  const hosts = results.pairMatrix(pairs(3), 32, ["x", "x", "y", "y"]);
  assert.deepEqual(
    hosts.rows.map((cell) => [cell.from, cell.to, cell.median_seconds, cell.pairs]),
    [
      ["x", "x", 1, 1],
      ["x", "y", 2.5, 2],
    ],
  );
});

test("comparisons of two sides and of an axis have rows alike", () => {
  const one = {
    operation: "bcast",
    point: { bytes: 8, ranks: 4, hop: null, pair: [], parameters: { cache: "hot" } },
    ratio: 2,
    ratio_ci: [1, 3],
    ratio_ci_family: [0.5, 4],
    verdict: "slower",
    a_median_seconds: 1,
    b_median_seconds: 2,
  };
  const sides = comparedRows({ a: { setting: "x", source: "f" }, b: { setting: "y", source: "f" }, comparisons: [one] })[0];
  assert.deepEqual(
    [sides.setting, ...sides.interval, sides.isDecided, sides.base_seconds, sides.median_seconds],
    ["y", 0.5, 4, true, 1, 2],
  );
  const axis = comparedRows({
    base: "x",
    values: [{ value: "z", others: { ranks: "4" }, comparisons: [{ ...one, verdict: "no evidence" }] }],
  })[0];
  assert.deepEqual([axis.setting, axis.isDecided, axis.bytes], ["z", false, 8]);
});

test("the guideline with the worst violation is first", () => {
  const one = (guideline, ratio, verdict) => ({ guideline, ratio, verdict, bytes: 8, factor: 1, rhs_seconds: 1 });
  const rows = guidelineRows({
    verdicts: [one("a", 9, "undecided"), one("b", 1.5, "violated"), one("c", 2, "violated"), one("b", 0.5, "satisfied")],
  });
  assert.deepEqual(
    rows.map((each) => each.guideline),
    ["c", "b", "b", "a"],
  );
});

test("decisions of a selection say what is gained", () => {
  const one = {
    operation: "bcast",
    ranks: 4,
    bytes: 8,
    ratio: 0.5,
    ratio_ci_family: [0.4, 0.8],
    choice: { algorithm: "ring", segment_bytes: 1024, fanout: 0 },
  };
  const [first, own] = decisionRows({ decisions: [one, { ...one, choice: null, ratio: null, ratio_ci_family: null }] });
  assert.deepEqual([first.fastest, first.gain, ...first.interval], ["ring, segments of 1K", 2, 1.25, 2.5]);
  assert.deepEqual([own.fastest, own.gain, own.interval], ["library's own", 1, undefined]);
});

test("findings of a summary point to the section that shows them", () => {
  const at = (what) => sectionOfFinding({ what });
  assert.equal(at("pingpong l3 at 4M takes 3.4 times its model"), "models");
  assert.equal(at("3 points not measured: too large"), "missing");
  assert.equal(at("5 of 8 points measured: time is up"), "missing");
  assert.equal(at("the MPI library ignored OMPI_MCA_pml=ucx"), "drift");
  assert.equal(at("words of a later version"), undefined);
});

test("columns, CSV, choices and packed rows", () => {
  const columns = columnsOf("a; b: size [bytes]; c: time [seconds] low..high", { key: "d", title: "x:y" });
  assert.deepEqual(
    columns.map((one) => one.title),
    ["a", "size", "time", "x:y"],
  );
  assert.equal(
    csvOf(columns, [{ a: 'say "hi", you', b: 8, c: 0.1, low: null, high: 0.2, d: "" }]),
    'a,b,c,low,high,d\r\n"say ""hi"", you",8,0.1,,0.2,\r\n',
  );
  const ends = columnsOf("a [seconds] ci; b [ratio] range");
  assert.equal(csvOf(ends, [{ a: 2, ci: [1, 3], b: 4, range: { low: 3, high: 5 } }]), "a,a_low,a_high,b,b_low,b_high\r\n2,1,3,4,3,5\r\n");
  const view = new View("#hop=l3&axis=linear&launches=a+%231~b+%232&at=time");
  assert.deepEqual([view.choice, [...view.launches], view.at], [{ hop: "l3", axis: "linear" }, ["a #1", "b #2"], "time"]);
  assert.deepEqual(new View(view.hash()), view);
  assert.deepEqual(view.pick([{ hop: "l3" }, { hop: "numa" }, { ranks: 2 }]), [{ hop: "l3" }, { ranks: 2 }]);
  assert.deepEqual(unpacked({ rows: { $keys: ["a"], $same: { b: 1 }, $rows: [[1], [[2]]] } }), {
    rows: [
      { a: 1, b: 1 },
      { a: [2], b: 1 },
    ],
  });
});
