// Parts of Vega-Lite plots. Colours are those of page.css, so that light, dark and print need no other plot.

const words = {
  size: "datum.value < 1 ? '0' : datum.value >= 1073741824 ? format(datum.value / 1073741824, '~g') + 'G' : datum.value >= 1048576 ? format(datum.value / 1048576, '~g') + 'M' : datum.value >= 1024 ? format(datum.value / 1024, '~g') + 'K' : format(datum.value, '~g')",
  seconds:
    "datum.value == 0 ? '0' : abs(datum.value) < 9.99e-7 ? format(datum.value * 1e9, '~g') + ' ns' : abs(datum.value) < 9.99e-4 ? format(datum.value * 1e6, '~g') + ' us' : abs(datum.value) < 0.999 ? format(datum.value * 1e3, '~g') + ' ms' : format(datum.value, '~g') + ' s'",
  rate: "datum.value == 0 ? '0' : datum.value < 9.99e5 ? format(datum.value / 1e3, '~g') + ' kB/s' : datum.value < 9.99e8 ? format(datum.value / 1e6, '~g') + ' MB/s' : format(datum.value / 1e9, '~g') + ' GB/s'",
  amount:
    "datum.value < 9999 ? format(datum.value, '~g') + ' B' : datum.value < 9.99e5 ? format(datum.value / 1e3, '~g') + ' kB' : datum.value < 9.99e8 ? format(datum.value / 1e6, '~g') + ' MB' : format(datum.value / 1e9, '~g') + ' GB'",
  share: "format(100 * datum.value, '~g') + ' %'",
  change: "format(100 * datum.value, '+~g') + ' %'",
  ratio: "format(datum.value, '~g')",
  number: "format(datum.value, '~g')",
};

export const mostSeries = 8; // that differ in colour, shape and dash
const shapes = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left"];
const dashes = [
  [1, 0],
  [7, 3],
  [2, 3],
  [9, 3, 2, 3],
  [4, 2],
  [12, 3],
  [1, 2],
  [6, 2, 1, 2],
];

