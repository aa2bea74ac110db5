// hockney.guidelines: calls against what does the same work.

import { figureTile } from "./kit.js";
import { bytes, plural, ratio } from "./format.js";
import { colourBy } from "./plots.js";
import { dotPlot } from "./marks.js";
import { groupsOf, sortedNumbers, uniqueOf } from "./results.js";

const mostGuidelines = 30; // in a picture
const verdictMarks = {
  violated: ["var(--bad)", "triangle-right"],
  undecided: ["var(--open)", "circle"],
  satisfied: ["var(--good)", "square"],
};

/** Verdicts, guidelines with the worst violation first. */
export function guidelineRows(all) {
  const rows = all.verdicts.map((one) => ({
    ...one,
    interval: one.ratio_ci_family ?? one.ratio_ci,
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
  const tileOf = (verdict) =>
    figureTile(verdict, String(of(verdict).length), "text", { mark: `of ${plural(rows.length, "case")}`, at: "guidelines" });
  const worstTile = (row) =>
    figureTile(`worst: ${row.guideline}`, row.ratio, "ratio", {
      interval: row.interval,
      mark: `at ${row.size}, ${row.ranks} ranks`,
      at: "guidelines",
    });
  return [tileOf("violated"), worst && worstTile(worst), tileOf("undecided"), tileOf("satisfied")];
}

export function guidelineSections(all, view = null) {
  const rows = view ? view.pick(guidelineRows(all)) : guidelineRows(all);
  const names = uniqueOf(rows, (row) => row.guideline).slice(0, mostGuidelines);
  const drawn = rows.filter((row) => names.includes(row.guideline));
  const violated = [...rows.filter((row) => row.verdict === "violated")].sort((a, b) => b.ratio - a.ratio);
  const worst = ([row]) => (row ? `; ${row.guideline} takes ${ratio(row.ratio)} the right side at ${row.size}` : "");
  const sizes = sortedNumbers(uniqueOf(rows, (row) => row.bytes)).map(bytes);
  const channel = (i) => ({
    ...colourBy(
      "verdict",
      Object.keys(verdictMarks),
      Object.values(verdictMarks).map((one) => one[i]),
    ),
    legend: { title: null },
  });
  return [
    {
      id: "guidelines",
      title: "Performance guidelines",
      headline: `${violated.length} of ${plural(rows.length, "case")} violated${worst(violated)}`,
      caption:
        `The left call should take no longer than the right, which does the same work: violated if the ratio is above 1. ` +
        `Worst first; the points of a line go from the smallest size to the largest.` +
        `${rows.length > drawn.length ? ` The worst ${names.length} guidelines.` : ""}`,
      columns: [
        "guideline; ranks [count]; bytes: size [bytes]; verdict; ratio: left / right [ratio] interval",
        "lhs_seconds: left [seconds]; right_seconds: right [seconds]; setting; repair; reason: why undecided",
      ],
      rows: drawn,
      spec: (some) =>
        dotPlot({
          ...{ rows: some, name: "guideline", key: "ratio", title: "left side / right side", unit: "ratio", base: 1 },
          channels: { color: channel(0), shape: channel(1) },
          offset: { yOffset: { field: "size", type: "nominal", sort: sizes } },
          step: Math.max(30, 11 * sizes.length),
        }),
    },
  ];
}

/** The choice of an operation for the curves below the verdicts. */
