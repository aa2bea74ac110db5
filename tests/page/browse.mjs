// Opens pages in headless Chromium, light, dark, printed and without scripts, uses them as readers do, and says what is wrong:
//   node tests/page/browse.mjs FOLDER PAGE...
// Screenshots go into FOLDER. Exit code 1 when anything is wrong.
import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, resolve } from "node:path";
import { seconds } from "../../report/page/format.js";

const require = createRequire(resolve(process.env.HOCKNEY_NODE_FOLDER ?? ".", "package.json"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const largest = 3e6; // [B] of a page
const widths = [360, 768, 1440, 2560]; // [px] of a phone, a tablet, a desk, a wall
const patience = 300000; // [ms]
const pagesAtOnce = 3;
const [folder, ...pages] = process.argv.slice(2);
const problems = []; // not yet printed
let complaints = 0;
// All of Chromium's own traffic is off, so that every request is the page's.
const quiet = "disable-gpu disable-quic no-first-run disable-background-networking disable-component-update disable-sync";
const browser = await chromium.launch({
  executablePath: process.env.HOCKNEY_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", ...quiet.split(" ").map((word) => "--" + word)],
});

/** A page all of whose messages and requests are problems. */
async function opened(file, options = {}, hash = "") {
  const context = await browser.newContext({ viewport: { width: 1000, height: 900 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  const complain = (what) => problems.push(`${basename(file)}: ${what}`);
  page.on("console", (message) => complain(`console ${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complain(`error: ${error.message}`));
  page.on("dialog", (dialog) => (complain(`dialog: ${dialog.message()}`), dialog.dismiss()));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`file://${file}`) && !/^(data|blob):/.test(url)) complain(`asks for ${url}`);
  });
  await page.goto(`file://${file}${hash}`);
  if (options.javaScriptEnabled !== false) await drawn(page);
  return { context, page, complain };
}

const drawn = (page) => page.waitForFunction(() => document.documentElement.dataset.state === "drawn", null, { timeout: patience });

/** Every plot has a mark for each of its rows, and a frame that can be read. */
async function checkPlots(page, complain) {
  const plots = await page.evaluate(() =>
    [...document.querySelectorAll(".plot")]
      .filter((plot) => plot.querySelector("svg"))
      .map((plot) => {
        const frames = [...plot.querySelectorAll("svg .role-frame.root > g > path.background, svg .role-scope.cell > g > path.background")];
        const boxes = frames.map((frame) => frame.getBoundingClientRect()).filter((box) => box.width > 0 || box.height > 0);
        const small = boxes
          .filter((box) => box.width < 110 || box.height < 12)
          .map((box) => `${Math.round(box.width)} x ${Math.round(box.height)} px`);
        return {
          name: plot.dataset.plot,
          wanted: Number(plot.dataset.marks),
          found: plot.querySelectorAll("svg .rows_marks > *").length,
          bad: boxes.length === 0 ? "no frame" : small[0],
        };
      }),
  );
  for (const { name, wanted, found, bad } of plots) {
    if (found !== wanted || wanted === 0) complain(`${name} has ${found} marks of ${wanted}`);
    if (bad) complain(`${name}: ${bad}`);
  }
  const text = await page.evaluate(() => document.body.innerText.match(/isValid\(|could not be drawn|NaN|undefined|\[object/)?.[0]);
  if (text) complain(`says '${text}'`);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (wide > 0) complain(`is ${wide} px too wide`);
  return plots.length;
}

/** The first document of the page, with its packed lists as objects. */
async function documentOf(page) {
  const { unpacked } = await import("../../report/page/kit.js");
  return unpacked(JSON.parse(await page.locator("script.document").first().textContent()));
}

async function look(file, scheme) {
  const { context, page, complain } = await opened(file, { colorScheme: scheme });
  const plots = await checkPlots(page, (what) => complain(`${scheme}: ${what}`));
  await page.screenshot({ path: `${folder}/${basename(file, ".html")}-${scheme}.png`, fullPage: true });
  await page.evaluate(axe);
  const found = await page.evaluate(() => axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] }));
  for (const { id, nodes } of found.violations) {
    complain(`${scheme}: axe ${id} at ${nodes.length} places, first ${nodes[0].html.slice(0, 120)}: ${nodes[0].failureSummary}`);
  }
  const milliseconds = await page.evaluate(() => Math.round(performance.getEntriesByName("interactive")[0].startTime));
  await context.close();
  return { plots, milliseconds };
}

const answerOf = (page) => page.evaluate(() => document.getElementById("main").innerText);

/** Each choice changes the page and the address, and the address alone shows the same page. */
async function choose(file) {
  const { context, page, complain } = await opened(file);
  for (const name of await page.evaluate(() => [...document.querySelectorAll(".choices select")].map((one) => one.name))) {
    const before = await answerOf(page);
    const select = page.locator(`.choices select[name="${name}"]`);
    const values = await select.evaluate((one) => [...one.options].map((option) => option.value));
    const first = await select.inputValue();
    const value = values.find((one) => one !== first);
    await select.selectOption(value);
    await drawn(page);
    await checkPlots(page, (what) => complain(`${name} ${value}: ${what}`));
    const words = new URLSearchParams(new URL(page.url()).hash.slice(1));
    if (words.get(name) !== value) complain(`the address does not hold ${name} ${value}: ${page.url()}`);
    const after = await answerOf(page);
    if (after === before && !["axis", "order"].includes(name)) complain(`${name} ${value} changes nothing`);
    const other = await opened(file, {}, new URL(page.url()).hash);
    if ((await answerOf(other.page)) !== after) complain(`the address of ${name} ${value} shows something else`);
    await other.context.close();
    await select.selectOption(first);
    await drawn(page);
  }
  await context.close();
}

/** The table of a campaign's first curves has the document's numbers; it sorts and filters. */
async function readTable(file) {
  const { context, page, complain } = await opened(file);
  const all = await documentOf(page);
  if (!String(all.schema).startsWith("hockney.rows/") || (await page.locator("#time details").count()) === 0) return context.close();
  await page.locator("#time summary").click();
  await page.locator("#time table").waitFor();
  const columnOf = (title) =>
    page.evaluate((title_) => {
      const table = document.querySelector("#time table");
      const place = [...table.querySelectorAll("th")].findIndex((head) => head.innerText.trim() === title_);
      return [...table.querySelectorAll("tbody tr")].map((row) => row.children[place].innerText);
    }, title);
  const known = new Set(all.rows.map((row) => seconds(row.median_seconds)));
  const shown = await columnOf("time");
  for (const cell of shown) if (!known.has(cell.split(" (")[0])) complain(`the table has ${cell}, the document does not`);
  const exact = new Set(all.rows.map((row) => String(row.median_seconds)));
  const csv = await downloaded(page, "#time", "CSV");
  const lines = csv.toString().trim().split("\r\n");
  const place = lines[0].split(",").indexOf("median_seconds");
  const isQuoted = lines.some((line) => line.includes('"'));
  if (!isQuoted && lines.slice(1).some((line) => !exact.has(line.split(",")[place]))) complain("the CSV has other times than the document");
  await page.locator("#time th button", { hasText: "time" }).first().click();
  const byTime = await columnOf("time");
  const valueOf = new Map(all.rows.map((row) => [seconds(row.median_seconds), row.median_seconds]));
  const values = byTime.map((cell) => valueOf.get(cell.split(" (")[0]));
  if (values.some((value, i) => i > 0 && value < values[i - 1] * 0.99)) complain("the table is not sorted by time");
  if ((await page.locator("#time input").count()) > 0) {
    const size = (await columnOf("size"))[0];
    await page.locator("#time input").fill("no row has these words");
    if ((await columnOf("size")).length !== 0) complain("the filter leaves rows that it should not");
    await page.locator("#time input").fill(size);
    if ((await columnOf("size")).length === 0) complain("the filter leaves no row");
  }
  await context.close();
}

async function downloaded(page, section, name) {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.locator(`${section} .tools button`, { hasText: name }).click(),
  ]);
  return readFileSync(await download.path());
}

/** CSV, SVG and PNG of the first picture have content; SVG needs no variable of the page. */
async function downloads(file) {
  const { context, page, complain } = await opened(file);
  const id = await page.evaluate(
    () => [...document.querySelectorAll("section")].find((one) => one.querySelector(".plot svg") && one.querySelector(".tools"))?.id,
  );
  if (id) {
    const [csv, svg, png] = [
      await downloaded(page, "#" + id, "CSV"),
      await downloaded(page, "#" + id, "SVG"),
      await downloaded(page, "#" + id, "PNG"),
    ];
    if (csv.length < 30) complain(`the CSV of ${id} has ${csv.length} B`);
    if (svg.length < 1000 || svg.includes("var(--")) complain(`the SVG of ${id} has ${svg.length} B, or variables`);
    if (png.length < 1000 || png.toString("latin1", 1, 4) !== "PNG") complain(`the PNG of ${id} has ${png.length} B`);
  }
  await context.close();
}

/** A click on a launch marks it in all pictures of launches, and a second one takes the mark away. */
async function mark(file) {
  const { context, page, complain } = await opened(file);
  if ((await page.locator("#launches .rows_marks").count()) > 0) {
    const faded = (id) =>
      page.evaluate(
        (id_) => [...document.querySelectorAll(`#${id_} .rows_marks > *`)].map((one) => Number(one.getAttribute("opacity"))),
        id,
      );
    await page.locator("#launches .rows_marks > *").first().click({ force: true });
    await drawn(page);
    if (!new URL(page.url()).hash.includes("launches=")) complain("the address does not hold the marked launch");
    if (!(await page.locator(".marked").innerText()).startsWith("1 launch marked"))
      complain("the page does not say that a launch is marked");
    for (const id of ["launches", "drift"]) {
      const all = await faded(id);
      const strong = all.filter((opacity) => opacity > 0.9).length;
      if (all.length > 1 && (strong === 0 || strong === all.length)) complain(`${strong} of ${all.length} launches of ${id} stand out`);
    }
    await page.locator(".marked button").click();
    await drawn(page);
    if ((await faded("launches")).some((opacity) => opacity < 0.9)) complain("launches stay faded after all marks are gone");
  }
  await context.close();
}

/** Texts of documents are texts: no element of theirs, neither in the page nor in the text of a mark. */
async function hover(file) {
  const { context, page, complain } = await opened(file);
  const marks = page.locator(".rows_marks > *");
  const most = Math.min(5, await marks.count());
  let told = 0; // another mark or a text may lie on a mark
  for (let i = 0; i < most; ++i) {
    await marks.nth(i).hover({ force: true });
    const tip = page.locator("#vg-tooltip-element.visible").waitFor({ timeout: 3000 });
    told += await tip.then(
      () => 1,
      () => 0,
    );
  }
  if (most > 0 && told === 0) complain("no mark says what it is");
  const strange = await page.evaluate(
    () =>
      document.querySelectorAll("img, iframe, object, embed, link, #vg-tooltip-element *, script:not([nonce]):not(.document):not(.binary)")
        .length,
  );
  if (strange > 0) complain(`${strange} elements that are not of the page`);
  await context.close();
}

async function print(file) {
  const { context, page, complain } = await opened(file, { colorScheme: "dark" });
  await page.emulateMedia({ media: "print" });
  const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  if (paper !== "rgb(255, 255, 255)") complain(`printed on ${paper}`);
  await page.setViewportSize({ width: 718, height: 1000 }); // A4 with margins of 1 cm
  await page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
  await page.waitForTimeout(100);
  const broken = await page.evaluate(() => {
    const linesOf = (cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return range.getClientRects().length;
    };
    const wide = [...document.querySelectorAll("table")].find((one) => one.getBoundingClientRect().right > window.innerWidth + 1);
    const cell = [...document.querySelectorAll("td.short")].find((one) => linesOf(one) > 1);
    return cell ? `breaks '${cell.innerText}'` : wide ? `cuts the table of ${wide.closest("section").id}` : null;
  });
  if (broken) complain(`printed, ${broken}`);
  await page.pdf({ path: `${folder}/${basename(file, ".html")}.pdf`, format: "A4" });
  await context.close();
}

async function atEveryWidth(file) {
  for (const width of widths) {
    const { context, page, complain } = await opened(file, { viewport: { width, height: 900 } });
    await checkPlots(page, (what) => complain(`at ${width} px: ${what}`));
    await page.screenshot({ path: `${folder}/${basename(file, ".html")}-${width}.png`, fullPage: true });
    if (width === widths[0]) {
      // By keyboard alone: the first key has the focus on the way to the figures, and it shows.
      await page.keyboard.press("Tab");
      const focus = await page.evaluate(() => document.activeElement.className);
      if (focus !== "skip") complain(`the first Tab goes to '${focus}'`);
    }
    await context.close();
  }
}

async function withoutScripts(file) {
  const { context, page, complain } = await opened(file, { javaScriptEnabled: false });
  const notes = await page.locator(".missing:visible").count();
  if (notes !== 1) complain(`without scripts: ${notes} notes`);
  await context.close();
}

/** All that is looked at of a page. */
async function examine(page) {
  const file = resolve(page);
  const { size } = statSync(file);
  if (size > largest) problems.push(`${basename(file)}: ${size} B`);
  const light = await look(file, "light");
  await look(file, "dark");
  for (const check of [choose, readTable, downloads, mark, hover, print, atEveryWidth, withoutScripts]) {
    await check(file).catch((error) => problems.push(`${basename(file)}: ${check.name}: ${error.message}`));
  }
  for (const problem of problems.splice(0)) {
    complaints += 1;
    console.log(problem);
  }
  console.log(`${basename(file)}: ${(size / 1e6).toFixed(2)} MB, ${light.plots} plots, interactive after ${light.milliseconds} ms`);
}

const examineNext = async () => {
  while (pages.length > 0) await examine(pages.shift());
};
await Promise.all(Array.from({ length: pagesAtOnce }, examineNext));
await browser.close();
process.exit(complaints > 0 ? 1 : 0);
