#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "application/analysis/happens_before.hpp"
#include "models/collectives/collective_fit.hpp"
#include "models/collectives/hop_costs.hpp"

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

}  // namespace hockney::projection
