// hockney.rows: what a campaign measured.
import { columnsOf, choiceOf, figureTile } from "./kit.js";
import { bytes, change, isKnown, plural, rate, ratio, seconds, share } from "./format.js";
import { mostSeries, notes, rankAxis, said, series, sizeAxis, uprights, valueAxis } from "./plots.js";
import {
  bestSettings,
  fastestFirst,
  fewCurves,
  fitOf,
  groupsOf,
  hopName,
  launchesOf,
  launchName,
  medianOf,
  modelPoints,
  modelSeconds,
  nameCurves,
  ownRows,
  pairMatrix,
  poolPairs,
  preparedRows,
  ratiosAgainst,
  sortedNumbers,
  uniqueOf,
} from "./results.js";
import { driftSection, spreadSection } from "./launches.js";
import { curvePlot, dotPlot, fastestPlot, heatPlot, layerOf, ratioSection } from "./marks.js";
import { compareSections } from "./compare.js";
import { effectSections, effectTiles } from "./effects.js";
import { guidelineSections, guidelineTiles } from "./guidelines.js";

const fewestSizes = 3; // of a curve over sizes
const mostBoxes = 12;
const mostPlaces = 32; // along a side of a matrix
const mostPoints = 40; // of a picture with a line for each

const rowColumns = columnsOf(
  "curve; bytes: size [bytes]; median_seconds: time [seconds] ci_low_seconds..ci_high_seconds; bandwidth_bytes_per_second: bandwidth [rate]",
  "model_seconds: model [seconds]; mean_seconds: mean [seconds]; min_seconds: min [seconds]; max_seconds: max [seconds]; launches [count]",
  "path; algorithm; flags",
);

const latencies = ["pingpong", "half-round-trip", "anysource-pingpong", "threaded-pingpong", "derived-pingpong", "copy-pingpong"];
const boundsOf = (row) => (isKnown(row.ci_low_seconds) ? [row.ci_low_seconds, row.ci_high_seconds] : null);
const intervalWords = (row) => (boundsOf(row) ? ` (${boundsOf(row).map(seconds).join(" .. ")})` : "");
const isLog = (view) => view.choice.axis !== "linear";

/** What all sections of a view need: its rows, those of curves over sizes (`rows`) and of short ones, names of launches. */
function viewOf(all, view, others) {
  const prepared = preparedRows(all.rows);
  const own = ownRows(prepared).filter((row) => isKnown(row.median_seconds));
  const against = view.choice.against ?? "";
  const chosen = against ? fastestFirst(view.pick(own), against) : view.pick(own);
  const sizes = new Map([...groupsOf(chosen, (row) => row.key)].map(([key, some]) => [key, new Set(some.map((row) => row.bytes)).size]));
  const isLong = (row) => sizes.get(row.key) >= fewestSizes;
  const { rows, pooled: pooledHere, left } = fewCurves(chosen.filter(isLong), mostSeries);
  const pooled = pooledHere + (all.rows_measured > all.rows.length ? 1 : 0);
  for (const some of groupsOf(nameCurves(rows), (row) => row.key).values()) {
    const fit = fitOf(others["hockney.fit"]?.fits, some[0]);
    for (const row of some) Object.assign(row, { fit, model_seconds: fit && modelSeconds(fit, row.bytes) });
  }
  const few = chosen.filter((row) => !isLong(row));
  const short = new Set(few.map((row) => row.key)).size > mostBoxes ? poolPairs(few) : few;
  return {
    all,
    view,
    others,
    prepared,
    own,
    chosen,
    rows,
    pooled,
    left,
    short,
    names: all.launches.map(launchName),
    against,
  };
}

const leftText = ({ pooled, left }) =>
  (pooled > 0 ? " Curves of pairs or hosts are put together: medians, with lines from the fastest to the slowest." : "") +
  (left > 0 ? ` ${plural(left, "further curve")}: choose above.` : "");

// --- curves ---------------------------------------------------------------------------------------------------------------------

/** Sizes between which models change, with the limits of the library there; what touches under one name is one. */
function breakpointsIn(rows) {
  const fits = uniqueOf(rows, (row) => row.fit).filter(Boolean);
  const nameOf = (one) => (one.names ?? []).join(", ") || "model changes";
  const all = fits.flatMap((fit) =>
    fit.breakpoints.map((one) => ({ low: Math.max(0.5, one.after_bytes), high: one.before_bytes, name: nameOf(one) })),
  );
  const bands = [];
  for (const one of all.sort((a, b) => a.low - b.low)) {
    const before = bands.find((band) => band.name === one.name && one.low <= band.high);
    if (before) before.high = Math.max(before.high, one.high);
    else bands.push(one);
  }
  return bands.map((one) => ({ ...one, says: `${one.name} between ${bytes(one.low)} and ${bytes(one.high)}` }));
}

