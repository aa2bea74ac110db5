#include "components/application/projection/kernel_prediction.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "components/application/analysis/rank_orders.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/samples.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"

namespace hockney::projection {
namespace {

using models::Program;
using models::ProgramStep;
using Does = ProgramStep::Does;
using Needs = ProgramStep::Needs;

constexpr std::int64_t value_bytes = 8;

/// Points in one of `parts` parts of a line; sizes differ by one if the division has a remainder.
std::int64_t part_of_line(int points, int parts, int index) {
  return points / parts + (index < points % parts ? 1 : 0);
}

int ranks_in(const std::vector<int>& grid) { return applications::RankGrid{.sizes = grid}.ranks(); }

/// Place of a rank in the grid, and the rank of a place.
std::vector<int> place_in(const std::vector<int>& grid, int rank) {
  return applications::RankGrid{.sizes = grid}.place_of(rank);
}

int rank_at(const std::vector<int>& grid, const std::vector<int>& place) {
  int rank = 0;
  for (std::size_t k = 0; k < grid.size(); ++k) rank = rank * grid[k] + place[k];
  return rank;
}

std::int64_t points_of_block(const KernelSetup& setup, const std::vector<int>& place) {
  std::int64_t points = 1;
  for (std::size_t k = 0; k < place.size(); ++k) {
    points *= part_of_line(setup.extents[k], setup.grid[k], place[k]);
  }
  return points;
}

/// One message of an exchange, from the sender.
struct ExchangeMessage {
  int to = 0;
  std::int64_t bytes = 0;
};

/// Each side of a block is sent to the neighbour beyond it.
std::vector<ExchangeMessage> halo_messages(const KernelSetup& setup, int rank) {
  const std::vector<int> place = place_in(setup.grid, rank);
  std::vector<ExchangeMessage> messages;
  for (std::size_t k = 0; k < place.size(); ++k) {
    const std::int64_t side =
        points_of_block(setup, place) / part_of_line(setup.extents[k], setup.grid[k], place[k]);
    for (const int step : {-1, 1}) {
      std::vector<int> other = place;
      other[k] += step;
      if (other[k] < 0 || other[k] >= setup.grid[k]) continue;
      messages.push_back({rank_at(setup.grid, other), side * value_bytes});
    }
  }
  return messages;
}

/// One block to the left and one upwards; both wrap around.
std::vector<ExchangeMessage> cannon_messages(const KernelSetup& setup, int rank) {
  const int side = setup.grid[0];
  const std::vector<int> place = place_in(setup.grid, rank);
  const std::int64_t rows = setup.extents[0] / side;
  const int left = rank_at(setup.grid, {place[0], (place[1] + side - 1) % side});
  const int up = rank_at(setup.grid, {(place[0] + side - 1) % side, place[1]});
  return {{left, rows * rows * value_bytes}, {up, rows * rows * value_bytes}};
}

class KernelProgram {
 public:
  explicit KernelProgram(const KernelSetup& setup) : setup_(setup) {
    const auto ranks = static_cast<std::size_t>(ranks_in(setup.grid));
    program_.ranks.resize(ranks);
    program_.tail_seconds.resize(ranks, 0);
  }

  void compute(std::size_t rank, double seconds) { program_.tail_seconds[rank] += seconds; }

  /// All ranks start all of their messages, then wait for them.
  void exchange() {
    std::vector<std::vector<std::uint32_t>> sent(program_.ranks.size());
    std::vector<std::vector<std::uint32_t>> received(program_.ranks.size());
    for (std::size_t rank = 0; rank < program_.ranks.size(); ++rank) {
      const int from = static_cast<int>(rank);
      for (const ExchangeMessage& one : setup_.kernel == Kernel::halo
                                            ? halo_messages(setup_, from)
                                            : cannon_messages(setup_, from)) {
        const auto index = static_cast<std::uint32_t>(program_.messages.size());
        program_.messages.push_back({from, one.to, one.bytes});
        sent[rank].push_back(index);
        received[static_cast<std::size_t>(one.to)].push_back(index);
      }
    }
    for (std::size_t rank = 0; rank < program_.ranks.size(); ++rank) {
      for (const auto index : received[rank]) add(rank, Does::receives, Needs::nothing, index);
      for (const auto index : sent[rank]) add(rank, Does::sends, Needs::nothing, index);
      for (const auto index : received[rank]) add(rank, Does::nothing, Needs::received, index);
      for (const auto index : sent[rank]) add(rank, Does::nothing, Needs::sent, index);
    }
  }

