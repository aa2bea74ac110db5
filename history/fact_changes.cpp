#include "history/fact_changes.hpp"

#include <set>

namespace hockney {

std::vector<FactChange> changed_facts(const Environment& before, const Environment& after) {
  std::set<std::string> names;
  for (const auto& [name, value] : before.facts) names.insert(name);
  for (const auto& [name, value] : after.facts) names.insert(name);
  const auto value_of = [](const Environment& environment, const std::string& name) {
    const auto fact = environment.facts.find(name);
    return fact == environment.facts.end() ? std::string() : fact->second;
  };
  std::vector<FactChange> changes;
  for (const std::string& name : names) {
    FactChange change{
        .fact = name, .before = value_of(before, name), .after = value_of(after, name)};
    if (change.before != change.after) changes.push_back(std::move(change));
  }
  return changes;
}

}  // namespace hockney
