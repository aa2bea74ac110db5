// hockney.scaling and hockney.profile-comparison: a program on several numbers of ranks, or with several settings.
import { figureTile, kind } from "./kit.js";
import { isKnown, plural, ratio, seconds, share } from "./format.js";
import { bars, colourBy, intervals, nameAxis, piles, plot, points, rankAxis, valueAxis } from "./plots.js";
import { curvePlot } from "./marks.js";

/** Time of the law of a scaling at a number of ranks [s]: what stays, what is divided by them, what each doubling adds. */
export const timeOfLaw = (law, ranks) => law.constant_seconds + law.divided_seconds / ranks + law.doubled_seconds * Math.log2(ranks);

/** Points of the curve of a law, evenly spaced on a logarithmic axis. */
export function curveOfLaw(law, from, to, steps = 60) {
  return Array.from({ length: steps + 1 }, (_, i) => {
    const ranks = from * (to / from) ** (i / steps);
    return { ranks, seconds: timeOfLaw(law, ranks) };
  });
}

const sharesOfTime = ["computing", "load imbalance", "communication", "files", "not scheduled"];
const coloursOfShares = ["var(--heat-2)", "var(--series-2)", "var(--heat-4)", "var(--series-6)", "var(--open)"];

/** Shares of the time of runs as piles: `runs` {name, fractions: {part: share}}. */
function stackedShares(id, title, runs, caption) {
  const used = sharesOfTime.filter((part) => runs.some((run) => run.fractions[part] > 0.0005));
  const rows = runs.flatMap((run) => used.map((part, order) => ({ run: run.name, part, order, share: run.fractions[part] ?? 0 })));
  const color = colourBy(
    "part",
    used,
    used.map((part) => coloursOfShares[sharesOfTime.indexOf(part)]),
  );
  const x = valueAxis("share", "share of the time", "share", { log: false, axis: "x", domain: [0, 1] });
  const spec = plot({ height: 60 + 30 * runs.length, layer: [piles({ y: nameAxis("run"), x }, color)] });
  return { id, title, caption, columns: "run; part; share: of the time [share]", rows, spec };
}

const efficiencyNames = {
  scaling: "scaling",
  parallel: "parallel",
  load_balance: "load balance",
  communication: "communication",
  computing: "computing",
};

const hasOtherRanks = (runs) => new Set(runs.map((run) => run.ranks)).size > 1;
/** Runs by ranks if they differ in these, else by their names. */
const axisOfRuns = (runs) =>
  hasOtherRanks(runs) ? rankAxis([...new Set(runs.map((run) => run.ranks))].sort((a, b) => a - b)) : nameAxis("run");

const blue = { color: { value: "var(--series-1)" } };

function speedUpOfRuns(all) {
  const isWeak = all.scaling === "weak";
  const rows = all.runs;
  if (!hasOtherRanks(rows)) return null;
  const first = rows[all.reference];
  const [least, most] = [Math.min(...rows.map((row) => row.ranks)), Math.max(...rows.map((row) => row.ranks))];
  const ideal = [least, most].map((ranks) => ({ ranks, speed_up: ranks / first.ranks }));
  const x = axisOfRuns(rows);
  const y = valueAxis("speed_up", isWeak ? "scaled speed-up" : "speed-up", "ratio");
  const last = rows.reduce((a, b) => (b.ranks > a.ranks ? b : a));
  return {
    id: "speed-up",
    title: "Speed-up",
    headline: `${ratio(last.speed_up)} on ${plural(last.ranks, "rank")}, over ${plural(first.ranks, "rank")}.`,
    caption: `Points: medians over launches; upright lines: 95 % intervals. Dashed: ideal, ${isWeak ? "the same time for the same work of a rank" : "half the time for twice the ranks"}.`,
    columns: "label: run; ranks [count]; seconds: time [seconds]; speed_up: speed-up [ratio] speed_up_ci; launches [count]",
    rows,
    spec: plot({
      layer: [
        { data: { values: ideal }, mark: { type: "line", strokeDash: [6, 4], color: "var(--soft)" }, encoding: { x, y } },
        intervals(x, y, blue),
        points(x, y, blue, 80),
      ],
    }),
  };
}

/** Times of runs that differ in more than ranks. */
function timesOfRuns(all) {
  const rows = all.runs.map((run) => ({ ...run, words: seconds(run.seconds) }));
  if (hasOtherRanks(rows)) return null;
  return {
    id: "times",
    title: "Time of runs",
    caption: "Medians over launches.",
    columns: "label: run; seconds: time [seconds] seconds_ci; launches [count]",
    rows,
    spec: bars("label", "seconds", "time", "seconds", rows),
  };
}

