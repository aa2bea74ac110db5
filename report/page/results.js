// What pages of measurements compute from rows: names of curves, models, spreads and ratios.
import { isKnown } from "./format.js";
import { drawnBytes } from "./plots.js";

const hopWords = {
  smt: "same core",
  l2: "same L2",
  l3: "same L3",
  "l3-efficient": "same L3, efficient cores",
  kinds: "cores of two kinds",
  numa: "same NUMA node",
  package: "same package",
  "cross-package": "other package",
  "cross-node": "other node",
};
export const hopName = (hop) => hopWords[hop] ?? hop;

export const uniqueOf = (items, of = (item) => item) => [...new Set(items.map(of))];

/** Items by the text that `of` returns for each, in order of appearance. */
export function groupsOf(items, of) {
  const groups = new Map();
  for (const item of items) {
    const key = of(item);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(item);
  }
  return groups;
}

/** "a, b, c and 3 more". */
export function someOf(values, most = 3) {
  const named = values.slice(0, most).join(", ");
  return values.length > most ? `${named} and ${values.length - most} more` : named;
}

export const groupedBy = (rows, keyOf) => [...groupsOf(rows, (row) => JSON.stringify(keyOf(row))).values()];

export const sortedNumbers = (values) => [...values].sort((a, b) => a - b);
export function quantileOf(values, share) {
  const all = sortedNumbers(values);
  const place = share * (all.length - 1);
  const low = Math.floor(place);
  return all[low] + (place - low) * ((all[low + 1] ?? all[low]) - all[low]);
}
export const medianOf = (values) => quantileOf(values, 0.5);

/** The exact interval of a median from order statistics, at least 95 %; null with fewer than six values. */
export function medianInterval(values, level = 0.95) {
  const all = sortedNumbers(values);
  const n = all.length;
  let [tail, term, place] = [0, 2 ** -n, null];
  for (let k = 0; 2 * k < n - 1; ++k) {
    tail += term;
    if (1 - 2 * tail < level) break;
    place = k;
    term *= (n - k) / (k + 1);
  }
  return place === null ? null : [all[place], all[n - 1 - place]];
}

/** Values of the texts "a=b;c=d". */
export const assignments = (text_) =>
  Object.fromEntries(
    (text_ ?? "")
      .split(";")
      .filter(Boolean)
      .map((one) => [one.split("=", 1)[0], one.slice(one.indexOf("=") + 1)]),
  );

/** The setting without its number of ranks, as its values: "ring 8K". */
function variantOf(row) {
  const values = Object.entries(assignments(row.axes)).filter(([key]) => key !== "ranks");
  if (row.axes) return values.map(([, value]) => value).join(" ");
  return (row.setting ?? "")
    .split(",")
    .filter((part) => part !== `ranks=${row.ranks}`)
    .join(",");
}

/** The rows with what pictures need: a place of their size, their variant, and the key of their curve. */
export function preparedRows(rows) {
  const all = rows.map((row) => ({
    ...row,
    drawnBytes: drawnBytes(row.bytes),
    variant: variantOf(row),
    given: assignments(row.parameters),
  }));
  const keyOf = (row, skip) =>
    JSON.stringify([row.operation, row.setting, row.ranks, row.hop, row.pair, Object.entries(row.given).filter(([key]) => key !== skip)]);
  // A window that follows from the size is no property of a curve.
  const isByWindow =
    uniqueOf(all, (row) => keyOf(row, "window") + row.bytes).length < uniqueOf(all, (row) => keyOf(row, "") + row.bytes).length;
  for (const row of all) row.key = keyOf(row, isByWindow ? "" : "window");
  return all;
}

export const isFloor = (row) => row.operation.startsWith("floor-");
/** Rows of curves: hockney's own timing, no floors, no kernels. */
export function ownRows(rows) {
  const own = rows.filter((row) => !isFloor(row) && !row.given.timing && !row.given.way);
  return own.length > 0 ? own : rows.filter((row) => !row.given.way);
}

const sayings = {
  operation: (value) => value,
  hop: hopName,
  variant: (value) => value,
  ranks: (value) => `${value} ranks`,
  pair: (value) => `ranks ${value.replace("-", " and ")}`,
};

