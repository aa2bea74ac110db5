// Who sends how much to whom: between ranks and nodes, for hockney.profile-report and hockney.map.
import { colourOf, h, paintAnew } from "./kit.js";
import { amount, count, plural } from "./format.js";
import { heat, nameAxis, plot, said } from "./plots.js";

const mostDrawnNames = 64; // ranks of a matrix whose cells are marks
const matrixColumns =
  "sender: from; receiver: to; messages [count]; bytes [amount]; mean_bytes: mean size [bytes]; max_bytes: largest [bytes]";

/** Who sends how much to whom: marks for few names, pixels of a canvas for many. `cells`: {from, to, bytes, messages}, indices into names. */
export function matrixOf(id, title, cells, names, texts) {
  if (cells.length === 0) return null;
  const key = cells.some((cell) => cell.bytes > 0) ? "bytes" : "messages";
  const rows = cells.map((cell) => ({ ...cell, sender: names[cell.from], receiver: names[cell.to] }));
  const color = heat(rows, key, key === "bytes" ? amount : count, key === "bytes" ? "bytes" : "messages");
  const one = { id, title, columns: matrixColumns, rows, ...texts };
  if (names.length > mostDrawnNames) return { ...one, draw: (node) => drawMatrix(node, one, names, color.scale) };
  const channel = (field, label) => {
    const { axis, ...rest } = nameAxis(field, label, { sort: undefined, scale: { domain: names } });
    return { ...rest, axis: { ...axis, labelLimit: 90 } };
  };
  const height = Math.min(560, Math.max(90, 22 * names.length));
  const layer = [
    { name: "rows", mark: { type: "rect" }, encoding: { x: channel("receiver", "to"), y: channel("sender", "from"), color, ...said } },
  ];
  const width = Math.min(680, Math.max(280, 34 * names.length));
  return { ...one, spec: { ...plot({ height, layer }), width: names.length < 22 ? width : "container" } };
}

/** Each cell some pixels of a canvas. */
function drawMatrix(node, one, names, { domain, range }) {
  const width = Math.min(node.clientWidth, 720);
  const size = Math.max(1, Math.floor((width - 60) / names.length));
  const step = size > 1 ? size : (width - 60) / names.length;
  const side = Math.round(step * names.length);
  const canvas = h("canvas", {
    width: side + 60,
    height: side + 24,
    role: "img",
    "aria-label": `${one.title}: ${one.rows.length} pairs, see the table`,
  });
  const readout = h("p", { class: "count" }, "Point at a cell to see its numbers.");
  const legend = h("p", { class: "legend" }, ...domain.map((name) => h("span", {}, h("i", {}), name)));
  const paint = () => {
    const word = (name) => colourOf(name.replace(/var\((.*)\)/, "$1"));
    const context = canvas.getContext("2d");
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = word("--panel");
    context.fillRect(60, 0, side, side);
    for (const row of one.rows) {
      context.fillStyle = word(range[domain.indexOf(row.range)]);
      context.fillRect(60 + row.to * step, row.from * step, Math.max(2, step), Math.max(2, step));
    }
    context.fillStyle = word("--soft");
    context.font = '12px system-ui, "Liberation Sans", Arial, sans-serif';
    for (let i = 0; i < 5; ++i) {
      const at = Math.round((i * (names.length - 1)) / 4);
      context.textAlign = "right";
      context.fillText(names[at], 54, Math.max(10, (at + 0.5) * step + 4));
      context.textAlign = i === 4 ? "right" : "left";
      context.fillText(`${i === 0 ? "to " : ""}${names[at]}`, 60 + at * step, side + 16);
    }
    legend.querySelectorAll("i").forEach((mark, i) => (mark.style.background = word(range[i])));
  };
  const byPlace = new Map(one.rows.map((row) => [row.from * names.length + row.to, row]));
  canvas.addEventListener("pointermove", (event) => {
    const [to, from] = [Math.floor((event.offsetX - 60) / step), Math.floor(event.offsetY / step)];
    const row = byPlace.get(from * names.length + to);
    if (from < names.length && to >= 0 && to < names.length)
      readout.textContent = `from ${names[from]} to ${names[to]}: ${row ? `${plural(row.messages, "message")}, ${amount(row.bytes)}` : "no message"}`;
  });
  node.replaceChildren(legend, canvas, readout);
  paintAnew(canvas, paint);
}
