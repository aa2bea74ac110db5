#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "application/analysis/cpu_use.hpp"
#include "application/analysis/iterations.hpp"
#include "core/text.hpp"

namespace hockney::applications {

// Time lines from a log. Times are seconds since the first rank left MPI_Init, by the hosts'
// clocks.

/// How many ranks do what, against time. Bins have equal lengths.
struct ActivityLine {
  struct Activity {
    std::string name;           ///< "computing", "MPI_Recv", "other MPI", "not scheduled"
    std::vector<double> ranks;  ///< in each bin, mean over its time
  };

  double begin_seconds = 0;
  double bin_seconds = 0;
  std::vector<Activity> activities;  ///< computing first; then MPI functions, most time first

  [[nodiscard]] std::size_t bins() const {
    return activities.empty() ? 0 : activities.front().ranks.size();
  }
};

/// `lost`: time of each rank of the trace without a CPU, or empty. The log does not say when that
/// was: it is an even part of the rank's computing, and of its time in MPI. Functions beyond the
/// `most_functions` longest are "other MPI".
ActivityLine activity_line(const TraceAnalysis& run, std::span<const NotScheduled> lost = {},
                           std::size_t bins = 160, std::size_t most_functions = 3);

/// What a rank does at one time.
enum class Doing : std::uint8_t {
  computing,
  waiting,   ///< in MPI, for a rank that has not sent, received or entered
  messages,  ///< in calls of point-to-point communication
  collectives,
  other  ///< in files, one-sided communication and the rest of MPI
};

constexpr auto words_of(std::type_identity<Doing>) {
  return std::to_array<std::string_view>(
      {"computing", "waiting", "messages", "collectives", "other MPI"});
}

/// One bar of a rank. Times since the begin of its window.
struct LineBar {
  std::size_t row = 0;  ///< index into EventLine::ranks
  Doing doing = Doing::computing;
  profile::Function function = profile::Function::count;  ///< count: outside of MPI
  double begin_seconds = 0;
  double end_seconds = 0;
};

/// A message between two rows. Times since the begin of its window.
struct LineMessage {
  std::size_t from = 0;
  std::size_t to = 0;
  double sent_seconds = 0;      ///< begin of the call that sends
  double received_seconds = 0;  ///< end of the call that completes the receive
  std::int64_t bytes = 0;
};

/// A part of the run.
struct LineWindow {
  std::optional<std::size_t> iteration;  ///< from 0; nullopt: not one iteration
  double begin_seconds = 0;
  double seconds = 0;
  std::vector<LineBar> bars;  ///< by row, then by time
  std::vector<LineMessage> messages;
  /// 0: each call has its own bar. Otherwise bars are made of slots of this length, and each slot
  /// shows what takes most of it [s].
  double slot_seconds = 0;
  std::size_t messages_left_out = 0;
};

/// Rank by time.
struct EventLine {
  std::vector<int> ranks;              ///< world ranks of the rows
  std::vector<LineWindow> windows;     ///< the whole run, then shorter ones in order
  std::size_t opening = 0;             ///< the median iteration; without iterations the middle
  std::optional<std::size_t> slowest;  ///< window of the slowest iteration
};

struct LineLimits {
  std::size_t rows = 16;
  std::size_t windows = 33;
  std::size_t bars = 480;  ///< of a window
  std::size_t messages = 120;
};

/// Windows are the whole run, and iterations: the median one, the slowest, the first, the last and
/// others at even distances. Without iterations they are short parts of the run at even distances.
EventLine event_line(const TraceAnalysis& run, const Iterations& iterations,
                     const LineLimits& limits = {});

/// A run against time.
struct TimeLines {
  Iterations iterations;
  std::optional<ActivityLine> activity{};
  std::optional<EventLine> events{};
};

}  // namespace hockney::applications
