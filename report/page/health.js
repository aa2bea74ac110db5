// hockney.health: a night judged against the nights before it. fleet.js has its nodes and links.
import { peerSections } from "./peers.js";
import { choiceOf, counted, figureTile, kind } from "./kit.js";
import { amount, bytes, change, count, isKnown, plural, rate, seconds, share, significant, text } from "./format.js";
import { intervals, mostSeries, plot, points, said, series, valueAxis } from "./plots.js";
import { groupedBy, someOf, uniqueOf } from "./results.js";
import { linkSection, linksOf, mostSlowest, nodeSections, severityWords } from "./fleet.js";

const mostEvents = 12; // that have a picture
const mostQuiet = 6; // figures without a change that have one, where nothing changed or something is chosen
const mostFindings = 10; // of a kind
const bandSigmas = 2;
const verdictOrder = ["missing", "regressed", "improved", "undecided", "steady"];

// --- words ----------------------------------------------------------------------------------------------------------------------

const factWords = { "mpi.library": "MPI library", "mpi.standard": "MPI standard", "host.cpu_model": "processor", "host.cpus": "CPUs" };
const whyWords = {
  no_nights: () => "no night to judge",
  short_baseline: (one) => `${one.nights} of ${one.nights_needed} nights that a baseline needs`,
  stale: () => "not measured for more than 3 days",
  absent: () => "no value of this night",
  too_few_nodes: () => "too few nodes to compare them",
  too_few_pairs: () => "too few pairs to compare nodes",
  ambiguous: () => "two groups of nodes with pairs only between them: either may be slow",
};
const whyText = (one) => one.missing_because ?? whyWords[one.undecided_because]?.(one) ?? one.undecided_because;

const factName = (fact) =>
  factWords[fact] ??
  fact
    .replace(/^mpi\./, "")
    .replace(/^(host|hockney|environment)\./, "")
    .replace(/[._](?=[a-z])/g, " ");
const factText = ({ fact, before, after }) => `${factName(fact)} ${before || "unknown"} → ${after || "unknown"}`;
const sizeText = (value) => (value < 1024 ? `${bytes(value)} B` : bytes(value));
const seriesText = (number_) => `${count(number_)} series`;
const capital = (words) => words[0].toUpperCase() + words.slice(1);
const distinct = (values) => uniqueOf(values.filter(isKnown));
const isDerived = ({ figure, unit }) => figure.startsWith("fitted") || unit === "ratio";
const logChange = (one) => Math.abs(Math.log1p(one.change ?? 0));

/** A value in the unit of its series. */
export function figureText(value, unit) {
  const formats_ = { seconds, bytes_per_second: rate, bytes: amount, seconds_per_byte: (one) => `${significant(1e9 * one)} ns/B` };
  return isKnown(value) ? (formats_[unit] ?? ((one) => significant(one)))(value) : "–";
}

function figureWithInterval(row) {
  const [value, low, high] = [row.value, ...(row.value_ci ?? [])].map((one) => figureText(one, row.unit));
  return low ? `${value} (${low} .. ${high})` : value;
}

/** What several series of a figure are called: "latency at 8 B, 1K (pingpong, 2 ranks, l3)". */
export function groupName(all) {
  if (all.length === 1) return all[0].name;
  const [sizes, ranks, hops, hosts] = ["bytes", "ranks", "hop", "host"].map((key) => distinct(all.map((one) => one[key])));
  sizes.sort((a, b) => a - b);
  const ends = sizes.length > 3 ? `${sizeText(sizes[0])} .. ${sizeText(sizes.at(-1))}` : sizes.map(sizeText).join(", ");
  const place = [all[0].operation, ranks.length > 0 ? `${someOf(ranks)} ranks` : "", someOf(hops), someOf(hosts)].filter(Boolean);
  return `${all[0].figure}${ends ? ` at ${ends}` : ""} (${place.join(", ")})`;
}

