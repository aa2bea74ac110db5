// The time lines of timeline.js with everything that moves them: zoom, pan, mini-map, search, and the call at the pointer.
import { axisHeight, highestRow, lineFonts, RankCanvas, sizeCanvas, timeText, timeWords } from "./canvas.js";
import { h, paintAnew, save } from "./kit.js";
import { bytes, plural, seconds, share, text } from "./format.js";
import { callAt, chainOf, describeCall, kindsOfTime, orderOf, placeAbove, windowAt } from "./timeline.js";

const mapHeight = 44; // [px]
const legendHeight = 22; // [px] of a saved picture
const fewestRows = 2;

/** All ranks together against time, as piles of kinds of time. */
function paintMap(line, width, colours) {
  const sheet = h("canvas", { width, height: mapHeight });
  const context = sheet.getContext("2d");
  const level = line.levels.find((one) => one.slots <= width) ?? line.levels.at(-1);
  const whole = (level.length / line.head.unit) * line.ranks.length;
  const x = (slot) => Math.round((slot * level.length * width) / line.head.nanoseconds);
  for (let slot = 0; slot < level.slots; ++slot) {
    for (let kind = kindsOfTime - 1, bottom = mapHeight; kind >= 0; --kind) {
      const units = line.ranks.reduce((sum, { place }) => sum + level.units[(place * level.slots + slot) * kindsOfTime + kind], 0);
      const height = (units / whole) * mapHeight;
      bottom -= height;
      context.fillStyle = colours.ofKinds[kind];
      context.fillRect(x(slot), bottom, x(slot + 1) - x(slot), height);
    }
  }
  return sheet;
}

/** The time lines with everything that moves them. */
class TimeLines {
  constructor(node, line, app, functions) {
    Object.assign(this, { node, line, app, functions, selected: null, frames: 0 });
    const { sort, rows = "", time = "" } = app.view.choice;
    this.view = new RankCanvas(line, [], Math.min(560, line.ranks.length * highestRow));
    const span = time.split("~").map(Number);
    if (span.length === 2 && span.every(Number.isFinite)) this.view.move(...span);
    this.map = h("canvas", { "aria-hidden": "true" });
    this.build(sort || "node", rows);
    this.listen();
    paintAnew(this.view.node, () => this.measure());
    this.reorder();
    this.say(null);
  }

  build(sort, words) {
    const button = (name, action, label) =>
      h("button", { type: "button", onclick: () => (action(), this.moved()), "aria-label": label }, name);
    const { typical, slowest, doings } = this.line.head;
    const go = (window) => () => this.view.move(1.02 * window[0] - 0.02 * window[1], 1.02 * window[1] - 0.02 * window[0]);
    const sorts = { node: "node", number: "number", wait: "waiting" };
    const options = Object.entries(sorts).map(([value, name]) => h("option", { value, selected: value === sort }, `by ${name}`));
    this.sorted = h("select", { "aria-label": "Order of ranks", onchange: () => this.reorder() }, ...options);
    this.search = h("input", {
      type: "search",
      placeholder: "ranks or nodes",
      "aria-label": "Show these ranks or nodes, as 0-7 or node1",
      value: words,
      oninput: () => this.reorder(),
    });
    const tools = [
      this.sorted,
      this.search,
      button("Whole run", () => this.view.move(0, this.line.head.nanoseconds)),
      typical && button("Median iteration", go(typical)),
      slowest && button("Slowest iteration", go(slowest)),
      button("+", () => this.view.zoom(0.5), "Zoom in"),
      button("−", () => this.view.zoom(2), "Zoom out"),
      this.line.ranks.length > fewestRows && button("Fewer ranks", () => this.zoomRows(0.5)),
      this.line.ranks.length > fewestRows && button("More ranks", () => this.zoomRows(2)),
      button("PNG", () => this.picture().toBlob((blob) => save("timeline.png", "image/png", blob)), "PNG of the time lines"),
    ];
    this.status = h("p", { class: "count" });
    this.panel = h("div", { class: "panel", role: "status" });
    this.view.node.tabIndex = 0;
    this.view.node.setAttribute("role", "application");
    this.view.node.setAttribute(
      "aria-label",
      "Time lines of ranks. Arrows move, plus and minus zoom time, Shift with up and down shows fewer or more ranks, " +
        "Home shows the whole run, comma and full stop go from call to call.",
    );
    const legend = doings.map((name, kind) => h("span", {}, h("i", { class: `kind-${kind}` }), name));
    this.node.classList.add("timeline");
    this.node.replaceChildren(
      h("div", { class: "tools" }, ...tools.filter(Boolean)),
      h("p", { class: "legend" }, ...legend),
      this.map,
      this.view.node,
      this.status,
      this.panel,
    );
  }