/** Gives each row the name of its curve, with only those words that tell the curves apart. */
export function nameCurves(rows) {
  const parameters = uniqueOf(rows.flatMap((row) => Object.keys(row.given))).filter(
    (key) => key !== "window" || new Set(rows.map((row) => row.key + row.given.window)).size === new Set(rows.map((row) => row.key)).size,
  );
  const valueOf = (row, key) => String((key in sayings ? row[key] : row.given[key]) ?? "");
  let keys = ["operation", "hop", "variant", "ranks", ...parameters, "pair"].filter(
    (key) => uniqueOf(rows, (row) => valueOf(row, key)).length > 1,
  );
  const told = (some) => uniqueOf(rows, (row) => JSON.stringify(some.map((key) => valueOf(row, key)))).length;
  for (const key of [...keys].reverse()) {
    const fewer = keys.filter((other) => other !== key);
    if (told(fewer) === told(keys)) keys = fewer;
  }
  const say = (key, value) => (value === "" ? "" : key in sayings ? sayings[key](value) : `${key} ${value}`);
  for (const row of rows) {
    const name = keys.map((key) => say(key, valueOf(row, key))).filter(Boolean);
    row.curve = name.join(", ") || row.operation;
  }
  return rows;
}

/** Curves of the variant `base` first, then those that are fastest at most places. */
export function fastestFirst(rows, base) {
  const wins = new Map(rows.map((row) => [row.key, 0]));
  for (const some of groupsOf(rows, placeKey).values()) {
    const [first] = [...some].sort((a, b) => a.median_seconds - b.median_seconds);
    wins.set(first.key, wins.get(first.key) + 1);
  }
  return [...rows].sort((a, b) => (b.variant === base) - (a.variant === base) || wins.get(b.key) - wins.get(a.key));
}

/** Rows of curves that differ only in their pair, as one: the median, from the fastest to the slowest. */
export function poolPairs(rows) {
  const groups = groupsOf(rows, (row) => JSON.stringify([row.operation, row.setting, row.ranks, row.hop, row.parameters, row.bytes]));
  return [...groups.values()].map((some) => {
    if (some.length === 1) return some[0];
    const seconds = some.map((row) => row.median_seconds);
    const pooled = {
      ...some[0],
      pair: "",
      key: some[0].key.replace(JSON.stringify(some[0].pair), '""'),
      launch_seconds: [],
      launch_places: [],
    };
    const rates = some.map((row) => row.bandwidth_bytes_per_second).filter(isKnown);
    return Object.assign(pooled, {
      pairs: some.length,
      median_seconds: medianOf(seconds),
      ci_low_seconds: Math.min(...seconds),
      ci_high_seconds: Math.max(...seconds),
      bandwidth_bytes_per_second: rates.length > 0 ? medianOf(rates) : null,
    });
  });
}

/** At most `most` curves: pairs are pooled first, then curves are left out. Returns {rows, pooled, left}. */
export function fewCurves(rows, most) {
  const count_ = (some) => new Set(some.map((row) => row.key)).size;
  const pooled = count_(rows) > most ? poolPairs(rows) : rows;
  const keys = uniqueOf(pooled, (row) => row.key);
  const first = new Set(keys.slice(0, most));
  return { rows: pooled.filter((row) => first.has(row.key)), pooled: count_(rows) - keys.length, left: Math.max(0, keys.length - most) };
}

/** The model of a curve among hockney.fit's; undefined without one. */
export function fitOf(fits, row) {
  const isSetting = (fit) => (fit.setting ?? "") === (row.setting ?? "") || (row.setting ?? "").endsWith(`:${fit.setting}`);
  const same = (fit) =>
    fit.operation === row.operation && isSetting(fit) && fit.point.ranks === row.ranks && (fit.point.hop ?? "") === (row.hop ?? "");
  const agrees = ([key, value]) => row.given[key] === value || (key === "window" && !row.key.includes('"window"'));
  return (fits ?? []).find((fit) => same(fit) && Object.entries(fit.point.parameters).every(agrees));
}

export function modelSeconds(fit, size) {
  const segment = fit.segments.find((one) => size >= one.from_bytes && size <= one.to_bytes);
  return segment ? segment.alpha_seconds + segment.beta_seconds_per_byte * size : null;
}

/** Points of the lines of a curve's model, each segment only where it holds. */
export function modelPoints(fit, curve, ratePerByte = null) {
  return fit.segments.flatMap((segment, i) => {
    const last = Math.max(segment.to_bytes, 1);
    const sizes = [ratePerByte === null ? segment.from_bytes : Math.max(1, segment.from_bytes)];
    while (sizes.at(-1) < last) sizes.push(Math.min(last, Math.max(1, sizes.at(-1) * 1.5)));
    return sizes.map((size) => {
      const seconds = segment.alpha_seconds + segment.beta_seconds_per_byte * size;
      return {
        curve,
        part: `${curve} ${i}`,
        drawnBytes: drawnBytes(size),
        value: ratePerByte === null ? seconds : (size * ratePerByte) / seconds,
      };
    });
  });
}

