// Opens a page with time lines in headless Chromium, zooms, drags and clicks, and says whether each does what it should:
//   node tests/page/timeline.mjs PAGE [FRAMES [PNG]]
// Prints the frames a second while it pans and zooms; with FRAMES, fewer are a fault. PNG becomes a picture of a chain of waits. Exit code 1 when anything is wrong.
import { createRequire } from "node:module";
import { resolve } from "node:path";

const require = createRequire(resolve(process.env.HOCKNEY_NODE_FOLDER ?? ".", "package.json"));
const { chromium } = require("playwright-core");

const [file, least = "0", picture] = process.argv.slice(2);
const problems = [];
const check = (isRight, what) => isRight || problems.push(what);

const browser = await chromium.launch({
  executablePath: process.env.HOCKNEY_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
page.on("console", (message) => problems.push(`console: ${message.text()}`));
await page.goto(`file://${resolve(file)}`);
await page.waitForFunction(() => document.documentElement.dataset.state === "drawn", null, { timeout: 120000 });

const canvas = page.locator("#time-line canvas").nth(1);
await canvas.scrollIntoViewIfNeeded();

/** What is seen, after the next frame. */
async function sight() {
  await page.evaluate(() => new Promise((resolve_) => requestAnimationFrame(() => requestAnimationFrame(resolve_))));
  const { from, to, calls, messages } = await canvas.evaluate((node) => ({ ...node.dataset }));
  return { from: Number(from), to: Number(to), span: to - from, calls, messages: Number(messages) };
}

async function atPart(x, y) {
  const box = await canvas.boundingBox();
  return { x: box.x + x, y: box.y + y, width: box.width, height: box.height };
}

async function wheelZoomsAtThePointer() {
  const before = await sight();
  const { gutter, width } = await canvas.evaluate((node) => ({ gutter: Number(node.dataset.gutter), width: node.clientWidth }));
  const x = gutter + 0.25 * (width - gutter);
  const at = await atPart(x, 60);
  await page.mouse.move(at.x, at.y);
  await page.mouse.wheel(0, -300);
  const after = await sight();
  check(Math.abs(after.span / before.span - Math.exp(-1)) < 0.01, `wheel: the span is ${after.span / before.span} of that before`);
  const timeAt = ({ from, span }) => from + 0.25 * span;
  check(Math.abs(timeAt(after) - timeAt(before)) < 0.01 * after.span, "wheel: the time at the pointer moved");
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x - 40, at.y, { steps: 4 });
  await page.mouse.up();
  const moved = await sight();
  const wanted = (40 / (width - gutter)) * after.span;
  check(Math.abs(moved.from - after.from - wanted) < 0.02 * after.span, `drag: moved by ${moved.from - after.from} ns, not ${wanted}`);
}

async function keysMove() {
  await canvas.focus();
  await page.keyboard.press("Home");
  const whole = await sight();
  check(whole.from === 0, "Home: the view does not begin with the run");
  await page.keyboard.press("+");
  check(Math.abs((await sight()).span - whole.span / 2) < 2, "+: the span is not half");
  const before = await sight();
  await page.keyboard.press("ArrowRight");
  check(Math.abs((await sight()).from - before.from - 0.2 * before.span) < 2, "right arrow: not a fifth of the span");
  await page.keyboard.press("-");
  check(Math.abs((await sight()).span - whole.span) < 2, "-: the span is not as before");
}

async function rowsZoom() {
  const shown = () => page.locator("#time-line .count").first().innerText();
  await canvas.focus();
  await page.keyboard.press("Shift+ArrowUp");
  await sight();
  check(/, 2 of 4 ranks/.test(await shown()), `shift and up: ${await shown()}`);
  const begin = await canvas.evaluate((node) => node.toDataURL());
  await page.keyboard.press("ArrowDown");
  await sight();
  check((await canvas.evaluate((node) => node.toDataURL())) !== begin, "down: the same ranks");
  await page.keyboard.press("Shift+ArrowDown");
  await sight();
  check(!/ of 4 ranks/.test(await shown()), "shift and down: not all ranks");
}

async function clickNamesTheCall() {
  const slowest = page.getByRole("button", { name: "Slowest iteration" });
  if ((await slowest.count()) > 0) await slowest.click();
  await canvas.focus();
  await page.keyboard.press(".");
  await sight();
  const panel = page.locator("#time-line .panel");
  check(/MPI_\w+ of rank \d+/.test(await panel.innerText()), "full stop: the panel names no call");
  check(/takes\s+[\d.]+ (s|ms|us|ns)/.test(await panel.innerText()), "the panel does not say how long a call takes");
  // Click through the row until a call waits: its chain must have a step and an origin.
  const box = await canvas.boundingBox();
  for (let x = 120; x < box.width && !(await panel.locator(".chain").count()); x += 24) {
    await page.mouse.click(box.x + x, box.y + 30);
  }
  const chain = await panel.locator(".chain").allInnerTexts();
  check(chain.length === 1 && /waits .* for MPI_\w+ of rank \d+/.test(chain[0]), `no chain of waits in the first row: ${chain}`);
  check(/origin: rank \d+/.test(chain[0] ?? ""), "the chain has no origin");
  const link = panel.locator(".chain button").first();
  if (await link.count()) {
    const wanted = /for (MPI_\w+ of rank \d+)/.exec(chain[0])[1];
    await link.click();
    await sight();
    check((await panel.innerText()).startsWith(wanted), `'show' leads to '${(await panel.innerText()).slice(0, 40)}', not to ${wanted}`);
  }
}

async function searchAndSort() {
  const search = page.locator("#time-line input[type=search]").first();
  await search.fill("0-1");
  await sight();
  check(/\b2 (of|ranks)/.test(await page.locator("#time-line .count").first().innerText()), "search: not two ranks");
  await search.fill("");
  await page.locator("#time-line select").selectOption("wait");
  await page.waitForURL(/sort=wait/).catch(() => null);
  check(page.url().includes("sort=wait"), "the order is not in the address");
}

/** Frames a second over two seconds of a movement that never rests: an event for each frame that the browser offers. */
async function speedOf(name, type, init) {
  await canvas.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("+");
  const { each, work } = await canvas.evaluate(
    async (node, [type_, init_]) => {
      const box = node.getBoundingClientRect();
      performance.clearMarks("timeline-frame");
      const begin = performance.now();
      for (let i = 0; performance.now() - begin < 2000; ++i) {
        const place = { clientX: box.x + box.width / 2, clientY: box.y + 100, bubbles: true, cancelable: true };
        node.dispatchEvent(
          new window[type_]({ WheelEvent: "wheel", KeyboardEvent: "keydown" }[type_], { ...place, ...init_[Math.floor(i / 20) % 2] }),
        );
        await new Promise(requestAnimationFrame);
      }
      const marks = performance.getEntriesByName("timeline-frame");
      return {
        each: (1000 * marks.length) / (performance.now() - begin),
        work: marks.reduce((sum, one) => sum + one.detail, 0) / marks.length,
      };
    },
    [type, init],
  );
  console.log(`${name}: ${each.toFixed(0)} frames a second, ${work.toFixed(1)} ms of work each`);
  check(each >= Number(least), `${name}: ${each.toFixed(1)} frames a second`);
}

await wheelZoomsAtThePointer();
await keysMove();
if (Number(/\d+/.exec(await page.locator("#time-line details summary").innerText())[0]) === 4) await rowsZoom();
await clickNamesTheCall();
await searchAndSort();
await speedOf("zoom", "WheelEvent", [{ deltaY: -60 }, { deltaY: 60 }]);
await speedOf("pan", "KeyboardEvent", [{ key: "ArrowRight" }, { key: "ArrowLeft" }]);
if (picture) {
  await clickNamesTheCall();
  await page.locator("#time-line").screenshot({ path: picture });
}
await browser.close();
for (const problem of problems) console.log(problem);
process.exit(problems.length > 0 ? 1 : 0);
