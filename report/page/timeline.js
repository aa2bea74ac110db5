// Time lines of all ranks: reads the levels of detail that components/application/analysis/event_levels.hpp describes, and answers
// questions about them. lines.js draws them.
/** Numbers of 7 bits in a byte, lowest first. */
class NumberReader {
  constructor(bytes, at) {
    this.bytes = bytes;
    this.at = at;
  }

  next() {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) throw new Error("the time line ends too early");
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  signed() {
    const value = this.next();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}

export const computing = 0;
export const waiting = 1;
const kindsInMpi = 4;
export const kindsOfTime = 1 + kindsInMpi; // computing, waiting, messages, collectives, other MPI

/** Units of computing in each slot of a rank: its time without that in MPI. Rounding is made up for in the next slot. */
function addComputing(head, rank, units, first) {
  const { unit, slot_units: slotUnits, slots } = head;
  const lived = (time) => Math.round(Math.min(Math.max(time - rank.begin, 0), rank.life) / unit);
  let left = 0;
  for (let slot = 0; slot < slots; ++slot) {
    const at = first + slot * kindsOfTime;
    const begin = slot * slotUnits * unit;
    left += lived(begin + slotUnits * unit) - lived(begin);
    for (let kind = 1; kind < kindsOfTime; ++kind) left -= units[at + kind];
    units[at] = Math.max(0, left);
    left -= units[at];
  }
}

/** The next coarser level: sums of two slots. */
export function coarser(level, ranks) {
  const slots = Math.ceil(level.slots / 2);
  const units = new Uint32Array(ranks * slots * kindsOfTime);
  for (let rank = 0; rank < ranks; ++rank) {
    for (let i = 0; i < level.slots * kindsOfTime; ++i) {
      const slot = Math.floor(i / kindsOfTime);
      units[(rank * slots + (slot >> 1)) * kindsOfTime + (i % kindsOfTime)] += level.units[rank * level.slots * kindsOfTime + i];
    }
  }
  return { slots, length: 2 * level.length, units };
}

function readCalls(reader, head, window, place) {
  const first = reader.next();
  const count = reader.next();
  const calls = {
    first,
    count,
    begin: new Float64Array(count),
    end: new Float64Array(count),
    wait: new Float64Array(count),
    arguments: new Uint32Array(count),
    causeRank: new Int32Array(count).fill(-1),
    causeCall: new Float64Array(count),
  };
  let now = window[0];
  for (let i = 0; i < count; ++i) {
    now += reader.signed();
    calls.begin[i] = now;
    now += reader.next();
    calls.end[i] = now;
    const code = reader.next();
    calls.arguments[i] = Math.floor(code / 2);
    if (code % 2 === 0) continue;
    calls.wait[i] = reader.next();
    calls.causeRank[i] = place + reader.signed();
    calls.causeCall[i] = first + i + reader.signed();
  }
  return calls;
}

function readMessages(reader, window) {
  const count = reader.next();
  const found = {
    count,
    from: new Int32Array(count),
    to: new Int32Array(count),
    send: new Int32Array(count),
    arrival: new Int32Array(count),
  };
  let [rank, call] = [0, 0];
  for (let i = 0; i < count; ++i) {
    const step = reader.next();
    rank += step;
    call = (step === 0 && i > 0 ? call : 0) + reader.next();
    found.from[i] = rank;
    found.send[i] = call;
    found.to[i] = rank + reader.signed();
    found.arrival[i] = reader.next();
  }
  found.sent = Float64Array.from(found.send, (place, i) => window.ranks[found.from[i]].begin[place]);
  found.received = Float64Array.from(found.arrival, (place, i) => window.ranks[found.to[i]].end[place]);
  return found;
}

/** The time lines of the binary "timeline". Times are nanoseconds since the begin of the run. */
export function readTimeline(bytes) {
  const line = bytes.indexOf(10);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(0, line)));
  const reader = new NumberReader(bytes, line + 1);
  const count = head.ranks.length;
  const ranks = head.ranks.map((rank, place) => {
    const [begin, life] = [reader.next(), reader.next()];
    const inMpi = Array.from({ length: kindsInMpi }, () => reader.next());
    return { rank, place, host: head.hosts[place], begin, life, totals: [life - inMpi.reduce((a, b) => a + b), ...inMpi] };
  });
  const units = new Uint8Array(count * head.slots * kindsOfTime);
  for (const rank of ranks) {
    const first = rank.place * head.slots * kindsOfTime;
    for (let slot = 0; slot < head.slots; ++slot) {
      const mask = reader.next();
      for (let kind = 0; kind < kindsInMpi; ++kind) {
        if (mask & (1 << kind)) units[first + slot * kindsOfTime + kind + 1] = reader.next();
      }
    }
    addComputing(head, rank, units, first);
  }
  const messageCounts = Float64Array.from({ length: head.slots }, () => reader.next());
  const argumentsOf = Array.from({ length: reader.next() }, () => Array.from({ length: 6 }, () => reader.next()));
  const windows = head.windows.map((window) => ({
    begin: window[0],
    end: window[1],
    ranks: ranks.map((rank) => readCalls(reader, head, window, rank.place)),
  }));
  for (const window of windows) window.messages = readMessages(reader, window);
  const levels = [{ slots: head.slots, length: head.slot_units * head.unit, units }];
  while (levels.at(-1).slots > 1) levels.push(coarser(levels.at(-1), count));
  return { head, ranks, levels, messageCounts, arguments: argumentsOf, windows };
}

