#include "fingerprints/asked.hpp"

#include "settings/asked_number.hpp"
#include "settings/collective_variable.hpp"

namespace hockney {
namespace {

bool is_own_way(const std::string& value) {
  return value.empty() || value == "0" || value == "ignore" || value == "auto" || value == "-1";
}

/// Intel MPI's presets have numbers only; "preset 8" cannot be taken for another library's name.
std::string name_of(const AskedAlgorithm& asked) {
  if (asked.name == library_choice) return "algorithm-" + asked.value;
  if (asked.name) return *asked.name;
  const bool preset = asked.variable.starts_with("I_MPI_") && asked_number(asked.value);
  return preset ? "preset " + asked.value : asked.value;
}

void add(AskedWay& way, const CollectiveVariable& variable, const AskedAlgorithm& asked) {
  const auto number = asked_number(asked.value);
  switch (variable.role) {
    case CollectiveRole::algorithm:
      if (!is_own_way(asked.value) && !is_own_way(name_of(asked))) way.algorithm = name_of(asked);
      break;
    case CollectiveRole::segment:
      if (number) way.segment = Bytes{*number};
      break;
    case CollectiveRole::fanout:
      if (number && variable.companion_of == "chain") way.chains = static_cast<int>(*number);
      if (number && variable.companion_of == "knomial") way.radix = static_cast<int>(*number);
      break;
    case CollectiveRole::requests:
    case CollectiveRole::other:
      break;
  }
}

}  // namespace

AskedWay asked_way(const std::string& operation, const std::vector<AskedAlgorithm>& asked,
                   const std::vector<std::string>& launcher_arguments) {
  AskedWay way;
  for (const AskedAlgorithm& each : asked) {
    const auto variable = collective_variable(each.variable);
    if (variable && variable->operation == operation) add(way, *variable, each);
  }
  for (const std::string& argument : launcher_arguments) {
    const auto choice = simulated_choice(argument);
    if (choice && choice->operation == operation) way.algorithm = choice->algorithm;
  }
  return way;
}

}  // namespace hockney
