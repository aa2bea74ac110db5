// Lists of hockney.rows beside its curves: floors, limits, neighbours, overlap, kernels, noise; and models of hockney.fit.
import { figureTile } from "./kit.js";
import { bytes, change, isKnown, plural, ratio, share } from "./format.js";
import { bars, series, valueAxis } from "./plots.js";
import { groupsOf, hopName, medianOf, nameCurves, preparedRows, uniqueOf } from "./results.js";
import { curvePlot, dotPlot, layerOf } from "./marks.js";

const mostEffects = 40; // lines of a picture

function floorSection({ all, view }) {
  const floors = preparedRows(view.pick(all.floors ?? [])).filter((row) => isKnown(row.median_seconds));
  if (floors.length === 0) return null;
  const kinds = {
    median_seconds: "MPI",
    memcpy_seconds: "memcpy through shared memory",
    process_vm_seconds: "one copy between processes",
    line_seconds: "one cache line",
  };
  const rows = Object.entries(kinds).flatMap(([key, kind_]) => {
    const known = floors.filter((row) => isKnown(row[key]));
    return known.map((row) => ({
      ...row,
      kind: kind_,
      seconds: row[key],
      ...(key === "median_seconds" ? {} : { multiple: null, multiple_ci: null }),
      ...{ low: null, high: null }, // the intervals are those of the multiples
    }));
  });
  const paths = uniqueOf(floors, (row) => row.path).filter(Boolean);
  const last = floors.at(-1);
  return {
    id: "floors",
    title: "Time above the floor",
    headline:
      `By ${paths.join(", then ") || "an unknown path"}` +
      `${isKnown(last.multiple) ? `; at ${bytes(last.bytes)} ${ratio(last.multiple)} the time of the floor` : ""}`,
    caption:
      "The floors are the same copies without MPI, in the same launches. Below its floor the library copies faster than a plain loop.",
    columns: "kind: of; bytes: size [bytes]; seconds: time [seconds]; path; multiple: times the floor [ratio] multiple_ci",
    rows,
    spec: curvePlot({ rows, by: "kind", y: valueAxis("seconds", "time", "seconds", { log: view.choice.axis !== "linear" }), line: true }),
  };
}

function limitSection({ all, view }) {
  const several = new Set(all.launches.map((one) => one.setting)).size > 1;
  const wayOf = (one) => [one.call, one.datatype, hopName(one.hop) || one.pair, several ? one.setting : ""].filter(Boolean).join(", ");
  const rows = view.pick(all.limits ?? []).map((one) => ({ ...one, place: wayOf(one) }));
  if (rows.length === 0) return null;
  const first = rows.find((one) => one.receiver === "progressing") ?? rows[0];
  const { color, shape } = series("receiver", ["progressing", "asleep"]);
  return {
    id: "limits",
    title: "Largest eager message",
    headline: `${first.place}: messages up to ${bytes(first.limit_bytes)} B are sent without a receive; larger ones wait`,
    caption: "By way of sending. Progressing: the receiver is inside MPI without the receive; asleep: outside MPI.",
    columns: "place: way of sending; receiver; limit_bytes: largest (B) [count]",
    rows,
    spec: dotPlot({
      rows,
      key: "limit_bytes",
      title: "largest message sent without a receive [B]",
      unit: "number",
      channels: { color, shape },
    }),
  };
}

/** Effects that are a ratio or a share in the same launch: contention, overlap, other suites' timing. */
const factorKinds = [
  {
    list: "disturbances",
    title: "Slowed by neighbours",
    key: "factor",
    placeOf: (row) => `${row.disturbance} ${row.value}, ${bytes(row.bytes)}`,
    told: (row) => `${row.place}: ${ratio(row.factor)} the time`,
    caption: "Time with other messages, busy neighbours or other pages, over the time alone in the same launch. At 1 nothing is lost.",
    more: "alone_seconds: alone [seconds]; met_seconds: disturbed [seconds]; launches [count]",
  },
  {
    list: "overlaps",
    title: "Hidden by other work",
    key: "overlap",
    placeOf: (row) => `${bytes(row.bytes)}, ${plural(Number(row.tests) || 0, "test")}`,
    told: (row) => `At most ${share(row.overlap)} of the operation is hidden (${row.place})`,
    caption: "100 %: all of the operation is hidden by work beside it. 0: none. Below 0: slower than one after the other.",
    more: "pure_seconds: operation [seconds]; work_seconds: work [seconds]; both_seconds: both [seconds]; launches [count]",
  },
  {
    list: "suites",
    title: "Other suites' timing",
    key: "ratio",
    placeOf: (row) => `${row.suite} at ${bytes(row.bytes)}`,
    told: (row) => `${row.place}: ${ratio(row.ratio)} the time that hockney takes`,
    caption: "Time as OMB or IMB take it, over hockney's in the same launch.",
    more: "suite_seconds: suite [seconds]; median_seconds: hockney [seconds]",
  },
];

