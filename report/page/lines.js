// Draws the time lines of timeline.js on a canvas: zoom, pan, mini-map, search, and the call at the pointer.
import { h, save } from "./kit.js";
import { bytes, plural, seconds, share, text } from "./format.js";
import {
  callAt,
  chainOf,
  countMessages,
  describeCall,
  kindsOfTime,
  messagesIn,
  orderOf,
  placeAbove,
  tickStep,
  waiting,
  windowAt,
} from "./timeline.js";

const colourNames = ["--heat-2", "--series-2", "--heat-4", "--heat-5", "--open"]; // of kinds of time
const axisHeight = 22; // [px]
const mapHeight = 44;
const highestRow = 32;
const mostCalls = 30000; // drawn one by one
const mostMessages = 400; // drawn as lines
const leastSpan = 20; // [ns] of a view
const lineFonts = 'system-ui, "Liberation Sans", Arial, sans-serif';
const fewestRows = 2;
const legendHeight = 22; // [px] of a saved picture

const timeWords = (time) => seconds(time * 1e-9);
const pixelOf = ([red, green, blue]) => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;

/** The colours of the page as it is now: of kinds of time as bytes and as pixels, of texts and lines as words. */
function coloursNow() {
  const style = getComputedStyle(document.documentElement);
  const word = (name) => style.getPropertyValue(name).trim();
  const bytesOf = (name) => [1, 3, 5].map((at) => parseInt(word(name).slice(at, at + 2), 16));
  const [kinds, paper] = [colourNames.map(bytesOf), bytesOf("--paper")];
  const words = Object.fromEntries(["ink", "soft", "line", "link"].map((name) => [name, word(`--${name}`)]));
  return {
    kinds,
    paper,
    inks: kinds.map(pixelOf),
    blank: pixelOf(paper),
    ofKinds: colourNames.map(word),
    paperWord: word("--paper"),
    ...words,
  };
}

/**
 * The colour of a slot: kinds of time mixed by the squares of their units, so that most of the time shows and the rest tints it.
 * Before the begin of a rank and behind its end it is that of paper.
 */
function mixedColour(units, colours, whole) {
  let [red, green, blue, all, rest] = [0, 0, 0, 0, whole];
  for (let kind = 0; kind <= kindsOfTime; ++kind) {
    const part = kind < kindsOfTime ? units[kind] : Math.max(0, rest);
    const colour = colours.kinds[kind] ?? colours.paper;
    rest -= part;
    all += part * part;
    red += part * part * colour[0];
    green += part * part * colour[1];
    blue += part * part * colour[2];
  }
  return pixelOf([red / all, green / all, blue / all]);
}

/** A canvas with ranks as rows and time as its width. `from` and `to` [ns] are what is seen, `order` the places of ranks. */
class RankCanvas {
  constructor(line, order, height, zero = 0) {
    Object.assign(this, { line, order, zero, height, from: 0, to: line.head.nanoseconds, marked: [], cached: new Map() });
    this.node = h("canvas");
  }