/** Two to five words: "Latency of pingpong, l3". */
function shortName(all) {
  const [hops, sizes] = ["hop", "bytes"].map((key) => distinct(all.map((one) => one[key])));
  const at = sizes.length === 1 ? ` at ${sizeText(sizes[0])}` : "";
  const of = all[0].figure.includes(all[0].operation) ? "" : ` of ${all[0].operation}`;
  return `${capital(all[0].figure)}${of}${at}${hops.length === 1 ? `, ${hops[0]}` : ""}`;
}

// --- what changed ---------------------------------------------------------------------------------------------------------------

/** All sizes of a figure that changed the same night are one event. Regressions come first, MPI before controls, what was measured before what was fitted, large changes before small ones. */
export function eventsOf(verdicts) {
  const changed = verdicts.filter((one) => isKnown(one.change)).sort((a, b) => logChange(b) - logChange(a));
  const events = groupedBy(changed, (one) => [one.operation, one.figure, one.verdict === "improved", one.since, one.role]).map((all) => ({
    ...all[0],
    verdict: all[0].verdict === "improved" ? "improved" : "regressed",
    series: all,
    name: groupName(all),
    count: all.length,
    facts: someOf(distinct(all.flatMap((one) => one.environment.flatMap(({ facts }) => facts.map(factText)))), 2),
    remarks: someOf(distinct(all.flatMap((one) => one.notes.map((note) => note.text))), 2),
    cause: all.some((one) => one.controls.length > 0) ? "the node changed too" : "",
  }));
  const order = ({ verdict, role, figure, unit }) => 4 * (verdict === "improved") + 2 * (role === "control") + isDerived({ figure, unit });
  return events.sort((a, b) => order(a) - order(b));
}

const figureColumn = { key: "value", title: "value", unit: "number", interval: "value_ci", words: figureWithInterval };

function eventHeadline({ change: size, since, since_ci, change_ci, facts, cause, count: members }) {
  const days = since_ci && since_ci[0] !== since_ci[1] ? ` (${since_ci.join(" .. ")})` : "";
  const interval = change_ci ? `interval ${change_ci.map(change).join(" .. ")}` : "";
  const largest = members > 1 ? `; the largest of ${seriesText(members)}` : "";
  return [`${change(size)} since ${since}${days}`, interval, facts && `with ${facts}`, cause].filter(Boolean).join("; ") + largest;
}

// --- nights ---------------------------------------------------------------------------------------------------------------------

const nightColumns = ["day: night; name: series", figureColumn, "against: against the baseline [change]; launches [count]"];

const drawnScale = (unit) => (unit === "seconds_per_byte" ? 1e9 : 1);
const middleOf = ({ baseline, values }) => baseline ?? values.map((one) => one.value).sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Rows of a picture: values of one series, of several their ratios to their baselines, or medians where there are none yet. */
export function nightRows(all) {
  const telling = ["bytes", "host"].find((key) => distinct(all.map((one) => one[key])).length === all.length);
  return all.flatMap((one) => {
    const { name, unit, baseline } = one;
    const curve = telling === "bytes" ? sizeText(one.bytes) : telling ? one[telling] : name;
    const middle = middleOf(one);
    const drawn = (value) => (isKnown(value) ? (all.length > 1 ? value / middle - 1 : drawnScale(unit) * value) : null);
    return one.values.map(({ value, value_ci, ...night }) => ({
      ...night,
      ...{ name, unit, value, value_ci, curve },
      ...{ drawn: drawn(value), low: drawn(value_ci?.[0]), high: drawn(value_ci?.[1]) },
      against: isKnown(baseline) ? value / baseline - 1 : null,
    }));
  });
}

/** Facts that changed and notes, in the order of their nights, each once. */
export function happenings(all) {
  const told = all.flatMap(({ environment, notes }) => [
    ...environment.flatMap(({ day, facts }) => facts.map((fact) => ({ day, name: text(factText(fact)) }))),
    ...notes.map((note) => ({ day: note.day, name: text(`“${note.text}”`) })),
  ]);
  const once = groupedBy(told, (one) => one).map(([one]) => ({ ...one, says: `${one.day}\n${one.name}` }));
  return once.sort((a, b) => (a.day < b.day ? -1 : 1));
}

