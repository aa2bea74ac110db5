// hockney.calibration: how often the detector of nightly checks errs, and how fast it is.
import { figureTile, kind } from "./kit.js";
import { plural } from "./format.js";
import { intervals, plot, points, valueAxis } from "./plots.js";

const rateTile = (label, rate) =>
  figureTile(label, rate.per_series_year, "number", {
    interval: rate.ci,
    mark: `a series and year; ${plural(rate.events, "event")} in ${plural(Math.round(rate.series_years), "year")}`,
  });

kind("hockney.calibration", {
  tiles: (calibration) => [
    rateTile("False alarms", calibration.false_alarms),
    rateTile("False improvements", calibration.false_improvements),
    figureTile("Threshold", calibration.threshold, "number", {
      mark: calibration.reached
        ? `keeps ${calibration.wanted_false_alarms_per_series_year} false alarms a series and year`
        : "does not keep the wanted rate",
    }),
    figureTile("Noise", calibration.noise, "share", {
      mark: `median of ${calibration.series} series, ${calibration.series_too_short} too short`,
    }),
  ],
  sections: (calibration) => {
    const x = { ...valueAxis("change", "planted change", "share", { log: false, axis: "x" }), scale: { zero: true, padding: 14 } };
    const y = valueAxis("found", `found within ${plural(calibration.within_nights, "night")}`, "share", { log: false, domain: [0, 1.05] });
    const soon = (rows) => rows.filter((row) => row.median_nights);
    return [
      {
        id: "delays",
        title: "Changes found in time",
        headline: (rows) =>
          soon(rows)
            .map((row) => `+${Math.round(100 * row.change)} % after ${plural(row.median_nights, "night")}`)
            .join(", "),
        caption:
          "Points: share of planted changes that the detector finds in time, with its interval. Blocks of this history's own nights are the noise.",
        columns: "change: planted change [change]; found [share] found_ci; median_nights: nights until found [number]",
        rows: calibration.delays,
        spec: plot({ height: 280, layer: [intervals(x, y), points(x, y, { color: { value: "var(--series-1)" } }, 70)] }),
      },
    ];
  },
});
