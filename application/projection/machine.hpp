#pragma once

#include <compare>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "application/analysis/replay.hpp"
#include "application/analysis/waits.hpp"
#include "core/site_file.hpp"
#include "models/collectives/collective_fit.hpp"
#include "models/collectives/measured_network.hpp"
#include "models/collectives/replay.hpp"
#include "models/fit_set.hpp"

namespace hockney::projection {

/// A collective as models know it.
struct CollectiveWork {
  std::string operation;  ///< as models/schedules/schedule.hpp spells it
  schedules::Workload work;

  friend bool operator==(const CollectiveWork&, const CollectiveWork&) = default;
};

/// What a call of a program asks for; nullopt where no schedule is known for it, as for the making
/// of communicators.
std::optional<CollectiveWork> work_of(const applications::CollectiveCall& call);

/// The algorithm that libraries choose by the literature (Thakur, Rabenseifner, Gropp 2005) where
/// nobody has measured what this one does: one for short messages, one for long ones.
std::string usual_algorithm(const CollectiveWork& collective);

/// Algorithms that a user forces, by operation.
using ForcedAlgorithms = std::map<std::string, std::string>;

/// The algorithm whose schedule tells what a call takes; nullopt where a fit does, or nothing.
std::optional<std::string> scheduled_algorithm(const applications::CollectiveCall& call,
                                               const collectives::Fits& fits,
                                               const ForcedAlgorithms& forced);

/// What collectives of a program take, in this order: by the fit to the library's own choice as it
/// was measured, by the fit to a forced algorithm, by a replay of a schedule on the network.
class CollectiveTimes {
 public:
  /// `measured` is the network of the fits, `network` the one that is asked for; times of fits are
  /// changed by the ratio of the replays on both. All must outlive this.
  CollectiveTimes(const collectives::Fits& fits, const collectives::RankNetwork& measured,
                  const collectives::RankNetwork& network, ForcedAlgorithms forced)
      : fits_(fits), measured_(measured), network_(network), forced_(std::move(forced)) {}

  /// Once all ranks have come [s]. InputError for a forced algorithm that is unfit for the work.
  double seconds(const applications::CollectiveCall& call);

  /// Operations whose times are replays of `usual_algorithm`, none of them measured.
  [[nodiscard]] const std::set<std::string>& replayed() const { return replayed_; }
  /// Functions that are taken to cost nothing.
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

/// Which end a parameter is taken from: of its interval over launches, widened by the error of the
/// fit.
enum class Level { low, middle, high };

/// How long processors are busy with a message, as hockney-protocol found it for small ones.
struct Overheads {
  models::Fit send;
  models::Fit receive;
};

/// One of them for a message of a hop class, at most all that the message takes; beyond the sizes
/// measured its share of that stays as it was [s].
double overhead_seconds(const models::Fit& overhead, const collectives::HopCost& cost,
                        std::int64_t bytes);

/// Which of the records count, and for whom.
struct Selection {
  std::vector<std::string> hosts;      ///< that ranks of the program are, or may be, on
  std::optional<std::string> setting;  ///< of a campaign; nullopt: the only one
  std::string mpi_library;             ///< of the program: its ping-pongs count where there are any
  std::map<std::string, std::string> environment{};  ///< of the program: its eager limits
};

/// A machine as microbenchmarks found it: what messages of each hop class cost, how far they go
/// without a receive, and what collectives take.
class Machine {
 public:
  /// `records` with the hop classes of `sites` (name_network_hops); without a site file nodes are
  /// equally far apart. InputError where no ping-pong was measured, or several settings were.
  Machine(std::span<const Record> records, const std::optional<SiteFile>& sites,
          const Selection& selection);

  /// Of ranks on these hosts. InputError naming a hop class between them that was not measured.
  [[nodiscard]] collectives::RankNetwork network(const std::vector<std::string>& hosts,
                                                 Level level) const;

  /// nullptr where hockney-protocol measured none in a node, or between nodes.
  [[nodiscard]] const Overheads* overheads(applications::Reach reach) const;

  /// Those that hockney-protocol found, or the program's environment asks for; the largest there
  /// are where it found none.
  [[nodiscard]] const applications::SendLimits& limits() const { return limits_; }
  [[nodiscard]] const std::vector<applications::EagerLimits>& found_limits() const {
    return found_limits_;
  }
  /// Whether it found one of each reach that occurs between these hosts.
  [[nodiscard]] bool knows_limits(const std::vector<std::string>& hosts) const;

  [[nodiscard]] const collectives::Fits& collectives() const { return collectives_; }

  /// Whether the parameters have intervals: enough launches of every class.
  [[nodiscard]] bool has_intervals() const { return has_intervals_; }

  /// What speaks against it, in a sentence each.
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
