#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "application/analysis/eager.hpp"
#include "application/analysis/happens_before.hpp"

namespace hockney::applications {

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

}  // namespace hockney::applications
