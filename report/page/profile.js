// hockney.profile-report: where the time of one run of a program went.
import { binaryOf, figureTile, kind } from "./kit.js";
import { matrixOf } from "./matrix.js";
import { amount, bytes, count, isKnown, plural, seconds, share, significant } from "./format.js";
import { bars, colourBy, nameAxis, piles, plot, said, valueAxis } from "./plots.js";
import { drawBeside, drawTimeLines } from "./lines.js";
import { readTimeline, rowsOfRanks } from "./timeline.js";

const mostCallBars = 12;
const mostRankBars = 256;
const mostFlatBars = 12; // that lie

const sectionOfCause = {
  starved_cpu: "time-by-rank",
  imbalance: "time-by-rank",
  slow_node: "time-by-rank",
  io: "time-by-rank",
  eager_limit: "message-sizes",
  late_sender: "time-line",
  serialisation: "time-line",
};

const nameOfCause = (word) => word.replaceAll("_", " ");

/** The parts of each rank's time: with a log those of the replay, else those of the profile. */
export function partsOfRanks(all) {
  const replayed = all.split?.ranks?.length === all.rank_times.length ? all.split.ranks : null;
  return all.rank_times.map((rank, i) => {
    const inFiles = rank.mpi_io_seconds + rank.io_seconds;
    if (!replayed) return { rank, parts: { computing: rank.computing_seconds, MPI: rank.mpi_seconds, files: inFiles } };
    const of = replayed[i];
    const parts = {
      computing: of.computing,
      "waiting for senders": of.dependency,
      "waiting for receivers": of.protocol ?? 0,
      "transfer and other MPI": of.transfer,
      "not scheduled": of.not_scheduled,
    };
    return { rank, parts };
  });
}

/** Means of ranks in a row, so that there are at most `most`: {name, host, parts, computing}. */
export function groupsOfRanks(all, most = mostRankBars, order = "number") {
  const ranks = partsOfRanks(all);
  if (order !== "number") ranks.sort((a, b) => (b.parts[order] ?? 0) - (a.parts[order] ?? 0));
  const size = Math.ceil(ranks.length / most);
  const groups = [];
  for (let i = 0; i < ranks.length; i += size) {
    const some = ranks.slice(i, i + size);
    const parts = Object.fromEntries(
      Object.keys(some[0].parts).map((part) => [part, some.reduce((sum, one) => sum + one.parts[part], 0) / some.length]),
    );
    const hosts = [...new Set(some.map((one) => one.rank.host))];
    const name = size === 1 ? String(some[0].rank.rank) : `${some[0].rank.rank}-${some.at(-1).rank.rank}`;
    groups.push({ name, host: hosts.length < 3 ? hosts.join(", ") : plural(hosts.length, "node"), parts });
  }
  return groups;
}

const partColours = {
  computing: "var(--heat-2)",
  "waiting for senders": "var(--series-2)",
  "waiting for receivers": "var(--series-7)",
  MPI: "var(--heat-4)",
  "transfer and other MPI": "var(--heat-4)",
  files: "var(--open)",
  "not scheduled": "var(--open)",
};

function timeByRankSection(all, view) {
  const groups = groupsOfRanks(all, mostRankBars, view.choice.order || "number");
  const parts = Object.keys(groups[0]?.parts ?? {}).filter((part) => groups.some((one) => one.parts[part] > 0));
  const rows = groups.flatMap(({ name, host, parts: of }) =>
    parts.map((part, order) => ({ rank: name, host, part, order, seconds: of[part] })),
  );
  if (rows.length === 0) return null;
  const { time } = all;
  const busiest = all.rank_times.find((one) => one.rank === time.busiest_rank);
  const isFlat = groups.length <= mostFlatBars;
  const rank = nameAxis("rank", "rank", groups.length > 80 ? { scale: { paddingInner: 0 } } : {});
  const of = (axis) => valueAxis("seconds", "time of the rank", "seconds", { log: false, axis });
  const color = colourBy(
    "part",
    parts,
    parts.map((part) => partColours[part]),
  );
  return {
    id: "time-by-rank",
    title: "Time by rank",
    headline: `Rank ${time.busiest_rank} computes longest, ${seconds(busiest?.computing_seconds)}; the mean of all is ${seconds(time.computing_seconds)} of ${seconds(all.seconds)}.`,
    caption: `One bar for ${all.rank_times.length > groups.length ? "several ranks in a row: their mean" : "each rank"}. ${all.split ? "Waiting is by a replay of the log on a network that costs nothing." : "Record with --log to see for whom ranks wait."}`,
    columns: "rank; host: node; part; seconds: time [seconds]",
    rows,
    spec: plot({
      height: isFlat ? 60 + 28 * groups.length : 300,
      layer: [piles(isFlat ? { y: rank, x: of("x") } : { x: rank, y: of("y") }, color)],
    }),
  };
}