  measure(width) {
    this.factor = Math.min(2, window.devicePixelRatio || 1);
    this.gutter = width < 560 ? 44 : 104;
    this.width = Math.max(80, Math.floor(width - this.gutter));
    sizeCanvas(this.node, this.width + this.gutter, this.height + axisHeight, this.factor);
    this.image = new ImageData(this.width, this.height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.sheet = h("canvas", { width: this.width, height: this.height });
    this.colours = coloursNow();
    this.cached.clear();
  }

  span = () => this.to - this.from;
  middle = () => (this.from + this.to) / 2;
  row = () => Math.min(2 * highestRow, this.height / Math.max(1, this.order.length));
  x = (time) => this.gutter + ((time - this.from) / this.span()) * this.width;
  time = (x) => this.from + ((x - this.gutter) / this.width) * this.span();
  y = (row) => axisHeight + row * this.row();

  move(from, to) {
    const whole = this.line.head.nanoseconds;
    const span = Math.min(whole, Math.max(leastSpan, to - from));
    this.from = Math.min(Math.max(0, from), whole - span);
    this.to = this.from + span;
  }

  zoom(factor, at = this.middle()) {
    const from = at - (at - this.from) * factor;
    this.move(from, from + Math.max(leastSpan, this.span() * factor));
  }

  /** The rank at a height; null outside of all. */
  placeAt(y) {
    return y < axisHeight ? null : (this.order[Math.floor((y - axisHeight) / this.row())] ?? null);
  }

  level() {
    return this.line.levels.find((one) => one.length >= this.span() / this.width / 1.999) ?? this.line.levels.at(-1);
  }

  fill(left, right, top, bottom, ink) {
    const end = Math.min(right, this.width);
    if (end > left) for (let y = top; y < bottom; ++y) this.pixels.fill(ink, y * this.width + left, y * this.width + end);
  }

  eachRow(use) {
    const row = this.row();
    const gap = row >= 6 ? 1 : 0;
    this.order.forEach((place, at) => {
      const [top, bottom] = [Math.round(at * row), Math.round((at + 1) * row) - gap];
      if (bottom > top) use(place, top, bottom);
    });
  }

  draw() {
    this.pixels.fill(this.colours.blank);
    if (this.row() < 4) this.drawMixed();
    else this.drawPiles();
    const hasCalls = this.drawCalls();
    this.sheet.getContext("2d").putImageData(this.image, 0, 0);
    const context = this.node.getContext("2d");
    context.setTransform(this.factor, 0, 0, this.factor, 0, 0);
    context.clearRect(0, 0, this.node.width, this.node.height);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.sheet, this.gutter, axisHeight);
    Object.assign(context, { font: `12px ${lineFonts}`, textBaseline: "middle", textAlign: "left" });
    this.drawAxis(context);
    this.drawNames(context);
    context.save();
    context.beginPath();
    context.rect(this.gutter, axisHeight, this.width, this.height);
    context.clip();
    this.messages = this.drawMessages(context);
    if (hasCalls && this.row() >= 14) this.drawCallNames(context);
    this.drawMarked(context);
    context.restore();
    return hasCalls;
  }

  /** Colours of all slots of a level; a row is the mean of `group` ranks. */
  mixedRows(level, group) {
    const key = `${level.slots} ${group}`;
    if (this.cachedOrder !== this.order) this.cached.clear();
    this.cachedOrder = this.order;
    if (this.cached.has(key)) return this.cached.get(key);
    const found = new Uint32Array(Math.ceil(this.order.length / group) * level.slots);
    const whole = level.length / this.line.head.unit;
    const sum = new Uint32Array(kindsOfTime);
    for (let i = 0; i < found.length; ++i) {
      const places = this.order.slice(Math.floor(i / level.slots) * group, (Math.floor(i / level.slots) + 1) * group);
      sum.fill(0);
      for (const place of places) {
        const at = (place * level.slots + (i % level.slots)) * kindsOfTime;
        for (let kind = 0; kind < kindsOfTime; ++kind) sum[kind] += level.units[at + kind];
      }
      found[i] = mixedColour(sum, this.colours, whole * places.length);
    }
    this.cached.set(key, found);
    return found;
  }

  drawMixed() {
    const level = this.level();
    const group = 2 ** Math.max(0, Math.ceil(Math.log2(1 / this.row())));
    const slots = this.mixedRows(level, group);
    const places = Int32Array.from({ length: this.width }, (_, x) =>
      Math.min(level.slots - 1, Math.floor(this.time(this.gutter + x + 0.5) / level.length)),
    );
    for (let y = 0; y < this.height; ++y) {
      const at = Math.floor((y + 0.5) / this.row());
      if (at >= this.order.length) break;
      const first = Math.floor(at / group) * level.slots;
      for (let x = 0; x < this.width; ++x) this.pixels[y * this.width + x] = slots[first + places[x]];
    }
  }

  /** Each slot is a pile of its kinds of time, those in MPI from below. */
  drawPiles() {
    const level = this.level();
    const whole = level.length / this.line.head.unit;
    const [first, last] = [Math.floor(this.from / level.length), Math.min(level.slots - 1, Math.floor(this.to / level.length))];
    const x = (slot) => Math.round(Math.max(0, this.x(slot * level.length) - this.gutter));
    this.eachRow((place, top, bottom) => {
      for (let slot = first; slot <= last; ++slot) {
        const y = (units) => Math.round(bottom - (bottom - top) * Math.min(1, units / whole));
        for (let kind = kindsOfTime - 1, sum = 0; kind >= 0; --kind) {
          const part = level.units[(place * level.slots + slot) * kindsOfTime + kind];
          if (part > 0) this.fill(x(slot), x(slot + 1), y(sum + part), y(sum), this.colours.inks[kind]);
          sum += part;
        }
      }
    });
  }