function efficienciesOfRuns(all) {
  const rows = all.runs.flatMap((run) =>
    Object.entries(efficiencyNames)
      .filter(([key]) => isKnown(run.efficiencies[key]))
      .map(([key, name]) => ({
        run: run.label,
        ranks: run.ranks,
        efficiency: name,
        value: run.efficiencies[key],
        interval: run.efficiencies[`${key}_ci`],
      })),
  );
  return {
    id: "efficiencies",
    title: "Efficiencies",
    caption:
      "Scaling: speed-up over the ratio of ranks. Parallel: load balance times communication. Computing: how little the work grew. 100 % is ideal.",
    columns: "run; ranks [count]; efficiency; value [share] interval",
    rows,
    spec: curvePlot({
      rows,
      by: "efficiency",
      x: axisOfRuns(all.runs),
      y: valueAxis("value", "efficiency", "share", { log: false }),
      line: true,
    }),
  };
}

const timeOfComparison = (all) =>
  stackedShares(
    "time-by-run",
    "Time by run",
    all.runs.map((run) => ({
      name: run.label,
      fractions: {
        computing: run.fractions.computing,
        "load imbalance": run.fractions.load_imbalance,
        communication: run.fractions.communication,
        files: run.fractions.files,
        "not scheduled": run.fractions.not_scheduled,
      },
    })),
    "Shares of the time of all ranks, medians over launches. What widens from run to run limits the program.",
  );

const mostCallsShown = 8;

function callsOfRuns(all) {
  const most = new Map();
  for (const run of all.runs)
    for (const [call, value] of Object.entries(run.call_fractions)) most.set(call, Math.max(value, most.get(call) ?? 0));
  const names = [...most]
    .filter(([, value]) => value > 0.001)
    .sort((a, b) => b[1] - a[1])
    .slice(0, mostCallsShown)
    .map(([call]) => call);
  const rows = all.runs.flatMap((run) =>
    names.map((call) => ({ run: run.label, ranks: run.ranks, call, share: run.call_fractions[call] ?? 0 })),
  );
  const y = valueAxis("share", "share of the time", "share", { log: false });
  const grew = all.runs.at(-1)?.call_that_grew;
  return {
    id: "calls-by-run",
    title: "Calls by run",
    headline: grew ? `${grew.call} grew most: from ${share(grew.from_fraction)} to ${share(grew.to_fraction)} of the time.` : null,
    caption: `Share of the time of all ranks in ${names.length === 1 ? names[0] : "each MPI function"}.`,
    columns: "run; call; share: of the time [share]",
    rows,
    spec: curvePlot({ rows, by: "call", x: axisOfRuns(all.runs), y, line: true }),
  };
}

const sectionsOfComparison = (all) => [
  speedUpOfRuns(all),
  timesOfRuns(all),
  efficienciesOfRuns(all),
  timeOfComparison(all),
  callsOfRuns(all),
];

kind("hockney.profile-comparison", {
  tiles: (all) => {
    const last = all.runs.at(-1);
    const best = all.runs.reduce((a, b) => (b.seconds < a.seconds ? b : a));
    const { efficiencies, grew } = last;
    const over = `over ${all.runs[all.reference].label}`;
    const efficiency = (title, key) =>
      figureTile(title, efficiencies[key], "share", { interval: efficiencies[`${key}_ci`], mark: last.label, at: "efficiencies" });
    const grewTile = ({ part, from_fraction, to_fraction }) =>
      figureTile(`Share of ${part.replaceAll("_", " ")}`, to_fraction, "share", {
        mark: `grew most: from ${share(from_fraction)}`,
        at: "time-by-run",
      });
    return [
      figureTile("Fastest run", best.seconds, "seconds", { interval: best.seconds_ci, mark: best.label }),
      figureTile(`Speed-up, ${last.label}`, last.speed_up, "ratio", { interval: last.speed_up_ci, mark: over, at: "speed-up" }),
      efficiency("Scaling efficiency", "scaling"),
      efficiency("Parallel efficiency", "parallel"),
      grew && grewTile(grew),
    ];
  },
  findings: (all) =>
    all.runs
      .filter((run) => run.call_that_grew)
      .slice(-1)
      .map((run) => ({
        what: `${run.call_that_grew.call} grew from ${share(run.call_that_grew.from_fraction)} of the time with ${all.runs[all.reference].label} to ${share(run.call_that_grew.to_fraction)} with ${run.label}`,
        share: run.call_that_grew.to_fraction - run.call_that_grew.from_fraction,
        at: "calls-by-run",
      })),
  sections: sectionsOfComparison,
});

const ways = ["measured", "by the model"];
const colourOfWays = { ...colourBy("is", ways, ["var(--series-1)", "var(--series-2)"]), legend: { title: null } };
const shapeOfWays = { ...colourOfWays, scale: { domain: ways, range: ["circle", "diamond"] } };

