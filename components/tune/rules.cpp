#include "components/tune/rules.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <utility>

#include "core/quantities.hpp"

namespace hockney::tune {

std::string describe(const Choice& choice) {
  if (choice.is_default()) return "default";
  std::string text = choice.algorithm;
  if (choice.segment > 0) text += " segment=" + format_bytes({choice.segment});
  if (choice.fanout > 0) text += fmt::format(" fanout={}", choice.fanout);
  if (choice.requests > 0) text += fmt::format(" requests={}", choice.requests);
  for (const auto& [name, value] : choice.variables) text += fmt::format(" {}={}", name, value);
  return text;
}

namespace {

/// The last of ascending rules that begins at or before `value`, else the first.
template <class Rule, class Number>
const Rule* rule_at(const std::vector<Rule>& rules, Number value) {
  const Rule* found = rules.empty() ? nullptr : &rules.front();
  for (const Rule& rule : rules) {
    if (rule.from <= value) found = &rule;
  }
  return found;
}

bool is_left_to_library(const OperationRules& rules) {
  return std::ranges::all_of(rules.ranks, [](const RanksRule& rule) {
    return std::ranges::all_of(rule.sizes,
                               [](const SizeRule& size) { return size.choice.is_default(); });
  });
}

void merge_sizes(RanksRule& rule) {
  std::vector<SizeRule> merged;
  for (SizeRule& size : rule.sizes) {
    if (!merged.empty() && merged.back().choice == size.choice) {
      merged.back().measured = merged.back().measured || size.measured;
    } else {
      merged.push_back(std::move(size));
    }
  }
  rule.sizes = std::move(merged);
}

}  // namespace

Choice decide(const Rules& rules, const std::string& operation, int ranks, std::int64_t size) {
  const auto found = std::ranges::find(rules, operation, &OperationRules::operation);
  if (found == rules.end()) return {};
  const RanksRule* of_ranks = rule_at(found->ranks, ranks);
  if (of_ranks == nullptr) return {};
  const SizeRule* of_size = rule_at(of_ranks->sizes, size);
  return of_size == nullptr ? Choice() : of_size->choice;
}

Rules merged(Rules rules) {
  for (OperationRules& operation : rules) {
    for (RanksRule& rule : operation.ranks) merge_sizes(rule);
    const auto same = [](const RanksRule& a, const RanksRule& b) { return a.sizes == b.sizes; };
    const auto rest = std::ranges::unique(operation.ranks, same);
    operation.ranks.erase(rest.begin(), rest.end());
  }
  std::erase_if(rules, is_left_to_library);
  return rules;
}

std::optional<std::int64_t> last_size(const RanksRule& rule, std::size_t index) {
  if (index + 1 >= rule.sizes.size()) return std::nullopt;
  return rule.sizes[index + 1].from - 1;
}

std::optional<int> last_ranks(const OperationRules& rules, std::size_t index) {
  if (index + 1 >= rules.ranks.size()) return std::nullopt;
  return rules.ranks[index + 1].from - 1;
}

}  // namespace hockney::tune
