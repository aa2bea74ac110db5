// What every page is made of: choices, tiles, findings, tables and pictures. A kind of document (rows.js, profile.js ...) says with
// plain objects what stands on its page; this draws them. Texts of documents become text nodes, never markup.
import { cell, endsOf, formats, isKnown, isNumeric, plural, significant, text } from "./format.js";
import { theme } from "./plots.js";

/** An element with attributes (`on...` are listeners) and children, which are nodes, texts, or null. */
export function h(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

// --- kinds of documents ---------------------------------------------------------------------------------------------------------

const kinds = new Map();

/**
 * Registers a kind of document by its schema without version. Members, each a function of (document, view, others):
 * - head: lines below the title; those of the summary without it.
 * - choices: [{key, title, values, every}]: what can be chosen; `every` (default true) also offers all values. Optional.
 * - tiles: [{label, value, unit, interval, mark}]; those of the summary without it.
 * - findings: [{what, share, where, advice, at}], `at` names a section; those of the summary without it.
 * - sections: [{id, title, caption, columns, rows, spec | draw, note}]; see section().
 * `others` are the documents of the page by schema without version, and `others.documents` all of them.
 */
export const kind = (schema, members) => kinds.set(schema, members);
export const schemaOf = (document_) => String(document_.schema?.name ?? document_.schema ?? "").replace(/\/\d+$/, "");

/** What the reader has chosen: view.choice[key], "" for all. view.launches is the set of marked launches. */
export class View {
  constructor(hash = "") {
    const words = new URLSearchParams(hash.replace(/^#/, ""));
    this.at = words.get("at") ?? "";
    this.launches = new Set((words.get("launches") ?? "").split("~").filter(Boolean));
    this.choice = Object.fromEntries([...words].filter(([key]) => key !== "at" && key !== "launches"));
  }

  hash() {
    const words = new URLSearchParams(Object.entries(this.choice).filter(([, value]) => value !== ""));
    if (this.launches.size > 0) words.set("launches", [...this.launches].join("~"));
    if (this.at) words.set("at", this.at);
    return "#" + words;
  }

  /** Rows with the chosen value of each key that they have. */
  pick(rows, keys = Object.keys(this.choice)) {
    const wanted = keys.filter((key) => this.choice[key]).map((key) => [key, this.choice[key]]);
    return rows.filter((row) => wanted.every(([key, value]) => !(key in row) || String(row[key] ?? "") === value));
  }
}

/** A choice of the values of a key in rows; null with fewer than two. */
export function choiceOf(rows, key, title, format = text) {
  const values = [...new Set(rows.map((row) => String(row[key] ?? "")))].filter((value) => value !== "");
  if (values.length < 2) return null;
  if (values.every((value) => !isNaN(value))) values.sort((a, b) => a - b);
  return { key, title, values, names: values.map((value) => format(isNaN(value) ? value : Number(value))) };
}

/** Columns from "key: title [unit] interval; ..." or "... low..high", keys of ends (endsOf); what is not given is left out. Or objects. */
export const columnsOf = (...parts) => parts.flat().flatMap((part) => (typeof part === "string" ? part.split(";").map(columnOf) : [part]));

const columnWords = /^\s*(\w+)(?::\s*([^[]+?))?\s*(?:\[(\w+)\]\s*(?:(\w+)(?:\.\.(\w+))?)?)?\s*$/;
function columnOf(words) {
  const [, key, title = key, unit, low, high] = columnWords.exec(words);
  return high || !low ? { key, title, unit, low, high } : { key, title, unit, interval: low };
}

/** A figure of a page: its tile. `more`: {interval, mark, at}. */
export const figureTile = (label, value, unit, more = {}) => ({ label, value, unit, ...more });
export const counted = (label, value, mark, at) => figureTile(label, value, "count", { mark, at });

// --- parts ----------------------------------------------------------------------------------------------------------------------

function tile({ label, value, unit, interval, mark, at }) {
  const format = formats[unit] ?? ((number_) => significant(number_));
  const suffix = formats[unit] || !unit ? "" : ` ${text(unit)}`;
  const bounds = isKnown(interval?.[0]) ? `${format(interval[0])} .. ${format(interval[1])}${suffix}` : null;
  return h(
    "div",
    { class: "tile" },
    h("div", { class: "label" }, at ? h("a", { href: "#" + at, onclick: (event) => go(event, at) }, text(label)) : text(label)),
    h("div", { class: "value" }, typeof value === "string" ? text(value) : format(value) + (isKnown(value) ? suffix : "")),
    h("div", { class: "bounds" }, bounds ?? "", mark ? h("span", { class: "mark" }, (bounds ? " · " : "") + text(mark)) : null),
  );
}

function finding({ what, share, where, advice, at }, ids) {
  return h(
    "li",
    {},
    isKnown(share) ? h("span", { class: "share" }, formats.share(share)) : null,
    h("span", {}, text(what) + (where ? ` in ${text(where)}` : "") + (advice ? `: ${text(advice)}` : "")),
    ids.includes(at) ? h("a", { href: "#" + at, onclick: (event) => go(event, at) }, "show") : null,
  );
}

const quoted = (value) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

/** CSV (RFC 4180) of all columns: values as they are in the document, intervals in two columns. */
export function csvOf(columns, rows) {
  const hasEnds = (column) => column.low || column.interval;
  const keysOf = (column) => (column.interval ? [`${column.key}_low`, `${column.key}_high`] : [column.low, column.high]);
  const line = (values) => values.map((value) => quoted(isKnown(value) ? String(value) : "")).join(",");
  const keys = columns.flatMap((column) => [column.key, ...(hasEnds(column) ? keysOf(column) : [])]);
  const cells = (row) => columns.flatMap((column) => [row[column.key], ...(hasEnds(column) ? endsOf(row, column) : [])]);
  return [keys, ...rows.map(cells)].map(line).join("\r\n") + "\r\n";
}

export function save(name, type, content) {
  const link = h("a", { download: name, href: URL.createObjectURL(new Blob([content], { type })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

const mostRows = 200; // of a table before "all rows"

const longestShort = 16; // letters of a cell that stays on one line
const longestWord = 24; // letters of a word that stays whole

/** How the cells of a column break where a table is printed. */
function classOfColumn(column, rows) {
  const cells = rows.map((row) => cell(row, column));
  const longest = (texts) => Math.max(0, ...texts.map((one) => one.length));
  const width = longest(cells) <= longestShort ? "short" : longest(cells.flatMap((one) => one.split(" "))) > longestWord ? "long" : "";
  return [isNumeric(column.unit) ? "number" : "", width].filter(Boolean).join(" ") || null;
}

/** A table that sorts by its headings and filters by words. Columns without any value are left out. */
export function table(title, all, rows) {
  const columns = all.filter((column) => rows.some((row) => isKnown(row[column.key])));
  const classes = columns.map((column) => classOfColumn(column, rows));
  const state = { key: null, down: false, words: "", all: rows.length <= mostRows };
  const body = h("tbody");
  const status = h("p", { class: "count", role: "status" });
  const heads = columns.map((column, i) =>
    h("th", { scope: "col", class: classes[i] }, h("button", { type: "button", onclick: () => sortBy(column) }, text(column.title))),
  );

  function sortBy(column) {
    state.down = state.key === column.key && !state.down;
    state.key = column.key;
    heads.forEach((head, i) => {
      if (columns[i].key === state.key) head.setAttribute("aria-sort", state.down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    fill();
  }

  function shown() {
    const words = state.words.toLowerCase().split(/\s+/).filter(Boolean);
    const found = rows.filter((row) => {
      const line = columns.map((column) => cell(row, column).toLowerCase()).join("\t");
      return words.every((word) => line.includes(word));
    });
    if (state.key === null) return found;
    const before = (a, b) =>
      typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
    const sign = state.down ? -1 : 1;
    return found.sort((one, other) => {
      const [a, b] = [one[state.key], other[state.key]];
      if (!isKnown(a) || !isKnown(b)) return isKnown(b) - isKnown(a);
      return sign * before(a, b);
    });
  }

  function fill() {
    const found = shown();
    const some = state.all ? found : found.slice(0, mostRows);
    body.replaceChildren(
      ...some.map((row) => h("tr", {}, ...columns.map((column, i) => h("td", { class: classes[i] }, cell(row, column))))),
    );
    status.textContent = some.length === rows.length ? "" : `${plural(found.length, "row")} of ${rows.length}`;
    if (some.length < found.length) {
      status.append(`, ${some.length} shown `, h("button", { type: "button", onclick: () => ((state.all = true), fill()) }, "show all"));
    }
  }

  const filter = h("input", { type: "search", placeholder: "filter", "aria-label": `Filter the table ${title}` });
  filter.addEventListener("input", () => ((state.words = filter.value), fill()));
  fill();
  return h(
    "div",
    { class: "table" },
    rows.length > 8 ? filter : null,
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": `Table: ${title}` },
      h("table", {}, h("thead", {}, h("tr", {}, ...heads)), body),
    ),
    status,
  );
}

// --- pictures -------------------------------------------------------------------------------------------------------------------

/** The text of a mark, for pointers and screen readers: a line for each known value. */
export const says = (row, columns) =>
  columns
    .filter((column) => isKnown(row[column.key]))
    .map((column) => `${text(column.title)}: ${cell(row, column)}`)
    .join("\n");

const variable = /var\((--[\w-]+)\)/g;
/** The present value of a colour of page.css, "--ink". */
export const colourOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const coloured = (svg) => svg.replace(variable, (_, name) => colourOf(name));

/** Paints a canvas, now and when colours change. */
export function paintAnew(canvas, paint) {
  paint();
  for (const query of ["(prefers-color-scheme: dark)", "print"])
    matchMedia(query).addEventListener("change", () => canvas.isConnected && paint());
}

async function pngOf(svg, width, height, factor = 2) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  await image.decode();
  const canvas = h("canvas", { width: width * factor, height: height * factor });
  const context = canvas.getContext("2d");
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise((resolve) => canvas.toBlob(resolve));
}

/** Draws a Vega-Lite plot; the rows of `spec.data.name` "rows" become its data. */
async function drawPlot(plot, one, app) {
  const rows = one.rows.map((row) => ({
    ...row,
    says: says(row, one.columns),
    chosen: app.view.launches.size === 0 || app.view.launches.has(row.launch),
  }));
  const hasEnds = rows.some((row) => isKnown(row.low));
  const spec = { ...one.spec, datasets: { ...one.spec.datasets, rows } };
  if (spec.layer && !hasEnds) spec.layer = spec.layer.filter(({ name }) => name !== "intervals");
  const { view } = await vegaEmbed(plot, spec, {
    mode: "vega-lite",
    ast: true, // expressions are interpreted: the policy of the page has no eval
    renderer: "svg",
    actions: false,
    defaultStyle: false,
    tooltip: { disableDefaultStyle: true },
    config: theme(plot.clientWidth),
  });
  view.addEventListener("click", (event, item) => {
    const launch = item?.datum?.launch;
    if (launch) app.mark(launch);
  });
  return view;
}

/**
 * A section: a title of two to five words, a picture, a caption that says how to read it, and its table. One whose `rows` are empty
 * is left out; `headline`, `caption` and `spec` may be functions of them.
 * - `spec`: Vega-Lite over the dataset "rows" (plots.js has its parts); or `draw(node, one, app)` for what is no plot.
 * - `rows` and `columns` (columnsOf) make the table, the CSV and the text of a mark. Rows get the ends of the first column with an
 *   interval as `low` and `high`, unless they have these.
 * - `headline`: the number that matters, above the picture.
 * - `nodes`: further nodes for what has no rows.
 */
function completed(one) {
  const columns = columnsOf(one.columns ?? []);
  const column = columns.find((each) => each.interval || each.low);
  const withEnds = (row) => {
    const [low = null, high = null] = endsOf(row, column);
    return { low, high, ...row };
  };
  const rows = column ? one.rows.map(withEnds) : one.rows;
  const of = (value) => (typeof value === "function" ? value(rows) : value);
  return { ...one, columns, rows, headline: of(one.headline), caption: of(one.caption), spec: of(one.spec) };
}

function section(one, app) {
  const plot =
    one.spec || one.draw
      ? h("div", { class: one.spec ? "plot" : "drawing", "data-plot": one.id, "data-marks": one.rows?.length ?? 0 })
      : null;
  const tools = h("p", { class: "tools" });
  const button = (name, action) => h("button", { type: "button", onclick: action, "aria-label": `${name} of ${one.title}` }, name);
  if (one.rows) tools.append(button("CSV", () => save(one.id + ".csv", "text/csv", csvOf(one.columns, one.rows))));
  if (one.spec) {
    const svgOf = async () => coloured(await (await plot.drawn).toSVG());
    tools.append(button("SVG", async () => save(one.id + ".svg", "image/svg+xml", await svgOf())));
    tools.append(
      button("PNG", async () => save(one.id + ".png", "image/png", await pngOf(await svgOf(), plot.clientWidth, plot.clientHeight))),
    );
  }
  const details =
    one.rows && plot ? h("details", { open: app.open.has(one.id) }, h("summary", {}, `Table: ${plural(one.rows.length, "row")}`)) : null;
  if (details) {
    const fill = () => details.childElementCount === 1 && details.append(table(one.title, one.columns, one.rows));
    if (details.open) fill();
    details.addEventListener("toggle", () => {
      if (details.open) fill();
      app.open[details.open ? "add" : "delete"](one.id);
    });
  }
  const node = h(
    "section",
    { id: one.id },
    h("h2", {}, text(one.title)),
    one.headline ? h("p", { class: "headline" }, text(one.headline)) : null,
    plot,
    one.caption ? h("p", { class: "caption" }, text(one.caption)) : null,
    one.nodes ?? null,
    tools.childElementCount > 0 ? tools : null,
    details ?? (one.rows ? table(one.title, one.columns, one.rows) : null),
  );
  return { node, plot, one };
}

async function draw({ plot, one }, app) {
  try {
    if (one.draw) {
      plot.drawn = Promise.resolve(one.draw(plot, one, app));
    } else if (typeof vegaEmbed === "undefined") {
      plot.textContent = document.body.dataset.missing ?? "";
      return;
    } else {
      plot.drawn = drawPlot(plot, one, app);
    }
    await plot.drawn;
  } catch (problem) {
    console.error(problem);
    plot.textContent = "This picture could not be drawn: " + problem;
  }
}

/** Shows a section whose id is in a link, and keeps it in the address. */
function go(event, at) {
  event.preventDefault();
  pageApp.view.at = at;
  history.replaceState(null, "", pageApp.view.hash());
  document.getElementById(at)?.scrollIntoView({ behavior: "smooth" });
}

// --- the page -------------------------------------------------------------------------------------------------------------------

let pageApp = null;

const instant = /(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?Z/g;

/** Everything below the title: choices, tiles, findings and sections of the first document whose kind is known. */
class App {
  constructor(documents, view) {
    this.documents = documents;
    this.view = view;
    this.open = new Set();
    this.number = 0; // of the latest drawing: an older one that is still at work stops
    this.others = { ...Object.fromEntries(documents.map((one) => [schemaOf(one), one])), documents };
    this.first = documents.find((one) => kinds.has(schemaOf(one))) ?? documents[0];
    this.members = kinds.get(schemaOf(this.first)) ?? { sections: () => [] };
    this.choices = (this.members.choices?.(this.first, view, this.others) ?? []).filter(Boolean);
    for (const { key, values, every } of this.choices) {
      if (!values.includes(this.view.choice[key])) this.view.choice[key] = every === false ? values[0] : "";
    }
  }

  choose(key, value) {
    this.view.choice[key] = value;
    this.changed();
  }

  mark(launch) {
    if (!this.view.launches.delete(launch)) this.view.launches.add(launch);
    this.changed();
  }

  changed() {
    history.replaceState(null, "", this.view.hash());
    return this.show();
  }

  bar() {
    if (this.choices.length === 0) return null;
    const selects = this.choices.map(({ key, title, values, names = values, every }) =>
      h(
        "label",
        {},
        h("span", {}, title),
        h(
          "select",
          { name: key, onchange: (event) => this.choose(key, event.target.value) },
          every === false ? null : h("option", { value: "" }, "all"),
          ...values.map((value, i) => h("option", { value, selected: this.view.choice[key] === value }, text(names[i]))),
        ),
      ),
    );
    return h("form", { class: "choices", "aria-label": "Choices", onsubmit: (event) => event.preventDefault() }, ...selects);
  }

  head() {
    const summary = this.first.summary ?? {};
    return [
      ...(summary.faults ?? []).map((line) => h("p", { class: "fault", role: "alert" }, text(line))),
      ...(this.members.head?.(this.first, this.view, this.others) ?? summary.head ?? []).map((line) =>
        h("p", {}, text(line).replaceAll(/ {2,}/g, " \u00b7 ").replaceAll(instant, "$1 $2 UTC")),
      ),
    ];
  }

  /** Tiles, findings and reliability; `sections` are those that findings can point to. */
  answer(sections) {
    const summary = this.first.summary ?? {};
    const of = (name) => this.members[name]?.(this.first, this.view, this.others);
    const tiles = (of("tiles") ?? (summary.rows ?? []).slice(0, 6)).filter(Boolean).map(tile);
    const ids = sections.map((one) => one.id);
    const findings = (of("findings") ?? summary.findings ?? []).map((one) => finding(one, ids));
    const list = (id, title, items) =>
      items.length > 0 ? h("section", { id }, h("h2", {}, title), h("ul", { class: id }, ...items)) : null;
    return [
      tiles.length > 0
        ? h("div", { class: "tiles", id: "figures" }, ...tiles)
        : h("pre", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Summary" }, (summary.lines ?? []).map(text).join("\n")),
      list("findings", "Findings", findings),
      list(
        "reliability",
        "Reliability",
        (summary.reliability ?? []).map((line) => h("li", {}, text(line))),
      ),
    ].filter(Boolean);
  }

  contents(sections) {
    if (sections.length < 3) return null;
    const item = ({ id, title }) => h("li", {}, h("a", { href: "#" + id, onclick: (event) => go(event, id) }, text(title)));
    return h("nav", { "aria-label": "Sections" }, h("ol", {}, ...sections.map(item)));
  }

  /** Draws all anew, one picture after the other. */
  async show() {
    const number = ++this.number;
    document.documentElement.dataset.state = "drawing";
    const listed = this.members.sections(this.first, this.view, this.others).filter((one) => one && one.rows?.length !== 0);
    const sections = listed.map(completed);
    const drawn = sections.map((one) => section(one, this));
    document.getElementById("head").replaceChildren(...this.head());
    const marked = this.view.launches.size;
    document.getElementById("answer").replaceChildren(...this.answer(sections));
    document
      .getElementById("sections")
      .replaceChildren(
        ...[
          marked > 0
            ? h(
                "p",
                { class: "marked" },
                `${plural(marked, "launch")} marked `,
                h("button", { type: "button", onclick: () => (this.view.launches.clear(), this.changed()) }, "unmark"),
              )
            : null,
          this.contents(sections),
          ...drawn.map((each) => each.node),
        ].filter(Boolean),
      );
    let isFirst = !performance.getEntriesByName("interactive").length;
    for (const each of drawn) {
      if (each.plot) await draw(each, this);
      if (number !== this.number) return;
      if (isFirst) performance.mark("first-picture");
      isFirst = false;
    }
    if (this.view.at) document.getElementById(this.view.at)?.scrollIntoView();
    performance.mark("interactive");
    document.documentElement.dataset.state = "drawn";
  }
}

/** Starts the page: its documents stand in script elements of the class "document". */
export function start() {
  const nodes = [...document.querySelectorAll("script.document")];
  const documents = nodes.map((node) => unpacked(JSON.parse(node.textContent)));
  pageApp = new App(documents, new View(location.hash));
  const bar = pageApp.bar();
  if (bar) document.getElementById("choices").replaceChildren(bar);
  const files = nodes.map((node, i) =>
    h(
      "button",
      { type: "button", onclick: () => save(node.dataset.name + ".json", "application/json", JSON.stringify(documents[i], null, 1)) },
      node.dataset.name + ".json",
    ),
  );
  document.getElementById("files").replaceChildren(...files);
  let width = window.innerWidth;
  window.addEventListener("resize", () => {
    const isOther = Math.abs(window.innerWidth - width) > 40;
    if (isOther) ((width = window.innerWidth), pageApp.show());
  });
  window.addEventListener("hashchange", () => {
    pageApp.view = Object.assign(new View(location.hash), {});
    pageApp.show();
  });
  return pageApp.show();
}

/** The bytes of a binary of the page (PageBinary in page.hpp); null without one. */
export function binaryOf(name) {
  const node = [...document.querySelectorAll("script.binary")].find((one) => one.dataset.name === name);
  return node ? Uint8Array.from(atob(node.textContent), (letter) => letter.charCodeAt(0)) : null;
}

/** Rows that the page holds as {keys, same, rows} become objects again (page.cpp packs them). */
export function unpacked(value) {
  if (Array.isArray(value)) return value.map(unpacked);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value.$keys)) {
    return value.$rows.map((row) => ({ ...value.$same, ...Object.fromEntries(value.$keys.map((key, i) => [key, unpacked(row[i])])) }));
  }
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, unpacked(member)]));
}
