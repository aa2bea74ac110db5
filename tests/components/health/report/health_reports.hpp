#pragma once

#include <string>

#include "components/health/report/health_report.hpp"
#include "core/quantities.hpp"

namespace hockney::health {

/// A report of 2026-11-22: one series regressed, one is steady, one undecided, one of three nodes
/// is slow, one link stays slow. All numbers are round.
inline Report example_health() {
  const std::int64_t today = parse_day("2026-11-22");
  JudgedSeries regressed{
      .kind = {.name = "pingpong/ranks=2 hop=l3 bytes=8/seconds", .unit = "seconds"},
      .health = {.series = "pingpong/ranks=2 hop=l3 bytes=8/seconds",
                 .verdict = Verdict::regressed,
                 .severity = fleet::Severity::monitor,
                 .nights = 40,
                 .nights_needed = 14,
                 .last_day = today,
                 .change =
                     DatedChange{.since = today - 3,
                                 .since_low = today - 4,
                                 .since_high = today - 2,
                                 .alarmed = today - 1,
                                 .change = 0.1,
                                 .interval = Interval{.low = 0.08, .high = 0.12, .level = 0.95}},
                 .baseline = 1e-6,
                 .noise = 0.02,
                 .controls = {"spin//seconds"}},
      .last = NightlyValue{.day = today,
                           .value = 1.125e-6,
                           .interval = Interval{.low = 1e-6, .high = 1.25e-6, .level = 0.97},
                           .launches = 12,
                           .environment = "b"},
      .environment = {{.day = today - 3,
                       .day_before = today - 4,
                       .facts = {{.fact = "mpi.library", .before = "A \"1\"", .after = "B <2>"}}}},
      .notes = {{.day = today - 4, .text = "MPI updated"}}};
  JudgedSeries steady{
      .kind = {.name = "spin//seconds", .unit = "seconds", .role = SeriesRole::control},
      .health = {.series = "spin//seconds",
                 .role = SeriesRole::control,
                 .verdict = Verdict::steady,
                 .nights = 40,
                 .nights_needed = 14,
                 .last_day = today,
                 .change = {},
                 .baseline = 5e-6,
                 .noise = 0.01},
      .last = NightlyValue{.day = today, .value = 5e-6, .launches = 12},
      .environment = {},
      .notes = {}};
  JudgedSeries undecided{.kind = {.name = "bcast/ranks=4 bytes=8/seconds", .unit = "seconds"},
                         .health = {.series = "bcast/ranks=4 bytes=8/seconds",
                                    .why = UndecidedWhy::short_baseline,
                                    .nights = 5,
                                    .nights_needed = 14,
                                    .last_day = today - 1,
                                    .change = {}},
                         .last = NightlyValue{.day = today - 1, .value = 2e-6, .launches = 3},
                         .environment = {},
                         .notes = {}};
  JudgedFleet fleet{
      .point = "pingpong/ranks=2 bytes=8/seconds",
      .day = today,
      .night = {.nodes = {{.host = "hx2",
                           .effect = 0.25,
                           .interval = Interval{.low = 0.2, .high = 0.3, .level = 0.95},
                           .score = 9,
                           .pairs = 3,
                           .named = true,
                           .severity = fleet::Severity::isolate},
                          {.host = "hx1", .effect = 0, .interval = {}, .score = 0, .pairs = 3}},
                .links = {},
                .suspects = {},
                .pair_sigma = 0.02,
                .cut = 4},
      .links = {
          {.a = "hx1", .b = "hx3", .hop = "switch", .effect = 0.5, .interval = {}, .values = 4}}};
  return {.day = today,
          .checked_utc = "2026-11-22T04:00:00Z",
          .history = "h.sqlite",
          .nights = 40,
          .series = {regressed, steady, undecided},
          .fleets = {fleet}};
}

/// The same without anything that is bad.
inline Report quiet_health() {
  Report report = example_health();
  report.series.erase(report.series.begin());
  report.fleets.clear();
  return report;
}

}  // namespace hockney::health
