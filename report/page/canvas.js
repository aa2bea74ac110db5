// The canvas of time lines: ranks as rows, time as width, their kinds of time, calls, messages and chains of waits. lines.js moves it.
import { colourOf, h } from "./kit.js";
import { seconds, text } from "./format.js";
import { countMessages, kindsOfTime, messagesIn, placeAbove, tickStep, waiting } from "./timeline.js";

const colourNames = ["--heat-2", "--series-2", "--heat-4", "--heat-5", "--open"]; // of kinds of time
export const axisHeight = 22; // [px]
export const highestRow = 32;
const mostCalls = 30000; // drawn one by one
const mostMessages = 400; // drawn as lines
const leastSpan = 20; // [ns] of a view
export const lineFonts = 'system-ui, "Liberation Sans", Arial, sans-serif';

export const timeWords = (time) => seconds(time * 1e-9);
const pixelOf = ([red, green, blue]) => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;

/** The colours of the page as it is now: of kinds of time as bytes and as pixels, of texts and lines as words. */
function coloursNow() {
  const bytesOf = (name) => [1, 3, 5].map((at) => parseInt(colourOf(name).slice(at, at + 2), 16));
  const [kinds, paper] = [colourNames.map(bytesOf), bytesOf("--paper")];
  const words = Object.fromEntries(["ink", "soft", "line", "link"].map((name) => [name, colourOf(`--${name}`)]));
  return {
    kinds,
    paper,
    inks: kinds.map(pixelOf),
    blank: pixelOf(paper),
    ofKinds: colourNames.map(colourOf),
    paperWord: colourOf("--paper"),
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
export class RankCanvas {
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
      const label = timeText(time, step);
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

export function sizeCanvas(node, width, height, factor) {
  [node.width, node.height] = [width * factor, height * factor];
  Object.assign(node.style, { width: `${width}px`, height: `${height}px` });
}

/** A time [ns] with the digits that steps of `step` need, in the unit of `by`. */
export function timeText(time, step, by = 10 * step) {
  const [scale, unit] = by >= 1e9 ? [1e9, "s"] : by >= 1e6 ? [1e6, "ms"] : by >= 1e3 ? [1e3, "us"] : [1, "ns"];
  return `${(time / scale).toFixed(Math.min(9, Math.max(0, -Math.floor(Math.log10(step / scale) + 1e-9))))} ${unit}`;
}