  measure() {
    this.view.measure(this.node.clientWidth);
    sizeCanvas(this.map, this.view.width + this.view.gutter, mapHeight, this.view.factor);
    this.mapSheet = paintMap(this.line, this.view.width, this.view.colours);
    this.redraw();
  }

  reorder() {
    this.view.isByNode = this.sorted.value === "node";
    this.order = orderOf(this.line, this.sorted.value, this.search.value);
    this.showRows(0, this.order.length);
    this.moved();
  }

  /** Shows some of the rows, at least fewestRows. */
  showRows(first, count) {
    const all = this.order.length;
    const shown = Math.round(Math.min(all, Math.max(fewestRows, count)));
    this.firstRow = Math.round(Math.min(all - shown, Math.max(0, first)));
    this.view.order = this.order.slice(this.firstRow, this.firstRow + shown);
  }

  /** `part`: of the height, from the top, that stays where it is. */
  zoomRows(factor, part = 0.5) {
    const count = this.view.order.length;
    this.showRows(this.firstRow + part * count * (1 - factor), count * factor);
  }

  /** Legend, mini-map and time lines on one canvas. */
  picture() {
    const { colours, factor, node } = this.view;
    const canvas = h("canvas", { width: node.width, height: (legendHeight + 4) * factor + this.map.height + node.height });
    const context = canvas.getContext("2d");
    Object.assign(context, { fillStyle: colours.paperWord, font: `${12 * factor}px ${lineFonts}`, textBaseline: "middle" });
    context.fillRect(0, 0, canvas.width, canvas.height);
    let x = this.view.gutter * factor;
    this.line.head.doings.forEach((name, kind) => {
      context.fillStyle = colours.ofKinds[kind];
      context.fillRect(x, 4 * factor, 12 * factor, 12 * factor);
      context.fillStyle = colours.ink;
      context.fillText(name, x + 16 * factor, 10 * factor);
      x += context.measureText(name).width + 32 * factor;
    });
    context.drawImage(this.map, 0, legendHeight * factor);
    context.drawImage(node, 0, (legendHeight + 4) * factor + this.map.height);
    return canvas;
  }

  /** Draws with the next frame, and keeps what is seen in the address. */
  moved() {
    this.redraw();
    clearTimeout(this.later);
    this.later = setTimeout(() => {
      const { from, to } = this.view;
      const time = this.view.span() >= this.line.head.nanoseconds ? "" : `${Math.round(from)}~${Math.round(to)}`;
      Object.assign(this.app.view.choice, { time, sort: this.view.isByNode ? "" : this.sorted.value, rows: this.search.value });
      history.replaceState(null, "", this.app.view.hash());
    }, 300);
  }

