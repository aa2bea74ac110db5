#include "application/advice/changes.hpp"

#include <algorithm>
#include <bit>
#include <set>

#include "core/settings/control_variable.hpp"
#include "core/text.hpp"
#include "application/analysis/mapping.hpp"

namespace hockney::advice {
namespace {

using applications::EagerLimits;

/// The values of a variable, powers of two, that let messages of these sizes through [B].
std::set<std::int64_t> values_for(const std::vector<std::int64_t>& sizes, std::int64_t limit,
                                  std::int64_t header) {
  constexpr std::int64_t most = std::int64_t{4}
                                << 20;  // beyond it, copies cost more than they save
  std::set<std::int64_t> values;
  for (const std::int64_t bytes : sizes) {
    if (bytes <= limit || bytes + header > most) continue;
    values.insert(
        static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(bytes + header))));
  }
  return values;
}

/// Of several that state the limit, the one of eager messages as such has the shortest name.
std::pair<std::string, std::int64_t> stating_variable(const EagerLimits& limits) {
  return *std::ranges::min_element(limits.header_bytes, {},
                                   [](const auto& one) { return one.first.size(); });
}

std::vector<Change> changes_of(const Run& run, const EagerLimits& limits) {
  const std::int64_t in_force = run.machine.limits().of(limits.reach).eager;
  const bool is_stated = !limits.header_bytes.empty();
  const auto [variable, header] =
      is_stated ? stating_variable(limits) : std::pair<std::string, std::int64_t>{"", 0};
  std::vector<Change> changes;
  for (const std::int64_t value :
       values_for(run.projector.message_sizes(limits.reach), in_force, header)) {
    Change change{.words = "eager limit " + std::to_string(value - header) + " B " +
                           std::string(word(limits.reach)),
                  .variables = {},
                  .what_if = {.eager_limit_bytes = value - header, .eager_reach = limits.reach}};
    if (is_stated) {
      change.variables[environment_name({.name = variable})] = std::to_string(value);
    }
    changes.push_back(std::move(change));
  }
  return changes;
}

}  // namespace

std::vector<std::vector<Change>> eager_changes(const Run& run) {
  std::vector<std::vector<Change>> changes;
  for (const EagerLimits& limits : run.machine.found_limits()) {
    changes.push_back(changes_of(run, limits));
  }
  return changes;
}

std::vector<Change> mapping_changes(const Run& run) {
  const applications::Nodes nodes = applications::nodes_of(run.profile);
  if (nodes.size() < 2 || nodes.known < nodes.size()) return {};
  const applications::MappingAdvice found =
      applications::find_mapping(applications::message_matrix(run.profile), nodes);
  if (!found.is_change()) return {};
  Change change{.words = "ranks on nodes: " + found.best.how, .variables = {}, .what_if = {}};
  for (const int node : found.best.of_rank) {
    change.what_if.hosts.push_back(nodes.names[static_cast<std::size_t>(node)]);
  }
  return {change};
}

}  // namespace hockney::advice
