// Pictures that several kinds of document share: curves, points with intervals in named rows, heat maps, ratios by size.
import { columnsOf } from "./kit.js";
import { bytes, isKnown, plural, ratio } from "./format.js";
import { heat, intervals, plot, points, said, series, sizeAxis, valueAxis } from "./plots.js";
import { sortedNumbers, uniqueOf } from "./results.js";

/** A layer with data of its own; none without values. */
export const layerOf = (values, mark, encoding) => (values.length > 0 ? [{ data: { values }, mark, encoding }] : []);

const hasEnds = (rows, low) => rows.some((row) => isKnown(row[low]));

/** Points with intervals for each curve that `by` names; `line` connects them. More layers stand `below` and `above`. */
export function curvePlot({
  rows,
  by = "curve",
  x = sizeAxis(),
  y,
  low,
  high,
  line = false,
  below = [],
  above = [],
  height = 340,
  description,
}) {
  const names = uniqueOf(rows, (row) => row[by]);
  const { color, shape, strokeDash } = series(by, names);
  return plot({
    height,
    description,
    layer: [
      ...below,
      ...(line ? [{ mark: { type: "line", strokeWidth: 1.5 }, encoding: { x, y, color, strokeDash } }] : []),
      ...(hasEnds(rows, low) ? [intervals(x, y, low, high, { color })] : []),
      points(x, y, { color, shape }),
      ...above,
    ],
  });
}

const named = (field, more = {}) => ({ field, type: "nominal", sort: null, axis: { title: null }, ...more });

/** A point for each row, in lines that `name` names, with the interval `low` to `high`. */
export function dotPlot({
  rows,
  name = "place",
  key,
  title,
  unit,
  low,
  high,
  channels = { color: { value: "var(--series-1)" } },
  log = true,
  base,
}) {
  const y = named(name);
  const isLog = log && rows.every((row) => row[key] > 0 && !(isKnown(row[low]) && row[low] <= 0));
  const x = valueAxis(key, title, unit, { log: isLog, axis: "x" });
  const ends = { x: { ...x, field: low }, x2: { field: high }, y, color: channels.color };
  return plot({
    height: 50 + 24 * new Set(rows.map((row) => row[name])).size,
    layer: [
      ...layerOf(isKnown(base) ? [{ base }] : [], { type: "rule", strokeDash: [4, 4] }, { x: { ...x, field: "base" } }),
      ...(hasEnds(rows, low)
        ? [{ transform: [{ filter: `isValid(datum['${low}'])` }], mark: { type: "rule", strokeWidth: 2 }, encoding: ends }]
        : []),
      points(x, y, channels, 70),
    ],
  });
}

/** Cells in named columns and rows, coloured by `key`, with `words` in them. `mirrored` cells have neither. */
export function heatPlot({ rows, x, y, key, format, title, words, height, mirrored = [] }) {
  const color = heat([...rows, ...mirrored], key, format, title);
  const cells = { type: "rect", stroke: "var(--paper)" };
  const label = {
    x,
    y,
    text: { field: words, type: "nominal" },
    color: { field: "ink", type: "nominal", scale: null },
    tooltip: said.tooltip,
  };
  return plot({
    height,
    layer: [
      ...layerOf(mirrored, cells, { x, y, color }),
      { name: "rows", mark: cells, encoding: { x, y, color, ...said } },
      ...(words ? [{ mark: { type: "text", fontSize: 11, limit: 130 }, encoding: label }] : []),
    ],
  });
}

/** The heat map of what is fastest, by `place` and size. */
export const fastestPlot = (rows, place, title) =>
  heatPlot({
    rows,
    x: named(place, { axis: { title: null, orient: "top", labelAngle: 0, labelLimit: 160 } }),
    y: named("size", { sort: sortedNumbers(uniqueOf(rows, (row) => row.bytes)).map(bytes), axis: { title: "message size [B]" } }),
    key: "gain",
    format: ratio,
    title,
    words: "fastest",
    height: 60 + 26 * new Set(rows.map((row) => row.bytes)).size,
  });

/** "Of 30 points: slower at 17, most 3.81 × (ring at 1K); faster at 3 ...". */
function ratioHeadline(rows) {
  const part = (verdict, sign) => {
    const some = rows.filter((row) => row.verdict === verdict).sort((a, b) => sign * (b.ratio - a.ratio));
    return some.length === 0
      ? null
      : `${verdict} at ${some.length}, most ${ratio(some[0].ratio)} (${some[0].curve} at ${bytes(some[0].bytes)})`;
  };
  return (
    `Of ${plural(rows.length, "point")}: ` +
    ([part("slower", 1), part("faster", -1)].filter(Boolean).join("; ") || "no difference is shown")
  );
}

/** Ratios by size with their intervals, decided ones filled. Rows: curve, bytes, ratio, ratio_low, ratio_high, verdict, isDecided. */
export function ratioSection({ id, title, rows, base, more = "" }) {
  const names = uniqueOf(rows, (row) => row.curve);
  const { color, shape } = series("curve", names);
  const near = rows.every((row) => (row.ratio_high ?? row.ratio) < 1.1 && (row.ratio_low ?? row.ratio) > 1 / 1.1);
  const y = valueAxis("ratio", `time / ${base}`, "ratio", { domain: near ? [1 / 1.1, 1.1] : undefined });
  const x = sizeAxis("dodged");
  const isOne = new Set(rows.map((row) => row.bytes)).size === 1;
  const fillOpacity = { condition: { test: "datum.isDecided", value: 1 }, value: 0 };
  const bySize = () =>
    plot({
      height: 340,
      layer: [
        ...layerOf([{ ratio: 1 }], { type: "rule", strokeDash: [4, 4] }, { y }),
        ...(hasEnds(rows, "ratio_low") ? [intervals(x, y, "ratio_low", "ratio_high", { color })] : []),
        points(x, y, { fill: color, stroke: color, shape, fillOpacity }),
      ],
    });
  return {
    id,
    title,
    headline: ratioHeadline(rows),
    caption: `Above 1: slower than ${base}. Filled points: a difference is shown; hollow: none is. Lines: intervals of the ratios.${more}`,
    columns: columnsOf(
      "curve; bytes: size [bytes]",
      { key: "ratio", title: `time / ${base}`, unit: "ratio", low: "ratio_low", high: "ratio_high" },
      "verdict; median_seconds: time [seconds]",
      { key: "base_seconds", title: base, unit: "seconds" },
    ),
    // Points of different curves stand beside each other.
    rows: rows.map((row) => ({ ...row, dodged: row.drawnBytes * 2 ** (0.22 * (names.indexOf(row.curve) - (names.length - 1) / 2)) })),
    spec: isOne
      ? dotPlot({
          rows,
          name: "curve",
          key: "ratio",
          title: `time / ${base}`,
          unit: "ratio",
          low: "ratio_low",
          high: "ratio_high",
          base: 1,
        })
      : bySize(),
  };
}
