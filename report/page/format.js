// Values as people read them. A value that is not known is "–".

const unknown = "–";

/** `digits` significant digits, without an exponent for what people write without one. */
export function significant(value, digits = 3) {
  if (value === null || value === undefined || !Number.isFinite(value)) return unknown;
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e9 || size < 1e-4) return value.toPrecision(digits);
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(size) + 1e-12));
  const text = value.toFixed(Math.min(decimals, 12));
  return size >= 10 ** digits ? String(Math.round(value)) : text;
}

const scaled = (value, steps) => {
  const size = Math.abs(value);
  const [limit, unit] = steps.find(([least]) => size >= least * 0.9995) ?? steps.at(-1);
  return `${significant(value / limit)} ${unit}`;
};

const known = (format) => (value) => (value === null || value === undefined || !Number.isFinite(value) ? unknown : format(value));

export const seconds = known((value) =>
  value === 0
    ? "0 s"
    : scaled(value, [
        [1, "s"],
        [1e-3, "ms"],
        [1e-6, "us"],
        [1e-9, "ns"],
      ]),
);

export const rate = known((value) =>
  scaled(value, [
    [1e9, "GB/s"],
    [1e6, "MB/s"],
    [1e3, "kB/s"],
    [1, "B/s"],
  ]),
);

/** A message size: 512, 64K, 4M where it is a power of 1024 times a whole number. */
export const bytes = known((value) => {
  for (const [unit, size] of [
    ["G", 2 ** 30],
    ["M", 2 ** 20],
    ["K", 2 ** 10],
  ]) {
    if (value >= size && value % size === 0) return value / size + unit;
  }
  return String(Math.round(value));
});

/** A sum of bytes. */
export const amount = known((value) =>
  scaled(value, [
    [1e12, "TB"],
    [1e9, "GB"],
    [1e6, "MB"],
    [1e3, "kB"],
    [1, "B"],
  ]),
);

export const share = known((value) => `${significant(100 * value, Math.abs(value) >= 0.995 ? 3 : 2)} %`);
/** A change: +12.3 %. */
export const change = known((value) => `${value > 0 ? "+" : ""}${significant(100 * value)} %`);
export const ratio = known((value) => `${significant(value)} ×`);
export const count = known((value) => Math.round(value).toLocaleString("en-US").replaceAll(",", " "));
export const number = (value) => significant(value);

// Letters that turn the direction of text, and control characters, are shown by their code.
const hidden = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;
export const text = (value) => {
  if (value === null || value === undefined || value === "") return unknown;
  if (Array.isArray(value)) return value.map(text).join(", ");
  return String(value).replace(hidden, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
};

export const formats = { seconds, rate, bytes, amount, share, change, ratio, count, number, text };
export const isNumeric = (unit) => unit !== undefined && unit !== "text";

/** Ends of the interval of a row in a column: of keys `low` and `high`, or of one key `interval` with [low, high] or {low, high}. */
export function endsOf(row, { low, high, interval }) {
  if (!interval) return [row[low], row[high]];
  const both = row[interval];
  return Array.isArray(both) ? both : [both?.low, both?.high];
}

/** A value of a row in a column with its interval; by `column.words(row)` where units differ. */
export function cell(row, column) {
  if (column.words) return text(column.words(row));
  const format = formats[column.unit ?? "text"];
  const value = format(row[column.key]);
  const [low, high] = endsOf(row, column);
  return isKnown(low) ? `${value} (${format(low)} .. ${format(high)})` : value;
}

export const isKnown = (value) => value !== null && value !== undefined && value !== "" && !Number.isNaN(value);
export const plural = (number_, noun) =>
  `${count(number_)} ${noun}${number_ === 1 ? "" : noun.endsWith("ch") || noun.endsWith("s") ? "es" : "s"}`;