/** Dashed lines at nights on which something happened. Their words stand at the top, towards the middle. */
function datedLines(all, middle, x) {
  const values = happenings(all).map((one, i) => ({ ...one, line: 12 + 15 * i }));
  const limit = Math.min(420, 0.5 * (globalThis.innerWidth ?? 1000));
  const words = (some, align, dx) => ({
    data: { values: some.filter((one) => one.line < 70) },
    mark: { type: "text", align, dx, fontSize: 12, limit },
    encoding: { x, y: { field: "line", type: "quantitative", scale: null }, text: { field: "name", type: "nominal" }, ...said },
  });
  return [
    { data: { values }, mark: { type: "rule", strokeDash: [4, 4] }, encoding: { x, ...said } },
    words(
      values.filter((one) => one.day >= middle),
      "right",
      -6,
    ),
    words(
      values.filter((one) => one.day < middle),
      "left",
      6,
    ),
  ];
}

const unitWords = { seconds_per_byte: "ns per byte", ratio: "ratio" };

function nightsPlot(all, rows) {
  const isRelative = all.length > 1;
  const worst = all.reduce((a, b) => (logChange(b) > logChange(a) ? b : a));
  const unit = isRelative ? "share" : ({ seconds: "seconds", bytes_per_second: "rate", bytes: "amount" }[worst.unit] ?? "number");
  const title = isRelative ? "against the baseline" : unit === "number" ? (unitWords[worst.unit] ?? worst.unit) : worst.figure;
  const days = distinct(rows.map((row) => row.day)).sort();
  const ticks = days.filter((_, i) => i % Math.ceil(days.length / 6) === 0).map((day) => day.split("-").map(Number));
  const values = ticks.map(([year, month, date]) => ({ year, month, date, utc: true }));
  const dates = { title: null, format: "%-d %b %Y", values, labelOverlap: "greedy" };
  const x = { field: "day", type: "temporal", scale: { type: "utc", padding: 14 }, axis: dates };
  const y = { ...valueAxis("drawn", title, unit, { log: false }), scale: { zero: false, padding: 10 } };
  // Of several series, the band is the widest, and the level that of the largest change.
  const spread = Math.exp(bandSigmas * Math.max(...all.map((one) => one.noise ?? 0)));
  const place = (factor) => (isRelative ? factor - 1 : drawnScale(worst.unit) * worst.baseline * factor);
  const ends = isKnown(worst.baseline) ? [days[0], days.at(-1)] : [];
  const band = ends.map((day) => ({ day, middle: place(1), bottom: place(1 / spread), top: place(spread) }));
  const level = isKnown(worst.change)
    ? [worst.since, days.at(-1)].map((day, i) => ({ day, drawn: place(1 + worst.change), name: i === 1 ? change(worst.change) : "" }))
    : [];
  const tone = worst.verdict === "improved" ? "var(--good)" : "var(--bad)";
  const { color, shape } = series("curve", distinct(rows.map((row) => row.curve)));
  const over = (some, mark, encoding) => ({ data: { values: some }, mark, encoding: { x, y, ...encoding } });
  const layer = [
    over(band, { type: "area", color: "var(--band)", opacity: 1 }, { y: { ...y, field: "bottom" }, y2: { field: "top" } }),
    over(band, { type: "line", color: "var(--soft)", strokeWidth: 1 }, { y: { ...y, field: "middle" } }),
    ...datedLines(all, days[Math.floor(days.length / 2)], x),
    over(level, { type: "line", color: tone, strokeWidth: 2 }),
    intervals(x, y, { color }),
    points(x, y, { color, shape }, rows.length > 300 ? 25 : 45),
    over(level, { type: "text", align: "right", dy: 14, fontWeight: "bold", color: tone }, { text: { field: "name", type: "nominal" } }),
  ];
  return plot({ height: 260, layer: layer.filter((one) => one.data?.values.length !== 0) });
}