  /** Calls of the windows in sight, where there are not too many; returns whether there are. */
  drawCalls() {
    const { inks } = this.colours;
    const x = (time) => Math.round(Math.min(this.width, Math.max(0, this.x(time) - this.gutter)));
    const seen = this.line.windows.filter((window) => window.end > this.from && window.begin < this.to);
    const isDrawn = seen.map((window) => {
      const width = x(window.end) - x(window.begin);
      if (width < 4) return false;
      const parts = [];
      this.eachRow((place, top, bottom) => {
        const calls = window.ranks[place];
        parts.push({ place, top, bottom, calls, first: placeAbove(calls.end, this.from), last: placeAbove(calls.begin, this.to) });
      });
      const number = parts.reduce((sum, one) => sum + one.last - one.first, 0);
      if (parts.length === 0 || number > Math.min(mostCalls, 0.5 * width * parts.length)) return false;
      for (const { place, top, bottom, calls, first, last } of parts) {
        const { begin, life } = this.line.ranks[place];
        this.fill(x(Math.max(window.begin, begin)), x(Math.min(window.end, begin + life)), top, bottom, inks[0]);
        for (let i = first; i < last; ++i) {
          const [from, until, to] = [x(calls.begin[i]), x(calls.begin[i] + calls.wait[i]), x(calls.end[i])];
          this.fill(from, until, top, bottom, inks[waiting]);
          this.fill(until, Math.max(to, from + 1), top, bottom, inks[this.functionOf(calls, i)[1]]);
        }
      }
      return true;
    });
    return isDrawn.includes(true);
  }

  /** Name and kind of the function of a call. */
  functionOf = (calls, i) => this.line.head.functions[this.line.arguments[calls.arguments[i]][0]];

  drawAxis(context) {
    const step = tickStep(this.span(), this.width / 110);
    for (let time = Math.ceil((this.from - this.zero) / step) * step; time <= this.to - this.zero; time += step) {
      const x = Math.round(this.x(time + this.zero));
      context.fillStyle = this.colours.line;
      context.fillRect(x, 4, 1, axisHeight - 4);
      context.fillStyle = this.colours.soft;
      const label = tickText(time, step);
      if (x + 4 + context.measureText(label).width < this.gutter + this.width) context.fillText(label, x + 4, axisHeight / 2 - 1);
    }
  }

  /** Ranks at the left where there is room; nodes where their rows begin. */
  drawNames(context) {
    const isWide = this.gutter > 60;
    const isAlone = isWide && this.isByNode && this.row() < 12; // names of nodes without ranks
    let below = -100;
    this.order.forEach((place, at) => {
      const rank = this.line.ranks[place];
      const isNode = this.isByNode && rank.host !== this.line.ranks[this.order[at - 1]]?.host;
      const middle = Math.max(axisHeight + 7, this.y(at) + (isAlone ? 7 : this.row() / 2));
      if ((isAlone && !isNode) || middle - below < 15) return;
      below = middle;
      context.fillStyle = isNode ? this.colours.ink : this.colours.soft;
      const name = text(rank.host);
      const most = isAlone ? 14 : 7;
      if (isNode && isWide) context.fillText(name.length > most ? `${name.slice(0, most - 1)}…` : name, 0, middle);
      if (isAlone) return;
      const words = isWide ? `rank ${rank.rank}` : String(rank.rank);
      context.fillText(words, this.gutter - 6 - context.measureText(words).width, middle);
    });
  }