  Program take() { return std::move(program_); }

 private:
  void add(std::size_t rank, Does does, Needs needs, std::uint32_t index) {
    const double computing = std::exchange(program_.tail_seconds[rank], 0);
    const auto event = static_cast<std::uint32_t>(program_.ranks[rank].size());
    program_.ranks[rank].push_back({computing, does, needs, index, event});
  }

  const KernelSetup& setup_;
  Program program_;
};

/// Bytes that an exchange sends over all boundaries between blocks, with 1 B per point.
double boundary_of(const std::vector<int>& extents, const std::vector<int>& grid) {
  double sum = 0;
  for (std::size_t k = 0; k < grid.size(); ++k) {
    double face = 1;
    for (std::size_t other = 0; other < grid.size(); ++other) {
      if (other != k) face *= extents[other];
    }
    sum += face * (grid[k] - 1);
  }
  return sum;
}

/// Tries all factorisations of `ranks` into one factor per dimension.
void try_grids(const std::vector<int>& extents, int ranks, std::vector<int>& begun,
               std::vector<int>& best, double& least) {
  if (begun.size() + 1 == extents.size()) {
    begun.push_back(ranks);
    const bool fits = std::ranges::equal(begun, extents, std::less_equal<>());
    if (const double boundary = boundary_of(extents, begun); fits && boundary < least) {
      least = boundary;
      best = begun;
    }
    begun.pop_back();
    return;
  }
  for (int factor = 1; factor <= ranks; ++factor) {
    if (ranks % factor != 0) continue;
    begun.push_back(factor);
    try_grids(extents, ranks / factor, begun, best, least);
    begun.pop_back();
  }
}

/// Work per iteration of the rank that computes most: points of its block, or flops of all products
/// of its blocks.
double units_of(const KernelSetup& setup) {
  if (setup.kernel == Kernel::halo) {
    return static_cast<double>(points_of_block(setup, std::vector<int>(setup.grid.size(), 0)));
  }
  const double rows = std::floor(static_cast<double>(setup.extents[0]) / setup.grid[0]);
  return 2 * rows * rows * rows * setup.grid[0];
}

std::vector<int> numbers_in(const std::string& text) {
  std::vector<int> numbers;
  for (const std::string& part : split(text, 'x')) {
    numbers.push_back(as_number<int>(part).value_or(0));
  }
  return numbers;
}

/// The kernel of a point that was measured with computing only; nullopt for any other.
std::optional<KernelSetup> setup_of(const Point& point, Kernel kernel) {
  const auto parameter = [&](const char* name) {
    const auto found = point.parameters.find(name);
    return found == point.parameters.end() ? std::string() : found->second;
  };
  if (point.operation != word(kernel) || parameter("work") != "alone") return std::nullopt;
  KernelSetup setup{.kernel = kernel,
                    .extents = numbers_in(parameter(kernel == Kernel::halo ? "points" : "matrix")),
                    .grid = numbers_in(parameter("grid"))};
  const bool is_whole = setup.extents.size() == setup.grid.size() &&
                        std::ranges::count(setup.extents, 0) == 0 &&
                        std::ranges::count(setup.grid, 0) == 0;
  return is_whole ? std::optional(setup) : std::nullopt;
}

double replayed_seconds(const KernelSetup& setup, const Machine& machine,
                        const std::vector<std::string>& hosts, Level level,
                        double seconds_per_unit) {
  constexpr int iterations = 10;
  ModelNetwork network(machine, hosts, {.hosts = {}}, level, 1);
  return replay(kernel_program(setup, iterations, seconds_per_unit), network).seconds / iterations;
}

}  // namespace

std::vector<int> usual_grid(Kernel kernel, const std::vector<int>& extents, int ranks) {
  if (kernel == Kernel::cannon) {
    const int side = static_cast<int>(std::lround(std::sqrt(ranks)));
    if (side * side == ranks && side <= extents[0]) return {side, side};
    throw InputError({fmt::format("no grid of {} ranks for Cannon's product", ranks),
                      "it takes a square of them", "ask for 4, 9, 16, ..."});
  }
  std::vector<int> begun;
  std::vector<int> best;
  double least = std::numeric_limits<double>::infinity();
  try_grids(extents, ranks, begun, best, least);
  if (!best.empty()) return best;
  throw InputError({fmt::format("no grid of {} ranks", ranks),
                    join_numbers(extents, "x") + " points do not divide into so many blocks",
                    "ask for fewer"});
}

Program kernel_program(const KernelSetup& setup, int iterations, double seconds_per_unit) {
  KernelProgram program(setup);
  const int ranks = ranks_in(setup.grid);
  const bool is_halo = setup.kernel == Kernel::halo;
  const int steps = is_halo ? 1 : setup.grid[0];  // products of blocks
  for (int i = 0; i < iterations; ++i) {
    for (int step = 0; step < steps; ++step) {
      if (is_halo || step > 0) program.exchange();
      for (int rank = 0; rank < ranks; ++rank) {
        const double units =
            is_halo ? static_cast<double>(points_of_block(setup, place_in(setup.grid, rank)))
                    : units_of(setup) / steps;
        program.compute(static_cast<std::size_t>(rank), units * seconds_per_unit);
      }
    }
  }
  return program.take();
}

std::optional<UnitCost> unit_cost(std::span<const Record> records, Kernel kernel, double units) {
  std::map<double, std::map<std::size_t, std::vector<double>>> found;  // by units, then launch
  const TimedRecords timed = timed_series(records);
  for (const TimedSeries& one : timed.series) {
    if (const auto setup = setup_of(one.series->point, kernel)) {
      const double own = units_of(*setup);
      found[own][one.launch].push_back(one.seconds / own);
    }
  }
  if (found.empty()) return std::nullopt;
  const auto distance = [&](const auto& one) { return std::abs(std::log(one.first / units)); };
  const auto nearest = std::ranges::min_element(found, {}, distance);
  std::vector<double> seconds;  // median of each launch over its variants
  for (const auto& [launch, values] : nearest->second) seconds.push_back(median_of_some(values));
  return UnitCost{.seconds = median_of_some(seconds),
                  .interval_seconds = quantile_interval(seconds),
                  .units = nearest->first,
                  .launches = seconds.size()};
}

KernelPrediction predict_kernel(const KernelSetup& setup, const Machine& machine,
                                const std::vector<std::string>& hosts,
                                std::span<const Record> records) {
  const double units = units_of(setup);
  const auto cost = unit_cost(records, setup.kernel, units);
  if (!cost) {
    throw InputError({"what the kernel computes is not known",
                      fmt::format("no record has {} computing alone", word(setup.kernel)),
                      fmt::format("measure it: hockney run {}", word(setup.kernel))});
  }
  const auto at = [&](Level level, double unit) {
    return replayed_seconds(setup, machine, hosts, level, unit);
  };
  const auto interval = cost->interval_seconds.value_or(Interval{cost->seconds, cost->seconds, 0});
  return {.grid = setup.grid,
          .seconds = at(Level::middle, cost->seconds),
          .range = {at(Level::low, interval.low), at(Level::high, interval.high)},
          .computing_seconds = units * cost->seconds,
          .cost = *cost};
}

}  // namespace hockney::projection