/** Colours and fonts of all plots; `width` [px] of the plot. */
export function theme(width = 900) {
  const text_ = { labelColor: "var(--ink)", titleColor: "var(--ink)", labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal" };
  const isNarrow = width < 560;
  return {
    background: "transparent",
    font: 'system-ui, "Liberation Sans", Arial, sans-serif',
    axis: {
      ...text_,
      gridColor: "var(--line)",
      domainColor: "var(--soft)",
      tickColor: "var(--soft)",
      labelOverlap: "greedy",
      labelSeparation: 6,
      labelLimit: isNarrow ? Math.max(60, width / 3) : 220,
    },
    legend: {
      ...text_,
      orient: "top",
      labelLimit: isNarrow ? 240 : 300,
      symbolSize: 90,
      symbolStrokeColor: "var(--ink)",
      symbolFillColor: "var(--ink)",
    },
    header: { labelColor: "var(--ink)", titleColor: "var(--ink)" },
    view: { stroke: "transparent" },
    rule: { color: "var(--soft)" },
    text: { color: "var(--ink)", fontSize: 12 },
  };
}

/** A plot over the dataset "rows". `layer`s may have data of their own: data: {values}. */
export const plot = ({ height = 320, layer, encoding, description }) => ({
  $schema: "https://vega.github.io/schema/vega-lite/v6.json",
  width: "container",
  height,
  description,
  autosize: { type: "fit-x", contains: "padding" },
  data: { name: "rows" },
  ...(encoding ? { encoding } : {}),
  layer,
});

/** The position of a size on a logarithmic axis: 0 stands at its left. */
export const drawnBytes = (value) => (value < 1 ? 0.5 : value);

const octaves = { type: "log", base: 2, nice: false, padding: 14 };
export const sizeAxis = (field = "drawnBytes") => ({
  field,
  type: "quantitative",
  scale: octaves,
  axis: { title: "message size [B]", labelExpr: words.size, tickCount: 6 },
});
export const rankAxis = (counts, field = "ranks") => ({
  field,
  type: "quantitative",
  scale: octaves,
  axis: { title: "ranks", format: "~g", values: counts },
});

/** Room behind the longest mark for the numbers there, as a factor of an axis. */
export const roomForNumbers = () => ((globalThis.innerWidth ?? 1280) < 560 ? 1.7 : 1.15);

/** A value axis of a unit (seconds, rate, amount, share, change, ratio, number), logarithmic or from 0. */
export function valueAxis(field, title, unit, { log = true, axis = "y", domain } = {}) {
  if (!log)
    return {
      field,
      type: "quantitative",
      scale: { zero: true, ...(domain ? { domain } : {}) },
      axis: { title, labelExpr: words[unit], tickCount: 6 },
    };
  const leading = "round(datum.value / pow(10, floor(log(datum.value) / LN10 + 1e-9)))";
  const growth = `domain('${axis}')[1] / domain('${axis}')[0]`;
  const told = `(${leading} == 1 || ${growth} < 8 || (${growth} < 900 && (${leading} == 2 || ${leading} == 5)))`;
  return {
    field,
    type: "quantitative",
    scale: { type: "log", nice: false, padding: 14, ...(domain ? { domain } : {}) },
    axis: {
      title,
      labelExpr: `${told} ? (${words[unit]}) : ''`,
      labelOverlap: axis === "x" ? "greedy" : false,
      gridColor: { condition: { test: told, value: "var(--line)" }, value: "transparent" },
      tickCount: 10,
    },
  };
}

/** A legend of names in as many columns as there is room for. */
const legendOf = (names) => ({
  title: null,
  columns: Math.max(
    1,
    Math.floor((0.85 * Math.min(globalThis.innerWidth ?? 1100, 1100)) / (36 + 7 * Math.max(...names.map((one) => one.length)))),
  ),
});

/** Channels color, shape and strokeDash that tell up to mostSeries names of a key apart. */
export function series(key, names) {
  const domain = names.slice(0, mostSeries);
  const legend = names.length > 1 ? legendOf(domain) : null;
  const channel = (range) => ({ field: key, type: "nominal", scale: { domain, range: range.slice(0, domain.length) }, legend });
  return { color: channel(domain.map((_, i) => `var(--series-${i + 1})`)), shape: channel(shapes), strokeDash: channel(dashes) };
}

/** An axis of names, in the order of the rows. */
export const nameAxis = (field, title = null, more = {}) => ({
  field,
  type: "nominal",
  sort: null,
  axis: { title, labelAngle: 0, labelOverlap: "greedy", labelSeparation: 10, labelLimit: 220 },
  ...more,
});

/** A colour for each of some names. */
export const colourBy = (field, domain, range) => ({
  field,
  type: "nominal",
  scale: { domain, range },
  legend: { ...legendOf(domain), symbolType: "square" },
});

/** Bars that are piles of the parts in "part", in the order of "order"; `place`: channels x and y. */
export const piles = (place, color) => ({
  name: "rows",
  mark: { type: "bar", stroke: null },
  encoding: { ...place, color, order: { field: "order" }, ...said },
});

export const said = { tooltip: { field: "says", type: "nominal" }, description: { field: "says", type: "nominal" } };

/** A mark for each row: the layer that tests count. Launches that are not marked fade. */
export const points = (x, y, channels = {}, size = 55) => ({
  name: "rows",
  mark: { type: "point", filled: true, size, cursor: "pointer" },
  encoding: { x, y, ...channels, ...said, opacity: { condition: { test: "datum.chosen", value: 1 }, value: 0.15 } },
});

/** Lines from `low` to `high` of rows, where they are known: along the axis of numbers. */
export const intervals = (x, y, channels = {}) => ({
  name: "intervals", // left out where no row has one (drawPlot)
  transform: [{ filter: "isValid(datum.low)" }],
  mark: { type: "rule", strokeWidth: 2 },
  encoding: {
    ...(y.type === "nominal"
      ? { y, x: { ...x, field: "low" }, x2: { field: "high" } }
      : { x, y: { ...y, field: "low" }, y2: { field: "high" } }),
    ...channels,
  },
});

/** Text at marks: `layer` data with x, y and "name". */
export const notes = (values, x, y, mark = {}) => ({
  data: { values },
  mark: { type: "text", align: "left", dx: 6, dy: -8, fontSize: 12, limit: 260, ...mark },
  encoding: { x, y, text: { field: "name", type: "nominal" } },
});

export const heatSteps = 5;
/** Values in up to heatSteps ranges of even ratio: rows get "range" and "ink"; returns the channel of the colour. */
export function heat(rows, key, format, title) {
  const values = rows.map((row) => row[key]).filter((value) => value > 0);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const step = Math.max((high / low) ** (1 / heatSteps), 1 + 1e-9);
  const ranges = new Map();
  const isEven = high / low < 1.1;
  for (const row of rows) {
    const isNone = !(row[key] > 0);
    const place = isNone ? 0 : isEven ? 3 : Math.min(heatSteps - 1, Math.max(0, Math.floor(Math.log(row[key] / low) / Math.log(step))));
    row.range = isNone
      ? "none"
      : isEven
        ? `${format(low)} .. ${format(high)}`
        : `${format(low * step ** place)} .. ${format(low * step ** (place + 1))}`;
    row.ink = `var(--on-heat-${place + 1})`;
    ranges.set(place, row.range);
  }
  const places = [...ranges.keys()].sort((a, b) => a - b);
  return {
    field: "range",
    type: "ordinal",
    scale: { domain: places.map((place) => ranges.get(place)), range: places.map((place) => `var(--heat-${place + 1})`) },
    legend: { title, symbolStrokeColor: "var(--soft)" },
  };
}

/** Upright lines with a name at their top: limits of a library, changes of a night. */
export const uprights = (values, x) => [
  { data: { values }, mark: { type: "rule", strokeDash: [4, 4] }, encoding: { x, ...said } },
  {
    data: { values },
    mark: { type: "text", angle: 270, align: "right", dx: -4, dy: -6, fontSize: 11, limit: 250 },
    encoding: { x, y: { value: 0 }, text: { field: "name", type: "nominal" } },
  },
];

/** Horizontal bars, one for each row, each with its interval and its number (`words` of the row) behind its end. */
export function bars(name, key, title, unit, rows, color = { value: "var(--series-1)" }, end = key) {
  const longest = Math.max(...rows.map((row) => row[end] ?? 0));
  const y = { field: name, type: "nominal", sort: null, axis: { title: null } };
  const x = valueAxis(key, title, unit, { log: false, domain: [0, longest > 0 ? roomForNumbers() * longest : 1] });
  return plot({
    height: 50 + 28 * new Set(rows.map((row) => row[name])).size,
    layer: [
      { name: "rows", mark: { type: "bar", cursor: "pointer" }, encoding: { x, y, color, ...said } },
      ...(end === key ? [] : [intervals(x, y, { color: { value: "var(--ink)" } })]),
      { mark: { type: "text", align: "left", dx: 4 }, encoding: { x: { ...x, field: end }, y, text: { field: "words", type: "nominal" } } },
    ],
  });
}