  drawCallNames(context) {
    this.eachRow((place, top, bottom) => {
      for (const { ranks } of this.line.windows) {
        const calls = ranks[place];
        const last = placeAbove(calls.begin, this.to);
        for (let i = placeAbove(calls.end, this.from); i < last; ++i) {
          const left = Math.max(this.gutter, this.x(calls.begin[i]));
          const room = Math.min(this.x(calls.end[i]), this.gutter + this.width) - left - 8;
          if (room < 40) continue;
          const [name, kind] = this.functionOf(calls, i);
          const isOnDark = this.x(calls.begin[i] + calls.wait[i]) > left + room / 2 || kind === 2 || kind === 3;
          context.fillStyle = isOnDark ? this.colours.paperWord : this.colours.ink;
          if (context.measureText(name).width <= room) context.fillText(name, left + 4, axisHeight + (top + bottom) / 2);
        }
      }
    });
  }

  /** The middle of the row of a rank; undefined if it is not shown. */
  middleOf(place) {
    if (this.rowOf?.of !== this.order) this.rowOf = Object.assign(new Map(this.order.map((one, row) => [one, row])), { of: this.order });
    const row = this.rowOf.get(place);
    return row === undefined ? undefined : this.y(row + 0.5);
  }

  /** Lines from sends to receives, or their number. */
  drawMessages(context) {
    const { from, to } = this;
    const window = this.line.windows.find((one) => one.begin <= from && one.end >= to);
    if (!window) return { count: countMessages(this.line, from, to), isDrawn: false };
    const found = messagesIn(window, from, to, (place) => this.middleOf(place) !== undefined, mostMessages);
    const isDrawn = found.count <= mostMessages && this.row() >= 5;
    const { messages } = window;
    context.strokeStyle = context.fillStyle = this.colours.ink;
    for (const i of isDrawn ? found.places : []) {
      drawArrow(
        context,
        this.x(messages.sent[i]),
        this.middleOf(messages.from[i]),
        this.x(messages.received[i]),
        this.middleOf(messages.to[i]),
      );
    }
    return { count: found.count, isDrawn: isDrawn || found.count === 0 };
  }

  /** Frames of the calls of a chain of waits, and lines from each to the call that it waits for. */
  drawMarked(context) {
    context.strokeStyle = context.fillStyle = this.colours.link;
    context.lineWidth = 2;
    for (const { call, cause } of this.marked) {
      for (const one of [call, cause].filter(Boolean)) {
        const [left, middle, row] = [this.x(one.begin), this.middleOf(one.place), Math.max(3, this.row())];
        if (middle !== undefined) context.strokeRect(left, middle - row / 2, Math.max(3, this.x(one.end) - left), row);
      }
      if (cause)
        drawArrow(context, this.x(call.begin + call.wait), this.middleOf(call.place), this.x(cause.begin), this.middleOf(cause.place));
    }
    context.lineWidth = 1;
  }
}

function drawArrow(context, left, top, right, bottom) {
  if (top === undefined || bottom === undefined) return;
  context.beginPath();
  context.moveTo(left, top);
  context.lineTo(right, bottom);
  context.stroke();
  context.beginPath();
  context.arc(right, bottom, 2, 0, 7);
  context.fill();
}

function sizeCanvas(node, width, height, factor) {
  [node.width, node.height] = [width * factor, height * factor];
  Object.assign(node.style, { width: `${width}px`, height: `${height}px` });
}

/** A tick of an axis with as many digits as its neighbours need. */
function tickText(time, step) {
  const [scale, unit] = step >= 1e8 ? [1e9, "s"] : step >= 1e5 ? [1e6, "ms"] : step >= 1e2 ? [1e3, "us"] : [1, "ns"];
  return `${(time / scale).toFixed(Math.max(0, -Math.floor(Math.log10(step / scale) + 1e-9)))} ${unit}`;
}

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
    this.measure();
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
    for (const query of ["(prefers-color-scheme: dark)", "print"])
      matchMedia(query).addEventListener("change", () => node.isConnected && this.measure());
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
  instant(time) {
    const [scale, unit] = time >= 1e9 ? [1e9, "s"] : time >= 1e6 ? [1e6, "ms"] : time >= 1e3 ? [1e3, "us"] : [1, "ns"];
    const digits = Math.ceil(Math.log10((1000 * scale) / this.view.span()));
    return `${(time / scale).toFixed(Math.min(9, Math.max(0, digits)))} ${unit}`;
  }

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
