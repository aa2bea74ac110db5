#pragma once

#include <compare>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "components/application/analysis/trace_analysis.hpp"
#include "components/application/analysis/waits.hpp"
#include "core/site_file.hpp"
#include "models/collectives/collective_fit.hpp"
#include "models/collectives/measured_network.hpp"
#include "models/collectives/replay.hpp"
#include "models/fit_set.hpp"

namespace hockney::projection {

/// A collective in the terms of the models.
struct CollectiveWork {
  std::string operation;  ///< spelt as in models/schedules/schedule.hpp
  schedules::Workload work;

  friend bool operator==(const CollectiveWork&, const CollectiveWork&) = default;
};

/// Work of a collective call; nullopt if it has no schedule, such as the making of a communicator.
std::optional<CollectiveWork> work_of(const models::CollectiveCall& call);

/// Algorithms forced by the user, by operation.
using ForcedAlgorithms = std::map<std::string, std::string>;

/// Algorithm whose schedule gives the time of a call; nullopt if a fit gives it, or no model does.
std::optional<std::string> scheduled_algorithm(const models::CollectiveCall& call,
                                               const collectives::Fits& fits,
                                               const ForcedAlgorithms& forced);

/// Durations of a program's collectives. Source: the fit to the forced algorithm, or without one to
/// the library's own choice. Without a fit, a replay of a schedule.
class CollectiveTimes {
 public:
  /// `measured`: network of the fits. `network`: the requested one. Times of fits are scaled by the
  /// ratio of the replays on both. All arguments must outlive this object.
  CollectiveTimes(const collectives::Fits& fits, const collectives::RankNetwork& measured,
                  const collectives::RankNetwork& network, ForcedAlgorithms forced)
      : fits_(fits), measured_(measured), network_(network), forced_(std::move(forced)) {}

  /// Time after the arrival of all ranks [s]. InputError if a forced algorithm cannot do the work.
  double seconds(const models::CollectiveCall& call);

  /// Operations whose times are replays of the usual algorithm, as none was measured.
  [[nodiscard]] const std::set<std::string>& replayed() const { return replayed_; }
  /// Functions without a model; their time is 0.
  [[nodiscard]] const std::set<std::string>& unknown() const { return unknown_; }

 private:
  double uncached(const CollectiveWork& collective, const std::vector<int>& ranks);

  using Key = std::tuple<std::string, std::int64_t, int, std::vector<int>>;

  const collectives::Fits& fits_;
  const collectives::RankNetwork& measured_;
  const collectives::RankNetwork& network_;
  ForcedAlgorithms forced_;
  std::map<Key, double> known_;
  std::set<std::string> replayed_;
  std::set<std::string> unknown_;
};

/// Point of a parameter's range: the fit, or an end of its interval over launches, widened by the
/// error of the fit.
enum class Level { low, middle, high };

/// Processor time per message, measured by hockney-protocol with small messages.
struct Overheads {
  models::Fit send;
  models::Fit receive;
};

/// Selection of records, and facts about the program.
struct Selection {
  std::vector<std::string> hosts;      ///< hosts of the program's ranks, or possible ones
  std::optional<std::string> setting;  ///< of a campaign; nullopt: the only one
  std::string mpi_library;             ///< of the program: its ping-pongs count if there are any
  std::map<std::string, std::string> environment{};  ///< of the program; it may set eager limits
};

/// Measured models of a machine: costs of messages by hop class, eager limits, and times of
/// collectives.
class Machine {
 public:
  /// Uses `records` with the hop classes of `sites` (name_network_hops). Without a site file all
  /// pairs of nodes have equal distance. InputError if there is no ping-pong, or several settings.
  Machine(std::span<const Record> records, const std::optional<SiteFile>& sites,
          const Selection& selection);

  /// Network of ranks on these hosts. InputError with the name of a hop class that was not
  /// measured.
  [[nodiscard]] collectives::RankNetwork network(const std::vector<std::string>& hosts,
                                                 Level level) const;

  /// nullptr if hockney-protocol measured no overheads for this reach.
  [[nodiscard]] const Overheads* overheads(applications::Reach reach) const;

  /// The limits that the program's environment sets, or that hockney-protocol measured. Without
  /// either, the largest int64.
  [[nodiscard]] const applications::SendLimits& limits() const { return limits_; }
  [[nodiscard]] const std::vector<applications::EagerLimits>& found_limits() const {
    return found_limits_;
  }
  /// Whether limits were measured for each reach between these hosts.
  [[nodiscard]] bool knows_limits(const std::vector<std::string>& hosts) const;

  [[nodiscard]] const collectives::Fits& collectives() const { return collectives_; }

  /// Whether all parameters have intervals: every class has enough launches.
  [[nodiscard]] bool has_intervals() const { return has_intervals_; }

  /// Reasons to doubt the models, a sentence each.
  [[nodiscard]] const std::vector<std::string>& doubts() const { return doubts_; }

 private:
  models::FitSet chosen_classes(const models::FitSet& fits, const Selection& selection,
                                const std::vector<std::string>& network_classes);
  void take_overheads(const models::FitSet& fits, const std::vector<std::string>& network_classes);

  std::map<Level, collectives::MeasuredNetwork> networks_;
  std::map<applications::Reach, Overheads> overheads_;
  std::vector<applications::EagerLimits> found_limits_;
  applications::SendLimits limits_;
  collectives::Fits collectives_;
  bool has_intervals_ = true;
  std::vector<std::string> doubts_;
};

/// Changes to the run.
struct WhatIf {
  std::optional<std::int64_t> eager_limit_bytes;
  std::optional<applications::Reach> eager_reach{};  ///< nullopt: both in a node and between nodes
  double latency_divisor = 1;                        ///< divides alpha and overheads
  double bandwidth_factor = 1;                       ///< divides beta
  bool is_free = false;            ///< a network without costs, but with rendezvous
  ForcedAlgorithms algorithms;     ///< added to those that the run forces
  std::vector<std::string> hosts;  ///< of the ranks, in order; empty: unchanged

  friend auto operator<=>(const WhatIf&, const WhatIf&) = default;
};

/// A machine's network for replays of a program. Messages share ports and channels as in
/// models/collectives/replay.hpp. Sending and receiving occupy processors.
class ModelNetwork : public models::ReplayNetwork {
 public:
  /// `hosts`: of the program's ranks. `stretch`: factor on all costs, 1 for the measured ones. The
  /// machine must outlive this object. Errors as in Machine::network().
  ModelNetwork(const Machine& machine, const std::vector<std::string>& hosts, const WhatIf& what_if,
               Level level, double stretch);

  double carry(const models::Message& message, double begin_seconds) override;
  [[nodiscard]] models::SenderWaits waits(const models::Message& message) const override;
  [[nodiscard]] double sending_seconds(const models::Message& message) const override;
  [[nodiscard]] double receiving_seconds(const models::Message& message) const override;
  double collective_seconds(const models::CollectiveCall& call) override;

  [[nodiscard]] const CollectiveTimes& collectives() const { return collectives_; }

 private:
  [[nodiscard]] applications::Reach reach_of(const models::Message& message) const;
  /// Part of the message's time during which one of its ranks is busy [s]. Without measurements it
  /// is half the time of the bytes in a node, where processors copy them, and 0 between nodes.
  [[nodiscard]] double busy_seconds(const models::Message& message,
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
