// hockney.map: bytes between nodes by mapping of ranks.
import { figureTile, kind } from "./kit.js";
import { amount, change, count, plural } from "./format.js";
import { bars } from "./plots.js";
import { matrixOf } from "./matrix.js";
import { rangesOf } from "./where.js";

const lessThan = (value, before) => (before > 0 && value !== before ? change(value / before - 1) : null);

/** Rows of ranks on each node: [{node, ranks: "0-3, 8-11", count}]. */
export function ranksOfNodes(placement, nodes) {
  const found = nodes.map(() => []);
  placement.forEach((node, rank) => found[node].push(rank));
  return found.map((ranks, i) => ({ node: nodes[i], ranks: rangesOf(ranks, ", "), count: ranks.length }));
}

const mostNodesBeside = 40;

/** Messages between nodes before and after: side by side with one scale, or for many nodes one below the other. */
function nodeMatrices(all) {
  const caption = "Each cell: messages from the node of its row to that of its column; the diagonal stays in its node.";
  const mappings = [
    ["before", `now: ${all.now.how}`, all.node_matrix_before],
    ...(all.change ? [["after", all.how, all.node_matrix_after]] : []),
  ];
  if (all.nodes.length > mostNodesBeside || mappings.length === 1) {
    return mappings.map(([id, name, cells]) =>
      matrixOf(id, id === "before" ? "Nodes before" : "Nodes after", cells, all.nodes, { caption: `${name}. ${caption}` }),
    );
  }
  const cells = mappings.flatMap(([, mapping, found]) => found.map((cell) => ({ ...cell, mapping })));
  const one = matrixOf("before", "Between nodes", cells, all.nodes, { caption });
  if (!one) return [];
  const room = globalThis.innerWidth ?? 1280;
  const isWide = room > 900;
  const side = Math.max(140, Math.min(isWide ? 360 : room - 150, 26 * all.nodes.length));
  const { layer, data, $schema } = one.spec;
  const facet = { field: "mapping", type: "nominal", sort: mappings.map(([, name]) => name), title: null, header: { labelFontSize: 13 } };
  return [
    {
      ...one,
      columns: ["mapping", one.columns],
      spec: { $schema, data, facet, columns: isWide ? 2 : 1, spec: { width: side, height: side, layer } },
    },
  ];
}

kind("hockney.map", {
  tiles: (all) => {
    const { now, cut_bytes: cut, bound_bytes: bound } = all;
    const mark = [all.how, lessThan(cut, now.cut_bytes)].filter(Boolean).join(", ");
    const isReached = bound === cut ? "reached: no mapping does better" : "of any mapping";
    return [
      figureTile("Bytes between nodes", cut, "amount", { mark, at: "mappings" }),
      figureTile("As it is", now.cut_bytes, "amount", { mark: `${plural(now.cut_edges, "pair")} of ranks`, at: "before" }),
      figureTile("Lower bound", bound, "amount", { mark: isReached, at: "mappings" }),
      figureTile("Messages between nodes", all.messages_after, "count", { mark: `before: ${count(all.messages_before)}`, at: "before" }),
    ];
  },
  findings: (all) =>
    all.change
      ? [
          {
            what: `${all.how} sends ${amount(all.now.cut_bytes - all.cut_bytes)} less between nodes than the present mapping`,
            share: 1 - all.cut_bytes / all.now.cut_bytes,
            at: "mappings",
          },
        ]
      : [{ what: "No mapping that was tried sends less between nodes than the present one", at: "mappings" }],
  sections: (all) => {
    const rows = [{ ...all.now, how: `${all.now.how} (now)` }, ...all.tried]
      .filter((one, i, list) => list.findIndex((other) => other.how === one.how) === i)
      .sort((a, b) => a.cut_bytes - b.cut_bytes)
      .map((one) => ({ ...one, words: [amount(one.cut_bytes), lessThan(one.cut_bytes, all.now.cut_bytes)].filter(Boolean).join(", ") }));
    const color = {
      condition: { test: "datum.how == 'as it was (now)' || indexof(datum.how, '(now)') > 0", value: "var(--series-2)" },
      value: "var(--series-1)",
    };
    return [
      {
        id: "mappings",
        title: "Bytes by mapping",
        caption: `Bytes between ranks on different nodes, of the larger direction of each pair; the fewest first.${all.bound_bytes ? ` No mapping is below ${amount(all.bound_bytes)}.` : ""}`,
        columns: "how: mapping; cut_bytes: bytes between nodes [amount]; cut_edges: pairs of ranks [count]",
        rows,
        spec: bars("how", "cut_bytes", "bytes between nodes", "amount", rows, color),
      },
      ...nodeMatrices(all),
      {
        id: "ranks",
        title: "Ranks of nodes",
        caption: `With ${all.how}. The command prints this order for the launcher with -o ranks.`,
        columns: "node; count: ranks [count]; ranks: which",
        rows: ranksOfNodes(all.placement, all.nodes),
      },
    ];
  },
});
