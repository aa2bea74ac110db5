// Launches of a campaign against each other: their spread at a size, and their drift over time.
import { bytes, change, isKnown, plural, share } from "./format.js";
import { plot, points, valueAxis } from "./plots.js";
import { groupsOf, launchesOf, medianOf, nameCurves, quantileOf, uniqueOf } from "./results.js";
import { layerOf } from "./marks.js";

const mostSpreads = 12;

const driftAxis = valueAxis("drift", "launch / median − 1", "change", { log: false });

/** The first, a middle and the last size of each curve with several launches. */
function boxesOf(rows) {
  const curves = groupsOf(
    rows.filter((row) => row.launch_seconds?.length > 1),
    (row) => row.curve,
  );
  const threeOf = (some) => uniqueOf([some[0], some[Math.floor(some.length / 2)], some.at(-1)]);
  const all = [...curves.values()].flatMap((some) =>
    threeOf(some).map((row) => ({ ...row, place: some.length > 1 ? `${row.curve} at ${bytes(row.bytes)}` : row.curve })),
  );
  return all.slice(0, mostSpreads);
}

export function spreadSection({ rows, short, names }) {
  const boxes = boxesOf([...rows, ...nameCurves(short)]);
  if (boxes.length === 0) return null;
  const launches = boxes.flatMap((row) => launchesOf(row, names).map((one) => ({ ...one, place: row.place, drift: one.ratio - 1 })));
  const middles = [...groupsOf(launches, (one) => one.place)].map(([place, some]) => {
    const [low, high] = [0.25, 0.75].map((part) =>
      quantileOf(
        some.map((one) => one.drift),
        part,
      ),
    );
    return { place, low, high };
  });
  const widest = [...middles].sort((a, b) => b.high - b.low - (a.high - a.low))[0];
  const y = { field: "place", type: "nominal", sort: null, axis: { title: null } };
  const bars = { x: { ...driftAxis, field: "low" }, x2: { field: "high" }, y };
  return {
    id: "launches",
    title: "Spread of launches",
    headline: `The middle half of the launches spreads by ${share(widest.high - widest.low)} at most (${widest.place})`,
    caption: "Points: launches, by their median at this size. Bars: the middle half of them. Click a launch to mark it in every picture.",
    columns: "launch; place: curve and size; seconds: time [seconds]; drift: of the median [change]",
    rows: launches,
    spec: plot({
      height: 40 + 30 * boxes.length,
      layer: [
        ...layerOf(middles, { type: "bar", height: 14, color: "var(--band)" }, bars),
        points(driftAxis, y, { color: { value: "var(--series-1)" } }, 40),
      ],
    }),
  };
}

/** Each launch over all its points, in the order of their starts: drift, and launches that stand apart. */
export function driftSection({ all, chosen, names }) {
  const ratios = groupsOf(
    chosen.flatMap((row) => launchesOf(row, names)),
    (one) => one.launch,
  );
  const timed = all.launches.map((one, i) => ({ ...one, launch: names[i], time: Date.parse(one.started_utc) }));
  const known = timed.filter((one) => ratios.has(one.launch));
  if (known.length < 4) return null;
  const hasTimes = known.every((one) => isKnown(one.time));
  if (!hasTimes) known.forEach((one, i) => (one.time = i));
  const begin = Math.min(...known.map((one) => one.time));
  const last = Math.max(...known.map((one) => one.time)) - begin;
  const units = hasTimes ? [[3.6e6, "hours"], [6e4, "minutes"], [1e3, "seconds"]] : [[1, "launches"]]; // prettier-ignore
  const [length, unit] = units.find(([one]) => last >= 3 * one) ?? units.at(-1);
  const rows = known.map((one) => {
    const some = ratios.get(one.launch).map((each) => each.ratio);
    return { ...one, after: (one.time - begin) / length, points: some.length, drift: medianOf(some) - 1 };
  });
  const apart = [...rows].sort((a, b) => Math.abs(b.drift) - Math.abs(a.drift))[0];
  const x = { field: "after", type: "quantitative", axis: { title: `${unit} after the first launch`, tickCount: 6 } };
  return {
    id: "drift",
    title: "Launches over time",
    headline: `${apart.launch} stands apart most: ${change(apart.drift)} over ${plural(apart.points, "point")}`,
    caption:
      "Each launch against the median over launches, median over its points. A slope is drift of the machine. " +
      "Click a launch to mark it in every picture.",
    columns:
      "launch; started_utc: started; drift: of the median [change]; points [count]; elapsed_seconds: duration [seconds]; hosts; flags",
    rows,
    spec: plot({
      height: 200,
      layer: [...layerOf([{ drift: 0 }], "rule", { y: driftAxis }), points(x, driftAxis, { color: { value: "var(--series-1)" } })],
    }),
  };
}