  redraw() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      if (!this.view.node.isConnected) return;
      const begin = performance.now();
      const hasCalls = this.view.draw();
      this.drawMap();
      this.tell(hasCalls);
      performance.mark("timeline-frame", { detail: performance.now() - begin });
      if (++this.frames % 1000 === 0) performance.clearMarks("timeline-frame");
    });
  }

  drawMap() {
    const { gutter, width, from, to, colours, factor } = this.view;
    const context = this.map.getContext("2d");
    context.setTransform(factor, 0, 0, factor, 0, 0);
    context.clearRect(0, 0, width + gutter, mapHeight);
    context.drawImage(this.mapSheet, gutter, 0);
    const [left, right] = [from, to].map((time) => gutter + (time / this.line.head.nanoseconds) * width);
    Object.assign(context, { fillStyle: colours.paperWord, strokeStyle: colours.ink, lineWidth: 2, globalAlpha: 0.6 });
    context.fillRect(gutter, 0, left - gutter, mapHeight);
    context.fillRect(right, 0, gutter + width - right, mapHeight);
    context.globalAlpha = 1;
    context.strokeRect(left + 1, 1, Math.max(2, right - left - 2), mapHeight - 2);
  }

  tell(hasCalls) {
    const { from, to, order, messages, gutter } = this.view;
    const all = this.line.ranks.length;
    const sent =
      messages.count === 0 ? "" : `, ${plural(messages.count, "message")}${messages.isDrawn ? "" : " (lines where there are fewer)"}`;
    const ranks = order.length === all ? plural(all, "rank") : `${order.length} of ${plural(all, "rank")}`;
    const slots = hasCalls ? "" : `; slots of ${timeWords(this.view.level().length)}`;
    this.status.textContent = `${timeWords(to - from)} from ${this.instant(from)} on, ${ranks}${sent}${slots}`;
    Object.assign(this.view.node.dataset, {
      from: Math.round(from),
      to: Math.round(to),
      calls: hasCalls ? "each" : "slots",
      messages: messages.count,
      gutter,
    });
  }

  listen() {
    const { view } = this;
    const { node } = view;
    node.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
        const factor = Math.exp(((event.deltaMode === 1 ? 16 : 1) * event.deltaY) / 300);
        if (isSideways) this.pan((event.deltaX || event.deltaY) / view.width);
        else if (event.ctrlKey) this.zoomRows(factor, (event.offsetY - axisHeight) / view.height);
        else view.zoom(factor, view.time(event.offsetX));
        this.moved();
      },
      { passive: false },
    );
    node.addEventListener("keydown", (event) => this.key(event));
    let drift = 0; // [px] of a drag across rows that is less than a row
    const drag = (event, before) => {
      this.pan((before.x - event.offsetX) / view.width);
      drift += before.y - event.offsetY;
      const rows = Math.trunc(drift / view.row());
      drift -= rows * view.row();
      this.showRows(this.firstRow + rows, view.order.length);
      this.moved();
    };
    onDrag(node, drag, (event) => this.pick(event.offsetX, event.offsetY));
    const jump = (event) => {
      const [time, half] = [((event.offsetX - view.gutter) / view.width) * this.line.head.nanoseconds, view.span() / 2];
      view.move(time - half, time + half);
      this.moved();
    };
    onDrag(this.map, jump, jump);
    node.addEventListener("pointermove", (event) => (node.title = event.buttons ? "" : this.hover(event.offsetX, event.offsetY)));
  }

  pan(part) {
    this.view.move(this.view.from + part * this.view.span(), this.view.to + part * this.view.span());
  }

  key(event) {
    const rows = this.view.order.length;
    const upDown = (sign) => (event.shiftKey ? this.zoomRows(2 ** sign) : this.showRows(this.firstRow + sign * Math.ceil(rows / 5), rows));
    const actions = {
      ArrowUp: () => upDown(-1),
      ArrowDown: () => upDown(1),
      ArrowLeft: () => this.pan(-0.2),
      ArrowRight: () => this.pan(0.2),
      "+": () => this.view.zoom(0.5),
      "=": () => this.view.zoom(0.5),
      "-": () => this.view.zoom(2),
      Home: () => this.view.move(0, this.line.head.nanoseconds),
      ",": () => this.step(-1),
      ".": () => this.step(1),
      Escape: () => this.select(null),
    };
    if (!actions[event.key] || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    actions[event.key]();
    this.moved();
  }

  /** Selects the call before or behind the selected one, or one in the middle of what is seen. */
  step(by) {
    const at = this.selected;
    const place = at?.place ?? this.view.order[0];
    const window = at?.window ?? windowAt(this.line, this.view.middle());
    if (!window || place === undefined) return;
    const calls = window.ranks[place];
    const i = at ? at.i + by : placeAbove(calls.end, this.view.middle());
    if (i < 0 || i >= calls.count) return;
    const call = describeCall(this.line, window, place, i);
    this.reveal(call);
    this.select(call);
  }

  hover(x, y) {
    const place = this.view.placeAt(y);
    if (place === null || x < this.view.gutter) return "";
    const call = callAt(this.line, place, this.view.time(x));
    const { rank, host } = this.line.ranks[place];
    const wait = call?.wait > 0 ? `, of these ${timeWords(call.wait)} waiting` : "";
    return `rank ${rank} on ${text(host)}${call ? `: ${call.name}, ${timeWords(call.end - call.begin)}${wait}` : ""}`;
  }

  /** Selects what is at a place; a node's name shows its ranks alone. */
  pick(x, y) {
    const place = this.view.placeAt(y);
    if (place === null) return this.select(null);
    if (x < this.view.gutter) {
      this.search.value = this.search.value ? "" : this.line.ranks[place].host;
      return this.reorder();
    }
    // A call of less than a pixel is the one that the pointer means.
    const call = [0, 1, -1, 2, -2].map((by) => callAt(this.line, place, this.view.time(x + by))).find(Boolean);
    if (call) this.select(call);
    else this.selectTime(place, this.view.time(x));
  }

  /** `chain`: of the call by which a reader came to this one. */
  select(call, chain = call ? chainOf(this.line, call) : { steps: [], origin: null }) {
    this.selected = call;
    this.view.marked = call ? [...chain.steps, { call, cause: null }] : [];
    this.say(call, chain);
    this.redraw();
  }

  /** A time of the run with as many digits as what is seen needs. */
  instant = (time) => timeText(time, this.view.span() / 1000, time);

  /** Replaces the panel: a title, pairs of names and values, and further nodes. */
  show(title, pairs, ...nodes) {
    const items = pairs.filter((pair) => pair[1]).flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]);
    this.panel.replaceChildren(h("h3", {}, title), h("dl", {}, ...items), ...nodes.filter(Boolean));
  }

  say(call, chain) {
    if (!call)
      return this.show(
        "",
        [],
        h(
          "p",
          { class: "caption" },
          "Click on an interval to see its call, its place in the code and what it waits for; on the name of a node to see its ranks alone.",
        ),
      );
    const known = (value, words) => (value === null ? null : words(value));
    const listed = (...items) => items.filter(Boolean).join(", ");
    const pairs = [
      ["node", text(call.host)],
      ["call site", known(call.site, text)],
      ["begins at", this.instant(call.begin)],
      ["takes", timeWords(call.end - call.begin)],
      ["waits", call.wait > 0 && `${timeWords(call.wait)}, ${share(call.wait / (call.end - call.begin))}`],
      [
        "peer",
        listed(
          known(call.to, (rank) => `to rank ${rank}`),
          known(call.from, (rank) => `from rank ${rank}`),
        ),
      ],
      [
        "data",
        listed(
          known(call.sent, (size) => `${bytes(size)} B sent`),
          known(call.received, (size) => `${bytes(size)} B received`),
        ),
      ],
    ];
    this.show(`${call.name} of rank ${call.rank}`, pairs, this.listOf(chain), this.samples(call.place));
  }

  listOf(chain) {
    if (chain.steps.length === 0) return null;
    const link = (to) => h("button", { type: "button", onclick: () => (this.reveal(to), this.select(to, chain)) }, "show");
    const steps = chain.steps.map(({ call, cause }) => {
      const words = `rank ${call.rank} waits ${timeWords(call.wait)} in ${call.name}`;
      return h("li", {}, cause ? `${words} for ${cause.name} of rank ${cause.rank} ` : words, cause ? link(cause) : null);
    });
    const { origin } = chain;
    const does = origin?.kind === "MPI" ? "in MPI calls that wait for no rank" : "in its own computing";
    return h(
      "ol",
      { class: "chain" },
      ...steps,
      origin ? h("li", {}, `origin: rank ${origin.rank} was ${does} for most of ${seconds(origin.seconds)}`) : null,
    );
  }

  selectTime(place, time) {
    const { rank, host } = this.line.ranks[place];
    const level = this.view.level();
    const slot = Math.min(level.slots - 1, Math.floor(time / level.length));
    const units = [...level.units.slice((place * level.slots + slot) * kindsOfTime).slice(0, kindsOfTime)];
    const sum = units.reduce((a, b) => a + b, 0) || 1;
    this.select(null);
    if (windowAt(this.line, time)) return this.show(`Rank ${rank} computes`, [["node", text(host)]], this.samples(place));
    const pairs = this.line.head.doings.map((name, kind) => [name, units[kind] > 0 && share(units[kind] / sum)]);
    const note = h("p", { class: "caption" }, "The page stores the single calls of some parts of the run only.");
    this.show(
      `Rank ${rank} from ${this.instant(slot * level.length)} to ${this.instant((slot + 1) * level.length)}`,
      [["node", text(host)], ...pairs],
      note,
      this.samples(place),
    );
  }

  /** Functions that a rank computes in, from samples of the whole run. */
  samples(place) {
    const found = this.functions.map((one) => [text(one.name), one.seconds[place] ?? 0]).filter(([, time]) => time > 0);
    if (found.length === 0) return null;
    found.sort((a, b) => b[1] - a[1]);
    const bar = (part) => Object.assign(h("i", {}), { style: `width: ${6 * part}rem` });
    const items = found
      .slice(0, 6)
      .map(([name, time]) => h("div", { class: "sample" }, bar(time / found[0][1]), `${seconds(time)} ${name}`));
    return h("div", {}, h("p", { class: "caption" }, "Computing of this rank by function (samples of the whole run):"), ...items);
  }

  /** Moves so that a call is seen. */
  reveal(call) {
    if (!this.order.includes(call.place)) {
      this.search.value = "";
      this.reorder();
    }
    const [row, count] = [this.order.indexOf(call.place), this.view.order.length];
    if (row < this.firstRow || row >= this.firstRow + count) this.showRows(row - count / 2, count);
    const half = Math.max(this.view.span() / 2, call.end - call.begin);
    if (call.begin < this.view.from || call.end > this.view.to) this.view.move(call.begin - half, call.begin + half);
    this.moved();
  }
}

