#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/quantities.hpp"
#include "core/record_file.hpp"
#include "tests/components/health/nights/some_records.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney {

/// Nights of a site that never was, as folders of records: launches of a pingpong between two ranks
/// whose times wobble by a percent in a fixed order.
class NightlySite {
 public:
  static constexpr int launches = 6;

  [[nodiscard]] std::string records() const { return folder_.path() + "/nights"; }
  [[nodiscard]] std::string at(const std::string& name) const {
    return folder_.path() + "/" + name;
  }
  [[nodiscard]] const TemporaryFolder& folder() const { return folder_; }

  /// A night whose pingpongs take `factor` times as long as usual. With `died` its launches leave
  /// out the larger one, for this reason.
  void add_night(std::int64_t day, double factor, const std::string& library = "Open MPI v4.1.4",
                 const std::string& died = "") {
    const double wobble = wobbles[static_cast<std::size_t>(nights_++) % wobbles.size()];
    for (int launch = 1; launch <= launches; ++launch) {
      Record record = health::nightly_launch("default", launch);
      record.started_utc = day_text(day) + "T03:00:00Z";
      record.provenance.mpi.library = library;
      const double of_launch = 1 + 0.001 * (launch - 3.5);
      for (const std::int64_t bytes : {8, 1024}) {
        if (bytes > 8 && !died.empty()) {
          add_skipped(record, health::hop_point("pingpong", bytes), died);
          continue;
        }
        add_measured(record, health::hop_point("pingpong", bytes),
                     1e-6 * wobble * of_launch * factor);
      }
      add_measured(record, health::hop_point("floor-memcpy", 64), 1e-8 * of_launch / wobble);
      save(record, day_text(day), launch);
    }
  }

  /// What is slow: all pairs of a node, or one link.
  struct Slow {
    int node = -1;
    int a = -1;
    int b = -1;

    [[nodiscard]] bool holds(int first, int second) const {
      return first == node || second == node || (first == a && second == b);
    }
  };

  /// One launch on `hosts` nodes, each pair of which exchanges messages; what is slow takes
  /// `factor` times as long.
  void add_fleet_night(std::int64_t day, int hosts, const Slow& slow, double factor) {
    Record record = health::nightly_launch("default", 1);
    record.started_utc = day_text(day) + "T03:00:00Z";
    for (int host = 0; host < hosts; ++host) {
      record.ranks.push_back({.rank = host, .host = "hx" + std::to_string(host)});
    }
    for (int a = 0; a < hosts; ++a) {
      for (int b = a + 1; b < hosts; ++b) {
        Point point = health::hop_point("pingpong", 8);
        point.hop = "switch";
        point.pair = {a, b};
        const double wobble = wobbles[static_cast<std::size_t>(7 * a + 3 * b) % wobbles.size()];
        add_measured(record, point, 1e-6 * wobble * (slow.holds(a, b) ? factor : 1));
      }
    }
    save(record, "fleet-" + day_text(day), 1);
  }

 private:
  static constexpr std::array wobbles{1.0,   1.010, 0.992, 1.004, 0.988,
                                      1.007, 0.997, 1.011, 0.994, 1.002};

  void save(const Record& record, const std::string& night, int launch) const {
    const std::string folder = records() + "/" + night + "/records";
    std::filesystem::create_directories(folder);
    save_record(record, folder + "/" + std::to_string(launch) + ".json");
  }

  TemporaryFolder folder_;
  int nights_ = 0;
};

}  // namespace hockney
