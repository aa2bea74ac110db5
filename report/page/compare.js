// hockney.compare and hockney.compare-axis: two sides, or the values of an axis against one of them.
import { figureTile } from "./kit.js";
import { bytes, plural } from "./format.js";
import { mostSeries } from "./plots.js";
import { fewCurves, nameCurves, preparedRows, uniqueOf } from "./results.js";
import { ratioSection } from "./marks.js";

const sideName = (side, other) => (side.setting && side.setting !== other.setting ? side.setting : (side.source ?? side.setting ?? ""));
const baseOf = (all) => (all.a ? sideName(all.a, all.b) : all.base);

/** A row for each comparison of a document, with the keys of hockney.rows. */
export function comparedRows(all) {
  const sets = all.a ? [{ ...all, value: sideName(all.b, all.a) }] : all.values;
  const rows = sets.flatMap((set) =>
    set.comparisons.map((one) => ({
      operation: one.operation,
      bytes: one.point.bytes,
      ranks: one.point.ranks,
      hop: one.point.hop ?? "",
      pair: (one.point.pair ?? []).join("-"),
      parameters: Object.entries(one.point.parameters)
        .map(([key, value]) => `${key}=${value}`)
        .join(";"),
      setting: set.value,
      others: Object.entries(set.others ?? {})
        .map(([key, value]) => `${key} ${value}`)
        .join(", "),
      ratio: one.ratio,
      interval: one.ratio_ci_family ?? one.ratio_ci,
      verdict: one.verdict,
      isDecided: one.verdict !== "no evidence",
      reason: one.reason,
      p_adjusted: one.p_adjusted,
      launches_needed: one.launches_needed,
      base_seconds: one.a_median_seconds,
      median_seconds: one.b_median_seconds,
    })),
  );
  return preparedRows(rows).map((row) =>
    row.others ? { ...row, given: { ...row.given, ...{ "": row.others } }, key: row.key + row.others } : row,
  );
}

const decisions = [
  "curve; bytes: size [bytes]; verdict; p_adjusted: p, corrected [number]; reason: why undecided",
  "launches_needed: launches needed [count]",
];

const comparedKeys = ["operation", "hop", "ranks"];

export function compareSections(all, view, number_ = 0) {
  const rows = view.pick(comparedRows(all), comparedKeys);
  if (rows.length === 0) return [];
  const { rows: some, left } = fewCurves(rows, mostSeries);
  const base = baseOf(all);
  const more = left > 0 ? ` ${plural(left, "further curve")}: choose above.` : "";
  const suffix = number_ > 0 ? `-${number_}` : "";
  const family = all.family
    ? `${plural(all.family.size, "comparison")}, family error ${100 * all.family.alpha} % (${all.family.correction})`
    : "";
  const named = nameCurves(rows.map((row) => ({ ...row, reason: row.reason?.replaceAll("_", " ") })));
  const ratios = ratioSection({
    id: `ratios${suffix}`,
    title: number_ > 0 || !all.a ? `Ratio to ${base}` : `${sideName(all.b, all.a)} against ${base}`,
    rows: nameCurves(some),
    base,
    more,
  });
  return [
    ratios,
    {
      id: `decisions${suffix}`,
      title: "What decided",
      caption:
        `${family}. A point is undecided if its interval holds 1; ` +
        `the last column is the number of launches that would show such a ratio.`,
      columns: decisions,
      rows: named.sort((a, b) => b.isDecided - a.isDecided || a.p_adjusted - b.p_adjusted),
    },
  ];
}

export function compareTiles(all, view) {
  const rows = view.pick(nameCurves(comparedRows(all)), comparedKeys);
  const base = baseOf(all);
  const counts = ["slower", "faster", "no evidence"].map((verdict) =>
    rows.filter((row) => row.verdict === verdict).sort((a, b) => (verdict === "faster" ? a.ratio - b.ratio : b.ratio - a.ratio)),
  );
  const endTile = (row, label) =>
    figureTile(`${label}, time / ${base}`, row.ratio, "ratio", {
      interval: row.interval,
      mark: `${row.curve} at ${bytes(row.bytes)}`,
      at: "ratios",
    });
  const [[loss], [gain]] = counts;
  const names = ["slower", "faster", "undecided"];
  return [
    loss && endTile(loss, "largest loss"),
    gain && endTile(gain, "largest gain"),
    ...counts.map((some, i) =>
      figureTile(`points ${names[i]}`, String(some.length), "text", { mark: `of ${rows.length}`, at: "decisions" }),
    ),
  ];
}