/** Calls `move(event, {x, y} before)` while a button is down and the pointer moves, `click` if it did not. */
function onDrag(node, move, click) {
  let [before, isMoved] = [null, false];
  node.addEventListener("pointerdown", (event) => {
    [before, isMoved] = [{ x: event.offsetX, y: event.offsetY }, false];
    node.setPointerCapture(event.pointerId);
  });
  node.addEventListener("pointermove", (event) => {
    if (before === null || (!isMoved && Math.hypot(event.offsetX - before.x, event.offsetY - before.y) < 4)) return;
    move(event, before);
    [before, isMoved] = [{ x: event.offsetX, y: event.offsetY }, true];
  });
  node.addEventListener("pointerup", (event) => {
    if (before !== null && !isMoved) click(event);
    before = null;
  });
  node.addEventListener("pointercancel", () => (before = null));
}

/** Draws the time lines into a node. `functions` [{name, seconds: of each rank}] come from samples. */
export const drawTimeLines = (node, line, app, functions) => void new TimeLines(node, line, app, functions);

/** Windows {title, window} one below the other, on one scale of time from their begins. */
export function drawBeside(node, line, windows) {
  const longest = Math.max(...windows.map(({ window }) => window[1] - window[0]));
  const height = Math.min(256, line.ranks.length * highestRow);
  const views = windows.map(({ window }) => new RankCanvas(line, orderOf(line, "node"), height, window[0]));
  node.replaceChildren(...windows.flatMap(({ title }, i) => [h("h3", {}, title), views[i].node]));
  views.forEach((view, i) => {
    view.node.setAttribute("role", "img");
    view.node.setAttribute("aria-label", windows[i].title);
    Object.assign(view, { from: view.zero, to: view.zero + longest, isByNode: true });
    view.measure(node.clientWidth);
    view.draw();
    const context = view.node.getContext("2d"); // what is behind the window
    Object.assign(context, { fillStyle: view.colours.paperWord, globalAlpha: 0.8 });
    context.fillRect(view.x(windows[i].window[1]), axisHeight, view.width + view.gutter, view.height);
  });
}
