// Compares the pictures of pages with those of pictures.json:
//   node tests/page/pictures.mjs FOLDER [--update | --documents]
// FOLDER has the pages of pages.py. A picture is a grid of mean colours (6 bits each of red, green and blue) of a plot or a canvas. It has
// no letters, and Vega reserves room for letters of one width, so that fonts of the machine change nothing. Two pictures are alike if
// the root mean square of their differences is at most `tolerance` of the range of a colour. Pictures that are not leave NAME.png in
// FOLDER. Exit code 1 when one is not, or when a changed chart is taken for the same. --documents makes the pictures of docs instead.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const require = createRequire(resolve(process.env.HOCKNEY_NODE_FOLDER ?? ".", "package.json"));
const { chromium } = require("playwright-core");

const widths = [400, 1280]; // [px] of a window
const columns = 24; // of a grid; its cells are squares
const mostRows = 48;
const tolerance = 0.003;
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const file = new URL("pictures.json", import.meta.url);

const [folder, option] = process.argv.slice(2);
const known = option === "--update" ? {} : JSON.parse(readFileSync(file, "utf8"));
const found = {};
const problems = [];
const browser = await chromium.launch({
  executablePath: process.env.HOCKNEY_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--force-color-profile=srgb"],
});
const sheet = await (await browser.newContext()).newPage(); // reduces pictures

/** "24x12:..." of a PNG. */
async function gridOf(png) {
  const { rows, levels } = await sheet.evaluate(
    async ([data, columns_, mostRows_]) => {
      const image = new Image();
      image.src = "data:image/png;base64," + data;
      await image.decode();
      const { width, height } = image;
      const context = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
      context.drawImage(image, 0, 0);
      const pixels = context.getImageData(0, 0, width, height).data;
      const rows_ = Math.max(1, Math.min(mostRows_, Math.round((columns_ * height) / width)));
      const sums = new Float64Array(3 * columns_ * rows_);
      const counts = new Float64Array(columns_ * rows_);
      for (let y = 0, at = 0; y < height; ++y) {
        for (let x = 0; x < width; ++x, at += 4) {
          const cell = Math.floor((y * rows_) / height) * columns_ + Math.floor((x * columns_) / width);
          counts[cell] += 1;
          for (let colour = 0; colour < 3; ++colour) sums[3 * cell + colour] += pixels[at + colour];
        }
      }
      return { rows: rows_, levels: [...sums].map((sum, i) => Math.round((sum / counts[Math.floor(i / 3)] / 255) * 63)) };
    },
    [png.toString("base64"), columns, mostRows],
  );
  return `${columns}x${rows}:${levels.map((level) => letters[level]).join("")}`;
}

/** Root mean square of the differences of two grids, as a share of the range of a colour; 1 if their shapes differ. */
function distanceOf(one, other) {
  const [[shape, a], [otherShape, b]] = [one, other].map((grid) => grid.split(":"));
  if (shape !== otherShape) return 1;
  const squares = [...a].map((letter, i) => ((letters.indexOf(letter) - letters.indexOf(b[i])) / 63) ** 2);
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length);
}

async function opened(name, width, height = 900, hasLetters = false) {
  const page = await (await browser.newContext({ viewport: { width, height } })).newPage();
  const withoutLetters = () =>
    page.addInitScript(() => {
      CanvasRenderingContext2D.prototype.fillText = () => {};
      let embed = null;
      const set = (value) => {
        window.vega.textMetrics.canvas(false); // widths of letters are estimated
        embed = value;
      };
      Object.defineProperty(window, "vegaEmbed", { get: () => embed, set });
    });
  if (!hasLetters) await withoutLetters();
  page.on("pageerror", (error) => problems.push(`${name}: ${error.message}`));
  await page.goto(`file://${resolve(folder, name)}.html`);
  await page.waitForFunction(() => document.documentElement.dataset.state === "drawn", null, { timeout: 120000 });
  if (!hasLetters) {
    await page.evaluate(() => {
      const style = new CSSStyleSheet(); // the policy of the page allows no other
      style.replaceSync("svg text { visibility: hidden }");
      document.adoptedStyleSheets = [style];
    });
  }
  return page;
}

