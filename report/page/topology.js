// hockney.topology: the CPUs of a node. hockney.network: the switches between nodes.
import { counted, h, kind } from "./kit.js";
import { plural, text } from "./format.js";
import { plot, said } from "./plots.js";
import { cpuBoxes, rangesOf } from "./where.js";

const mostMatrixSites = 64;

const classSection = (rows) => ({
  id: "classes",
  title: "Hop classes",
  columns: "hop: hop class; pairs [count]; example: for example",
  rows,
});

/** A square for each row of {a, b, hop}, in colours of the classes. */
function hopMatrix(title, what, rows, names, classes) {
  if (rows.length === 0 || names.length > mostMatrixSites) return null;
  const side = (field, labelAngle) => ({ field, type: "nominal", sort: names, axis: { title: null, labelLimit: 120, labelAngle } });
  const scale = { domain: classes, range: classes.map((_, i) => `var(--heat-${Math.min(5, i + 1)})`) };
  const color = { field: "hop", type: "nominal", scale, legend: { title: null, symbolType: "square" } };
  const mark = { type: "rect", stroke: "var(--paper)", strokeWidth: 1 };
  return {
    id: "matrix",
    title,
    caption: `Squares: pairs of ${what}. Faint: near. Strong: far apart.`,
    columns: "a: one; b: other; hop: hop class",
    rows,
    spec: plot({
      height: Math.max(120, Math.min(560, 22 * names.length)),
      layer: [{ name: "rows", mark, encoding: { x: side("a", -90), y: side("b", 0), color, ...said } }],
    }),
  };
}

// --- a node ---------------------------------------------------------------------------------------------------------------------

const cpuColumns = "os_cpu: CPU [count]; core [count]; l2: L2 [count]; l3: L3 [count]; numa: NUMA; package [count]; rank";

function topologySections({ pus, plan, hops, pairs = [] }) {
  const ranksOn = (cpu) => plan.cpus.flatMap((one, rank) => (one === cpu ? [rank] : []));
  const cellOf = ({ os_cpu, core }) => {
    const words = rangesOf(ranksOn(os_cpu));
    return { words, says: `CPU ${os_cpu}, core ${core}${words ? `: rank ${words}` : ""}`, isBad: ranksOn(os_cpu).length > 1 };
  };
  const squares = pairs.flatMap(({ hop, cpus }) => [cpus, [...cpus].reverse()].map(([a, b]) => ({ a: String(a), b: String(b), hop })));
  return [
    {
      id: "cpus",
      title: "CPUs and ranks",
      headline: `${plural(plan.ranks, "rank")} on CPUs ${plan.cpus.join(", ")} show ${plan.covered.map((one) => one.hop).join(", ")}`,
      caption: "Squares: CPUs with their numbers, and the ranks that the plan puts there. Squares of a core touch.",
      columns: cpuColumns,
      rows: pus.map((pu) => ({ ...pu, rank: rangesOf(ranksOn(pu.os_cpu)) })),
      draw: (place) => place.replaceChildren(cpuBoxes(pus, cellOf)),
    },
    hopMatrix(
      "Hop class by pair",
      "CPUs",
      squares,
      pus.map((pu) => String(pu.os_cpu)),
      hops.map((one) => one.hop),
    ),
    classSection(hops.map((one) => ({ ...one, example: one.representative.join(" and ") }))),
  ];
}

kind("hockney.topology", {
  head: ({ cpu_model, source, this_system }) => [
    [cpu_model, this_system ? "this machine" : "another machine", source].filter(Boolean).join(" · "),
  ],
  tiles: ({ counts }) => [
    counted("CPUs", counts.pus, plural(counts.cores, "core")),
    counted("Packages", counts.packages),
    counted("NUMA nodes", counts.numa_nodes),
    counted("L3 caches", counts.l3_caches),
  ],
  findings: ({ left_out }) => (left_out.length > 0 ? [{ what: `This process may not run on CPUs ${rangesOf(left_out)}` }] : []),
  sections: topologySections,
});

// --- a network ------------------------------------------------------------------------------------------------------------------

