// Nodes that measured themselves, beside their peers: for hockney.health.
import { change, isKnown, plural } from "./format.js";
import { nodeDots, severityWords } from "./fleet.js";
import { someOf } from "./results.js";

const mostPeers = 40;

const factChanges = ({ facts }) => facts.map((one) => `${one.fact}: ${one.before || "none"} -> ${one.after || "none"}`).join("; ");

/** Rows of slow figures, those of nodes to drain first. */
export function slowRows(peers) {
  const isDrained = (node) => node.severity === "ISOLATE";
  const told = (node) => ({
    ...node,
    place: `${node.host}: ${node.figure}`,
    isBad: isDrained(node),
    verdict: severityWords[node.severity] || "as usual",
    compared: node.against === "peers" ? "its peers" : "itself before",
    since: node.since ?? "always",
    why: factChanges(node),
  });
  return [...peers.slow].sort((a, b) => isDrained(b) - isDrained(a) || Math.abs(b.change) - Math.abs(a.change)).map(told);
}

function slowNodes(peers) {
  const all = slowRows(peers);
  const more = all.length > mostPeers ? ` The first ${mostPeers} of ${all.length}.` : "";
  return {
    id: "slow-nodes",
    title: "Slow nodes",
    headline: `${plural(peers.drain.length, "node")} to drain, ${peers.watch.length} to watch, of ${peers.nodes}`,
    caption: `Each figure against the node's own past or its peers, with its 95 % interval. Diamonds: nodes to drain.${more}`,
    columns: "host: node; figure; verdict; change: slower by [change] change_ci; compared: than; since; why: changed that night",
    rows: all.slice(0, mostPeers),
    spec: (rows) => nodeDots(rows, "place", "change", "slower by"),
  };
}

/** What several nodes have in common, and nodes without a value or with other hardware: tables. */
export function peerSections({ peers }) {
  if (!peers) return [];
  const sharedRow = (one) => ({
    ...one,
    who: one.name ?? `${one.hosts.length} nodes: ${someOf(one.hosts, 4)}`,
    count: one.hosts.length,
    since: one.since ?? "always",
    why: factChanges(one),
  });
  return [
    slowNodes(peers),
    {
      id: "shared",
      title: "What nodes share",
      headline: ([first]) => `${first.who}: ${first.figure} ${change(first.change)}`,
      columns: "who: rack, switch or nodes; count: nodes [count]; of [count]; figure; change [change]; since; why: differs in",
      rows: peers.shared.map(sharedRow),
    },
    {
      id: "absent",
      title: "Nodes without values",
      columns: "host: node; figure; reason; last_day: last value",
      rows: peers.absent.map((one) => ({ ...one, figure: isKnown(one.series) && one.series !== "*" ? one.series : "all" })),
    },
    {
      id: "boards",
      title: "Nodes with other hardware",
      columns: "host: node; day: since; why: what changed",
      rows: peers.boards.map((one) => ({ ...one, why: factChanges(one) })),
    },
  ];
}
