// Opens pages in headless Chromium, light, dark, printed and without scripts, and says what is wrong with any of them:
//   node tests/page/browse.mjs FOLDER PAGE...
// Screenshots go into FOLDER. Exit code 1 when anything is wrong.
import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, resolve } from "node:path";

const require = createRequire(resolve(process.env.HOCKNEY_NODE_FOLDER ?? ".", "package.json"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const largest = 3e6; // [B] of a page
const [folder, ...pages] = process.argv.slice(2);
const problems = [];

const browser = await chromium.launch({
  executablePath: process.env.HOCKNEY_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});

// A page whose every word of trouble is collected.
async function opened(file, options) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(120000);
  const complain = (what) => problems.push(`${basename(file)}: ${what}`);
  page.on("console", (message) => complain(`console ${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complain(`error: ${error.message}`));
  page.on("dialog", (dialog) => (complain(`dialog: ${dialog.message()}`), dialog.dismiss()));
  page.on("request", (request) => {
    const url = request.url();
    if (url !== `file://${file}` && !url.startsWith("data:")) complain(`asks for ${url}`);
  });
  await page.goto(`file://${file}`);
  return { context, page, complain };
}

const drawn = (page) =>
  page.waitForFunction(() => document.documentElement.dataset.state === "drawn", null, { timeout: 120000 });

// Marks that each plot has, and those that its rows ask for.
const marks = (page) =>
  page.evaluate(() => [...document.querySelectorAll(".plot")].map((plot) => ({
    name: plot.dataset.plot,
    wanted: Number(plot.dataset.marks),
    found: plot.querySelectorAll("svg .rows_marks > *").length,
  })));

// Plots whose frame is too small to read, and texts that are code: what a reader of any width may not meet.
const unreadable = (page) =>
  page.evaluate(() => {
    const found = [];
    for (const plot of document.querySelectorAll(".plot")) {
      const frames = [...plot.querySelectorAll("svg .role-frame.root > g > path.background, svg .role-scope.cell > g > path.background")]
        .map((frame) => frame.getBoundingClientRect()).filter((box) => box.width > 0 || box.height > 0);
      const small = frames.filter((box) => box.width < 120 || box.height < 12);
      if (frames.length === 0) found.push(`${plot.dataset.plot} has no frame`);
      if (small.length > 0) {
        found.push(`${plot.dataset.plot} is ${Math.round(small[0].width)} x ${Math.round(small[0].height)} px`);
      }
    }
    const code = document.body.innerText.match(/isValid\(|could not be drawn/);
    if (code) found.push(`says '${code[0]}'`);
    return found;
  });

const widths = [400, 768, 1440]; // [px] of a phone, a tablet, a desk

async function atEveryWidth(file) {
  for (const width of widths) {
    const { context, page, complain } = await opened(file, { viewport: { width, height: 900 } });
    await drawn(page);
    for (const what of await unreadable(page)) complain(`at ${width} px: ${what}`);
    if ((await overflow(page)) > 0) complain(`at ${width} px: ${await overflow(page)} px too wide`);
    await page.screenshot({ path: `${folder}/${basename(file, ".html")}-${width}.png`, fullPage: true });
    await context.close();
  }
}

// Whether anything but what scrolls by itself is wider than the window.
const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

async function look(file, scheme) {
  const { context, page, complain } = await opened(file, { colorScheme: scheme });
  await drawn(page);
  const plots = await marks(page);
  for (const { name, wanted, found } of plots) {
    if (found !== wanted || wanted === 0) complain(`${scheme}: ${name} has ${found} marks of ${wanted}`);
  }
  await page.screenshot({ path: `${folder}/${basename(file, ".html")}-${scheme}.png`, fullPage: true });
  await page.evaluate(axe);
  const found = await page.evaluate(() => axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] }));
  for (const { id, nodes } of found.violations) {
    complain(`${scheme}: axe ${id} at ${nodes.length} places, first ${nodes[0].html.slice(0, 120)}: ${nodes[0].failureSummary}`);
  }
  const milliseconds = await page.evaluate(() => Math.round(performance.getEntriesByName("interactive")[0].startTime));
  await context.close();
  return { plots: plots.length, milliseconds };
}

async function print(file) {
  const { context, page, complain } = await opened(file, { colorScheme: "dark" });
  await drawn(page);
  await page.emulateMedia({ media: "print" });
  const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  if (paper !== "rgb(255, 255, 255)") complain(`printed on ${paper}`);
  await page.pdf({ path: `${folder}/${basename(file, ".html")}.pdf`, format: "A4" });
  await context.close();
}

async function onPhone(file) {
  const { context, page, complain } = await opened(file, { viewport: { width: 380, height: 800 } });
  await drawn(page);
  if ((await overflow(page)) > 0) complain(`is ${await overflow(page)} px wider than a phone`);
  await page.screenshot({ path: `${folder}/${basename(file, ".html")}-phone.png`, fullPage: true });
  // By keyboard alone: from the first key on there is something that has the focus, and it shows.
  await page.keyboard.press("Tab");
  const focus = await page.evaluate(() => document.activeElement.className);
  if (focus !== "skip") complain(`the first Tab goes to '${focus}'`);
  await context.close();
}

async function withoutScripts(file) {
  const { context, page, complain } = await opened(file, { javaScriptEnabled: false });
  const notes = await page.locator(".missing").count();
  if (notes !== 1) complain(`without scripts: ${notes} notes`);
  if ((await page.locator("table").count()) === 0) complain("without scripts: no table");
  await context.close();
}

for (const page of pages) {
  const file = resolve(page);
  const { size } = statSync(file);
  if (size > largest) problems.push(`${basename(file)}: ${size} B`);
  const light = await look(file, "light");
  await look(file, "dark");
  await print(file);
  await onPhone(file);
  await atEveryWidth(file);
  await withoutScripts(file);
  console.log(`${basename(file)}: ${(size / 1e6).toFixed(2)} MB, ${light.plots} plots, interactive after ${light.milliseconds} ms`);
}
await browser.close();
for (const problem of problems) console.log(problem);
process.exit(problems.length > 0 ? 1 : 0);
