#include "components/tune/other_library_rules.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "core/collectives.hpp"
#include "core/error.hpp"
#include "core/json_node.hpp"
#include "core/json_values.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"

namespace hockney::tune {
namespace {

void add_rules(const OperationRules& rules, std::size_t index, std::string& text) {
  const RanksRule& rule = rules.ranks[index];
  const int last = last_ranks(rules, index).value_or(intel_no_end);
  for (std::size_t i = 0; i < rule.sizes.size(); ++i) {
    const SizeRule& size = rule.sizes[i];
    if (size.choice.is_default()) continue;
    if (!text.empty()) text += ';';
    text += fmt::format("{}:{}-{}@{}-{}", size.choice.number.value_or(0), size.from,
                        last_size(rule, i).value_or(intel_no_end), rule.from, last);
  }
}

/// A closed range.
struct ClosedRange {
  std::int64_t first = 0;
  std::int64_t last = intel_no_end;
};

/// A preset and its ranges.
struct PresetCondition {
  int preset = 0;
  ClosedRange sizes;
  ClosedRange ranks{2, intel_no_end};
};

class Parser {
 public:
  Parser(std::string variable, std::string value)
      : variable_(std::move(variable)), value_(std::move(value)) {}

  [[nodiscard]] std::vector<PresetCondition> conditions() const {
    std::vector<PresetCondition> found;
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
    throw InputError({fmt::format("bad value '{}' of {}", value_, variable_), why,
                      "write it like 1:0-4095@2-16;8:4096-65535@2-16"});
  }

 private:
  [[nodiscard]] PresetCondition condition(int preset, const std::string& text) const {
    const std::size_t at = text.find('@');
    PresetCondition condition{.preset = preset, .sizes = range(text.substr(0, at))};
    if (at != std::string::npos) condition.ranks = range(text.substr(at + 1));
    return condition;
  }

  [[nodiscard]] ClosedRange range(const std::string& text) const {
    const std::size_t dash = text.find('-');
    const std::int64_t first = number(text.substr(0, dash));
    const std::int64_t last = dash == std::string::npos ? first : number(text.substr(dash + 1));
    if (last < first) reject(fmt::format("'{}' ends before it begins", text));
    return {first, last};
  }

  [[nodiscard]] std::int64_t number(const std::string& text) const {
    const auto value = as_number<std::int64_t>(text);
    if (!value || *value < 0) reject(fmt::format("'{}' is no number", text));
    if (*value > intel_no_end) reject(fmt::format("'{}' is more than {}", text, intel_no_end));
    return *value;
  }

  std::string variable_;
  std::string value_;
};

bool overlap(const ClosedRange& a, const ClosedRange& b) {
  return a.first <= b.last && b.first <= a.last;
}

void check_apart(const std::vector<PresetCondition>& conditions, const Parser& parser) {
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool meet = overlap(conditions[i].sizes, conditions[j].sizes) &&
                        overlap(conditions[i].ranks, conditions[j].ranks);
      if (meet) parser.reject("two of its conditions meet");
    }
  }
}

