// Nodes of a night against each other, and links between them: for hockney.health.
import { colourOf, h, paintAnew, says } from "./kit.js";
import { change, plural, significant } from "./format.js";
import { dotPlot } from "./marks.js";
import { groupedBy, someOf } from "./results.js";

export const mostSlowest = 24; // nodes with names and intervals
const mostLinks = 30;
export const severityWords = { OK: "", MONITOR: "watch", ISOLATE: "drain" };

/** Nodes of a point, slowest first. */
export function nodesOf(health, fleet) {
  const slow = new Set(health.nodes.filter((node) => node.point === fleet.point).map((node) => node.host));
  return fleet.nodes.map((node) => ({
    ...node,
    day: node.day ?? fleet.day,
    isBad: slow.has(node.host),
    verdict: slow.has(node.host) ? `slow: ${severityWords[node.severity] || "watch"}` : "as usual",
  }));
}

const badOr = (bad, usual) => ({ condition: { test: "datum.isBad", value: bad }, value: usual });

/** A line for each row that `name` names, with its part of time and interval. What is bad is a diamond. */
export const nodeDots = (rows, name, key, title) =>
  dotPlot({
    ...{ rows, name, key, title, unit: "share", log: false, base: 0 },
    axis: { grid: true, labelLimit: 330 },
    channels: { color: badOr("var(--bad)", "var(--series-1)"), shape: badOr("diamond", "circle") },
  });

const effectSteps = [0.01, 0.03, 0.05, 0.1]; // [ratio - 1], where the colours of the map change

/** A square for each node. */
function drawNodeMap(node, { rows, columns, title, headline }, app) {
  const width = node.clientWidth;
  const size = Math.max(9, Math.min(26, Math.floor(Math.sqrt((width * 380) / rows.length))));
  const across = Math.max(1, Math.floor(width / size));
  const height = size * Math.ceil(rows.length / across);
  const scale = window.devicePixelRatio || 1;
  const status = h("p", { class: "caption", role: "status" }, "Point at a square, or use the arrow keys.");
  const canvas = h("canvas", {
    width: width * scale,
    height: height * scale,
    tabindex: 0,
    role: "img",
    "aria-label": `${title}: ${headline}`,
  });
  let at = -1;

  function paint() {
    const context = canvas.getContext("2d");
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    rows.forEach((row, i) => {
      const [x, y] = [(i % across) * size, Math.floor(i / across) * size];
      context.fillStyle = colourOf(`--heat-${1 + effectSteps.filter((step) => row.effect >= step).length}`);
      context.fillRect(x, y, size - 1, size - 1);
      if (!row.isBad && i !== at) return;
      context.strokeStyle = colourOf(i === at ? "--ink" : "--bad");
      context.lineWidth = 2;
      context.strokeRect(x + 1, y + 1, size - 3, size - 3);
    });
  }

  function point(i) {
    if (!rows[i] || i === at) return;
    at = i;
    status.textContent = says(rows[i], columns).replaceAll("\n", ", ");
    paint();
  }

  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -across, ArrowDown: across };
  canvas.addEventListener("pointermove", ({ offsetX, offsetY }) => point(across * Math.floor(offsetY / size) + Math.floor(offsetX / size)));
  canvas.addEventListener("keydown", (event) => {
    if (!(event.key in steps)) return;
    event.preventDefault();
    point(at < 0 ? 0 : at + steps[event.key]);
  });
  canvas.addEventListener("click", () => at >= 0 && app.choose("host", rows[at].host));
  node.replaceChildren(canvas, status);
  paintAnew(canvas, paint);
}

export function nodeSections(health, view) {
  const fleet = health.fleet.find((one) => one.point === view.choice.point) ?? health.fleet[0];
  if (!fleet || fleet.nodes.length === 0) return [];
  const rows = nodesOf(health, fleet);
  const slow = rows.filter((row) => row.isBad);
  const names = slow.length > 0 ? `, ${someOf(slow.map((row) => `${row.host} ${change(row.effect)}`))}` : "";
  const day = fleet.day === health.day ? "" : `; judged on ${fleet.day}`;
  const shown = rows.filter((row, i) => i < mostSlowest || row.host === view.choice.host);
  const isMap = rows.length > mostSlowest;
  const isByName = view.choice.order === "by name";
  const common = {
    headline: `${fleet.name}: ${slow.length} of ${plural(rows.length, "node")} slow${names}${day}`,
    columns: "host: node; effect: extra time [change] effect_ci; verdict; score [number]; pairs [count]; day: judged on",
  };
  const slowest = {
    id: "nodes",
    title: isMap ? "Slowest nodes" : "Nodes by extra time",
    ...common,
    caption: "Extra time of a node's pairs over those of a usual node, with its interval. Diamonds: slow beyond chance.",
    rows: shown,
    spec: (some) => nodeDots(some, "host", "effect", "extra time"),
  };
  const map = {
    id: "node-map",
    title: "Map of nodes",
    ...common,
    caption:
      `Each square is a node, ${isByName ? "in the order of their names" : "the slowest first"}. Faint: as usual. Strong: much extra time, ` +
      `in steps at ${effectSteps.map((step) => 100 * step).join(", ")} %. Framed: slow beyond chance. A click chooses the node.`,
    rows: isByName ? [...rows].sort((a, b) => a.host.localeCompare(b.host, "en", { numeric: true })) : rows,
    draw: drawNodeMap,
  };
  return isMap ? [slowest, map] : [slowest];
}

/** Slow links, then those to measure again; one row for each link. */
export function linksOf({ links, fleet }) {
  const slow = links.map((link) => ({
    ...link,
    isBad: true,
    name: fleet.find((one) => one.point === link.point)?.name ?? link.point,
    evidence: link.is_repeated ? plural(link.values, "repetition") : `for ${plural(link.values, "night")}`,
    action: severityWords[link.severity] || "watch",
  }));
  const suspects = fleet.flatMap(({ name, suspects: some }) =>
    some.map((link) => {
      const evidence = `this night, ${significant(link.score, 2)} standard deviations`;
      return { ...link, isBad: false, name, evidence, action: "measure again" };
    }),
  );
  const worse = (a, b) => b.isBad - a.isBad || b.effect - a.effect;
  return groupedBy([...slow, ...suspects], (row) => [row.hosts, row.hop])
    .map((all) => {
      const [worst] = all.sort(worse);
      const name = someOf([...new Set(all.map((row) => row.name))]);
      return { ...worst, link: worst.hosts.join(" – "), name };
    })
    .sort(worse);
}

export function linkSection(health, view) {
  const { host, hop } = view.choice;
  const all = linksOf(health).filter((row) => (!host || row.hosts.includes(host)) && (!hop || row.hop === hop));
  const slow = all.filter((row) => row.isBad).length;
  return {
    id: "links",
    title: "Slow links",
    headline: ([worst]) =>
      `${plural(slow, "link")} slow, ${all.length - slow} to measure again; worst ${worst.link} ${change(worst.effect)}`,
    caption:
      "Extra time beyond what the hop class and both nodes explain. Diamonds: slow for nights, or again when repeated. Circles: this night alone.",
    columns: "link; hop; effect: extra time [change] effect_ci; evidence; action; name: at",
    rows: all.slice(0, mostLinks),
    spec: (rows) => nodeDots(rows, "link", "effect", "extra time"),
  };
}
