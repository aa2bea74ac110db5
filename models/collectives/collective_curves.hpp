#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "models/schedules/schedule.hpp"

namespace hockney::collectives {

/// One algorithm of one collective at many sizes and numbers of ranks.
struct Curve {
  std::string operation;                 ///< as models/schedules/schedule.hpp spells it
  std::optional<std::string> algorithm;  ///< canonical; nullopt: the library's choice
  std::optional<std::string> requested;  ///< canonical, or "default"; nullopt: nothing says
  bool proven = false;                   ///< it was shown that the algorithm ran
  std::string setting;                   ///< without the number of ranks, where that was varied
  std::string mpi_library;
  std::vector<schedules::Workload> works;  ///< distinct, ascending in ranks, then bytes
  /// works x launches: median time of one operation [s], > 0. Launches of different numbers of
  /// ranks are different jobs, so rows differ in length.
  std::vector<std::vector<double>> medians_seconds;

  /// The smallest number of launches that any of the works has.
  [[nodiscard]] std::size_t launches() const;
  /// Distinct numbers of ranks, ascending.
  [[nodiscard]] std::vector<int> ranks() const;
};

/// The campaign's setting, without the number of ranks that a sweep varies: a model is over ranks.
std::string setting_without_ranks(const CampaignPlace& place);

/// The collectives of complete records, in order of first appearance. The algorithm is the one that
/// was proven; else the one that was asked for, as `algorithms` of the record or the campaign's
/// axis "algorithm" says; else not known. What the
/// library chose by itself is a curve of its choice as well.
std::vector<Curve> collect_collectives(std::span<const Record> records);

}  // namespace hockney::collectives