function nightsSection(id, all, headline) {
  const drawn = all.filter((one) => one.values.length > 0).slice(0, mostSeries);
  if (drawn.length === 0) return null;
  const rows = nightRows(drawn.sort((a, b) => (a.bytes ?? 0) - (b.bytes ?? 0)));
  const caption = [
    `Points: nights, with intervals over launches. Band: the baseline, ${bandSigmas} standard deviations to each side.`,
    drawn.length > 1 ? "Each series is drawn against its own baseline." : "",
    happenings(drawn).length > 0 ? "Dashed: what changed around the first night of the new level." : "",
    all.length > drawn.length ? `${seriesText(all.length - drawn.length)} more are not drawn.` : "",
  ];
  return {
    ...{ id, title: shortName(drawn), headline, caption: caption.filter(Boolean).join(" ") },
    ...{ columns: nightColumns, rows, spec: nightsPlot(drawn, rows) },
  };
}

// --- what was not measured ------------------------------------------------------------------------------------------------------

/** Reasons why series and nodes have no verdict, those with a missing value first. */
export function unmeasured({ verdicts, fleet, nights_in_future }) {
  const without = verdicts.filter((one) => one.missing_because || one.undecided_because);
  const reasons = groupedBy(without, (one) => [one.missing_because ? "missing" : "undecided", whyText(one)]).map((all) => ({
    verdict: all[0].missing_because ? "missing" : "undecided",
    reason: whyText(all[0]),
    count: all.length,
    names: someOf(groupedBy(all, (one) => [one.operation, one.figure, one.hop, one.ranks]).map(groupName)),
  }));
  return [
    ...reasons.sort((a, b) => (b.verdict === "missing") - (a.verdict === "missing")),
    ...fleet.filter((one) => one.undecided_because).map((one) => ({ verdict: "nodes undecided", reason: whyText(one), names: one.name })),
    ...nights_in_future.map((day) => ({ verdict: "not judged", reason: "a night in the future", names: day })),
  ];
}

// --- the page -------------------------------------------------------------------------------------------------------------------

const seriesColumns = [
  "name: series; verdict; change [change] change_ci; since",
  { ...figureColumn, title: "last value" },
  "day: night; launches [count]",
  { key: "baseline", title: "baseline", unit: "number", words: (row) => figureText(row.baseline, row.unit) },
  "noise [share]; nights [count]; reason",
];

const flatSeries = (one) => ({ ...one, reason: whyText(one) });
const isMissing = (one) => isKnown(one.missing_because);

/** Worst first: faults, nodes, regressions, links, missing values, values not decided yet, improvements. */
function healthFindings(health) {
  const most = (all, what, at) =>
    all.length > mostFindings ? [...all.slice(0, mostFindings), { what: `${all.length - mostFindings} more ${what}`, at }] : all;
  const events = eventsOf(health.verdicts).map((event, i) => ({
    what: `${capital(event.name)}: ${change(event.change)} since ${event.since}${event.facts ? `, with ${event.facts}` : ""}`,
    at: i < mostEvents ? `change-${i + 1}` : "changes",
    verdict: event.verdict,
  }));
  const slow = groupedBy(health.nodes, (node) => node.host).map((all) => all.reduce((a, b) => (b.effect > a.effect ? b : a)));
  const nodes = slow
    .sort((a, b) => b.effect - a.effect)
    .map(({ host, effect, severity }) => ({
      what: `Node ${host}: its pairs take ${share(effect)} longer than those of a usual node`,
      advice: severityWords[severity],
      at: "nodes",
    }));
  const links = linksOf(health)
    .filter((link) => link.isBad)
    .map((link) => ({
      what: `Link ${link.link}, ${link.hop}: ${share(link.effect)} longer than its nodes explain, ${link.evidence}`,
      at: "links",
    }));
  const suspects = health.verdicts
    .filter((one) => one.suspect && one.verdict !== "regressed")
    .map(({ name, suspect }) => ({
      what: `${capital(name)}: ${change(suspect.change)} since ${suspect.since}, not decided yet`,
      at: "series",
    }));
  const found = [
    ...health.faults.map(({ fault, detail }) => ({ what: `Figures left out, ${fault.replaceAll("-", " ")}: ${detail}` })),
    ...most(nodes, "slow nodes", "nodes"),
    ...most(
      events.filter((event) => event.verdict === "regressed"),
      "regressions",
      "changes",
    ),
    ...most(links, "slow links", "links"),
    ...unmeasured(health)
      .filter((row) => row.verdict === "missing")
      .map(({ names, reason }) => ({ what: `Missing: ${names}, ${reason}`, at: "unmeasured" })),
    ...most(suspects, "suspect values", "series"),
    ...most(
      events.filter((event) => event.verdict === "improved"),
      "improvements",
      "changes",
    ),
  ];
  return found.length > 0 || health.isChosen ? found : [{ what: capital(health.headline.replace(/^\w+ +/, "")) }];
}

