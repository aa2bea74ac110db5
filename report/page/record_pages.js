// The pages of records: hockney.rows alone, below a comparison and below guidelines.
import { choiceOf, kind } from "./kit.js";
import { comparedRows, compareSections, compareTiles } from "./compare.js";
import { guidelineSections, guidelineTiles } from "./guidelines.js";
import { recordChoices, recordFindings, recordSections, recordTiles } from "./records.js";
import { hopName, uniqueOf } from "./results.js";

/** The records that a document was computed from, if the page has them. */
const sectionsBelow = (others, view) =>
  others["hockney.rows"] ? recordSections(others["hockney.rows"], view, { "hockney.fit": others["hockney.fit"] }) : [];

function compareChoices(all, view, others) {
  if (others["hockney.rows"]) return recordChoices(others["hockney.rows"], true);
  const rows = comparedRows(all);
  const values = uniqueOf(rows, (row) => row.setting).length > 1 ? choiceOf(rows, "setting", all.axis ?? "setting") : null;
  return [choiceOf(rows, "operation", "operation"), choiceOf(rows, "hop", "hop class", hopName), values, choiceOf(rows, "ranks", "ranks")];
}

function guidelineChoices(all, view, others) {
  const operations = others["hockney.rows"] ? choiceOf(others["hockney.rows"].rows, "operation", "operation") : null;
  return [
    choiceOf(all.verdicts, "verdict", "verdict"),
    choiceOf(all.verdicts, "setting", "setting"),
    choiceOf(all.verdicts, "ranks", "ranks"),
    operations && { ...operations, every: false },
  ];
}

kind("hockney.rows", { choices: (all) => recordChoices(all), tiles: recordTiles, findings: recordFindings, sections: recordSections });

for (const schema of ["hockney.compare", "hockney.compare-axis"]) {
  kind(schema, {
    choices: compareChoices,
    tiles: compareTiles,
    sections: (all, view, others) => [...compareSections(all, view), ...sectionsBelow(others, view)],
  });
}

kind("hockney.guidelines", {
  choices: guidelineChoices,
  tiles: guidelineTiles,
  sections: (all, view, others) => [...guidelineSections(all, view), ...sectionsBelow(others, view)],
});
