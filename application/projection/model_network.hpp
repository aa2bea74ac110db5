#pragma once

#include <compare>
#include <optional>
#include <string>
#include <vector>

#include "application/projection/collective_times.hpp"
#include "application/projection/machine.hpp"

namespace hockney::projection {

/// What is to be otherwise than it was.
struct WhatIf {
  std::optional<std::int64_t> eager_limit_bytes;
  std::optional<applications::Reach> eager_reach{};  ///< nullopt: in a node and between nodes alike
  double latency_divisor = 1;                        ///< of alpha and of overheads
  double bandwidth_factor = 1;                       ///< 1/beta
  bool is_free = false;            ///< a network that costs nothing, with rendezvous
  ForcedAlgorithms algorithms;     ///< in place of those that were forced already
  std::vector<std::string> hosts;  ///< of the ranks, in order; empty: where they were

  friend auto operator<=>(const WhatIf&, const WhatIf&) = default;
};

/// A machine's network under a program: messages share ports and channels as in
/// models/collectives/replay.hpp, processors are busy with what they send and receive.
class ModelNetwork : public applications::ReplayNetwork {
 public:
  /// `hosts`: where the ranks of the program were. `stretch`: of all costs, 1 as they were
  /// measured. The machine must outlive it. Errors as Machine::network().
  ModelNetwork(const Machine& machine, const std::vector<std::string>& hosts, const WhatIf& what_if,
               Level level, double stretch);

  double carry(const applications::Transfer& message, double begin_seconds) override;
  [[nodiscard]] applications::SenderWaits waits(
      const applications::Transfer& message) const override;
  [[nodiscard]] double sending_seconds(const applications::Transfer& message) const override;
  [[nodiscard]] double receiving_seconds(const applications::Transfer& message) const override;
  double collective_seconds(const applications::CollectiveCall& call) override;

  [[nodiscard]] const CollectiveTimes& collectives() const { return collectives_; }

 private:
  [[nodiscard]] applications::Reach reach_of(const applications::Transfer& message) const;
  /// Of what the message takes, how long one of its ranks is busy; without measurements in a node
  /// half the time of its bytes, since processors copy them there, else nothing [s].
  [[nodiscard]] double busy_seconds(const applications::Transfer& message,
                                    models::Fit Overheads::*side) const;

  collectives::RankNetwork measured_;
  collectives::RankNetwork network_;
  collectives::Ports ports_;
  const Machine& machine_;
  applications::SendLimits limits_;
  bool is_free_ = false;
  CollectiveTimes collectives_;
};

}  // namespace hockney::projection
