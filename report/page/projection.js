// hockney.projection: what would change the time of a program.
import { columnsOf, kind } from "./kit.js";
import { change, isKnown, seconds, share } from "./format.js";
import { plot, points, roomForNumbers, valueAxis } from "./plots.js";

kind("hockney.projection", {
  tiles: (all) => {
    const told = all.answers.filter((one) => isKnown(one.seconds));
    const best = told.filter((one) => one.effect === "faster").sort((a, b) => a.seconds - b.seconds)[0];
    return [
      { label: "Measured", value: all.measured_seconds, unit: "seconds", mark: `${all.ranks} ranks, one launch` },
      { label: "Replay on measured costs", value: all.model_seconds, unit: "seconds", mark: `${change(all.model_error)} against the run` },
      {
        label: "On a network without costs",
        value: all.ideal_seconds,
        unit: "seconds",
        mark: change(all.ideal_seconds / all.measured_seconds - 1),
      },
      best
        ? {
            label: "Largest gain",
            value: best.seconds,
            unit: "seconds",
            interval: [best.range_seconds.low, best.range_seconds.high],
            mark: best.question,
            at: "answers",
          }
        : null,
    ].filter(Boolean);
  },
  findings: (all) =>
    all.answers
      .filter((one) => one.effect === "faster" && isKnown(one.seconds))
      .sort((a, b) => a.seconds - b.seconds)
      .map((one) => ({
        what: `${one.question}: ${seconds(one.seconds)} (${seconds(one.range_seconds.low)} .. ${seconds(one.range_seconds.high)})`,
        share: 1 - one.seconds / all.measured_seconds,
        at: "answers",
      })),
  sections: (all) => {
    const rows = all.answers.map((one) => ({
      ...one,
      low: one.range_seconds?.low,
      high: one.range_seconds?.high,
      change: isKnown(one.seconds) ? one.seconds / all.measured_seconds - 1 : null,
    }));
    const drawn = rows
      .filter((row) => isKnown(row.seconds))
      .map((row) => ({ ...row, words: `${seconds(row.seconds)}, ${change(row.change)}` }));
    const longest = Math.max(all.measured_seconds, ...drawn.map((row) => row.high ?? row.seconds));
    const x = valueAxis("seconds", "time of the program", "seconds", {
      log: false,
      axis: "x",
      domain: [0, (roomForNumbers() + 0.1) * longest],
    });
    const y = { field: "question", type: "nominal", sort: null, axis: { title: null, labelLimit: 260 } };
    const effects = ["faster", "no change", "slower", "cannot tell"];
    const found = effects.filter((effect) => drawn.some((row) => row.effect === effect));
    const channel = (range) => ({
      field: "effect",
      type: "nominal",
      scale: { domain: found, range: found.map((effect) => range[effects.indexOf(effect)]) },
      legend: { title: null },
    });
    const color = channel(["var(--good)", "var(--open)", "var(--bad)", "var(--soft)"]);
    const shape = channel(["triangle-left", "circle", "triangle-right", "square"]);
    const columns = columnsOf(
      "question: what if; seconds: time [seconds] low..high; change: against the run [change]; effect; cannot_tell_because: why not",
    );
    const asked = rows.filter((row) => !isKnown(row.seconds));
    return [
      drawn.length > 0
        ? {
            id: "answers",
            title: "What if",
            caption: `Points: predicted times; lines: their ranges. Dashed: the measured run, ${seconds(all.measured_seconds)}. The replay of the run itself errs by ${share(Math.abs(all.model_error))}.`,
            columns,
            rows: drawn,
            spec: plot({
              height: 60 + 34 * drawn.length,
              layer: [
                { data: { values: [{ seconds: all.measured_seconds }] }, mark: { type: "rule", strokeDash: [6, 4] }, encoding: { x } },
                {
                  transform: [{ filter: "isValid(datum.low)" }],
                  mark: { type: "rule", strokeWidth: 3 },
                  encoding: { y, x: { ...x, field: "low" }, x2: { field: "high" }, color },
                },
                points(x, y, { color, shape }, 90),
                {
                  transform: [{ calculate: "max(datum.seconds, isValid(datum.high) ? datum.high : 0)", as: "end" }],
                  mark: { type: "text", align: "left", dx: 8 },
                  encoding: { y, x: { ...x, field: "end" }, text: { field: "words", type: "nominal" } },
                },
              ],
            }),
          }
        : null,
      asked.length > 0
        ? {
            id: "not-known",
            title: "Not predicted",
            caption: "Questions without an answer, and why.",
            columns: [columns[0], columns[4]],
            rows: asked,
          }
        : null,
    ];
  },
});
