#include "core/algorithm_use.hpp"

#include <algorithm>
#include <array>

#include "core/record.hpp"

namespace hockney {
namespace {

constexpr std::array<std::string_view, 4> parameters_of_timing{"cache", "cadence", "timing",
                                                               "variant"};

/// Memory of the host chooses nothing; for that of a device libraries have algorithms of their own.
bool names_device(std::string_view memory) {
  return memory.find("cuda") != std::string_view::npos ||
         memory.find("rocm") != std::string_view::npos;
}

void raise(std::vector<std::string>& flags, std::string_view flag) {
  if (std::ranges::find(flags, flag) == flags.end()) flags.emplace_back(flag);
}

}  // namespace

std::map<std::string, std::string> choosing_parameters(const Point& point) {
  std::map<std::string, std::string> parameters = point.parameters;
  for (const std::string_view name : parameters_of_timing) parameters.erase(std::string(name));
  const auto memory = parameters.find("memory");
  if (memory != parameters.end() && !names_device(memory->second)) parameters.erase(memory);
  return parameters;
}

const AlgorithmUse* use_of(const Point& point, const std::vector<AlgorithmUse>& uses) {
  const auto found = std::ranges::find_if(uses, [&](const AlgorithmUse& use) {
    return use.operation == point.operation && use.bytes == point.bytes &&
           use.ranks == point.ranks && use.parameters == choosing_parameters(point);
  });
  return found == uses.end() ? nullptr : &*found;
}

void inscribe(Record& record, const std::vector<AlgorithmUse>& uses) {
  record.algorithms = uses;
  for (PlannedPoint& planned : record.points.own()) {
    if (const AlgorithmUse* use = use_of(planned.point, uses)) planned.point.algorithm = use->ran;
  }
  for (Series& series : record.series) {
    const AlgorithmUse* use = use_of(series.point, uses);
    if (use == nullptr) continue;
    series.point.algorithm = use->ran;
    if (use->proof == Proof::ignored) raise(series.flags, algorithm_substituted_flag);
    if (!use->ran) raise(series.flags, algorithm_unproven_flag);
  }
}

}  // namespace hockney