/// The rule for one number of ranks, from conditions that do not overlap.
RanksRule rule_at(std::int64_t ranks, const std::vector<PresetCondition>& conditions) {
  RanksRule rule{.from = static_cast<int>(ranks), .measured = 0, .sizes = {}};
  std::map<std::int64_t, Choice> starts{{0, {}}};
  for (const PresetCondition& condition : conditions) {
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

constexpr std::string_view export_word = "export ";

/// The choices made for each operation, in order of its points.
std::map<std::string, std::vector<Choice>> choices_of(const Decisions& decisions) {
  std::map<std::string, std::vector<Choice>> choices;
  for (const Decision& decision : decisions.points) {
    auto& made = choices[decision.operation];
    if (made.empty() || made.back() != decision.choice) made.push_back(decision.choice);
  }
  return choices;
}

/// MPICH uses the first matching branch of a node, so their order counts.
using Tree = nlohmann::ordered_json;

bool is_one_of(const std::string& operation, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, plain_name(operation)) != names.end();
}

/// "Reduce_scatter".
std::string title_name(const std::string& operation) {
  std::string name = lower_name(operation);
  name.front() = upper_name(name.substr(0, 1)).front();
  return name;
}

/// The function of an algorithm: names of those for both kinds of communicators have "allcomm".
std::string function_of(const std::string& operation, const std::string& algorithm) {
  const bool takes_all = algorithm == "nb" || algorithm == "linear";
  return fmt::format("MPIR_{}_{}_{}", title_name(operation), takes_all ? "allcomm" : "intra",
                     algorithm);
}

/// "avg_msg_size" if the tree supports it for the operation.
std::string size_word(const std::string& operation) {
  const bool average = is_one_of(operation, {"allreduce", "bcast", "reduce", "alltoall"});
  return average ? "avg_msg_size" : "total_msg_size";
}

class SelectionTreeBuilder {
 public:
  SelectionTreeBuilder(std::string operation, Tree base)
      : operation_(std::move(operation)), base_(std::move(base)) {}

  [[nodiscard]] Tree tree(const OperationRules& rules) const {
    Tree tree = Tree::object();
    for (std::size_t i = 0; i < rules.ranks.size(); ++i) {
      const auto last = last_ranks(rules, i);
      tree[last ? fmt::format("comm_size<={}", *last) : "comm_size=any"] = of_ranks(rules.ranks[i]);
    }
    return guarded(std::move(tree));
  }

 private:
  [[nodiscard]] Tree of_ranks(const RanksRule& rule) const {
    if (rule.sizes.size() == 1) return leaf(rule.sizes.front().choice);
    Tree tree = Tree::object();
    const std::string word = size_word(operation_);
    for (std::size_t i = 0; i < rule.sizes.size(); ++i) {
      const auto last = last_size(rule, i);
      tree[last ? fmt::format("{}<={}", word, *last) : word + "=any"] = leaf(rule.sizes[i].choice);
    }
    return tree;
  }

  [[nodiscard]] Tree leaf(const Choice& choice) const {
    if (choice.is_default()) return base_;
    Tree chosen{{"algorithm=" + function_of(operation_, choice.algorithm), Tree::object()}};
    const bool scatters_elements = choice.algorithm.find("reduce_scatter") != std::string::npos;
    if (!scatters_elements) return chosen;
    Tree enough{{"count<pow2", base_}, {"count=any", std::move(chosen)}};
    return Tree{{"is_op_built_in=no", base_}, {"is_op_built_in=yes", std::move(enough)}};
  }

  /// Leaves calls that not all algorithms of a collective support to the base.
  [[nodiscard]] Tree guarded(Tree tree) const {
    if (is_one_of(operation_, {"allreduce", "reduce", "reduce-scatter", "reduce-scatter-block"})) {
      return Tree{{"is_commutative=yes", std::move(tree)}, {"is_commutative=no", base_}};
    }
    if (is_one_of(operation_, {"alltoall", "alltoallv", "alltoallw"})) {
      return Tree{{"is_sendbuf_inplace=yes", base_}, {"is_sendbuf_inplace=no", std::move(tree)}};
    }
    return tree;
  }

  std::string operation_;
  Tree base_;
};

[[noreturn]] void reject(const std::string& file, const std::string& why) {
  throw InputError({fmt::format("'{}' is no selection tree to start from", file), why,
                    "give maint/tuning/coll/mpir/generic.json of your MPICH's sources"});
}

Tree parse_base(const std::string& text, const std::string& file) {
  if (!parse_json(text, file).is_object()) reject(file, "it is no JSON object");
  return Tree::parse(text);  // parsed again to keep the order
}

}  // namespace

std::map<std::string, std::string> intel_adjust(const Rules& keyed) {
  std::map<std::string, std::string> environment;
  for (const OperationRules& rules : keyed) {
    std::string text;
    for (std::size_t i = 0; i < rules.ranks.size(); ++i) add_rules(rules, i, text);
    if (!text.empty()) environment[algorithm_variable(Library::intel, rules.operation)] = text;
  }
  return environment;
}