function healthTiles(health) {
  const of = (verdict) => health.verdicts.filter((one) => one.verdict === verdict).length;
  const all = seriesText(health.verdicts.length + health.verdicts_left_out);
  const [worst] = eventsOf(health.verdicts);
  const hosts = distinct(health.nodes.filter((node) => node.severity === "ISOLATE").map((node) => node.host));
  const missing = health.verdicts.filter(isMissing).length;
  const isMeasured = health.fleet.length > 0 || hosts.length > 0;
  const state = health.state === "OK" ? "OK" : capital(health.state.toLowerCase());
  const others = `of ${all}; ${of("improved")} improved, ${of("undecided")} undecided`;
  return [
    figureTile("State", state, "text", { mark: { ISOLATE: "drain a node", MONITOR: "watch" }[health.severity] }),
    counted("Regressed", of("regressed"), others, worst && "changes"),
    worst && figureTile("Largest change", worst.change, "change", { interval: worst.change_ci, mark: worst.name, at: "change-1" }),
    isMeasured && counted("Nodes to drain", hosts.length, someOf(hosts) || null, "nodes"),
    counted("Missing", missing, `of ${all}`, missing > 0 && "unmeasured"),
  ];
}

function healthHead({ day, nights, history: file, checked_utc, environment: facts = {} }) {
  const hosts = facts.hosts?.replace(/^(\d+ hosts),.*/, "$1").replaceAll(",", ", ");
  const machine = [
    hosts,
    facts["host.cpu_model"],
    facts["host.kernel"] && `kernel ${facts["host.kernel"]}`,
    facts["mpi.library"]?.split(/[,\n]/)[0],
  ];
  return [`Night of ${day}, ${plural(nights, "night")} in ${file}, judged ${checked_utc}`, machine.filter(Boolean).join(" · ")].filter(
    Boolean,
  );
}

/** All nodes of a small system, else those that are slow or changed. */
function hostChoice(health) {
  const off = [
    ...health.verdicts.filter((one) => isKnown(one.change) || isMissing(one)).map((one) => one.host),
    ...health.nodes.map((node) => node.host),
    ...health.links.flatMap((link) => link.hosts),
  ];
  const all = distinct([
    ...off,
    ...health.verdicts.map((one) => one.host),
    ...health.fleet.flatMap((one) => one.nodes.map((node) => node.host)),
  ]);
  const hosts = all.length <= 200 ? all : distinct(off);
  const sorted = hosts.sort((a, b) => a.localeCompare(b, "en", { numeric: true })).map((host) => ({ host }));
  return choiceOf(sorted, "host", "node", text);
}

function healthChoices(health) {
  const { verdicts, fleet } = health;
  const points_ = {
    key: "point",
    title: "nodes by",
    values: fleet.map((one) => one.point),
    names: fleet.map((one) => one.name),
    every: false,
  };
  return [
    choiceOf(verdicts, "operation", "operation"),
    choiceOf(verdicts, "hop", "hop"),
    hostChoice(health),
    choiceOf(verdicts, "verdict", "verdict"),
    choiceOf(
      [...verdicts].sort((a, b) => a.bytes - b.bytes),
      "bytes",
      "size",
      sizeText,
    ),
    fleet.length > 1 && points_,
    fleet.some((one) => one.nodes.length > mostSlowest) && {
      key: "order",
      title: "map",
      values: ["slowest first", "by name"],
      every: false,
    },
  ];
}

