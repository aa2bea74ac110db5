#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "models/applications/eager.hpp"
#include "models/applications/happens_before.hpp"

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
  /// Whether it starts only when its receive was posted.
  [[nodiscard]] virtual bool is_rendezvous(const Transfer& message) const {
    return message.is_synchronous;
  }
  /// How long a rank is busy with a message that it sends, from the call on [s].
  [[nodiscard]] virtual double sending_seconds(const Transfer& /*message*/) const { return 0; }
  /// What it takes at least to receive one, from the posting of the receive on [s].
  [[nodiscard]] virtual double receiving_seconds(const Transfer& /*message*/) const { return 0; }
  /// What a collective takes once those have come that it waits for [s].
  virtual double collective_seconds(const CollectiveCall& /*call*/) { return 0; }
};

/// The largest messages that are sent without waiting for their receive [B].
struct SendLimits {
  std::int64_t in_node = std::numeric_limits<std::int64_t>::max();
  std::int64_t between_nodes = std::numeric_limits<std::int64_t>::max();
};

/// The smallest of each reach.
SendLimits send_limits(std::span<const EagerLimits> limits);

/// Costs nothing; messages above a limit wait for their receive.
class RendezvousNetwork : public ReplayNetwork {
 public:
  /// `nodes`: that of each rank of the trace.
  RendezvousNetwork(const SendLimits& limits, std::vector<int> nodes)
      : limits_(limits), nodes_(std::move(nodes)) {}

  [[nodiscard]] bool is_rendezvous(const Transfer& message) const override {
    const bool is_one_node = nodes_[static_cast<std::size_t>(message.from)] ==
                             nodes_[static_cast<std::size_t>(message.to)];
    return message.is_synchronous ||
           message.bytes > (is_one_node ? limits_.in_node : limits_.between_nodes);
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
};

/// The program on a network, by each rank's own computing and MPI's order alone (max-plus).
/// RunError where ranks wait for each other for ever, as they would with that network.
ReplayedTimes replay(const HappensBefore& program, ReplayNetwork& network);

}  // namespace hockney::applications
