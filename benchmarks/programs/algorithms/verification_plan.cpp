#include "benchmarks/programs/algorithms/verification_plan.hpp"

#include <algorithm>

#include "benchmarks/harness/control_variables.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/memory_kind.hpp"
#include "benchmarks/harness/message.hpp"
#include "benchmarks/harness/rooted_data.hpp"
#include "core/error.hpp"
#include "core/settings/collective_variable.hpp"
#include "core/settings/control_variable.hpp"
#include "core/settings/host_facts.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks::programs {
namespace {

/// Ranks of which nothing is known: where they are chooses no algorithm that we ask for.
JobPlacement anywhere(int ranks) {
  JobPlacement job;
  job.sites.resize(static_cast<std::size_t>(ranks));
  return job;
}

bool is_collective(const Descriptor& descriptor) {
  return descriptor.shape == GroupShape::everybody && descriptor.carrier == Carrier::mpi;
}

std::int64_t element_bytes(const Point& point) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(datatype_of(point).size));
}

/// Its value by the name in the library's list.
std::optional<std::string> name_of(const std::string& value, const ControlVariable* variable) {
  if (variable == nullptr) return std::nullopt;
  const auto number = asked_number(value);
  for (const PermittedValue& choice : variable->choices) {
    if (choice.name == value || (number && choice.number == number)) return choice.name;
  }
  return std::nullopt;
}

}  // namespace

VerificationWorkload plan_verification(const LaunchOptions& options, int ranks) {
  LaunchOptions plain = options;
  plain.choices.clear(cache_parameter);
  plain.choices.clear(memory_parameter);
  plain.choices.clear(timing_parameter);
  plain.choices.clear(variant_parameter);
  plain.choices.clear(cadence_parameter);
  std::erase_if(plain.operations, [](const std::string& name) {
    return !is_collective(find_operation(name).descriptor);
  });
  if (plain.operations.empty()) {
    throw InputError({"no collective among the operations " + join(options.operations),
                      "others have no algorithms to tell", "choose some; see --list"});
  }
  VerificationWorkload plan{.workload = plan_workload(plain, anywhere(ranks))};
  for (const Slot& slot : plan.workload.slots) {
    const auto& group = plan.workload.rounds[slot.round];
    const bool everybody = group.size() == 1 && group.front().ranks.size() == std::size_t(ranks);
    if (everybody) plan.points.insert(plan.points.end(), slot.points.begin(), slot.points.end());
  }
  return plan;
}

std::vector<VerificationPoint> planned_points(const VerificationWorkload& plan) {
  std::vector<VerificationPoint> points;
  for (const std::size_t index : plan.points) {
    const Point& point = plan.workload.points[index].point;
    VerificationPoint planned{.point = recorded(point)};
    planned.root = root_of(point);
    planned.element_bytes = element_bytes(point);
    points.push_back(std::move(planned));
  }
  return points;
}

std::vector<AskedAlgorithm> requested_algorithms() {
  const std::vector<ControlVariable> known = control_variables();
  std::vector<AskedAlgorithm> requested;
  for (const auto& [variable, value] : steering_environment()) {
    if (!collective_variable(variable)) continue;
    requested.push_back({variable, value, name_of(value, find_variable(known, variable))});
  }
  return requested;
}

}  // namespace hockney::benchmarks::programs
