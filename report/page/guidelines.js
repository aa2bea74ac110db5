// hockney.guidelines: calls against what does the same work.

import { columnsOf, choiceOf, kind } from "./kit.js";
import { bytes, plural, ratio } from "./format.js";
import { intervals, plot, points, valueAxis } from "./plots.js";
import { recordSections } from "./records.js";
import { groupsOf, sortedNumbers, uniqueOf } from "./results.js";

const mostGuidelines = 30; // in a picture
const verdictColors = { violated: "var(--bad)", undecided: "var(--open)", satisfied: "var(--good)" };

const guidelineColumns = columnsOf(
  "guideline; ranks [count]; bytes: size [bytes]; verdict; ratio: left / right [ratio] ratio_low..ratio_high",
  "lhs_seconds: left [seconds]; right_seconds: right [seconds]; setting; repair; reason: why undecided",
);

/** Verdicts, guidelines with the worst violation first. */
export function guidelineRows(all) {
  const rows = all.verdicts.map((one) => ({
    ...one,
    ratio_low: (one.ratio_ci_family ?? one.ratio_ci)?.[0] ?? null,
    ratio_high: (one.ratio_ci_family ?? one.ratio_ci)?.[1] ?? null,
    right_seconds: one.factor * one.rhs_seconds,
    repair: one.violation?.repair?.setting ?? null,
    size: bytes(one.bytes),
  }));
  const worst = (some) => Math.max(...some.map((row) => (row.verdict === "violated" ? row.ratio : row.ratio / 1e6)));
  return [...groupsOf(rows, (row) => row.guideline).values()].sort((a, b) => worst(b) - worst(a)).flat();
}

export function guidelineTiles(all) {
  const rows = guidelineRows(all);
  const of = (verdict) => rows.filter((row) => row.verdict === verdict);
  const worst = [...of("violated")].sort((a, b) => b.ratio - a.ratio)[0];
  const count_ = (verdict) => ({
    label: verdict,
    value: String(of(verdict).length),
    mark: `of ${plural(rows.length, "case")}`,
    at: "guidelines",
  });
  return [
    count_("violated"),
    ...(worst
      ? [
          {
            label: `worst: ${worst.guideline}`,
            value: worst.ratio,
            unit: "ratio",
            interval: worst.ratio_low === null ? null : [worst.ratio_low, worst.ratio_high],
            mark: `at ${worst.size}, ${worst.ranks} ranks`,
            at: "guidelines",
          },
        ]
      : []),
    count_("undecided"),
    count_("satisfied"),
  ];
}

export function guidelineSections(all, view = null) {
  const rows = view ? view.pick(guidelineRows(all)) : guidelineRows(all);
  if (rows.length === 0) return [];
  const names = uniqueOf(rows, (row) => row.guideline).slice(0, mostGuidelines);
  const drawn = rows.filter((row) => names.includes(row.guideline));
  const violated = [...rows.filter((row) => row.verdict === "violated")].sort((a, b) => b.ratio - a.ratio);
  const sizes = sortedNumbers(uniqueOf(rows, (row) => row.bytes)).map(bytes);
  const verdicts = Object.keys(verdictColors);
  const x = valueAxis("ratio", "left side / right side", "ratio", { axis: "x", log: drawn.every((row) => row.ratio > 0) });
  const y = { field: "guideline", type: "nominal", sort: names, axis: { title: null } };
  const place = { yOffset: { field: "size", type: "nominal", sort: sizes } };
  const color = {
    field: "verdict",
    type: "nominal",
    scale: { domain: verdicts, range: Object.values(verdictColors) },
    legend: { title: null },
  };
  const shape = {
    field: "verdict",
    type: "nominal",
    scale: { domain: verdicts, range: ["triangle-right", "circle", "square"] },
    legend: { title: null },
  };
  const interval = intervals(x, y, "ratio_low", "ratio_high");
  return [
    {
      id: "guidelines",
      title: "Performance guidelines",
      headline:
        violated.length === 0
          ? `0 of ${plural(rows.length, "case")} violated`
          : `${violated.length} of ${plural(rows.length, "case")} violated; ` +
            `${violated[0].guideline} takes ${ratio(violated[0].ratio)} the right side at ${violated[0].size}`,
      caption:
        `The left call should take no longer than the right, which does the same work: violated if the ratio is above 1. ` +
        `Worst first; the points of a line go from the smallest size to the largest.` +
        `${rows.length > drawn.length ? ` The worst ${names.length} guidelines.` : ""}`,
      columns: guidelineColumns,
      rows: drawn,
      spec: plot({
        height: 60 + names.length * Math.max(30, 11 * sizes.length),
        layer: [
          { data: { values: [{ ratio: 1 }] }, mark: { type: "rule", strokeDash: [4, 4] }, encoding: { x } },
          {
            ...interval,
            encoding: { x: { ...x, field: "ratio_low" }, x2: { field: "ratio_high" }, y, ...place, color: color },
          },
          points(x, y, { ...place, color, shape }),
        ],
      }),
    },
  ];
}

/** The choice of an operation for the curves below the verdicts. */
function operationsOf(others) {
  const choice = others["hockney.rows"] ? choiceOf(others["hockney.rows"].rows, "operation", "operation") : null;
  return choice ? [{ ...choice, every: false }] : [];
}

kind("hockney.guidelines", {
  choices: (all, view, others) => [
    choiceOf(all.verdicts, "verdict", "verdict"),
    choiceOf(all.verdicts, "setting", "setting"),
    choiceOf(all.verdicts, "ranks", "ranks"),
    ...operationsOf(others),
  ],
  tiles: guidelineTiles,
  sections: (all, view, others) => [
    ...guidelineSections(all, view),
    ...(others["hockney.rows"] ? recordSections(others["hockney.rows"], view, { "hockney.fit": others["hockney.fit"] }) : []),
  ],
});