/** The name of a launch: of its setting and its number there, from 1. */
export const launchName = (launch) => [launch.setting, launch.launch + 1].filter((part) => part !== "").join(" #");

/** Each launch of a row: {launch, seconds, ratio}. */
export const launchesOf = (row, names) =>
  (row.launch_seconds ?? []).map((seconds_, i) => ({
    launch: names[row.launch_places[i]],
    seconds: seconds_,
    ratio: seconds_ / row.median_seconds,
  }));

/** Time of `row` over that of `base`, paired by the numbers of launches where there are six pairs. */
export function ratioOf(row, base, launches) {
  const numbers = (one) =>
    new Map((one.launch_places ?? []).map((place, i) => [launches[place].campaign + launches[place].launch, one.launch_seconds[i]]));
  const own = numbers(row);
  const paired = [...numbers(base)].filter(([number_]) => own.has(number_)).map(([number_, seconds_]) => own.get(number_) / seconds_);
  const interval = medianInterval(paired);
  const verdict = !interval ? "no evidence" : interval[1] < 1 ? "faster" : interval[0] > 1 ? "slower" : "no evidence";
  return {
    ratio: interval ? medianOf(paired) : row.median_seconds / base.median_seconds,
    interval,
    verdict,
  };
}

const placeKey = (row) => JSON.stringify([row.operation, row.ranks, row.hop, row.pair, row.parameters, row.bytes]);

/** Rows of other settings against those of the variant `against`; the document's verdict where it has this base. */
export function ratiosAgainst(rows, all, against) {
  const bases = new Map(rows.filter((row) => row.variant === against).map((row) => [placeKey(row), row]));
  const known = new Map((all.comparisons ?? []).map((one) => [JSON.stringify([one.base, one.setting, placeKey(one)]), one]));
  return rows.flatMap((row) => {
    const base = bases.get(placeKey(row));
    if (!base || row.variant === against) return [];
    const judged = known.get(JSON.stringify([base.setting, row.setting, placeKey(row)]));
    const { ratio, interval, verdict } = judged
      ? { ...judged, interval: isKnown(judged.ratio_low) ? [judged.ratio_low, judged.ratio_high] : null }
      : ratioOf(row, base, all.launches);
    const isDecided = verdict !== "no evidence";
    return [{ ...row, ratio, interval, verdict, family: Boolean(judged), base_seconds: base.median_seconds, isDecided }];
  });
}

/** The fastest setting at each place, if it is shown to be faster than the base; else the base. */
export function bestSettings(ratios, against) {
  return [...groupsOf(ratios, placeKey).values()].map((some) => {
    const faster = some.filter((row) => row.verdict === "faster").sort((a, b) => a.ratio - b.ratio)[0];
    const first = faster ?? some[0];
    return {
      ...first,
      fastest: faster ? faster.variant : against,
      gain: faster ? 1 / faster.ratio : 1,
      seconds: faster ? faster.median_seconds : first.base_seconds,
    };
  });
}

/** Pairs of ranks as cells of a matrix of up to `most` places along a side; `hosts` names places by host. */
export function pairMatrix(pairs, most, hosts = null) {
  const ends = pairs.map((row) => row.pair.split("-").map(Number));
  const highest = Math.max(...ends.flat()) + 1;
  const names = hosts ? uniqueOf(hosts) : Array.from({ length: highest }, (_, rank) => String(rank));
  const block = Math.ceil(names.length / most);
  const blockName = (first) => (block === 1 ? names[first] : `${names[first]}..${names[Math.min(first + block, names.length) - 1]}`);
  const placeOf = (rank) => blockName(Math.floor((hosts ? names.indexOf(hosts[rank]) : rank) / block) * block);
  const sides = uniqueOf(names.map((_, i) => blockName(Math.floor(i / block) * block)));
  const cells = groupsOf(
    pairs.map((row, i) => ({ ...row, from: placeOf(ends[i][0]), to: placeOf(ends[i][1]) })),
    (row) => JSON.stringify([row.from, row.to]),
  );
  const rows = [...cells.values()].map((some) => ({
    from: some[0].from,
    to: some[0].to,
    hop: uniqueOf(some, (row) => hopName(row.hop)).join(", "),
    median_seconds: medianOf(some.map((row) => row.median_seconds)),
    pairs: some.length,
  }));
  const mirrored = rows
    .filter((row) => !cells.has(JSON.stringify([row.to, row.from])))
    .map((row) => ({ ...row, from: row.to, to: row.from }));
  return { rows, mirrored, sides };
}