/** Largest eager messages of these hop classes, for the axis of sizes. */
function eagerLimits(all, rows) {
  const isOfRows = (one) => one.call === "send" && one.receiver === "progressing" && rows.some((row) => row.hop === one.hop);
  const limits = uniqueOf((all.limits ?? []).filter(isOfRows), (one) => one.limit_bytes);
  return limits.map((limit) => ({ drawnBytes: limit, name: `eager up to ${bytes(limit)}`, says: `eager up to ${bytes(limit)}` }));
}

/** Medians of marked launches, for the pictures of medians over launches. */
const markedPoints = ({ view, names }, rows, valueOf) =>
  rows.flatMap((row) => {
    const some = view.launches.size === 0 ? [] : launchesOf(row, names).filter((one) => view.launches.has(one.launch));
    const says = (one) => `${one.launch}: ${row.curve} at ${bytes(row.bytes)}: ${seconds(one.seconds)}`;
    return some.map((one) => ({
      curve: row.curve,
      drawnBytes: row.drawnBytes,
      launch: one.launch,
      value: valueOf(row, one.seconds),
      says: says(one),
    }));
  });

function curveSection(state, isRate) {
  const key = isRate ? "bandwidth_bytes_per_second" : "median_seconds";
  const valueOf = (row, seconds_) => (isRate ? (row[key] * row.median_seconds) / seconds_ : seconds_);
  const some = isRate ? state.rows.filter((row) => row[key]) : state.rows;
  if (some.length === 0) return null;
  const rows = some.map((row) => {
    const [low, high] = (boundsOf(row) ?? []).map((end) => valueOf(row, end)).sort((a, b) => a - b);
    return { ...row, low, high };
  });
  const curves = [...groupsOf(rows, (row) => row.curve).values()];
  const isBetter = (a, b) => (isRate ? b[key] - a[key] : a[key] - b[key]);
  const heads = curves.map((curve) => (isRate ? [...curve].sort(isBetter)[0] : curve[0])).sort(isBetter);
  const ends = uniqueOf([heads[0], heads.at(-1)]);
  const told = (row) => (isRate ? rate(row[key]) : seconds(row[key]) + intervalWords(row));
  const perByte = (curve) => (isRate ? valueOf(curve.at(-1), 1) / curve.at(-1).bytes : null);
  const models = curves.flatMap((curve) => (curve[0].fit ? modelPoints(curve[0].fit, curve[0].curve, perByte(curve)) : []));
  const marked = markedPoints(state, rows, valueOf);
  const [changes, limits] = [breakpointsIn(rows), eagerLimits(state.all, rows)];
  const operations = uniqueOf(rows, (row) => row.operation);
  const names = curves.map(([row]) => row.curve);
  const [x, y] = [
    sizeAxis(),
    valueAxis(key, isRate ? "bandwidth" : "time of one operation", isRate ? "rate" : "seconds", { log: isLog(state.view) }),
  ];
  const value = { ...y, field: "value" };
  const { color, strokeDash } = series("curve", names);
  const upright = { type: "text", angle: 270, align: "right", baseline: "bottom", dy: -3, fontSize: 11, limit: 160 };
  const cross = { type: "point", shape: "cross", angle: 45, size: 70, filled: true, stroke: "var(--paper)" };
  const texts = (isRate ? [heads[0]] : ends).map((row) => ({
    ...row,
    name: isRate ? `${rate(row[key])} at ${bytes(row.bytes)}` : seconds(row[key]),
  }));
  return {
    id: isRate ? "bandwidth" : "time",
    title: isRate ? "Bandwidth by size" : operations.every((one) => latencies.includes(one)) ? "Latency by size" : "Time by size",
    headline: ends.map((row) => `${names.length > 1 ? row.curve + ": " : ""}${told(row)} at ${bytes(row.bytes)}`).join(" · "),
    caption: [
      "Points: medians over launches; upright lines: their intervals.",
      models.length > 0 ? " Lines: fitted models, where they hold." : "",
      changes.length > 0 ? " Bands: where a model changes." : "",
      marked.length > 0 ? " Crosses: the marked launches." : "",
      leftText(state),
    ].join(""),
    columns: rowColumns,
    rows,
    spec: curvePlot({
      rows,
      x,
      y,
      height: 380,
      description: `${isRate ? "Bandwidth" : "Time"} of ${operations.join(", ")} by message size`,
      below: [
        ...layerOf(changes, { type: "rect", color: "var(--band)" }, { x: { ...x, field: "low" }, x2: { field: "high" }, ...said }),
        ...layerOf(changes.slice(0, 6), upright, { x: { ...x, field: "high" }, y: { value: 6 }, text: { field: "name", type: "nominal" } }),
        ...(limits.length > 0 ? uprights(limits, x) : []),
        ...layerOf(
          models,
          { type: "line", strokeWidth: 1.5, clip: true },
          { x, y: value, detail: { field: "part", type: "nominal" }, color, strokeDash },
        ),
      ],
      above: [
        ...layerOf(marked, cross, { x, y: value, color, ...said }),
        notes(texts, x, y, isRate ? { align: "right", dx: -6, dy: -10 } : { dx: 0, dy: -12 }),
      ],
    }),
  };
}