function causesSection(all) {
  const named = (one) => nameOfCause(one.kind) + (isKnown(one.rank) ? `, rank ${one.rank}` : "");
  return {
    id: "causes",
    title: "Causes of the time",
    caption: "Share of the time of all ranks that would go if the cause went. Causes overlap: shares do not add up.",
    columns: "cause; fraction: of the run [share]; site: call site; sentence: what; help: what would help",
    rows: all.findings.filter((one) => one.fraction > 0).map((one) => ({ ...one, cause: named(one), words: share(one.fraction) })),
    spec: (rows) => bars("cause", "fraction", "share of the run", "share", rows),
  };
}

const callColumns =
  "place: call; count: calls [count]; seconds: time, all ranks [seconds]; run_fraction: of the run [share]; mean_seconds: mean [seconds]; max_seconds: longest [seconds]; bytes: data [amount]";

function callsSection(all, view) {
  const isSites = view.choice.calls === "call sites";
  const isBytes = view.choice.measure === "bytes";
  const key = isBytes ? "bytes" : "seconds";
  const rows = (isSites ? all.sites : all.calls)
    .map((one) => ({ ...one, place: isSites ? `${one.call} in ${one.site}` : one.call }))
    .filter((one) => one[key] > 0);
  rows.sort((a, b) => b[key] - a[key]);
  if (rows.length === 0) return null;
  const drawn = rows
    .slice(0, mostCallBars)
    .map((one) => ({ ...one, words: isBytes ? amount(one.bytes) : `${share(one.run_fraction)}, ${plural(one.count, "call")}` }));
  const [first] = rows;
  return {
    id: "calls",
    title: isBytes ? "Calls by data" : "Calls by time",
    headline: isBytes
      ? `${first.place}: ${amount(first.bytes)}.`
      : `${first.place}: ${share(first.run_fraction)} of the run, ${seconds(first.mean_seconds)} a call.`,
    caption: `${isBytes ? "Bytes" : "Time"} of all ranks${rows.length > mostCallBars ? `; the ${mostCallBars} largest of ${rows.length}` : ""}. ${isSites ? "A call site is a place in the code." : "Choose call sites to see where in the code."}`,
    columns: [callColumns, ...(isSites ? ["slowest_rank: slowest rank [count]; slowest_seconds: its time [seconds]"] : [])],
    rows: drawn,
    spec: bars("place", key, isBytes ? "data of all ranks" : "time of all ranks", isBytes ? "amount" : "seconds", drawn),
  };
}

function messageSizesSection(all) {
  const rows = all.sizes.flatMap((one) =>
    [
      ["calls", one.count_fraction, one.count],
      ["bytes", one.bytes_fraction, one.bytes],
    ].map(([part, fraction, value]) => ({ ...one, size: bytes(one.from_bytes), part, fraction, value })),
  );
  if (rows.length === 0) return null;
  const most = (key) => all.sizes.reduce((best, one) => (one[key] > best[key] ? one : best));
  const [byCalls, byBytes] = [most("count_fraction"), most("bytes_fraction")];
  const range = (one) =>
    one.from_bytes === one.to_bytes ? `${bytes(one.from_bytes)} B` : `${bytes(one.from_bytes)} to ${bytes(one.to_bytes + 1)} B`;
  return {
    id: "message-sizes",
    title: "Message sizes",
    headline: `${share(byCalls.count_fraction)} of the calls carry ${range(byCalls)}; ${share(byBytes.bytes_fraction)} of the bytes are in calls of ${range(byBytes)}.`,
    caption:
      "Calls that carry data, by size: their share of the calls, and of the bytes." +
      (all.eager ?? []).map((one) => ` Eager limit ${one.reach}: ${one.limits_bytes.map(bytes).join(", ")} B.`).join(""),
    columns:
      "from_bytes: from [bytes]; to_bytes: to [bytes]; part: share of; fraction: share [share]; value: number [count]; seconds: time in them [seconds]",
    rows,
    spec: plot({
      height: 260,
      layer: [
        {
          name: "rows",
          mark: { type: "bar" },
          encoding: {
            x: nameAxis("size", "size of a call's data [B], from"),
            xOffset: { field: "part", sort: ["calls", "bytes"] },
            y: valueAxis("fraction", "share", "share", { log: false }),
            color: colourBy("part", ["calls", "bytes"], ["var(--series-1)", "var(--series-2)"]),
            ...said,
          },
        },
      ],
    }),
  };
}

