#include "tune/intel_adjust.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "tune/operation_names.hpp"

namespace hockney::tune {
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

/// Both ends belong to it.
struct Range {
  std::int64_t first = 0;
  std::int64_t last = intel_no_end;
};

/// A preset and where it holds.
struct Condition {
  int preset = 0;
  Range sizes;
  Range ranks{2, intel_no_end};
};

class Parser {
 public:
  Parser(std::string variable, std::string value)
      : variable_(std::move(variable)), value_(std::move(value)) {}

  [[nodiscard]] std::vector<Condition> conditions() const {
    std::vector<Condition> found;
    for (const std::string& part : split(value_, ';')) {
      const std::size_t colon = part.find(':');
      const int preset = static_cast<int>(number(part.substr(0, colon)));
      if (colon == std::string::npos) {
        found.push_back({.preset = preset});
        continue;
      }
      for (const std::string& text : split(part.substr(colon + 1), ',')) {
        found.push_back(condition(preset, text));
      }
    }
    return found;
  }

  [[noreturn]] void reject(const std::string& why) const {
    throw InputError({"bad value '" + value_ + "' of " + variable_, why,
                      "write it like 1:0-4095@2-16;8:4096-65535@2-16"});
  }

 private:
  [[nodiscard]] Condition condition(int preset, const std::string& text) const {
    const std::size_t at = text.find('@');
    Condition condition{.preset = preset, .sizes = range(text.substr(0, at))};
    if (at != std::string::npos) condition.ranks = range(text.substr(at + 1));
    return condition;
  }

  [[nodiscard]] Range range(const std::string& text) const {
    const std::size_t dash = text.find('-');
    const std::int64_t first = number(text.substr(0, dash));
    const std::int64_t last = dash == std::string::npos ? first : number(text.substr(dash + 1));
    if (last < first) reject("'" + text + "' ends before it begins");
    return {first, last};
  }

  [[nodiscard]] std::int64_t number(const std::string& text) const {
    const auto value = as_number<std::int64_t>(text);
    if (!value || *value < 0) reject("'" + text + "' is no number");
    if (*value > intel_no_end) {
      reject("'" + text + "' is more than " + std::to_string(intel_no_end));
    }
    return *value;
  }

  std::string variable_;
  std::string value_;
};

bool overlap(const Range& a, const Range& b) { return a.first <= b.last && b.first <= a.last; }

void check_apart(const std::vector<Condition>& conditions, const Parser& parser) {
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool meet = overlap(conditions[i].sizes, conditions[j].sizes) &&
                        overlap(conditions[i].ranks, conditions[j].ranks);
      if (meet) parser.reject("two of its conditions meet");
    }
  }
}

/// What the conditions, of which no two meet, say of one number of ranks.
RanksRule rule_at(std::int64_t ranks, const std::vector<Condition>& conditions) {
  RanksRule rule{.from = static_cast<int>(ranks), .measured = 0, .sizes = {}};
  std::map<std::int64_t, Choice> starts{{0, {}}};
  for (const Condition& condition : conditions) {
    if (!overlap(condition.ranks, {ranks, ranks})) continue;
    if (condition.sizes.last < intel_no_end) starts.try_emplace(condition.sizes.last + 1);
    Choice& choice = starts[condition.sizes.first];
    if (condition.preset == 0) continue;
    choice = {.algorithm = std::to_string(condition.preset), .number = condition.preset};
  }
  for (auto& [start, choice] : starts) {
    rule.sizes.push_back({.from = start, .choice = std::move(choice)});
  }
  return rule;
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

Rules read_intel_adjust(const std::map<std::string, std::string>& environment) {
  Rules rules;
  for (const auto& [variable, value] : environment) {
    const auto meaning = meaning_of(variable);
    if (!meaning || meaning->what != "algorithm") continue;
    const Parser parser(variable, value);
    const std::vector<Condition> conditions = parser.conditions();
    check_apart(conditions, parser);
    std::set<std::int64_t> starts{2};
    for (const Condition& condition : conditions) {
      starts.insert(std::max<std::int64_t>(condition.ranks.first, 2));
      if (condition.ranks.last < intel_no_end) {
        starts.insert(std::max<std::int64_t>(condition.ranks.last + 1, 2));
      }
    }
    OperationRules operation{.operation = meaning->operation, .ranks = {}};
    for (const std::int64_t start : starts) {
      operation.ranks.push_back(rule_at(start, conditions));
    }
    rules.push_back(std::move(operation));
  }
  return merged(std::move(rules));
}

}  // namespace hockney::tune
