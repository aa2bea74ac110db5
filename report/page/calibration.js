// hockney.calibration: how often the detector of nightly checks errs, and how fast it is.
import { kind } from "./kit.js";
import { plural } from "./format.js";
import { intervals, plot, points, valueAxis } from "./plots.js";

const delayColumns = [
  { key: "change", title: "planted change", unit: "change" },
  { key: "found", title: "found", unit: "share", low: "found_low", high: "found_high" },
  { key: "median_nights", title: "nights until found", unit: "number" },
];

const rateTile = (label, rate) => ({
  label,
  value: rate.per_series_year,
  unit: "number",
  interval: rate.ci,
  mark: `a series and year; ${plural(rate.events, "event")} in ${plural(Math.round(rate.series_years), "year")}`,
});

kind("hockney.calibration", {
  tiles: (calibration) => [
    rateTile("False alarms", calibration.false_alarms),
    rateTile("False improvements", calibration.false_improvements),
    {
      label: "Threshold",
      value: calibration.threshold,
      unit: "number",
      mark: calibration.reached
        ? `keeps ${calibration.wanted_false_alarms_per_series_year} false alarms a series and year`
        : "does not keep the wanted rate",
    },
    {
      label: "Noise",
      value: calibration.noise,
      unit: "share",
      mark: `median of ${calibration.series} series, ${calibration.series_too_short} too short`,
    },
  ],
  sections: (calibration) => {
    const rows = calibration.delays.map((one) => ({ ...one, found_low: one.found_ci?.[0], found_high: one.found_ci?.[1] }));
    const x = { ...valueAxis("change", "planted change", "share", { log: false, axis: "x" }), scale: { zero: true, padding: 14 } };
    const y = valueAxis("found", `found within ${plural(calibration.within_nights, "night")}`, "share", { log: false, domain: [0, 1.05] });
    return [
      {
        id: "delays",
        title: "Changes found in time",
        headline: rows
          .filter((row) => row.median_nights)
          .map((row) => `+${Math.round(100 * row.change)} % after ${plural(row.median_nights, "night")}`)
          .join(", "),
        caption:
          "Points: share of planted changes that the detector finds in time, with its interval. Blocks of this history's own nights are the noise.",
        columns: delayColumns,
        rows,
        spec: plot({
          height: 280,
          layer: [intervals(x, y, "found_low", "found_high"), points(x, y, { color: { value: "var(--series-1)" } }, 70)],
        }),
      },
    ];
  },
});