/** A picture at whole pixels, where the height of lines above it has no say. */
async function pictureOf(picture) {
  await picture.evaluate((node) => {
    const { width, height } = node.getBoundingClientRect();
    const place = { position: "fixed", top: 0, left: 0, zIndex: 9, width: `${Math.floor(width)}px`, height: `${Math.floor(height)}px` };
    Object.assign(node.style, place, { background: "var(--paper)", margin: 0 });
  });
  const png = await picture.screenshot();
  await picture.evaluate((node) => (node.style.visibility = "hidden"));
  return png;
}

/** Pictures of docs: a page, and the section at its top. */
const documents = { page: ["campaign", "head"], "profile-page": ["log", "time-line"], "fleet-page": ["fleet", "head"] };
if (option === "--documents") {
  for (const [to, [name, at]] of Object.entries(documents)) {
    const page = await opened(name, 1000, 1010, true);
    await page.evaluate((id) => id === "head" || document.getElementById(id).scrollIntoView(), at);
    await page.screenshot({ path: new URL(`../../docs/${to}.png`, import.meta.url).pathname });
  }
  await browser.close();
  process.exit(0);
}

for (const name of readdirSync(folder).filter((one) => one.endsWith(".html"))) {
  for (const width of widths) {
    const page = await opened(name.slice(0, -5), width);
    for (const picture of await page.locator(".plot, .drawing canvas").all()) {
      const id = await picture.evaluate((node) => {
        const place = [...node.parentElement.children].indexOf(node);
        return node.dataset.plot ?? `${node.closest(".drawing").dataset.plot}-${place}`;
      });
      const key = `${name.slice(0, -5)} ${id} ${width}`;
      const png = await pictureOf(picture);
      found[key] = await gridOf(png);
      const distance = option === "--update" ? 0 : known[key] ? distanceOf(known[key], found[key]) : 1;
      if (distance <= tolerance) continue;
      problems.push(`${key}: ${known[key] ? `differs by ${distance.toFixed(4)}, more than ${tolerance}` : "is not in pictures.json"}`);
      writeFileSync(resolve(folder, key.replaceAll(" ", "-") + ".png"), png);
    }
    await page.context().close();
  }
}
problems.push(
  ...Object.keys(known)
    .filter((key) => !(key in found))
    .map((key) => `${key}: is in pictures.json and on no page`),
);

/** What changes a chart, and must be seen. */
const changes = {
  "without its marks": (node) => node.querySelectorAll(".rows_marks").forEach((one) => one.remove()),
  "with other colours": (node) =>
    node.querySelectorAll("svg [fill^='var'], svg [stroke^='var']").forEach((one) => one.setAttribute("fill", "var(--series-2)")),
  moved: (node) => node.querySelectorAll(".rows_marks").forEach((one) => one.setAttribute("transform", "translate(0, 25)")),
};
for (const [what, change] of Object.entries(changes)) {
  for (const width of widths) {
    const page = await opened("campaign", width);
    const picture = page.locator("#time .plot");
    await picture.evaluate(change);
    const distance = distanceOf(await gridOf(await pictureOf(picture)), found[`campaign time ${width}`]);
    if (distance <= tolerance) problems.push(`a chart ${what} differs by ${distance.toFixed(4)} only at ${width} px`);
    if (process.env.SHOW) console.log(what, width, distance);
    await page.context().close();
  }
}
await browser.close();

if (option === "--update") {
  const lines = Object.entries(found).map(([key, grid]) => `${JSON.stringify(key)}: "${grid}"`);
  writeFileSync(file, `{\n${lines.join(",\n")}\n}\n`);
}
for (const problem of problems) console.log(problem);
console.log(`${Object.keys(found).length} pictures`);
process.exit(problems.length > 0 ? 1 : 0);