const chosenKeys = ["operation", "hop", "host", "verdict", "bytes"];

/** The document with what the reader has chosen. */
export function chosenOf(health, view) {
  const { operation, hop, host } = view.choice;
  const isOf = ({ point }) => !operation || point.startsWith(operation + "/");
  const isChosen = chosenKeys.some((key) => view.choice[key]);
  return {
    ...health,
    isChosen,
    verdicts: view.pick(health.verdicts, chosenKeys),
    verdicts_left_out: isChosen ? 0 : (health.verdicts_left_out ?? 0),
    fleet: health.fleet.filter(isOf),
    nodes: health.nodes.filter((node) => isOf(node) && (!host || node.host === host)),
    links: health.links.filter((link) => isOf(link) && (!host || link.hosts.includes(host)) && (!hop || link.hop === hop)),
  };
}

/** Figures without a change that have a picture: of missing values, or the first where nothing changed or something is chosen. */
function quietFigures(shown, isAll) {
  const rank = ([one]) => 4 * verdictOrder.indexOf(one.verdict) + 2 * (one.role === "control") + isDerived(one);
  const quiet = shown.filter((one) => !isKnown(one.change) && (isAll || isMissing(one)));
  const figures = groupedBy(quiet, (one) => [one.verdict, one.operation, one.figure, one.hop, one.ranks, one.setting]);
  return figures.sort((a, b) => rank(a) - rank(b)).slice(0, mostQuiet);
}

function healthSections(health, view) {
  const { verdicts: shown, verdicts_left_out: leftOut, isChosen } = health;
  const events = eventsOf(shown);
  const isAll = events.length === 0 || isChosen;
  const missing = shown.filter(isMissing).length;
  const reasons = unmeasured(health);
  const order = (one) => verdictOrder.indexOf(one.verdict);
  return [
    events.length > 0 && {
      id: "changes",
      title: "What changed",
      caption:
        "A row is a figure with all its sizes that changed on the same night, with the largest of their changes." +
        (events.length > mostEvents ? ` The first ${mostEvents} have pictures; choose an operation, a node or a size to see others.` : ""),
      columns:
        "name: what; verdict; change [change] change_ci; since; count: series [count]; facts: environment; remarks: notes; cause: controls",
      rows: events,
    },
    ...events.slice(0, mostEvents).map((event, i) => nightsSection(`change-${i + 1}`, event.series, eventHeadline(event))),
    ...peerSections(health),
    ...nodeSections(health, view),
    linkSection(health, view),
    ...quietFigures(shown, isAll).map((all, i) =>
      nightsSection(`quiet-${i + 1}`, all, `${all[0].verdict}: ${whyText(all[0]) ?? groupName(all)}`),
    ),
    {
      id: "series",
      title: "All series",
      caption: leftOut ? `${seriesText(leftOut)} more, steady or undecided, are in hockney health check --json.` : null,
      columns: seriesColumns,
      rows: shown.map(flatSeries).sort((a, b) => order(a) - order(b) || logChange(b) - logChange(a)),
    },
    reasons.length > 0 && {
      id: "unmeasured",
      title: "Not measured or judged",
      headline: missing > 0 ? `${missing} of ${seriesText(shown.length)} have no value though one was due` : null,
      columns: "verdict; reason; count: series [count]; names: which",
      rows: reasons,
    },
  ];
}

kind("hockney.health", {
  head: healthHead,
  choices: healthChoices,
  tiles: (health, view) => healthTiles(chosenOf(health, view)),
  findings: (health, view) => healthFindings(chosenOf(health, view)),
  sections: (health, view) => healthSections(chosenOf(health, view), view),
});