function matricesSections(all) {
  const block = all.matrix_block ?? 1;
  const ranks = Array.from({ length: Math.ceil(all.ranks / block) }, (_, i) =>
    block === 1 ? String(i) : `${i * block}-${Math.min(all.ranks, (i + 1) * block) - 1}`,
  );
  const pattern = all.pattern && all.pattern !== "none" ? `Pattern: ${all.pattern}. ` : "";
  const leaving =
    isKnown(all.leaving_fraction) && all.nodes.length > 1 ? `${share(all.leaving_fraction)} of the bytes leave their node.` : null;
  return [
    matrixOf("messages-by-rank", "Messages between ranks", all.matrix, ranks, {
      headline: leaving,
      caption: `${pattern}Each cell: messages from the rank of its row to that of its column${block > 1 ? `; ${block} ranks in a row together` : ""}.`,
    }),
    all.nodes.length > 1
      ? matrixOf("messages-by-node", "Messages between nodes", all.node_matrix, all.nodes, {
          caption: "The diagonal has messages that stay in their node.",
        })
      : null,
  ];
}

function iterationsSection(all) {
  const found = all.iterations;
  if (!found?.each?.length) return null;
  const rows = found.each;
  const y = valueAxis("seconds", "time of the iteration", "seconds", { log: found.slowest.seconds > 8 * found.median_seconds });
  const slowest = rows
    .filter((row) => row.iteration === found.slowest.iteration)
    .map((row) => ({ ...row, name: `slowest: ${seconds(row.seconds)}` }));
  const x = {
    field: "iteration",
    type: "quantitative",
    scale: { nice: false, domain: [1, Math.max(2, found.count)] },
    axis: { title: "iteration", format: "d", tickMinStep: 1, tickCount: 8 },
  };
  return {
    id: "iterations",
    title: "Iterations",
    headline: `${plural(found.count, "iteration")} of ${seconds(found.median_seconds)}; the slowest takes ${seconds(found.slowest.seconds)}${found.slowest.cause ? `: ${found.slowest.cause}` : ""}.`,
    caption: `Mean over ranks of their time in each iteration; line: the median.${found.group > 1 ? ` Each point is the slowest of ${found.group} iterations in a row.` : ""}`,
    columns: "iteration [count]; begin_seconds: begin [seconds]; seconds: time [seconds]",
    rows,
    spec: plot({
      height: 240,
      layer: [
        {
          data: { values: [{ seconds: found.median_seconds }] },
          mark: { type: "rule", color: "var(--series-2)", strokeWidth: 2 },
          encoding: { y },
        },
        { name: "rows", mark: { type: "point", filled: true, size: 30, color: "var(--series-1)" }, encoding: { x, y, ...said } },
        {
          data: { values: slowest },
          mark: {
            type: "text",
            align: slowest[0]?.iteration > found.count / 2 ? "right" : "left",
            dx: slowest[0]?.iteration > found.count / 2 ? -8 : 8,
          },
          encoding: { x, y, text: { field: "name", type: "nominal" } },
        },
      ],
    }),
  };
}

