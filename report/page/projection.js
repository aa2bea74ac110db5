// hockney.projection: what would change the time of a program.
import { columnsOf, figureTile, kind } from "./kit.js";
import { change, isKnown, seconds, share } from "./format.js";
import { colourBy, roomForNumbers } from "./plots.js";
import { dotPlot } from "./marks.js";

const effects = {
  faster: ["good", "triangle-left"],
  "no change": ["open", "circle"],
  slower: ["bad", "triangle-right"],
  "cannot tell": ["soft", "square"],
};

const fasterFirst = (all) =>
  all.answers.filter((one) => one.effect === "faster" && isKnown(one.seconds)).sort((a, b) => a.seconds - b.seconds);

function answersPlot(all, rows) {
  const found = Object.keys(effects).filter((effect) => rows.some((row) => row.effect === effect));
  const channel = (range) => ({ ...colourBy("effect", found, range), legend: { title: null } });
  const color = channel(found.map((effect) => `var(--${effects[effect][0]})`));
  const longest = Math.max(all.measured_seconds, ...rows.map((row) => row.high ?? row.seconds));
  const numbers = (x, y) => ({
    transform: [{ calculate: "max(datum.seconds, isValid(datum.high) ? datum.high : 0)", as: "end" }],
    mark: { type: "text", align: "left", dx: 8 },
    encoding: { y, x: { ...x, field: "end" }, text: { field: "words", type: "nominal" } },
  });
  return dotPlot({
    ...{ rows, name: "question", key: "seconds", title: "time of the program", unit: "seconds", log: false, base: all.measured_seconds },
    channels: { color, shape: channel(found.map((effect) => effects[effect][1])) },
    ...{ axis: { labelLimit: 260 }, step: 34, domain: [0, (roomForNumbers() + 0.1) * longest] },
    more: (x, y) => [numbers(x, y)],
  });
}

kind("hockney.projection", {
  tiles: (all) => {
    const [best] = fasterFirst(all);
    return [
      figureTile("Measured", all.measured_seconds, "seconds", { mark: `${all.ranks} ranks, one launch` }),
      figureTile("Replay on measured costs", all.model_seconds, "seconds", { mark: `${change(all.model_error)} against the run` }),
      figureTile("On a network without costs", all.ideal_seconds, "seconds", {
        mark: change(all.ideal_seconds / all.measured_seconds - 1),
      }),
      best &&
        figureTile("Largest gain", best.seconds, "seconds", {
          interval: [best.range_seconds.low, best.range_seconds.high],
          mark: best.question,
          at: "answers",
        }),
    ];
  },
  findings: (all) =>
    fasterFirst(all).map((one) => ({
      what: `${one.question}: ${seconds(one.seconds)} (${seconds(one.range_seconds.low)} .. ${seconds(one.range_seconds.high)})`,
      share: 1 - one.seconds / all.measured_seconds,
      at: "answers",
    })),
  sections: (all) => {
    const columns = columnsOf(
      "question: what if; seconds: time [seconds] range_seconds; change: against the run [change]; effect; cannot_tell_because: why not",
    );
    const told = (one) => ({ ...one, change: one.seconds / all.measured_seconds - 1 });
    const answers = all.answers.filter((one) => isKnown(one.seconds)).map(told);
    return [
      {
        id: "answers",
        title: "What if",
        caption: `Points: predicted times; lines: their ranges. Dashed: the measured run, ${seconds(all.measured_seconds)}. The replay of the run itself errs by ${share(Math.abs(all.model_error))}.`,
        columns,
        rows: answers.map((row) => ({ ...row, words: `${seconds(row.seconds)}, ${change(row.change)}` })),
        spec: (rows) => answersPlot(all, rows),
      },
      {
        id: "not-known",
        title: "Not predicted",
        caption: "Questions without an answer, and why.",
        columns: [columns[0], columns[4]],
        rows: all.answers.filter((one) => !isKnown(one.seconds)),
      },
    ];
  },
});
