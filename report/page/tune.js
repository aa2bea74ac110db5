// hockney.selection: the algorithm that is best at each number of ranks and size, and hockney.prediction.
import { curvePlot, fastestPlot, layerOf } from "./marks.js";
import { choiceOf, figureTile, kind } from "./kit.js";
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
    interval: one.ratio_ci_family?.map((end) => 1 / end).reverse(),
    place: `${one.operation}, ${one.ranks} ranks`,
    size: bytes(one.bytes),
  }));

const isGained = (row) => row.choice !== null && row.gain > 1;

function selectionSection(all, view) {
  const won = (row) => `${row.fastest} is ${ratio(row.gain)} as fast as the library's own at ${row.size} (${row.place})`;
  const most = (rows) => rows.reduce((a, b) => (b.gain > a.gain ? b : a));
  return {
    id: "selection",
    title: "Fastest algorithm",
    headline: (rows) => (most(rows).gain > 1 ? won(most(rows)) : "No algorithm is shown to be faster than the library's own"),
    caption: "The algorithm that the rules choose for each number of ranks and size. Darker: more is gained.",
    columns: [
      "operation; ranks [count]; bytes: size [bytes]; fastest: algorithm; gain [ratio] interval",
      "regret: at most lost [share]; source: from",
    ],
    rows: view.pick(decisionRows(all)),
    spec: (rows) => fastestPlot(rows, "place", "gain over the library's own"),
  };
}

function selectionTiles(all, view) {
  const rows = view.pick(decisionRows(all));
  const gained = rows.filter(isGained).sort((a, b) => b.gain - a.gain);
  const gainTile = (row) =>
    figureTile(`largest gain: ${row.fastest}`, row.gain, "ratio", {
      interval: row.interval,
      mark: `at ${row.size}, ${row.place}`,
      at: "selection",
    });
  const lost = share(Math.max(...rows.map((row) => row.regret ?? 0)));
  return [
    figureTile("points with a faster algorithm", String(gained.length), "text", { mark: `of ${rows.length}`, at: "selection" }),
    ...gained.slice(0, 1).map(gainTile),
    figureTile("at most lost by a rule", lost, "text", { mark: `limit ${share(all.family.most_regret)}` }),
  ];
}

kind("hockney.selection", {
  choices: (all) => [choiceOf(all.decisions, "operation", "operation"), choiceOf(all.decisions, "ranks", "ranks")],
  tiles: selectionTiles,
  sections: (all, view) => [selectionSection(all, view)],
});

const predictedRows = (all) =>
  all.predictions.map((one) => ({
    ...one,
    drawnBytes: drawnBytes(one.bytes),
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
      columns: [
        "curve: of; bytes: size [bytes]; seconds: predicted [seconds] interval_seconds; held_out_mape: error of the model [share]; form",
        "beyond: beyond the measured; forced_because: forced",
      ],
      rows,
      spec: curvePlot({
        rows,
        y,
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
