// Opens pages in headless Firefox and says what is wrong: messages, errors, plots without their marks, a choice that changes nothing.
//   node tests/page/firefox.mjs PAGE...
// Chromium does everything else (browse.mjs). Exit code 1 when anything is wrong.
import { createRequire } from "node:module";
import { basename, resolve } from "node:path";

const require = createRequire(resolve(process.env.HOCKNEY_NODE_FOLDER ?? ".", "package.json"));
const puppeteer = require("puppeteer-core");

const timeout = 300000; // [ms]
const problems = [];
const browser = await puppeteer.launch({
  browser: "firefox",
  executablePath: process.env.HOCKNEY_FIREFOX ?? "/usr/bin/firefox-esr",
  headless: true,
  protocolTimeout: timeout,
});

const drawn = (page) => page.waitForFunction(() => document.documentElement.dataset.state === "drawn", { timeout });
const textOf = (page) => page.evaluate(() => document.getElementById("main").innerText);

/** Plots that have not a mark for each of their rows. */
const unmarked = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll(".plot")]
      .map((plot) => [plot.dataset.plot, Number(plot.dataset.marks), plot.querySelectorAll("svg .rows_marks > *").length])
      .filter(([, wanted, found]) => wanted !== found)
      .map(([name, wanted, found]) => `${name} has ${found} marks of ${wanted}`),
  );

async function examine(file) {
  const page = await browser.newPage();
  const complain = (what) => problems.push(`${basename(file)}: ${what}`);
  page.on("console", (message) => complain(`console ${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complain(`error: ${error.message}`));
  page.on("dialog", (dialog) => (complain(`dialog: ${dialog.message()}`), dialog.dismiss()));
  await page.setViewport({ width: 1000, height: 900 });
  await page.goto(`file://${resolve(file)}`, { timeout });
  await drawn(page);
  (await unmarked(page)).forEach(complain);
  const choice = await page.evaluate(() => {
    const select = [...document.querySelectorAll(".choices select")].find((one) => !["axis", "order"].includes(one.name));
    return select && { name: select.name, value: [...select.options].find((option) => option.value !== select.value).value };
  });
  if (choice) {
    const before = await textOf(page);
    await page.select(`.choices select[name="${choice.name}"]`, choice.value);
    await drawn(page);
    (await unmarked(page)).forEach(complain);
    if ((await textOf(page)) === before) complain(`${choice.name} ${choice.value} changes nothing`);
  }
  await page.close();
}

const files = process.argv.slice(2);
for (const file of files) await examine(file).catch((error) => problems.push(`${basename(file)}: ${error.message}`));
await browser.close();
for (const problem of problems) console.log(problem);
console.log(`${files.length} pages in Firefox`);
process.exit(problems.length > 0 ? 1 : 0);