/** How many hosts a list like "nid[000-003],login1" names. */
export function hostCount(hosts) {
  const countOf = (ranges) =>
    ranges.split(",").reduce((sum, range) => {
      const [first, last = first] = range.split("-").map(Number);
      return sum + last - first + 1;
    }, 0);
  const parts = hosts.match(/(?:[^,[]|\[[^\]]*\])+/g) ?? [];
  return parts.reduce((sum, part) => sum + [...part.matchAll(/\[([^\]]*)\]/g)].reduce((size, [, ranges]) => size * countOf(ranges), 1), 0);
}

const hostsIn = (places) => places.reduce((sum, place) => sum + hostCount(place.hosts), 0);
/** "switches". */
const levelName = (level) => (level.endsWith("s") ? level : plural(2, level).slice(2));

/** A list of sites of a level with their hosts; each has that of the nearer sites in it. */
function siteList(places, levels, level) {
  const names = [...new Set(places.map((place) => place.sites[level]))];
  const item = (name) => {
    const here = places.filter((place) => place.sites[level] === name);
    const inner =
      level > 0 ? siteList(here, levels, level - 1) : h("span", { class: "caption" }, ` ${text(here.map((place) => place.hosts))}`);
    return h("li", {}, `${levels[level]} ${text(name)}: ${plural(hostsIn(here), "host")}`, inner);
  };
  return h("ul", { class: "tree" }, ...names.map(item));
}

/** The hop class of two places: "same-" and the nearest level that they share, else "2-hops" where links are known, else "other-". */
export function classOf({ levels, hops = {} }, a, b) {
  const level = levels.findIndex((_, i) => a.sites[i] === b.sites[i]);
  if (level >= 0) return `same-${levels[level]}`;
  const [one, other] = [a.sites.at(-1), b.sites.at(-1)];
  const links = hops[one]?.[other] ?? hops[other]?.[one];
  return links ? `${links}-hop${links === 1 ? "" : "s"}` : `other-${levels.at(-1)}`;
}

function networkSections({ sites, classes }) {
  if (!sites) return [];
  const { levels, places } = sites;
  const distinctPlaces = [...new Map(places.map((place) => [place.sites.join("/"), place])).values()];
  const names = distinctPlaces.map((place) => text(place.sites[0]));
  const squares = distinctPlaces.flatMap((a, i) => distinctPlaces.map((b, j) => ({ a: names[i], b: names[j], hop: classOf(sites, a, b) })));
  const known = classes.map((one) => one.hop);
  const siteOf = (place) => Object.fromEntries(place.sites.map((site, i) => [`site_${i}`, site]));
  return [
    {
      id: "tree",
      title: "Switches and hosts",
      columns: [...levels.map((title, i) => ({ key: `site_${i}`, title })), "count: hosts [count]; hosts: which"],
      rows: places.map((place) => ({ ...siteOf(place), hosts: place.hosts, count: hostCount(place.hosts) })),
      draw: (place) => place.replaceChildren(siteList(places, levels, levels.length - 1)),
    },
    names.length > 1 && squares.every((one) => known.includes(one.hop))
      ? hopMatrix(`Hop class by ${levels[0]}`, `${levelName(levels[0])}; on the diagonal, hosts of one`, squares, names, known)
      : null,
    classSection(classes.map((one) => ({ ...one, example: one.example.join(" and ") }))),
  ];
}

const networkTiles = ({ levels, places }) => {
  const levelTile = (level, i) => {
    const name = levelName(level);
    return counted(name[0].toUpperCase() + name.slice(1), new Set(places.map((place) => place.sites[i])).size);
  };
  return [counted("Hosts", hostsIn(places)), ...levels.map(levelTile)];
};

kind("hockney.network", {
  head: ({ sites }) =>
    sites?.origin ? [`${sites.origin.detail} (${sites.origin.source})${sites.origin.inferred ? ", a guess from latencies" : ""}`] : [],
  tiles: ({ sites }) => (sites ? networkTiles(sites) : [{ label: "Hosts", value: "unknown", mark: "no source has their places" }]),
  findings: ({ notes, unused }) => [
    ...notes.map((what) => ({ what })),
    ...unused.map(({ source, why }) => ({ what: source, advice: why })),
  ],
  sections: networkSections,
});
