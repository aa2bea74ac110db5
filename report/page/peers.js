// Nodes that measured themselves, beside their peers: for hockney.health.
import { columnsOf } from "./kit.js";
import { change, isKnown, plural } from "./format.js";
import { plot, points, valueAxis } from "./plots.js";
import { endsOf } from "./health.js";
import { severityWords } from "./fleet.js";

const mostPeers = 40;

const factChanges = ({ facts }) => facts.map((one) => `${one.fact}: ${one.before || "none"} -> ${one.after || "none"}`).join("; ");

/** Rows of slow figures, those of nodes to drain first. */
export function slowRows(peers) {
  const isDrained = (node) => node.severity === "ISOLATE";
  return [...peers.slow]
    .sort((a, b) => isDrained(b) - isDrained(a) || Math.abs(b.change) - Math.abs(a.change))
    .map((node) => ({
      ...node,
      ...endsOf("change", node.change_ci),
      place: `${node.host}: ${node.figure}`,
      verdict: severityWords[node.severity] || "as usual",
      compared: node.against === "peers" ? "its peers" : "itself before",
      since: node.since ?? "always",
      why: factChanges(node),
    }));
}

function slowNodes(peers) {
  const rows = slowRows(peers);
  if (rows.length === 0) return null;
  const some = rows.slice(0, mostPeers);
  const y = { field: "place", type: "nominal", sort: null, axis: { title: null, grid: true, labelLimit: 330 } };
  const x = { ...valueAxis("change", "slower by", "share", { log: false, axis: "x" }), scale: { zero: true, padding: 10 } };
  const color = { condition: { test: "datum.severity == 'ISOLATE'", value: "var(--bad)" }, value: "var(--series-1)" };
  const shape = { condition: { test: "datum.severity == 'ISOLATE'", value: "diamond" }, value: "circle" };
  const more = rows.length > some.length ? ` The first ${some.length} of ${rows.length}.` : "";
  return {
    id: "slow-nodes",
    title: "Slow nodes",
    headline: `${plural(peers.drain.length, "node")} to drain, ${peers.watch.length} to watch, of ${peers.nodes}`,
    caption: `Each figure against the node's own past or its peers, with its 95 % interval. Diamonds: nodes to drain.${more}`,
    columns: columnsOf(
      "host: node; figure; verdict; change: slower by [change] change_low..change_high",
      "compared: than; since; why: changed that night",
    ),
    rows: some,
    spec: plot({
      height: 50 + 24 * some.length,
      layer: [
        {
          transform: [{ filter: "isValid(datum.change_low)" }],
          mark: { type: "rule", strokeWidth: 2 },
          encoding: { y, x: { ...x, field: "change_low" }, x2: { field: "change_high" }, color },
        },
        points(x, y, { color, shape }, 75),
      ],
    }),
  };
}

/** What several nodes have in common, and nodes without a value or with other hardware: tables. */
export function peerSections({ peers }) {
  if (!peers) return [];
  const shared = peers.shared.map((one) => ({
    ...one,
    who: one.name ?? `${one.hosts.length} nodes: ${one.hosts.slice(0, 4).join(", ")}${one.hosts.length > 4 ? " ..." : ""}`,
    count: one.hosts.length,
    since: one.since ?? "always",
    why: factChanges(one),
  }));
  const absent = peers.absent.map((one) => ({ ...one, figure: isKnown(one.series) ? one.series : "all" }));
  const boards = peers.boards.map((one) => ({ ...one, why: factChanges(one) }));
  return [
    slowNodes(peers),
    shared.length > 0 && {
      id: "shared",
      title: "What nodes share",
      headline: `${shared[0].who}: ${shared[0].figure} ${change(shared[0].change)}`,
      columns: columnsOf("who: rack, switch or nodes; count: nodes [count]; of [count]; figure; change [change]; since; why: differs in"),
      rows: shared,
    },
    absent.length > 0 && {
      id: "absent",
      title: "Nodes without values",
      columns: columnsOf("host: node; figure; reason; last_day: last value"),
      rows: absent,
    },
    boards.length > 0 && {
      id: "boards",
      title: "Nodes with other hardware",
      columns: columnsOf("host: node; day: since; why: what changed"),
      rows: boards,
    },
  ];
}