/** Points of curves with one or two sizes: a line for each. */
function shortSection({ short, view }) {
  const some = nameCurves(short.slice(0, mostPoints));
  const isOne = groupsOf(some, (row) => row.curve).size === some.length;
  return {
    id: "points",
    title: "Time of one operation",
    caption:
      `Points: medians over launches; lines: their intervals.` +
      `${short.length > some.length ? ` The first ${some.length} of ${short.length}: choose above.` : ""}`,
    columns: rowColumns,
    rows: some.map((row) => ({ ...row, place: isOne ? row.curve : `${row.curve} at ${bytes(row.bytes)}` })),
    spec: (rows) => dotPlot({ rows, key: "median_seconds", title: "time of one operation", unit: "seconds", log: isLog(view) }),
  };
}

function modelSection({ rows }) {
  const off = rows
    .filter((row) => row.model_seconds > 0)
    .map((row) => ({ ...row, low: null, high: null, error: row.median_seconds / row.model_seconds - 1 }));
  if (off.length === 0) return null;
  const worst = [...off].sort((a, b) => Math.abs(b.error) - Math.abs(a.error))[0];
  const fits = uniqueOf(off, (row) => row.fit);
  const heldOut = fits.map((fit) => fit.held_out_mape).filter(isKnown);
  const errors = off.map((row) => 1.1 * row.error);
  const y = {
    field: "error",
    type: "quantitative",
    scale: { domain: [Math.min(-0.1, ...errors), Math.max(0.1, ...errors)] },
    axis: { ...valueAxis("error", "measured − model", "change", { log: false }).axis, tickCount: 5 },
  };
  return {
    id: "models",
    title: "Error of the models",
    headline:
      `Mean error ${share(medianOf(fits.map((fit) => fit.mape)))}` +
      `${heldOut.length > 0 ? `, ${share(medianOf(heldOut))} at sizes left out` : ""}` +
      `; largest ${change(worst.error)} at ${bytes(worst.bytes)}`,
    caption: "Measured time over the time of the fitted line, less one. Above 0 the operation takes longer than its model.",
    columns: [...rowColumns.slice(0, 3), "model_seconds: model [seconds]; error [change]"],
    rows: off,
    spec: curvePlot({ rows: off, y, height: 200, below: layerOf([{ error: 0 }], "rule", { y }) }),
  };
}

/** The smallest, a middle and the largest size over ranks. */
function ranksSection({ chosen, view }) {
  const counts = sortedNumbers(uniqueOf(chosen, (row) => row.ranks));
  if (counts.length < 3) return null;
  const sizes = sortedNumbers(uniqueOf(chosen, (row) => row.bytes));
  const three = [sizes[0], sizes[Math.floor(sizes.length / 2)], sizes.at(-1)];
  const some = nameCurves(
    chosen.filter((row) => three.includes(row.bytes)).map((row) => ({ ...row, counted: row.ranks, ranks: 0, hop: "", pair: "" })),
  );
  const lineOf = (row) => `${row.curve === row.operation ? "" : row.curve + ", "}${bytes(row.bytes)}`;
  const lines = uniqueOf(some, lineOf).slice(0, mostSeries);
  const rows = some.map((row) => ({ ...row, ranks: row.counted, line: lineOf(row) })).filter((row) => lines.includes(row.line));
  const y = valueAxis("median_seconds", "time of one operation", "seconds", { log: isLog(view) });
  return {
    id: "ranks",
    title: "Time by ranks",
    caption: "The smallest, a middle and the largest size. Points: medians over launches; upright lines: their intervals.",
    columns: ["line: curve; ranks [count]", ...rowColumns.slice(1, 4)],
    rows,
    spec: curvePlot({ rows, by: "line", x: rankAxis(counts), y, line: true }),
  };
}

