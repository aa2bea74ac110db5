#include "application/projection/kernel_prediction.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.hpp"
#include "core/launch_medians.hpp"
#include "core/quantities.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"

namespace hockney::projection {
namespace {

std::vector<int> numbers_in(const std::string& text) {
  std::vector<int> numbers;
  for (const std::string& part : split(text, 'x')) {
    numbers.push_back(as_number<int>(part).value_or(0));
  }
  return numbers;
}

/// The kernel of a point that computes alone; nullopt for any other.
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
  std::vector<double> seconds;  // of each launch, over its ways
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
                      "no record has " + std::string(word(setup.kernel)) + " computing alone",
                      "measure it: hockney run " + std::string(word(setup.kernel))});
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