function functionsSection(all) {
  const told = (one) => ({
    ...one,
    end: Math.max(one.share, one.share_ci?.[1] ?? 0),
    name: one.name ?? one.function,
    words: share(one.share),
  });
  const slower = (one) =>
    isKnown(one.ratio) && one.ratio > 1.2 ? `; rank ${one.slowest_rank} takes ${significant(one.ratio)} times the median rank's time` : "";
  return {
    id: "functions",
    title: "Functions",
    headline: ([first]) => `${first.name}: ${share(first.share)} of computing${slower(first)}.`,
    caption: () =>
      `Computing by ${plural(all.sampling.computing_samples, "sample")}, without what a function calls. Lines: 95 % intervals.`,
    columns:
      "name: function; seconds: computing [seconds]; share: of computing [share] share_ci; within_seconds: with what it calls [seconds]; mpi_seconds: MPI that it calls [seconds]; slowest_rank: slowest rank [count]; ratio: over the median [ratio]; file; line [count]",
    rows: (all.functions ?? [])
      .filter((one) => one.seconds > 0)
      .slice(0, mostCallBars)
      .map(told),
    spec: (rows) => bars("name", "share", "share of computing", "share", rows, undefined, "end"),
  };
}

/** Places of the nodes of a call tree in depth-first order: from, to and depth of each. */
export function placesOfTree(nodes) {
  const ends = []; // at each depth, where the next child begins
  return nodes.map((node) => {
    const from = node.depth === 0 ? (ends[0] ?? 0) : ends[node.depth];
    ends[node.depth] = from + node.samples;
    ends[node.depth + 1] = from;
    return { ...node, from, to: from + node.samples };
  });
}

function flameGraphSection(all) {
  if (!all.call_tree?.length) return null;
  const rows = placesOfTree(all.call_tree);
  const whole = Math.max(...rows.map((row) => row.to));
  const depth = Math.max(...rows.map((row) => row.depth));
  for (const row of rows) {
    row.share = row.samples / whole;
    row.below = row.depth + 1;
    row.kind = row.is_mpi ? "MPI" : "computing";
    row.label = row.share > 0.06 ? row.function.slice(0, Math.floor(row.share * 110)) : "";
  }
  const x = { field: "from", type: "quantitative", scale: { domain: [0, whole], nice: false }, axis: null };
  const y = { field: "depth", type: "quantitative", scale: { domain: [0, depth + 1], nice: false, reverse: true }, axis: null };
  const color = colourBy("kind", ["computing", "MPI"], ["var(--heat-2)", "var(--heat-4)"]);
  const ink = { condition: { test: "datum.is_mpi", value: "var(--on-heat-4)" }, value: "var(--on-heat-2)" };
  return {
    id: "flame-graph",
    title: "Flame graph",
    caption:
      "Each box is a function, below the one that called it; its width is its share of all samples. Order from left to right has no meaning.",
    columns: "function; depth [count]; samples [count]; share: of all [share]",
    rows,
    spec: plot({
      height: 40 + 22 * (depth + 1),
      layer: [
        {
          name: "rows",
          mark: { type: "rect", stroke: "var(--paper)", strokeWidth: 1 },
          encoding: { x, x2: { field: "to" }, y, y2: { field: "below" }, color, ...said },
        },
        {
          transform: [{ calculate: "datum.depth + 0.5", as: "middle" }],
          mark: { type: "text", align: "left", dx: 4, clip: true },
          encoding: { x, y: { ...y, field: "middle" }, text: { field: "label", type: "nominal" }, color: ink },
        },
      ],
    }),
  };
}

let readLine = null; // the time lines of the page, read once

