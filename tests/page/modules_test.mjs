// The page has all modules as one script: report/page/CMakeLists.txt. node --test tests/page/*_test.mjs
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { Script } from "node:vm";

const folder = new URL("../../report/page/", import.meta.url);
const modules = readdirSync(folder).filter((name) => name.endsWith(".js"));
const textOf = (name) => readFileSync(new URL(name, folder), "utf8");

test("no two modules have a name at their top in common, and all parse as one function", () => {
  const texts = modules.map((name) =>
    textOf(name)
      .replace(/^import [^;]*;/gm, "")
      .replace(/^export /gm, ""),
  );
  new Script(`"use strict"; (() => {\n${texts.join("")}})();`);
  const names = texts.flatMap((text) => [...text.matchAll(/^(?:async )?(?:function|class|const|let) (\w+)/gm)].map(([, name]) => name));
  assert.deepEqual([...new Set(names.filter((name, i) => names.indexOf(name) !== i))], []);
});

test("modules run alone, so that tests need no browser", async () => {
  for (const name of modules.filter((one) => one !== "main.js")) await import(new URL(name, folder));
});
