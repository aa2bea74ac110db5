// hockney.selection: the algorithm that is best at each number of ranks and size, and hockney.prediction.
import { curvePlot, fastestPlot, layerOf } from "./marks.js";
import { columnsOf, choiceOf, kind } from "./kit.js";
import { bytes, plural, ratio, seconds, share } from "./format.js";
import { drawnBytes, mostSeries, said, sizeAxis, valueAxis } from "./plots.js";
import { uniqueOf } from "./results.js";

/** What a choice sets, in words: "pipeline, segments of 8K". */
const choiceWords = (choice) =>
  choice === null
    ? "library's own"
    : [
        choice.algorithm,
        choice.segment_bytes > 0 ? `segments of ${bytes(choice.segment_bytes)}` : "",
        choice.fanout > 0 ? `fan-out ${choice.fanout}` : "",
      ]
        .filter(Boolean)
        .join(", ");

export const decisionRows = (all) =>
  all.decisions.map((one) => ({
    ...one,
    fastest: choiceWords(one.choice),
    gain: one.ratio > 0 ? 1 / one.ratio : 1,
    gain_low: one.ratio_ci_family ? 1 / one.ratio_ci_family[1] : null,
    gain_high: one.ratio_ci_family ? 1 / one.ratio_ci_family[0] : null,
    place: `${one.operation}, ${one.ranks} ranks`,
    size: bytes(one.bytes),
  }));

function selectionSections(all, view) {
  const rows = view.pick(decisionRows(all));
  if (rows.length === 0) return [];
  const most = [...rows].sort((a, b) => b.gain - a.gain)[0];
  return [
    {
      id: "selection",
      title: "Fastest algorithm",
      headline:
        most.gain > 1
          ? `${most.fastest} is ${ratio(most.gain)} as fast as the library's own at ${most.size} (${most.place})`
          : "No algorithm is shown to be faster than the library's own",
      caption: "The algorithm that the rules choose for each number of ranks and size. Darker: more is gained.",
      columns: columnsOf(
        "operation; ranks [count]; bytes: size [bytes]; fastest: algorithm; gain [ratio] gain_low..gain_high",
        "regret: at most lost [share]; source: from",
      ),
      rows,
      spec: fastestPlot(rows, "place", "gain over the library's own"),
    },
  ];
}

function selectionTiles(all, view) {
  const rows = view.pick(decisionRows(all));
  const gained = rows.filter((row) => row.choice !== null && row.gain > 1).sort((a, b) => b.gain - a.gain);
  return [
    { label: "points with a faster algorithm", value: String(gained.length), mark: `of ${rows.length}`, at: "selection" },
    ...gained.slice(0, 1).map((row) => ({
      label: `largest gain: ${row.fastest}`,
      value: row.gain,
      unit: "ratio",
      interval: row.gain_low === null ? null : [row.gain_low, row.gain_high],
      mark: `at ${row.size}, ${row.place}`,
      at: "selection",
    })),
    {
      label: "at most lost by a rule",
      value: share(Math.max(...rows.map((row) => row.regret ?? 0))),
      mark: `limit ${share(all.family.most_regret)}`,
    },
  ];
}

kind("hockney.selection", {
  choices: (all) => [choiceOf(all.decisions, "operation", "operation"), choiceOf(all.decisions, "ranks", "ranks")],
  tiles: selectionTiles,
  sections: selectionSections,
});

const predictedRows = (all) =>
  all.predictions.map((one) => ({
    ...one,
    drawnBytes: drawnBytes(one.bytes),
    low: one.interval_seconds?.[0] ?? null,
    high: one.interval_seconds?.[1] ?? null,
    curve: `${one.algorithm ?? one.operation}, ${one.ranks} ranks`,
    beyond: Object.entries(one.extrapolated ?? {})
      .filter(([, is]) => is)
      .map(([key]) => key)
      .join(", "),
  }));

function predictionSections(all, view, others) {
  const predicted = view.pick(predictedRows(all));
  const names = uniqueOf(predicted, (row) => row.curve).slice(0, mostSeries);
  const rows = predicted.filter((row) => names.includes(row.curve));
  if (rows.length === 0) return [];
  const measured = (others["hockney.rows"]?.rows ?? [])
    .filter((row) => row.operation === rows[0].operation && row.median_seconds !== null && rows.some((one) => one.ranks === row.ranks))
    .map((row) => ({
      ...row,
      drawnBytes: drawnBytes(row.bytes),
      says: `measured: ${row.setting}, ${row.ranks} ranks, ${bytes(row.bytes)}: ${seconds(row.median_seconds)}`,
    }));
  const y = valueAxis("seconds", "predicted time", "seconds", { log: view.choice.axis !== "linear" });
  const cross = { type: "point", shape: "cross", angle: 45, color: "var(--open)" };
  const beyond = rows.filter((row) => row.beyond).length;
  return [
    {
      id: "predictions",
      title: "Predicted time",
      headline:
        `${rows[0].curve}: ${seconds(rows[0].seconds)} at ${bytes(rows[0].bytes)}, ` +
        `${seconds(rows.at(-1).seconds)} at ${bytes(rows.at(-1).bytes)}` +
        (beyond > 0 ? `; ${plural(beyond, "point")} beyond what was measured` : ""),
      caption:
        "Points: predictions of the fitted model; upright lines: their intervals." +
        (measured.length > 0 ? " Crosses: measured medians." : ""),
      columns: columnsOf(
        "curve: of; bytes: size [bytes]; seconds: predicted [seconds] low..high; held_out_mape: error of the model [share]; form",
        "beyond: beyond the measured; forced_because: forced",
      ),
      rows,
      spec: curvePlot({
        rows,
        y,
        low: "low",
        high: "high",
        line: true,
        below: layerOf(measured, cross, { x: sizeAxis(), y: { ...y, field: "median_seconds" }, ...said }),
      }),
    },
  ];
}

kind("hockney.prediction", {
  choices: (all) => [
    choiceOf(predictedRows(all), "ranks", "ranks"),
    choiceOf(predictedRows(all), "algorithm", "algorithm"),
    { key: "axis", title: "axis", values: ["logarithmic", "linear"], every: false },
  ],
  sections: predictionSections,
});