/** The last place before which all values are below or at a limit. */
export function placeAbove(values, limit) {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The window with a time; null where calls are not stored. */
export const windowAt = (line, time) => line.windows.find((window) => time >= window.begin && time < window.end) ?? null;

/** What a call is: its function, site, peers, bytes and wait. `place`: of the rank; `i`: of the call in the window. */
export function describeCall(line, window, place, i) {
  const calls = window.ranks[place];
  const [code, site, to, from, sent, received] = line.arguments[calls.arguments[i]];
  const [name, kind] = line.head.functions[code];
  const rank = line.ranks[place];
  const peer = (number) => (number === 0 ? null : rank.rank + ((number - 1) % 2 === 0 ? (number - 1) / 2 : -number / 2));
  return {
    place,
    rank: rank.rank,
    host: rank.host,
    window,
    i,
    name,
    kind,
    site: site > 0 ? line.head.sites[site - 1] : null,
    to: peer(to),
    from: peer(from),
    sent: sent > 0 ? sent - 1 : null,
    received: received > 0 ? received - 1 : null,
    begin: calls.begin[i],
    end: calls.end[i],
    wait: calls.wait[i],
    causePlace: calls.causeRank[i],
    causeCall: calls.causeCall[i],
  };
}

/** The call of a rank at a time; null while it computes, or where calls are not stored. */
export function callAt(line, place, time) {
  const window = windowAt(line, time);
  if (!window) return null;
  const calls = window.ranks[place];
  const i = placeAbove(calls.begin, time) - 1;
  return i >= 0 && time < calls.end[i] ? describeCall(line, window, place, i) : null;
}

/** The call that ends the wait of another; null where it is not stored. */
export function causeOf(line, call) {
  if (!call || call.causePlace < 0) return null;
  const i = call.causeCall - call.window.ranks[call.causePlace].first;
  return i >= 0 && i < call.window.ranks[call.causePlace].count ? describeCall(line, call.window, call.causePlace, i) : null;
}

const longestChain = 64;

/**
 * Follows waits to their origin: each step is a call that waits, `cause` the call that it waits for, which came late. Where the
 * late rank itself waited meanwhile, that wait is the next step; else `origin` says what it did instead: the rank, and the kind of
 * most of the time.
 */
export function chainOf(line, call) {
  const steps = [];
  for (let at = call; at && at.wait > 0 && steps.length < longestChain;) {
    const cause = causeOf(line, at);
    steps.push({ call: at, cause });
    if (!cause) return { steps, origin: null };
    const calls = at.window.ranks[cause.place];
    let next = null;
    let inMpi = 0;
    for (let i = cause.i - 1; i >= 0 && calls.end[i] > at.begin; --i) {
      if (calls.wait[i] > 0 && (!next || calls.wait[i] > next.wait)) next = describeCall(line, at.window, cause.place, i);
      inMpi += calls.end[i] - Math.max(calls.begin[i], at.begin);
    }
    const late = cause.begin - at.begin;
    const isChain = next && next.wait > late / 4 && next.begin < at.begin + at.wait;
    if (!isChain)
      return {
        steps,
        origin: { place: cause.place, rank: cause.rank, kind: inMpi > late / 2 ? "MPI" : "computing", seconds: late * 1e-9 },
      };
    at = next;
  }
  return { steps, origin: null };
}

/** Places of ranks in the order of rows: by "number", "node" or "wait"; of those that the words name. */
export function orderOf(line, sort, words = "") {
  const found = line.ranks.filter((rank) => isNamed(rank, words.trim().toLowerCase()));
  const before = {
    number: (a, b) => a.rank - b.rank,
    node: (a, b) => a.host.localeCompare(b.host, "en", { numeric: true }) || a.rank - b.rank,
    wait: (a, b) => b.totals[waiting] - a.totals[waiting] || a.rank - b.rank,
  };
  return found.sort(before[sort] ?? before.node).map((rank) => rank.place);
}

/** "3", "4-7", or a part of the name of a node; several with commas. */
function isNamed(rank, words) {
  if (words === "") return true;
  return words
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean)
    .some((one) => {
      const range = /^(\d+)(?:\s*-\s*(\d+))?$/.exec(one);
      if (range) return rank.rank >= Number(range[1]) && rank.rank <= Number(range[2] ?? range[1]);
      return rank.host.toLowerCase().includes(one);
    });
}

/** Messages of a window under way in a time between ranks that are shown: their places, at most `most`, and how many there are. */
export function messagesIn(window, from, to, isShown, most) {
  const { messages } = window;
  const places = [];
  let count = 0;
  for (let i = 0; i < messages.count; ++i) {
    if (messages.sent[i] > to || messages.received[i] < from) continue;
    if (!isShown(messages.from[i]) && !isShown(messages.to[i])) continue;
    if (++count <= most) places.push(i);
  }
  return { places, count };
}

/** Messages sent in a time, where calls are not stored. */
export function countMessages(line, from, to) {
  const { length } = line.levels[0];
  let count = 0;
  for (let slot = Math.max(0, Math.floor(from / length)); slot < Math.min(line.head.slots, Math.ceil(to / length)); ++slot)
    count += line.messageCounts[slot];
  return count;
}

/** Rows for a table: time of each rank by kind [s]. */
export const rowsOfRanks = (line) =>
  line.ranks.map(({ rank, host, totals }) => {
    const [computing_, waiting_, messages, collectives, other] = totals.map((time) => time * 1e-9);
    return { rank, host, computing: computing_, waiting: waiting_, messages, collectives, other };
  });

/** Distances of ticks on an axis of time: 1, 2 or 5 times a power of ten. */
export function tickStep(span, most) {
  const least = span / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5, 10].find((one) => one * power >= least * (1 - 1e-9)) ?? 10);
}