function timeLineSections(all) {
  const found = binaryOf("timeline");
  if (!found) return [];
  readLine ??= readTimeline(found);
  const line = readLine;
  const { typical, slowest } = line.head;
  const sampled = (all.functions ?? [])
    .filter((one) => one.rank_seconds)
    .map((one) => ({ name: one.name ?? one.function, seconds: one.rank_seconds }));
  const known =
    line.windows.length === 1 && line.windows[0].begin <= 0
      ? "all of them"
      : `those of ${plural(line.windows.length, "part")} of the run; elsewhere slots show how time divides`;
  const main = {
    id: "time-line",
    title: "Time lines",
    caption: `${plural(line.head.calls, "call")}; the page has ${known}. Wheel: zoom time, with Ctrl ranks. Drag: move. Waiting is by the clocks of the nodes: until the other rank sends, receives or enters.`,
    columns: ["rank [count]; host: node", ...line.head.doings.map((name) => ({ key: name.split(" ")[0], title: name, unit: "seconds" }))],
    rows: rowsOfRanks(line),
    draw: (node, one, app) => drawTimeLines(node, line, app, sampled),
  };
  if (!typical || !slowest || typical[0] === slowest[0]) return [main];
  const why = all.iterations.slowest.cause;
  const title = (name, window) => `${name}: ${seconds((window[1] - window[0]) * 1e-9)}, from ${seconds(window[0] * 1e-9)} on`;
  const beside = {
    id: "slowest-iteration",
    title: "Slowest iteration",
    headline: why ? `In iteration ${all.iterations.slowest.iteration}, ${why}.` : null,
    caption: "The slowest and the median iteration, aligned at their begins, on one scale of time. Colours as above.",
    draw: (node) =>
      drawBeside(node, line, [
        { title: title(`Slowest, number ${all.iterations.slowest.iteration}`, slowest), window: slowest },
        { title: title(`Median, number ${all.iterations.typical}`, typical), window: typical },
      ]),
  };
  return [main, beside];
}

const parallelRegionsSection = (all) => ({
  id: "parallel-regions",
  title: "OpenMP regions",
  caption: "Share of threads' time at barriers, waiting for other threads of the region.",
  columns:
    "site: region; threads [count]; count: times [count]; seconds: time, all ranks [seconds]; waiting_fraction: waiting [share]; imbalance: slowest over mean thread [ratio]",
  rows: (all.parallel_regions ?? []).map((one) => ({ ...one, words: `${share(one.waiting_fraction)} of ${one.threads} threads` })),
  spec: (rows) => bars("site", "waiting_fraction", "waiting of threads", "share", rows),
});

function tilesOfProfile(all) {
  const { time, split, efficiencies, iterations: found } = all;
  const worst = all.findings[0];
  const whole = time.computing_seconds + time.mpi_seconds + time.mpi_io_seconds + time.io_seconds + time.not_scheduled_seconds;
  const waits = split && whole > 0 ? (split.dependency + (split.protocol ?? 0)) / whole : null;
  const where = `${plural(all.ranks, "rank")}, ${plural(all.nodes.length, "node")}`;
  return [
    figureTile("Run time", all.seconds, "seconds", { mark: "one launch" }),
    figureTile("In MPI", time.mpi_fraction, "share", { mark: where, at: "time-by-rank" }),
    worst &&
      figureTile("Largest cause", nameOfCause(worst.kind), "text", { mark: `${share(worst.fraction)} of the run would go`, at: "causes" }),
    figureTile("Load balance", efficiencies.load_balance, "share", { mark: `longest: rank ${time.busiest_rank}`, at: "time-by-rank" }),
    waits === null
      ? figureTile("Parallel efficiency", efficiencies.parallel, "share", { mark: "mean computing over run time" })
      : figureTile("Waiting for others", waits, "share", { mark: "by replay of the log", at: "time-line" }),
    found?.count > 0 &&
      figureTile("Iteration", found.median_seconds, "seconds", {
        interval: found.median_ci_seconds,
        mark: `median of ${count(found.count)}`,
        at: "iterations",
      }),
  ];
}

kind("hockney.profile-report", {
  choices: (all) => [
    all.ranks > 1
      ? { key: "order", title: "order of ranks", values: ["number", ...Object.keys(partsOfRanks(all)[0]?.parts ?? {})], every: false }
      : null,
    { key: "calls", title: "calls by", values: ["functions", "call sites"], every: false },
    { key: "measure", title: "measured by", values: ["time", "bytes"], every: false },
  ],
  tiles: tilesOfProfile,
  findings: (all) =>
    all.findings.map((one) => ({
      what: one.sentence,
      share: one.fraction,
      advice: one.help,
      at: sectionOfCause[one.kind] === "time-line" && !all.timeline ? "calls" : (sectionOfCause[one.kind] ?? "causes"),
    })),
  sections: (all, view) => [
    timeByRankSection(all, view),
    causesSection(all),
    ...timeLineSections(all),
    iterationsSection(all),
    callsSection(all, view),
    messageSizesSection(all),
    ...matricesSections(all),
    functionsSection(all),
    flameGraphSection(all),
    parallelRegionsSection(all),
  ],
});
