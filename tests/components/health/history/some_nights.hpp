#pragma once

#include <string>

#include "components/health/history/database.hpp"
#include "components/health/history/night_writer.hpp"
#include "core/quantities.hpp"
#include "tests/support/error_line.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::health {

/// An empty history in a folder of its own.
struct SomeHistory {
  TemporaryFolder folder;
  std::string file = folder.path() + "/history.sqlite";
  HistoryDatabase database{file, HistoryAccess::create};
};

inline SeriesKind latency_kind(const std::string& name = "pingpong/bytes=8/seconds") {
  return {.name = name, .unit = "seconds"};
}

/// A night of the campaign with two series, of which one has an interval, and a pair of nodes.
inline Night some_night(const std::string& day, double seconds = 1e-6,
                        const std::string& campaign = "nightly") {
  const std::int64_t number = parse_day(day);
  return {
      .day = number,
      .campaign = campaign,
      .records = {{.digest = campaign + day + "-1", .file = "/r/" + day + "/1.json"},
                  {.digest = campaign + day + "-2", .file = "/r/" + day + "/2.json"}},
      .environments = {{.digest = "env", .facts = {{"host.kernel", "Linux 6.1"}}}},
      .figures = {{.series = latency_kind(campaign + "/bytes=8/seconds"),
                   .value = {.day = number,
                             .value = seconds,
                             .interval = Interval{.low = 0.9 * seconds,
                                                  .high = 1.1 * seconds,
                                                  .level = 0.978515625},
                             .launches = 10,
                             .environment = "env"}},
                  {.series = {.name = campaign + "/bytes=1024/bytes_per_second",
                              .unit = "bytes_per_second",
                              .role = SeriesRole::control,
                              .worse = WorseWhen::smaller},
                   .value = {.day = number,
                             .value = 1 / seconds,
                             .launches = 3,
                             .half_digit = 0.005 / seconds}}},
      .pairs =
          {{.point = campaign + "/bytes=8/seconds",
            .pair = {.a = "hx1", .b = "hx2", .hop = "switch", .seconds = 2e-6, .launches = 10}}},
      .faults = {{.fault = Fault::wrong_data,
                  .points = 2,
                  .launches = 1,
                  .of_launches = 10,
                  .first = "bcast at 8",
                  .detail = ""}},
      .absences = {{.series = campaign + "/bytes=64/seconds", .reason = "SIGSEGV in lib.so"}}};
}

}  // namespace hockney::health
