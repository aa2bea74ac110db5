#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/factor_curve.hpp"
#include "models/replay.hpp"
#include "models/schedules/schedule.hpp"

namespace hockney::collectives {

/// How often each parameter counts in the time of one collective:
/// T = alpha_count alpha + beta_bytes beta + gamma_bytes gamma.
struct Costs {
  double alpha_count = 0;  ///< messages one after the other
  double beta_bytes = 0;   ///< bytes that go over the wire one after the other [B]
  double gamma_bytes = 0;  ///< bytes that are combined one after the other [B]

  friend bool operator==(const Costs&, const Costs&) = default;
};

inline Costs operator+(const Costs& a, const Costs& b) {
  return {a.alpha_count + b.alpha_count, a.beta_bytes + b.beta_bytes,
          a.gamma_bytes + b.gamma_bytes};
}

inline Costs operator*(double times, const Costs& costs) {
  return {times * costs.alpha_count, times * costs.beta_bytes, times * costs.gamma_bytes};
}

/// T(n) = alpha + beta n of messages of at most `to_bytes`.
struct HopSegment {
  std::int64_t to_bytes = 0;         ///< [B]
  double alpha_seconds = 0;          ///< [s]
  double beta_seconds_per_byte = 0;  ///< [s/B]
};

/// What a message costs between ranks of one hop class.
struct HopCost {
  std::string name;                  ///< "same-router"
  std::vector<HopSegment> segments;  ///< ascending, at least one; the last holds beyond its end
  /// Of the channel that all messages between the same two sites share [s/B]; 0: unlimited.
  double channel_seconds_per_byte = 0;
  models::FactorCurve factors = {};  ///< of measured times over those of the segments

  /// Alpha and beta for a message of so many bytes, both times its factor.
  [[nodiscard]] HopSegment segment(std::int64_t bytes) const;
};

/// Ranks in nested sites. Hop class h joins ranks whose sites are the same at level h, but not
/// below. The class after the last level joins all others.
class RankNetwork {
 public:
  /// `sites[level][rank]`, near to far; one cost more than levels. InputError otherwise.
  RankNetwork(std::vector<std::vector<int>> sites, std::vector<HopCost> costs);

  /// All ranks equally far apart.
  static RankNetwork uniform(double alpha_seconds, double beta_seconds_per_byte);

  [[nodiscard]] std::size_t hop(int rank, int other) const;
  [[nodiscard]] const HopCost& cost(std::size_t hop) const { return costs_[hop]; }
  [[nodiscard]] const std::vector<HopCost>& costs() const { return costs_; }
  [[nodiscard]] std::vector<HopCost>& costs() { return costs_; }
  /// The site of a rank just below the level that joins a hop class; the rank itself for the
  /// nearest class.
  [[nodiscard]] int site_below(std::size_t hop, int rank) const;

  /// Sets the extra latency of two sites of level 1 [s]; level 0 is the host.
  void set_offset(int site, int other, double seconds) { offsets_[{site, other}] = seconds; }
  /// The extra latency of two ranks [s]; 0 if none was set.
  [[nodiscard]] double offset_seconds(int rank, int other) const;

 private:
  std::vector<std::vector<int>> sites_;
  std::vector<HopCost> costs_;
  std::map<std::pair<int, int>, double> offsets_;
};

/// The ports of ranks and the channels of sites. Each carries one message after the other. The
/// network must outlive them.
class Ports {
 public:
  explicit Ports(const RankNetwork& network) : network_(network) {}

  /// Arrival time [s] of a message whose ranks are both ready at `at_seconds`. It takes the alpha
  /// and beta of its hop class. Messages are carried in the order of the calls.
  double carry(int from, int to, std::int64_t bytes, double at_seconds);

 private:
  const RankNetwork& network_;
  std::unordered_map<int, double> out_;  ///< when each rank's port is free to send [s]
  std::unordered_map<int, double> in_;   ///< and to receive [s]
  std::map<std::tuple<std::size_t, int, int>, double> channels_;  ///< when each is free [s]
};

/// A network whose messages are all sent by rendezvous, and occupy ports and channels.
class PortNetwork : public models::ReplayNetwork {
 public:
  /// The network must outlive this object.
  explicit PortNetwork(const RankNetwork& network) : ports_(network) {}

  double carry(const models::Message& message, double begin_seconds) override {
    return ports_.carry(message.from, message.to, message.bytes, begin_seconds);
  }
  [[nodiscard]] models::SenderWaits waits(const models::Message& /*message*/) const override {
    return models::SenderWaits::for_receive;
  }

 private:
  Ports ports_;
};

/// The messages of one schedule in a program.
class ScheduledMessages {
 public:
  /// Adds the messages to the program. `ranks`: the program's rank of each of the schedule's. The
  /// k-th send of one rank to another matches the k-th receive between them.
  ScheduledMessages(schedules::Schedule schedule, std::span<const int> ranks,
                    models::Program& program);

  /// Adds the steps of a rank of the schedule, which belong to a call of the program's rank.
  /// Messages of a step start together; all of them end before the next step. `computing`: before
  /// the first step; 0 afterwards [s].
  void add_steps(std::size_t rank, std::uint32_t event, double& computing,
                 std::vector<models::ProgramStep>& steps) const;

 private:
  schedules::Schedule schedule_;
  std::vector<std::vector<std::uint32_t>> messages_;  ///< of each rank, in order of its transfers
};

/// Time from the common start to the end of the last rank on a PortNetwork [s]. A message starts
/// when both its ranks are ready, and takes the alpha and beta of its hop class. RunError if ranks
/// wait for each other for ever.
double replay(const schedules::Schedule& schedule, const RankNetwork& network);

}  // namespace hockney::collectives