// --- settings and pairs ---------------------------------------------------------------------------------------------------------

const isOfSetting = (key) => key === "setting" || key.startsWith("axis_");

/** Ratios of all settings to the chosen one, of the chosen rows otherwise. */
function ratiosOf({ all, own, view, against }) {
  if (!against) return [];
  return ratiosAgainst(
    view.pick(
      own,
      Object.keys(view.choice).filter((key) => !isOfSetting(key)),
    ),
    all,
    against,
  );
}

function againstSection(ratios, { chosen, against }) {
  const keys = uniqueOf(chosen, (row) => row.key);
  const few = fewCurves(
    fastestFirst(
      ratios.filter((row) => keys.includes(row.key)),
      against,
    ),
    mostSeries,
  );
  if (few.rows.length === 0) return null;
  few.rows.sort((a, b) => a.ranks - b.ranks);
  const more = few.rows.some((row) => !row.family) ? " Verdicts of this base hold for one point alone." : "";
  return ratioSection({
    id: "ratios",
    title: `Ratio to ${against}`,
    rows: nameCurves(few.rows),
    base: against,
    more: leftText(few) + more,
  });
}

function bestSection(ratios, { against }) {
  if (ratios.length === 0) return null;
  const best = bestSettings(ratios, against).sort((a, b) => a.ranks - b.ranks);
  const places = nameCurves(best.map((row) => ({ ...row, variant: "" })));
  const rows = best.map((row, i) => ({ ...row, curve: places[i].curve, size: bytes(row.bytes) }));
  const gained = rows.filter((row) => row.gain > 1).sort((a, b) => b.gain - a.gain)[0];
  const won = () => `${gained.fastest} is ${ratio(gained.gain)} as fast as ${against} at ${gained.size}, ${gained.curve}`;
  return {
    id: "best",
    title: "Fastest setting",
    headline: gained ? won() : `No setting is shown to be faster than ${against}`,
    caption: `The setting that is shown to be fastest, and ${against} where none is shown to be faster. Darker: more is gained.`,
    columns: [
      "curve; bytes: size [bytes]; fastest; gain [ratio]; seconds: time [seconds]",
      { key: "base_seconds", title: against, unit: "seconds" },
    ],
    rows,
    spec: fastestPlot(rows, "curve", `${against} / fastest`),
  };
}

/** The pairs of one operation at its smallest size, by rank and by host. */
function matrixSections({ all, chosen, view, against }) {
  const allPairs = (all.pairs?.length > 0 ? preparedRows(view.pick(all.pairs)) : chosen).filter((row) => /^\d+-\d+$/.test(row.pair));
  const setting = view.choice.setting || against || allPairs[0]?.variant;
  const pairs = allPairs.filter((row) => row.variant === setting);
  const hosts = all.hosts_of_ranks ?? [];
  const several = new Set(hosts).size;
  const sections = [];
  for (const some of groupsOf(pairs, (row) => JSON.stringify([row.operation, row.ranks, row.given])).values()) {
    const least = Math.min(...some.map((row) => row.bytes));
    const smallest = some.filter((row) => row.bytes === least);
    if (smallest.length <= Math.max(2, new Set(smallest.map((row) => row.hop)).size) || sections.length >= 4) continue;
    if (several < hosts.length || several < 2)
      sections.push(matrixSection(smallest, pairMatrix(smallest, mostPlaces), "rank", sections.length));
    if (several > 1) sections.push(matrixSection(smallest, pairMatrix(smallest, mostPlaces, hosts), "host", sections.length));
  }
  return sections;
}

