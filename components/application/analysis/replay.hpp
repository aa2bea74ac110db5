#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "components/application/analysis/trace.hpp"
#include "components/application/analysis/waits.hpp"

namespace hockney::applications {

/// One step of a rank: computing, an action, then a condition it waits for.
struct ProgramStep {
  enum class Does : std::uint8_t {
    nothing,
    sends,     ///< message `index`
    receives,  ///< posts the receive of message `index`
    enters     ///< collective `index`
  };
  /// Condition on which the rank continues.
  enum class Needs : std::uint8_t {
    nothing,
    sent,      ///< message `index`: its sender may continue
    received,  ///< message `index`
    left       ///< collective `index`
  };

  ProgramStep(double computing, Does what, Needs condition, std::uint32_t index_of_both,
              std::size_t event_place)
      : computing_seconds(computing),
        index(index_of_both),
        event(event_place & (most_events - 1U)),
        does(what),
        needs(condition) {}

  static constexpr std::size_t most_events = std::size_t{1} << 28U;  ///< of a rank

  double computing_seconds;  ///< since the previous step, with I/O
  std::uint32_t index;
  std::uint32_t event : 28;  ///< index in the rank's trace
  Does does : 2;
  Needs needs : 2;
};
static_assert(sizeof(ProgramStep) == 16, "there are up to four steps in a call");

/// One message of the program.
struct Transfer {
  int from = 0;  ///< places in Trace::ranks
  int to = 0;
  std::int64_t bytes = 0;
  bool is_synchronous = false;  ///< MPI_Ssend and the like: the sender always waits
};

struct CollectiveCall {
  profile::Function function = profile::Function::count;
  Waits waits = Waits::for_all;
  int root = -1;           ///< place in `ranks`; -1: not among them
  std::vector<int> ranks;  ///< places in Trace::ranks, in order
  std::int64_t bytes = 0;  ///< largest contribution of one rank
};

/// A program by MPI's order alone: the steps of each rank, in order. Only intervals on one rank's
/// own clock are used.
struct HappensBefore {
  std::vector<std::vector<ProgramStep>> ranks;
  std::vector<double> tail_seconds;  ///< computing of each rank after its last step
  std::vector<Transfer> messages;
  std::vector<CollectiveCall> collectives;
  /// Reasons why waits or costs are not replayed, a sentence each.
  std::vector<std::string> notes;
};

/// Computing of a rank between the previous event and this one [s]. Includes files, and computing
/// between consecutive tests.
double computing_with(const RankTrace& rank, std::size_t event);
/// Computing after the last event [s].
double computing_after(const RankTrace& rank);

/// InputError if ranks or calls are missing: such a trace has no complete order.
void check_whole(const Trace& trace);

/// Costs of moving data in a replay. This base class costs nothing: messages arrive when they are
/// sent, and no sender waits.
class ReplayNetwork {
 public:
  ReplayNetwork() = default;
  ReplayNetwork(const ReplayNetwork&) = delete;
  ReplayNetwork& operator=(const ReplayNetwork&) = delete;
  ReplayNetwork(ReplayNetwork&&) = delete;
  ReplayNetwork& operator=(ReplayNetwork&&) = delete;
  virtual ~ReplayNetwork() = default;

  /// Arrival of a message that starts at `begin_seconds` [s]. Called in the order of these times.
  virtual double carry(const Transfer& /*message*/, double begin_seconds) { return begin_seconds; }
  [[nodiscard]] virtual SenderWaits waits(const Transfer& message) const {
    return message.is_synchronous ? SenderWaits::for_receive : SenderWaits::for_no_rank;
  }
  /// Time that a rank is busy with a message it sends, from the call on [s].
  [[nodiscard]] virtual double sending_seconds(const Transfer& /*message*/) const { return 0; }
  /// Least time to receive a message, from the posting of the receive on [s].
  [[nodiscard]] virtual double receiving_seconds(const Transfer& /*message*/) const { return 0; }
  /// Duration of a collective, from the arrival of the ranks it waits for on [s].
  virtual double collective_seconds(const CollectiveCall& /*call*/) { return 0; }
};

/// Costs nothing; senders wait according to the limits.
class RendezvousNetwork : public ReplayNetwork {
 public:
  /// `nodes`: node of each rank of the trace.
  RendezvousNetwork(const SendLimits& limits, std::vector<int> nodes)
      : limits_(limits), nodes_(std::move(nodes)) {}

  [[nodiscard]] SenderWaits waits(const Transfer& message) const override {
    const bool is_one_node = nodes_[static_cast<std::size_t>(message.from)] ==
                             nodes_[static_cast<std::size_t>(message.to)];
    const SendLimit& limit = limits_.of(is_one_node ? Reach::in_node : Reach::between_nodes);
    return message.is_synchronous ? SenderWaits::for_receive : limit.waits(message.bytes);
  }

 private:
  SendLimits limits_;
  std::vector<int> nodes_;
};

/// Waiting times of the ranks of a program.
struct ReplayedTimes {
  double seconds = 0;                     ///< until the last rank ends
  std::vector<double> rank_seconds;       ///< until each rank ends
  std::vector<double> factors;            ///< on the computing of each rank
  std::vector<std::vector<double>> left;  ///< end of each step of each rank [s]

  /// When a rank enters MPI in a step; or when it ends, for the number of its steps [s].
  [[nodiscard]] double entered(const HappensBefore& program, std::size_t rank,
                               std::size_t step) const {
    const auto& steps = program.ranks[rank];
    const double computing =
        step < steps.size() ? steps[step].computing_seconds : program.tail_seconds[rank];
    return (step == 0 ? 0 : left[rank][step - 1]) + factors[rank] * computing;
  }
  /// Waiting time in a step of a rank [s].
  [[nodiscard]] double wait(const HappensBefore& program, std::size_t rank,
                            std::size_t step) const {
    return left[rank][step] - entered(program, rank, step);
  }
};

/// Replays the program on a network, from each rank's computing and MPI's order alone (max-plus).
/// `factors`: on the computing of each rank, or empty.
/// RunError if ranks deadlock on that network.
ReplayedTimes replay(const HappensBefore& program, ReplayNetwork& network,
                     std::span<const double> factors = {});

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
  [[nodiscard]] const HappensBefore& program() const;

 private:
  Trace trace_;
  Matching matching_;
  double rate_change_ = 0;
  mutable std::optional<std::map<std::string, HostClock>> clocks_;
  mutable std::optional<HappensBefore> program_;
};

}  // namespace hockney::applications
