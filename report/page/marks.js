// Pictures that several kinds of document share: curves, points with intervals in named rows, heat maps, ratios by size.
import { bytes, isKnown, plural, ratio } from "./format.js";
import { heat, intervals, plot, points, said, series, sizeAxis, valueAxis } from "./plots.js";
import { sortedNumbers, uniqueOf } from "./results.js";

/** A layer with data of its own; none without values. */
export const layerOf = (values, mark, encoding) => (values.length > 0 ? [{ data: { values }, mark, encoding }] : []);

/** Points with intervals for each curve that `by` names; `line` connects them. More layers stand `below` and `above`. */
export function curvePlot({ rows, by = "curve", x = sizeAxis(), y, line = false, below = [], above = [], height = 340, description }) {
  const names = uniqueOf(rows, (row) => row[by]);
  const { color, shape, strokeDash } = series(by, names);
  return plot({
    height,
    description,
    layer: [
      ...below,
      ...(line ? [{ mark: { type: "line", strokeWidth: 1.5 }, encoding: { x, y, color, strokeDash } }] : []),
      intervals(x, y, { color }),
      points(x, y, { color, shape }),
      ...above,
    ],
  });
}

const named = (field, more = {}) => ({ field, type: "nominal", sort: null, axis: { title: null }, ...more });

const oneColour = { color: { value: "var(--series-1)" } };

/**
 * A point for each row, in lines that `name` names, with its interval. `axis`: parts of the axis of names; `step` [px] of a line;
 * `offset`: a channel that sets points of a line apart; `more(x, y)`: further layers.
 */
export function dotPlot({ rows, name = "place", key, title, unit, channels = oneColour, log = true, base, ...parts }) {
  const { axis = {}, step = 24, offset = {}, more = () => [], domain } = parts;
  const y = named(name, { axis: { title: null, ...axis } });
  const isLog = log && rows.every((row) => row[key] > 0 && !(isKnown(row.low) && row.low <= 0));
  const x = valueAxis(key, title, unit, { log: isLog, axis: "x", domain });
  if (!isLog && !domain) x.scale = { ...x.scale, padding: 10 };
  return plot({
    height: 50 + step * new Set(rows.map((row) => row[name])).size,
    layer: [
      ...layerOf(isKnown(base) ? [{ base }] : [], { type: "rule", strokeDash: [4, 4] }, { x: { ...x, field: "base" } }),
      intervals(x, y, { color: channels.color, ...offset }),
      points(x, y, { ...channels, ...offset }, 70),
      ...more(x, y),
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

/** Ratios by size with their intervals, decided ones filled. Rows: curve, bytes, ratio, interval, verdict, isDecided. */
export function ratioSection({ id, title, rows, base, more = "" }) {
  const names = uniqueOf(rows, (row) => row.curve);
  const axis = { key: "ratio", title: `time / ${base}`, unit: "ratio" };
  const isNear = (row) => [row.ratio, ...(row.interval ?? [])].every((end) => end < 1.1 && end > 1 / 1.1);
  const bySize = () => {
    const { color, shape } = series("curve", names);
    const y = valueAxis("ratio", axis.title, "ratio", { domain: rows.every(isNear) ? [1 / 1.1, 1.1] : undefined });
    const x = sizeAxis("dodged");
    const fillOpacity = { condition: { test: "datum.isDecided", value: 1 }, value: 0 };
    const rule = layerOf([{ ratio: 1 }], { type: "rule", strokeDash: [4, 4] }, { y });
    return plot({
      height: 340,
      layer: [...rule, intervals(x, y, { color }), points(x, y, { fill: color, stroke: color, shape, fillOpacity })],
    });
  };
  const isOne = new Set(rows.map((row) => row.bytes)).size === 1;
  return {
    id,
    title,
    headline: ratioHeadline(rows),
    caption: `Above 1: slower than ${base}. Filled points: a difference is shown; hollow: none is. Lines: intervals of the ratios.${more}`,
    columns: [
      "curve; bytes: size [bytes]",
      { ...axis, interval: "interval" },
      "verdict; median_seconds: time [seconds]",
      { key: "base_seconds", title: base, unit: "seconds" },
    ],
    // Points of different curves stand beside each other.
    rows: rows.map((row) => ({ ...row, dodged: row.drawnBytes * 2 ** (0.22 * (names.indexOf(row.curve) - (names.length - 1) / 2)) })),
    spec: (some) => (isOne ? dotPlot({ ...axis, rows: some, name: "curve", base: 1 }) : bySize()),
  };
}