function factorSection({ all, view }, { list, title, key, placeOf, told, caption, more }) {
  const some = nameCurves(preparedRows(view.pick(all[list] ?? [])).filter((row) => isKnown(row[key])));
  if (some.length === 0) return null;
  const isNamed = new Set(some.map((row) => row.curve)).size > 1;
  const isBySize = list === "suites";
  const rows = (isBySize ? some : some.slice(0, mostEffects)).map((row) => {
    const curve = isNamed ? row.curve + ", " : "";
    return { ...row, place: curve + placeOf(row), suite: curve + row.suite };
  });
  const unit = key === "overlap" ? "share" : "ratio";
  const base = unit === "ratio" ? 1 : 0;
  const y = valueAxis(key, key, unit);
  const rule = layerOf([{ [key]: base }], { type: "rule", strokeDash: [4, 4] }, { y });
  return {
    id: list,
    title,
    headline: told([...rows].sort((a, b) => b[key] - a[key])[0]),
    caption: caption + (rows.length < some.length ? ` The first ${rows.length} of ${some.length}: choose above.` : ""),
    columns: `place: case; ${key} [${unit}] ${key}_ci; ${more}`,
    rows,
    spec: (all_) =>
      isBySize
        ? curvePlot({ rows: all_, by: "suite", y, below: rule })
        : dotPlot({ rows: all_, key, title: key, unit, log: unit === "ratio", base }),
  };
}

const works = { none: "messages alone", alone: "computing alone", after: "one after the other", during: "at the same time" };

function kernelSection({ all, view }) {
  const kernels = nameCurves(preparedRows(view.pick(all.kernels ?? [])));
  const placeOf = (row) => `${row.curve === row.operation ? "" : row.curve + ", "}${row.way}`;
  const timesOf = (row) =>
    Object.entries(works).map(([key, work]) => ({ ...row, work, place: placeOf(row), seconds: row[key + "_seconds"] }));
  const rows = kernels.flatMap(timesOf).filter((row) => isKnown(row.seconds));
  if (rows.length === 0) return null;
  const won = kernels.filter((row) => isKnown(row.won)).sort((a, b) => b.won - a.won)[0];
  const { color, shape } = series("work", Object.values(works));
  return {
    id: "kernels",
    title: "Kernels by way",
    headline: won ? `Overlap wins ${share(won.won)} at most, by ${won.way}${won.bound ? `; bound by ${won.bound}` : ""}` : null,
    caption: "Time of one iteration, by way of sending. Messages alone below computing alone: bound by computing.",
    columns: [
      "place: kernel and way; work: of; seconds: time [seconds]; to_fastest: to the fastest way [ratio]; in_mpi: in MPI [share]",
      "won: won by overlap [share]; bound: bound by",
    ],
    rows,
    spec: dotPlot({ rows, key: "seconds", title: "time of one iteration", unit: "seconds", channels: { color, shape } }),
  };
}

function noiseSection({ all, view }) {
  const cores = view.pick(all.noise ?? []).filter((one) => isKnown(one.stolen_share));
  const rows = [...cores]
    .sort((a, b) => b.stolen_share - a.stolen_share)
    .slice(0, mostEffects)
    .map((one) => ({ ...one, place: `${one.host} ${one.cpus}`, words: share(one.stolen_share) }));
  if (rows.length === 0) return null;
  const middle = share(medianOf(cores.map((one) => one.stolen_share)));
  return {
    id: "noise",
    title: "Noise of cores",
    headline: `Fixed work takes ${rows[0].words} longer than undisturbed on ${rows[0].place}, ${middle} on the core in the middle`,
    caption:
      `Time of fixed work over that of its shortest piece, less one: what the system takes from each core.` +
      `${rows.length < cores.length ? ` The ${rows.length} noisiest of ${cores.length} cores.` : ""}`,
    columns: [
      "place: core; stolen_share: stolen [share] stolen_share_ci; interruptions_per_second: interruptions (1/s) [number]",
      "usual_seconds: usual [seconds]; longest_seconds: longest [seconds]; launches [count]",
    ],
    rows,
    spec: bars("place", "stolen_share", "time taken from fixed work", "share", rows),
  };
}

