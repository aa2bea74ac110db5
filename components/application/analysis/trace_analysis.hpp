#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "components/application/analysis/trace.hpp"
#include "components/application/analysis/waits.hpp"
#include "models/replay.hpp"

namespace hockney::applications {

/// Computing of a rank between the previous event and this one [s]. Includes files, and computing
/// between consecutive tests.
double computing_with(const RankTrace& rank, std::size_t event);
/// Computing after the last event [s].
double computing_after(const RankTrace& rank);

/// Costs nothing; senders wait according to the limits.
class RendezvousNetwork : public models::ReplayNetwork {
 public:
  /// `nodes`: node of each rank of the trace.
  RendezvousNetwork(const SendLimits& limits, std::vector<int> nodes)
      : limits_(limits), nodes_(std::move(nodes)) {}

  [[nodiscard]] models::SenderWaits waits(const models::Message& message) const override {
    const bool is_one_node = nodes_[static_cast<std::size_t>(message.from)] ==
                             nodes_[static_cast<std::size_t>(message.to)];
    const SendLimit& limit = limits_.of(is_one_node ? Reach::in_node : Reach::between_nodes);
    return message.is_synchronous ? models::SenderWaits::for_receive : limit.waits(message.bytes);
  }

 private:
  SendLimits limits_;
  std::vector<int> nodes_;
};

/// The MPI function of a collective in the program of a log.
inline profile::Function function_of(const models::CollectiveCall& call) {
  return static_cast<profile::Function>(call.function);
}

/// The log of one run, and results that follow from it alone. Most are computed on first use
/// and kept, so that views, splits, projections and exports of one command share it. Not
/// thread-safe.
class TraceAnalysis {
 public:
  /// Corrects the rates of the clocks.
  explicit TraceAnalysis(Trace trace)
      : trace_(std::move(trace)),
        matching_(match(trace_)),
        rate_change_(correct_clock_rates(trace_, matching_)) {}

  [[nodiscard]] const Trace& trace() const { return trace_; }
  [[nodiscard]] const Matching& matching() const { return matching_; }
  /// Clock of each host, or of each rank with its own, by its name.
  [[nodiscard]] const std::map<std::string, HostClock>& clocks() const;
  /// Add to times of a rank since its begin to get those of another since that one's begin [s].
  /// nullopt if the error is not known.
  [[nodiscard]] std::optional<double> lead_of(std::size_t rank, std::size_t other) const;
  /// Largest correction of a clock's rate, as a part of it; 0: none.
  [[nodiscard]] double rate_change() const { return rate_change_; }
  /// InputError for a trace with ranks or calls missing.
  [[nodiscard]] const models::Program& program() const;

 private:
  Trace trace_;
  Matching matching_;
  double rate_change_ = 0;
  mutable std::optional<std::map<std::string, HostClock>> clocks_;
  mutable std::optional<models::Program> program_;
};

}  // namespace hockney::applications