function timeOfScaling(all) {
  const rows = all.points.map((point) => ({
    ...point,
    is: point.measured ? "measured" : "by the model",
  }));
  const ranks = rows.map((row) => row.ranks);
  const x = rankAxis(ranks);
  const y = valueAxis("seconds", "time", "seconds");
  const curve = all.law ? curveOfLaw(all.law, Math.min(...ranks), Math.max(...ranks)) : [];
  const law = all.law
    ? `Model: ${seconds(all.law.constant_seconds)}${all.law.divided_seconds > 0 ? ` + ${seconds(all.law.divided_seconds)} / ranks` : ""} + ${seconds(all.law.doubled_seconds)} × log2(ranks)${isKnown(all.held_out_error) ? `; without the most ranks it errs there by ${share(all.held_out_error)}` : ""}. `
    : "";
  return {
    id: "time",
    title: "Time by ranks",
    headline: all.best_ranks
      ? `Most ranks with ${share(all.asked_efficiency)} efficiency: ${all.best_ranks}.`
      : `No number of ranks has ${share(all.asked_efficiency)} efficiency.`,
    caption: `${law}Points: medians over launches${rows.some((row) => row.interval_seconds) ? " with their 95 % intervals" : ""}${curve.length > 0 ? "; line: the model" : ""}.`,
    columns: "ranks [count]; is; seconds: time [seconds] interval_seconds; efficiency [share]; launches [count]; way: variant",
    rows,
    spec: plot({
      layer: [
        ...(curve.length > 0 ? [{ data: { values: curve }, mark: { type: "line", color: "var(--series-2)" }, encoding: { x, y } }] : []),
        intervals(x, y, { color: colourOfWays }),
        points(x, y, { color: colourOfWays, shape: shapeOfWays }, 80),
      ],
    }),
  };
}

function efficiencyOfScaling(all) {
  const rows = all.points.map((point) => ({ ...point, is: point.measured ? "measured" : "by the model" }));
  const x = rankAxis(rows.map((row) => row.ranks));
  const y = valueAxis("efficiency", "efficiency", "share", { log: false });
  return {
    id: "efficiency",
    title: "Efficiency by ranks",
    caption: `Speed-up over the ratio of ranks${all.scaling === "weak" ? ", with the same work of a rank" : ""}. Dashed: ${share(all.asked_efficiency)}, as asked for.`,
    columns: "ranks [count]; is; efficiency [share]",
    rows,
    spec: plot({
      height: 240,
      layer: [
        { data: { values: [{ efficiency: all.asked_efficiency }] }, mark: { type: "rule", strokeDash: [6, 4] }, encoding: { y } },
        points(x, y, { color: colourOfWays, shape: shapeOfWays }, 80),
      ],
    }),
  };
}

const timeOfPoints = (all) =>
  stackedShares(
    "time-by-ranks",
    "Where the time goes",
    all.points
      .filter((point) => isKnown(point.computing_fraction))
      .map((point) => ({
        name: plural(point.ranks, "rank"),
        fractions: {
          computing: point.computing_fraction,
          "load imbalance": point.load_imbalance_fraction ?? 0,
          communication: point.communication_fraction,
        },
      })),
    "Shares of the time of all ranks, medians over launches.",
  );

kind("hockney.scaling", {
  tiles: (all) => {
    const measured = all.points.filter((point) => point.measured);
    const last = measured.at(-1);
    const { low, high } = last.interval_seconds ?? {};
    const ranks = plural(last.ranks, "rank");
    const over = `over ${plural(measured[0].ranks, "rank")}`;
    const isModelled = all.points.some((point) => point.ranks === all.best_ranks && !point.measured);
    const gain = last.seconds / measured[0].seconds;
    const errs = isKnown(all.held_out_error)
      ? `model errs by ${share(Math.abs(all.held_out_error))} at the most ranks`
      : `of the model of ${measured.length} points`;
    return [
      figureTile(`Ranks with ${share(all.asked_efficiency)} efficiency`, String(all.best_ranks || "none"), "text", {
        mark: isModelled ? "by the model" : "measured",
        at: "efficiency",
      }),
      figureTile(`Time on ${ranks}`, last.seconds, "seconds", {
        interval: [low, high],
        mark: isKnown(last.launches) ? plural(last.launches, "launch") : null,
        at: "time",
      }),
      figureTile(`Efficiency on ${ranks}`, last.efficiency, "share", { mark: over, at: "efficiency" }),
      all.scaling === "weak"
        ? figureTile("Time over the fewest ranks", gain, "ratio", { mark: `${last.ranks} ${over}`, at: "time" })
        : figureTile("Speed-up", 1 / gain, "ratio", { mark: `${last.ranks} ${over}`, at: "time" }),
      all.law && figureTile("Time that stays", all.law.constant_seconds, "seconds", { mark: errs, at: "time" }),
    ];
  },
  sections: (all, view, others) => {
    const comparison = others["hockney.profile-comparison"];
    const compared = comparison
      ? [efficienciesOfRuns(comparison), timeOfComparison(comparison), callsOfRuns(comparison)]
      : [timeOfPoints(all)];
    return [timeOfScaling(all), efficiencyOfScaling(all), ...compared];
  },
});