Rules read_intel_adjust(const std::map<std::string, std::string>& environment) {
  Rules rules;
  for (const auto& [variable, value] : environment) {
    const auto meaning = collective_variable(variable);
    if (!meaning || meaning->library != Library::intel) continue;
    if (meaning->role != CollectiveRole::algorithm) continue;
    const Parser parser(variable, value);
    const std::vector<PresetCondition> conditions = parser.conditions();
    check_apart(conditions, parser);
    std::set<std::int64_t> starts{2};
    for (const PresetCondition& condition : conditions) {
      starts.insert(std::max<std::int64_t>(condition.ranks.first, 2));
      if (condition.ranks.last < intel_no_end) {
        starts.insert(std::max<std::int64_t>(condition.ranks.last + 1, 2));
      }
    }
    OperationRules operation{.operation = std::string(meaning->operation), .ranks = {}};
    for (const std::int64_t start : starts) {
      operation.ranks.push_back(rule_at(start, conditions));
    }
    rules.push_back(std::move(operation));
  }
  return merged(std::move(rules));
}

std::string shell_file(const std::map<std::string, std::string>& environment,
                       const std::vector<std::string>& comments) {
  std::string text;
  for (const std::string& comment : comments) text += fmt::format("# {}\n", comment);
  text += fmt::format("# in a campaign: \"environment\": {}\n",
                      json_text(nlohmann::json(environment), -1));
  for (const auto& [name, value] : environment) {
    text += fmt::format("{}{}='{}'\n", export_word, name, value);
  }
  return text;
}

std::map<std::string, std::string> read_shell_file(const std::string& text,
                                                   const std::string& file) {
  std::map<std::string, std::string> environment;
  int number = 0;
  for (const std::string& line : split(text, '\n')) {
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t equals = line.find("='");
    const bool is_export = line.starts_with(export_word) && equals != std::string::npos &&
                           line.ends_with('\'') && line.size() > equals + 2;
    if (!is_export) {
      throw InputError({fmt::format("{}:{}: '{}'", file, number, line),
                        "it is no line that hockney tune writes", "write it like export NAME='1'"});
    }
    const std::string name = line.substr(export_word.size(), equals - export_word.size());
    environment[name] = line.substr(equals + 2, line.size() - equals - 3);
  }
  return environment;
}

MpichVariables mpich_variables(const Decisions& decisions) {
  MpichVariables result;
  for (const auto& [operation, choices] : choices_of(decisions)) {
    if (choices.size() > 1) {
      result.inexpressible.push_back(
          {operation,
           "a control variable holds for every size and number of ranks, and "
           "the choices differ; mpich-json can distinguish them"});
      continue;
    }
    const Choice& choice = choices.front();
    if (choice.is_default()) continue;
    result.environment[algorithm_variable(Library::mpich, operation)] = choice.algorithm;
    result.environment.insert(choice.variables.begin(), choice.variables.end());
  }
  if (!result.environment.empty()) result.environment["MPIR_CVAR_DEVICE_COLLECTIVES"] = "none";
  return result;
}

std::string mpich_json(const std::string& base, const std::string& base_file, const Rules& keyed) {
  Tree tree = parse_base(base, base_file);
  for (const OperationRules& rules : keyed) {
    const std::string key = "collective=" + lower_name(rules.operation);
    if (!tree.contains(key)) reject(base_file, fmt::format("it has no '{}'", key));
    Tree& collective = tree[key];
    const bool by_type = collective.contains("comm_type=intra");
    Tree& intra = by_type ? collective["comm_type=intra"] : collective;
    if (!by_type) reject(base_file, fmt::format("'{}' does not begin with 'comm_type=intra'", key));
    intra = SelectionTreeBuilder(rules.operation, intra).tree(rules);
  }
  return json_text(tree, 2) + "\n";
}

}  // namespace hockney::tune
