#include "application/projection/collective_times.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>

#include "core/error.hpp"
#include "models/collectives/prediction.hpp"
#include "models/collectives/replay.hpp"

namespace hockney::projection {
namespace {

using collectives::RankNetwork;

/// "Iallgatherv" to "allgather": blocking or not, with equal blocks or not, the data go the same
/// way.
std::string operation_of(std::string_view function) {
  if (function.ends_with("_init")) function.remove_suffix(std::string_view("_init").size());
  std::string name(function);
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto known = schedules::scheduled_operations();
  const auto is_known = [&] { return std::ranges::find(known, name) != known.end(); };
  if (!is_known() && name.starts_with('i')) name.erase(0, 1);
  if (!is_known() && (name.ends_with('v') || name.ends_with('w'))) name.pop_back();
  return is_known() ? name : "";
}

/// Whether a rank hands over a block for each rank, and models count one block.
bool is_of_blocks(profile::Function function) {
  using profile::Volume;
  const Volume volume = profile::describe(function).at.volume;
  return volume == Volume::block || volume == Volume::scatter || volume == Volume::scatter_list ||
         volume == Volume::all_to_all || volume == Volume::all_to_all_list ||
         volume == Volume::all_to_all_types;
}

struct UsualAlgorithms {
  std::string_view operation;
  std::string_view of_short;
  std::int64_t to_bytes;  ///< of the whole vector
  std::string_view of_long;
};

constexpr std::int64_t any_size = std::numeric_limits<std::int64_t>::max();

constexpr std::array usual_algorithms{
    UsualAlgorithms{"allgather", "bruck", 80 << 10, "ring"},
    UsualAlgorithms{"allreduce", "recursive_doubling", 2 << 10, "rabenseifner"},
    UsualAlgorithms{"alltoall", "modified_bruck", 256, "pairwise"},
    UsualAlgorithms{"barrier", "bruck", any_size, "bruck"},
    UsualAlgorithms{"bcast", "binomial", 12 << 10, "scatter_allgather"},
    UsualAlgorithms{"gather", "binomial", any_size, "binomial"},
    UsualAlgorithms{"reduce", "binomial", 2 << 10, "rabenseifner"},
    UsualAlgorithms{"reduce_scatter", "recursive_halving", 512 << 10, "pairwise"},
    UsualAlgorithms{"reduce_scatter_block", "recursive_halving", 512 << 10, "pairwise"},
    UsualAlgorithms{"scan", "recursive_doubling", any_size, "recursive_doubling"},
    UsualAlgorithms{"exscan", "recursive_doubling", any_size, "recursive_doubling"},
    UsualAlgorithms{"scatter", "binomial", any_size, "binomial"}};

/// The fit to an algorithm that was asked for, or with an empty name to the library's own choice;
/// nullptr where nobody measured it.
const collectives::Fit* fit_of(const collectives::Fits& fits, const std::string& operation,
                               const std::string& algorithm, const schedules::Workload& work) {
  const collectives::Fit* found = nullptr;
  for (const collectives::Fit& fit : fits.fits) {
    const collectives::Curve& curve = fit.curve;
    const std::string asked = curve.requested.value_or("default");
    const bool is_own = !curve.algorithm || asked == "default";
    const bool is_it = algorithm.empty() ? is_own : asked == algorithm;
    if (curve.operation != operation || !is_it) continue;
    const auto& segments = fit.model.segments;
    const bool holds = work.bytes >= segments.front().from && work.bytes <= segments.back().to;
    if (holds || found == nullptr) found = &fit;
    if (holds) break;
  }
  return found;
}

std::optional<std::string> forced_for(const CollectiveWork& collective,
                                      const ForcedAlgorithms& forced) {
  const auto found = forced.find(collective.operation);
  return found == forced.end() ? std::nullopt : std::optional(found->second);
}

/// Of the algorithm that is forced, else of the library's own choice.
std::optional<double> fitted_seconds(const CollectiveWork& collective,
                                     const collectives::Fits& fits,
                                     const ForcedAlgorithms& forced) {
  const auto& [operation, work] = collective;
  const collectives::Fit* const fit =
      fit_of(fits, operation, forced_for(collective, forced).value_or(""), work);
  const auto predicted = fit == nullptr ? std::nullopt : predict(*fit, work);
  return predicted ? std::optional(predicted->seconds) : std::nullopt;
}

/// The network of some of its ranks.
RankNetwork part_of(const RankNetwork& network, const std::vector<int>& ranks) {
  std::vector<std::vector<int>> sites(network.costs().size() - 1);
  for (std::size_t level = 0; level < sites.size(); ++level) {
    for (const int rank : ranks) sites[level].push_back(network.site_below(level + 1, rank));
  }
  return {std::move(sites), network.costs()};
}

double replayed_on(const RankNetwork& network, const CollectiveWork& collective,
                   const std::string& algorithm, const std::vector<int>& ranks) {
  const schedules::Schedule schedule =
      schedule_of(collective.operation, algorithm, collective.work);
  return replay(schedule, part_of(network, ranks));
}

}  // namespace

std::optional<CollectiveWork> work_of(const applications::CollectiveCall& call) {
  const std::string operation = operation_of(profile::describe(call.function).name);
  if (operation.empty()) return std::nullopt;
  const auto ranks = static_cast<std::int64_t>(call.ranks.size());
  const std::int64_t bytes = is_of_blocks(call.function) ? call.bytes / ranks : call.bytes;
  return CollectiveWork{operation,
                        {.ranks = static_cast<int>(ranks),
                         .bytes = Bytes{std::max<std::int64_t>(bytes, 0)},
                         .root = std::max(call.root, 0)}};
}

std::string usual_algorithm(const CollectiveWork& collective) {
  const auto* const row =
      std::ranges::find(usual_algorithms, collective.operation, &UsualAlgorithms::operation);
  const bool is_short = collective.work.bytes.value <= row->to_bytes;
  std::string wanted(is_short ? row->of_short : row->of_long);
  const auto fits = [&](const std::string& name) {
    return !unfit(collective.operation, name, collective.work);
  };
  const auto known = schedules::algorithms_of(collective.operation);
  if (std::ranges::find(known, wanted) != known.end() && fits(wanted)) return wanted;
  std::string second(row->of_short);
  if (std::ranges::find(known, second) != known.end() && fits(second)) return second;
  return *std::ranges::find_if(known, fits);
}

std::optional<std::string> scheduled_algorithm(const applications::CollectiveCall& call,
                                               const collectives::Fits& fits,
                                               const ForcedAlgorithms& forced) {
  const auto collective = work_of(call);
  if (!collective || call.ranks.size() < 2 || fitted_seconds(*collective, fits, forced)) {
    return std::nullopt;
  }
  return forced_for(*collective, forced).value_or(usual_algorithm(*collective));
}

double CollectiveTimes::seconds(const applications::CollectiveCall& call) {
  const auto collective = work_of(call);
  if (!collective) {
    unknown_.insert("MPI_" + std::string(profile::describe(call.function).name));
    return 0;
  }
  if (call.ranks.size() < 2) return 0;
  const Key key{collective->operation, collective->work.bytes.value, collective->work.root,
                call.ranks};
  const auto found = known_.find(key);
  if (found != known_.end()) return found->second;
  return known_[key] = uncached(*collective, call.ranks);
}

double CollectiveTimes::uncached(const CollectiveWork& collective, const std::vector<int>& ranks) {
  const auto asked = forced_for(collective, forced_);
  const std::string schedule = asked ? *asked : usual_algorithm(collective);
  const double replayed = replayed_on(network_, collective, schedule, ranks);
  if (const auto fitted = fitted_seconds(collective, fits_, forced_)) {
    return *fitted * replayed / replayed_on(measured_, collective, schedule, ranks);
  }
  if (!asked) replayed_.insert(collective.operation);
  return replayed;
}

}  // namespace hockney::projection