function matrixSection(pairs, { rows, mirrored, sides }, side, number_) {
  const classOf = ([hop, some]) => ({ hop: hopName(hop), seconds: medianOf(some.map((row) => row.median_seconds)) });
  const classes = [...groupsOf(pairs, (row) => row.hop)].map(classOf).sort((a, b) => a.seconds - b.seconds);
  const told = (one, i) => `${one.hop} ${seconds(one.seconds)}${i > 0 ? ` (${ratio(one.seconds / classes[0].seconds)})` : ""}`;
  const axis = (field, angle) => ({
    field,
    type: "nominal",
    sort: sides,
    scale: { domain: sides },
    axis: { title: `${field} ${side}`, labelLimit: 90, labelAngle: angle },
  });
  const cells = rows.map((row) => ({ ...row, words: seconds(row.median_seconds) }));
  return {
    id: `pairs-${side}${number_}`,
    title: `Pairs by ${side}`,
    headline: `${pairs[0].operation} at ${bytes(pairs[0].bytes)}: ${classes.map(told).join(" · ")}`,
    caption:
      `Colour: median time over launches. A pair measured one way stands for both.` +
      `${rows.length < pairs.length ? ` ${pairs.length} pairs: each cell is the median of its pairs.` : ""}`,
    columns: "from; to; hop: hop class; median_seconds: time [seconds]; pairs [count]",
    rows: cells,
    spec: heatPlot({
      rows: cells,
      mirrored,
      x: axis("to", sides.length > 12 ? 270 : 0),
      y: axis("from", 0),
      key: "median_seconds",
      format: seconds,
      title: "median time",
      words: sides.length <= 10 ? "words" : null,
      height: Math.min(560, 80 + 40 * sides.length),
    }),
  };
}

const missingSection = ({ prepared }) => ({
  id: "missing",
  title: "Not measured",
  caption: "Points of the plan without a time, and why.",
  columns: "operation; hop: hop class; bytes: size [bytes]; ranks [count]; parameters; reason: why",
  rows: prepared.filter((row) => !isKnown(row.median_seconds) && row.reason),
});

// --- choices and tiles ----------------------------------------------------------------------------------------------------------

const hasCurves = (own) => [...groupsOf(own, (row) => row.key).values()].some((some) => some.length >= fewestSizes);

/** Hosts, and parameters of points with two to twelve values, at most three. */
function parameterChoices(own) {
  const keys = uniqueOf(own.flatMap((row) => Object.keys(row.given))).filter((key) => key !== "way" && key !== "work");
  const choices = keys.map((key) => choiceOf(own, own.some((row) => `parameter_${key}` in row) ? `parameter_${key}` : key, key));
  return choices.filter((one) => one && (one.key === "host" || one.values.length <= 12)).slice(0, 3);
}

function settingChoices(own) {
  const axes = uniqueOf(
    own.flatMap((row) => Object.keys(row).filter((key) => key.startsWith("axis_") && row[key] && key !== "axis_ranks")),
  );
  return axes.length > 0 ? axes.map((key) => choiceOf(own, key, key.slice("axis_".length))) : [choiceOf(own, "setting", "setting")];
}

/** Settings that others can be set against, bases of the document first. */
function againstChoice(all, own) {
  const bases = new Set((all.comparisons ?? []).map((one) => one.base));
  const values = uniqueOf(
    [...own].sort((a, b) => bases.has(b.setting) - bases.has(a.setting)),
    (row) => row.variant,
  ).filter(Boolean);
  return values.length < 2 ? null : { key: "against", title: "against", values, every: false };
}

/** `isCompared`: the page is about a comparison, whose base is fixed. */
export function recordChoices(all, isCompared = false) {
  const own = ownRows(preparedRows(all.rows));
  const operations = choiceOf(own, "operation", "operation");
  const against = isCompared ? null : againstChoice(all, own);
  return [
    operations && { ...operations, every: !hasCurves(own) },
    choiceOf(own, "hop", "hop class", hopName),
    ...settingChoices(own),
    choiceOf(own, "ranks", "ranks"),
    ...parameterChoices(own),
    against,
    hasCurves(own) && { key: "show", title: "show", values: ["time", "bandwidth", ...(against ? ["ratio"] : [])] },
    own.length > 0 && { key: "axis", title: "axis", values: ["logarithmic", "linear"], every: false },
  ];
}

function reliabilityOf(row) {
  const width =
    boundsOf(row) && !row.pairs ? `± ${share((row.ci_high_seconds - row.ci_low_seconds) / 2 / row.median_seconds)}` : "no interval";
  return [width, plural(row.launches, "launch"), (row.flags ?? "").replaceAll(";", ", ")].filter(Boolean).join(", ");
}

