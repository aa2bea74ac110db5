#include "tune/mpich_json.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/json_node.hpp"
#include "core/json_values.hpp"
#include "core/text.hpp"
#include "tune/operation_names.hpp"

namespace hockney::tune {
namespace {

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

/// MPICH takes the first of a node's branches that holds, so their order counts.
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

/// The function of an algorithm: those that take both kinds of communicators are named so.
std::string function_of(const std::string& operation, const std::string& algorithm) {
  const bool takes_all = algorithm == "nb" || algorithm == "linear";
  return "MPIR_" + title_name(operation) + (takes_all ? "_allcomm_" : "_intra_") + algorithm;
}

/// "avg_msg_size" where the tree knows it.
std::string size_word(const std::string& operation) {
  const bool average = is_one_of(operation, {"allreduce", "bcast", "reduce", "alltoall"});
  return average ? "avg_msg_size" : "total_msg_size";
}

class Grafting {
 public:
  Grafting(std::string operation, Tree base)
      : operation_(std::move(operation)), base_(std::move(base)) {}

  [[nodiscard]] Tree tree(const OperationRules& rules) const {
    Tree tree = Tree::object();
    for (std::size_t i = 0; i < rules.ranks.size(); ++i) {
      const auto last = last_ranks(rules, i);
      tree[last ? "comm_size<=" + std::to_string(*last) : "comm_size=any"] =
          of_ranks(rules.ranks[i]);
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
      tree[last ? word + "<=" + std::to_string(*last) : word + "=any"] = leaf(rule.sizes[i].choice);
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

  /// What the algorithms of a collective are not all for is left to the base.
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
  throw InputError({"'" + file + "' is no selection tree to start from", why,
                    "give maint/tuning/coll/mpir/generic.json of your MPICH's sources"});
}

Tree parse_base(const std::string& text, const std::string& file) {
  if (!parse_json(text, file).is_object()) reject(file, "it is no JSON object");
  return Tree::parse(text);  // once more, for its order
}

}  // namespace

std::string shell_file(const std::map<std::string, std::string>& environment,
                       const std::vector<std::string>& comments) {
  std::string text;
  for (const std::string& comment : comments) text += "# " + comment + "\n";
  text += "# in a campaign: \"environment\": " + json_text(nlohmann::json(environment), -1) + "\n";
  for (const auto& [name, value] : environment) {
    text += std::string(export_word) + name + "='" + value + "'\n";
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
      throw InputError({file + ":" + std::to_string(number) + ": '" + line + "'",
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
           "the choices differ; mpich-json can tell them apart"});
      continue;
    }
    const Choice& choice = choices.front();
    if (choice.is_default()) continue;
    result.environment["MPIR_CVAR_" + upper_name(operation) + "_INTRA_ALGORITHM"] =
        choice.algorithm;
    result.environment.insert(choice.variables.begin(), choice.variables.end());
  }
  if (!result.environment.empty()) result.environment["MPIR_CVAR_DEVICE_COLLECTIVES"] = "none";
  return result;
}

std::string mpich_json(const std::string& base, const std::string& base_file, const Rules& keyed) {
  Tree tree = parse_base(base, base_file);
  for (const OperationRules& rules : keyed) {
    const std::string key = "collective=" + lower_name(rules.operation);
    if (!tree.contains(key)) reject(base_file, "it has no '" + key + "'");
    Tree& collective = tree[key];
    const bool by_type = collective.contains("comm_type=intra");
    Tree& intra = by_type ? collective["comm_type=intra"] : collective;
    if (!by_type) reject(base_file, "'" + key + "' does not begin with 'comm_type=intra'");
    intra = Grafting(rules.operation, intra).tree(rules);
  }
  return json_text(tree, 2) + "\n";
}

}  // namespace hockney::tune
