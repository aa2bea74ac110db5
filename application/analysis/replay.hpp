#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "application/analysis/trace.hpp"
#include "application/analysis/waits.hpp"

namespace hockney::applications {

/// What a rank does at one place of its program, after it has computed.
struct ProgramStep {
  enum class Does : std::uint8_t {
    nothing,
    sends,     ///< message `index`
    receives,  ///< begins to
    enters     ///< collective `index`
  };
  /// What must have happened before the rank goes on.
  enum class Needs : std::uint8_t {
    nothing,
    sent,      ///< message `index`, as far as its sender goes
    received,  ///< message `index`
    left       ///< collective `index`
  };

  double computing_seconds = 0;  ///< since the step before, with I/O
  Does does = Does::nothing;
  Needs needs = Needs::nothing;
  std::uint32_t index = 0;
  std::uint32_t event = 0;  ///< of the rank's trace
};

/// A message of the program.
struct Transfer {
  int from = 0;  ///< places in Trace::ranks
  int to = 0;
  std::int64_t bytes = 0;
  bool is_synchronous = false;  ///< MPI_Ssend and its like: the sender waits in any case
};

struct CollectiveCall {
  profile::Function function = profile::Function::count;
  Waits waits = Waits::for_all;
  int root = -1;           ///< place in `ranks`; -1: none of them
  std::vector<int> ranks;  ///< places in Trace::ranks, in order
  std::int64_t bytes = 0;  ///< the most that one rank hands over
};

/// A program by what MPI's order says of it alone, without any clock but each rank's own: what each
/// rank does and needs, one after the other.
struct HappensBefore {
  std::vector<std::vector<ProgramStep>> ranks;
  std::vector<double> tail_seconds;  ///< computing of each rank after its last step
  std::vector<Transfer> messages;
  std::vector<CollectiveCall> collectives;
  /// What is not followed, in a sentence each: it costs nothing in a replay and waits for nothing.
  std::vector<std::string> notes;
};

/// What a rank computed since the event before one of its events, with files and with what it did
/// between tests in a row [s].
double computing_with(const RankTrace& rank, std::size_t event);
/// And after its last one.
double computing_after(const RankTrace& rank);

/// InputError for a trace with ranks or calls missing, which has no such order.
void check_whole(const Trace& trace);

/// Of a whole trace.
HappensBefore happens_before(const Trace& trace, const Matching& matching);

/// What moves data in a replay. As it is, a network that costs nothing and takes everything at
/// once: messages are there when they are sent, and no sender waits.
class ReplayNetwork {
 public:
  ReplayNetwork() = default;
  ReplayNetwork(const ReplayNetwork&) = delete;
  ReplayNetwork& operator=(const ReplayNetwork&) = delete;
  ReplayNetwork(ReplayNetwork&&) = delete;
  ReplayNetwork& operator=(ReplayNetwork&&) = delete;
  virtual ~ReplayNetwork() = default;

  /// When a message has arrived that starts at a time [s]. Called in the order of these times.
  virtual double carry(const Transfer& /*message*/, double begin_seconds) { return begin_seconds; }
  [[nodiscard]] virtual SenderWaits waits(const Transfer& message) const {
    return message.is_synchronous ? SenderWaits::for_receive : SenderWaits::for_nobody;
  }
  /// How long a rank is busy with a message that it sends, from the call on [s].
  [[nodiscard]] virtual double sending_seconds(const Transfer& /*message*/) const { return 0; }
  /// What it takes at least to receive one, from the posting of the receive on [s].
  [[nodiscard]] virtual double receiving_seconds(const Transfer& /*message*/) const { return 0; }
  /// What a collective takes once those have come that it waits for [s].
  virtual double collective_seconds(const CollectiveCall& /*call*/) { return 0; }
};

/// Costs nothing; senders wait as the limits say.
class RendezvousNetwork : public ReplayNetwork {
 public:
  /// `nodes`: that of each rank of the trace.
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

/// When and how long the ranks of a program wait.
struct ReplayedTimes {
  double seconds = 0;                ///< until the last rank ends
  std::vector<double> rank_seconds;  ///< until each rank ends
  /// Of each step of each rank, how long the rank waits in it [s].
  std::vector<std::vector<double>> waits;
  std::vector<std::vector<double>> left;  ///< when each step of each rank is done [s]
};

/// The program on a network, by each rank's own computing and MPI's order alone (max-plus).
/// RunError where ranks wait for each other for ever, as they would with that network.
ReplayedTimes replay(const HappensBefore& program, ReplayNetwork& network);

/// The log of one run, and what follows from it alone. Each part is computed when it is first asked
/// for and kept, so that views, splits, projections and exports of one command share it. Not for
/// several threads at once.
class TraceAnalysis {
 public:
  explicit TraceAnalysis(Trace trace) : trace_(std::move(trace)) {}

  [[nodiscard]] const Trace& trace() const { return trace_; }
  [[nodiscard]] const Matching& matching() const;
  /// Of each host, by its name.
  [[nodiscard]] const std::map<std::string, HostClock>& clocks() const;
  /// InputError for a trace with ranks or calls missing.
  [[nodiscard]] const HappensBefore& program() const;

 private:
  Trace trace_;
  mutable std::optional<Matching> matching_;
  mutable std::optional<std::map<std::string, HostClock>> clocks_;
  mutable std::optional<HappensBefore> program_;
};

}  // namespace hockney::applications