function collectiveSection({ others }) {
  const worstOf = (one) => one && `${change(one.relative_error)} at ${bytes(one.bytes)} on ${one.ranks} ranks`;
  const valuesOf = (setting) => setting.replace(/(^|,)[\w-]+=/g, "$1").replaceAll(",", " ");
  const nameOf = (one) => {
    const setting = one.setting?.includes("=") ? valuesOf(one.setting) : (one.setting ?? "");
    const ran = one.algorithm && !setting.split(" ").includes(one.algorithm) ? one.algorithm : "";
    return [one.operation, setting, ran].filter(Boolean).join(", ");
  };
  const rows = (others["hockney.fit"]?.collectives ?? []).slice(0, mostEffects).map((one) => {
    const error = one.held_out_mape ?? one.segments_mape;
    return { ...one, model: nameOf(one), error, words: share(error), worst: worstOf(one.held_out_worst) };
  });
  if (rows.length === 0) return null;
  const [best, ...rest] = [...rows].sort((a, b) => a.error - b.error);
  return {
    id: "collectives",
    title: "Models of collectives",
    headline: `${best.model}: ${best.words} off${rest.length > 0 ? `; ${rest.at(-1).model}: ${rest.at(-1).words}` : ""}`,
    caption:
      "Mean error of each model of ranks and sizes: at points left out of the fit, where there are enough. " +
      "hockney predict uses these models.",
    columns: "model: model of; form; error [share]; worst; noise_floor: noise [share]; ranks",
    rows,
    spec: bars("model", "error", "mean error", "share", rows),
  };
}

function loggpSection({ others }) {
  const parts = { latency: "L", send_overhead: "o, send", receive_overhead: "o, receive", gap: "g" };
  const partOf =
    (one) =>
    ([key, name]) => ({ place: `${hopName(one.hop ?? "")} ${name}`, seconds: one[key + "_seconds"], interval: one[key + "_ci_seconds"] });
  return {
    id: "loggp",
    title: "LogGP parameters",
    caption: "L: time in the network. o: time that a CPU spends on a message. g: least time between messages.",
    columns: "place: parameter; seconds: time [seconds] interval",
    rows: (others["hockney.fit"]?.loggp ?? []).flatMap((one) => Object.entries(parts).map(partOf(one))),
    spec: (rows) => dotPlot({ rows, key: "seconds", title: "time", unit: "seconds" }),
  };
}

export const effectSections = (state) => [
  floorSection(state),
  limitSection(state),
  kernelSection(state),
  ...factorKinds.map((one) => factorSection(state, one)),
  noiseSection(state),
  loggpSection(state),
  collectiveSection(state),
];

/** Tiles of pages without a time of one operation: kernels, limits of the library, noise. */
export function effectTiles({ all, view }) {
  const kernels = nameCurves(preparedRows(view.pick(all.kernels ?? [])).filter((row) => row.to_fastest === 1));
  const wonBy = (row) => [isKnown(row.won) ? `overlap wins ${share(row.won)}` : "", row.bound ? `bound by ${row.bound}` : ""];
  const limits = groupsOf(
    view.pick(all.limits ?? []).filter((one) => one.receiver === "progressing"),
    (one) => one.hop,
  );
  const noisy = [...(all.noise ?? [])].sort((a, b) => b.stolen_share - a.stolen_share).slice(0, 1);
  const kernelTile = (row) =>
    figureTile(`fastest way, ${row.curve}`, row.way, "text", { mark: wonBy(row).filter(Boolean).join(", "), at: "kernels" });
  const limitTile = ([one]) =>
    figureTile(`largest eager message, ${hopName(one.hop)}`, `${bytes(one.limit_bytes)} B`, "text", { mark: one.call, at: "limits" });
  const noiseTile = (one) =>
    figureTile(`noise, ${one.host} ${one.cpus}`, one.stolen_share, "share", {
      interval: one.stolen_share_ci,
      mark: plural(one.launches, "launch"),
      at: "noise",
    });
  const tiles = [...kernels.map(kernelTile), ...[...limits.values()].map(limitTile), ...noisy.map(noiseTile)];
  return tiles.length > 0 ? tiles.slice(0, 6) : undefined;
}
