#include "selection/intel_adjust.hpp"

#include "selection/operation_names.hpp"

namespace hockney {
namespace {

void add_rules(const OperationRules& rules, std::size_t index, std::string& text) {
  const RanksRule& rule = rules.ranks[index];
  const int last = last_ranks(rules, index).value_or(intel_no_end);
  for (std::size_t i = 0; i < rule.sizes.size(); ++i) {
    const SizeRule& size = rule.sizes[i];
    if (size.choice.is_default()) continue;
    if (!text.empty()) text += ';';
    text += std::to_string(size.choice.number.value_or(0)) + ":" + std::to_string(size.from) + "-" +
            std::to_string(last_size(rule, i).value_or(intel_no_end)) + "@" +
            std::to_string(rule.from) + "-" + std::to_string(last);
  }
}

}  // namespace

std::map<std::string, std::string> intel_adjust(const Rules& keyed) {
  std::map<std::string, std::string> environment;
  for (const OperationRules& rules : keyed) {
    std::string text;
    for (std::size_t i = 0; i < rules.ranks.size(); ++i) add_rules(rules, i, text);
    if (!text.empty()) environment["I_MPI_ADJUST_" + upper_name(rules.operation)] = text;
  }
  return environment;
}

}  // namespace hockney