function timeTiles(curves, { rows }) {
  const shown = curves.length > 3 ? [curves[0], curves.at(-1)] : curves;
  const tileOf = ([name, [row]]) =>
    figureTile(`${name}, ${bytes(row.bytes)} B`, row.median_seconds, "seconds", {
      interval: boundsOf(row),
      mark: reliabilityOf(row),
      at: rows.includes(row) ? "time" : "points",
    });
  return shown.map(tileOf);
}

function peakTiles({ rows }, isNamed) {
  const fast = rows
    .filter((row) => row.bandwidth_bytes_per_second)
    .sort((a, b) => b.bandwidth_bytes_per_second - a.bandwidth_bytes_per_second);
  const rateIn = (row) => (end) => (row.bandwidth_bytes_per_second * row.median_seconds) / end;
  const tileOf = (row) =>
    figureTile(`peak bandwidth${isNamed ? ", " + row.curve : ""}`, row.bandwidth_bytes_per_second, "rate", {
      interval: boundsOf(row)?.reverse().map(rateIn(row)),
      mark: `at ${bytes(row.bytes)}, ${reliabilityOf(row)}`,
      at: "bandwidth",
    });
  return fast.slice(0, 1).map(tileOf);
}

/** The largest gain and the largest loss of a setting. */
function ratioTiles(state) {
  const keys = new Set(state.chosen.map((row) => row.key));
  const ratios = ratiosOf(state)
    .filter((row) => row.isDecided && keys.has(row.key))
    .sort((a, b) => a.ratio - b.ratio);
  const placeOf = (row) => [`${row.verdict} at ${bytes(row.bytes)}`, row.ranks > 2 && `${row.ranks} ranks`, row.hop && hopName(row.hop)];
  const tileOf = (row) =>
    figureTile(`${row.variant}, time / ${state.against}`, row.ratio, "ratio", {
      interval: row.interval,
      mark: placeOf(row).filter(Boolean).join(", "),
      at: "ratios",
    });
  return uniqueOf([ratios[0], ratios.at(-1)])
    .filter(Boolean)
    .map(tileOf);
}

export function recordTiles(all, view, others) {
  if (others["hockney.guidelines"]) return guidelineTiles(others["hockney.guidelines"]);
  const state = viewOf(all, view, others);
  const rows = [...state.rows, ...nameCurves(state.short)];
  const curves = [...groupsOf(rows, (row) => row.curve)].sort(([, [a]], [, [b]]) => a.median_seconds - b.median_seconds);
  if (curves.length === 0) return effectTiles(state);
  return [...timeTiles(curves, state), ...peakTiles(state, curves.length > 1), ...ratioTiles(state)].slice(0, 6);
}

export function recordSections(all, view, others) {
  const state = viewOf(all, view, others);
  const wants = (what) => !view.choice.show || view.choice.show === what;
  const compared = (others.documents ?? []).filter((one) => String(one.schema).startsWith("hockney.compare/"));
  const ratios = wants("ratio") ? ratiosOf(state) : [];
  return [
    ...(others["hockney.guidelines"] ? guidelineSections(others["hockney.guidelines"]) : []),
    ...(wants("ratio") ? compared.flatMap((one, i) => compareSections(one, view, i)) : []),
    wants("time") ? curveSection(state, false) : null,
    wants("bandwidth") ? curveSection(state, true) : null,
    bestSection(ratios, state),
    compared.length === 0 ? againstSection(ratios, state) : null,
    shortSection(state),
    ranksSection(state),
    ...matrixSections(state),
    ...effectSections(state),
    wants("time") ? modelSection(state) : null,
    spreadSection(state),
    driftSection(state),
    missingSection(state),
  ];
}

/** Sections that show what a finding of a summary is about, by its words (driver/screens/reliability.cpp and curves.cpp). */
const sectionsOfFindings = [
  [/ times its model$/, "models"],
  [/(not measured|^\d+ of \d+ \S+ measured): /, "missing"],
  [/^measured apart|^not compared/, "ratios"],
  [/^the MPI library (reported|ignored)|proven to be effective|^algorithms? |^every algorithm|^which algorithm/, "drift"],
  [/^some ranks may use/, "launches"],
];
export const sectionOfFinding = ({ what }) => sectionsOfFindings.find(([words]) => words.test(what))?.[1];

export function recordFindings(all) {
  return (all.summary?.findings ?? []).map((one) => ({ ...one, at: sectionOfFinding(one) }));
}
