#include "tune/rules.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"

namespace hockney::tune {
namespace {

// Longer names precede their own prefixes.
constexpr std::array<std::string_view, 17> operations{"reduce-scatter-block",
                                                      "reduce-scatter",
                                                      "reduce",
                                                      "allreduce",
                                                      "allgatherv",
                                                      "allgather",
                                                      "alltoallv",
                                                      "alltoallw",
                                                      "alltoall",
                                                      "barrier",
                                                      "bcast",
                                                      "exscan",
                                                      "gatherv",
                                                      "gather",
                                                      "scan",
                                                      "scatterv",
                                                      "scatter"};

/// Prefixes of variables for algorithms.
constexpr std::array<std::string_view, 3> prefixes{"OMPI_MCA_coll_tuned_", "I_MPI_ADJUST_",
                                                   "MPIR_CVAR_"};

std::string mapped(std::string_view name, char separator, int (*to_case)(int)) {
  std::string text(name);
  for (char& c : text) {
    const bool is_separator = c == '-' || c == '_';
    c = is_separator ? separator : static_cast<char>(to_case(static_cast<unsigned char>(c)));
  }
  return text;
}

}  // namespace

std::string plain_name(std::string_view operation) { return mapped(operation, '-', std::tolower); }

std::string lower_name(std::string_view operation) { return mapped(operation, '_', std::tolower); }

std::string upper_name(std::string_view operation) { return mapped(operation, '_', std::toupper); }

bool has_algorithms(std::string_view operation) {
  return std::ranges::find(operations, plain_name(operation)) != operations.end();
}

std::optional<VariableMeaning> meaning_of(std::string_view variable) {
  const auto* const prefix = std::ranges::find_if(
      prefixes, [&](std::string_view known) { return variable.starts_with(known); });
  if (prefix == prefixes.end()) return std::nullopt;
  const std::string rest = lower_name(variable.substr(prefix->size()));
  for (const std::string_view operation : operations) {
    const std::string name = lower_name(operation);
    if (rest == name) return VariableMeaning{std::string(operation), "algorithm"};
    if (rest.starts_with(name + "_")) {
      return VariableMeaning{std::string(operation), rest.substr(name.size() + 1)};
    }
  }
  return std::nullopt;
}

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

namespace {

/// In the order of the enumerators.
constexpr std::array<std::string_view, 6> target_words{"openmpi", "openmpi6",   "intel",
                                                       "mpich",   "mpich-json", "smpi"};

/// The beginning of a library's description.
struct LibraryWord {
  std::string_view beginning;
  Target target;
};

constexpr std::array<LibraryWord, 5> library_words{{{"Open MPI v6", Target::openmpi6},
                                                    {"Open MPI", Target::openmpi},
                                                    {"Intel(R) MPI", Target::intel},
                                                    {"MPICH", Target::mpich},
                                                    {"SMPI", Target::smpi}}};

/// Both formats of Open MPI share names of algorithms, and so do both of MPICH.
Target vocabulary(Target target) {
  if (target == Target::openmpi6) return Target::openmpi;
  return target == Target::mpich_json ? Target::mpich : target;
}

using Keys = std::map<std::string, SizeKey>;

/// coll_tuned_decision_dynamic.c of 4.1 and 5.0. Scans use the size of one element times the ranks;
/// missing operations use 0.
const Keys& open_mpi_keys() {
  static const Keys keys{
      {"allreduce", SizeKey::bytes},      {"bcast", SizeKey::bytes},
      {"reduce", SizeKey::bytes},         {"reduce-scatter", SizeKey::bytes},
      {"allgatherv", SizeKey::bytes},     {"allgather", SizeKey::times_ranks},
      {"alltoall", SizeKey::times_ranks}, {"gather", SizeKey::times_ranks},
      {"scatter", SizeKey::times_ranks},  {"reduce-scatter-block", SizeKey::times_ranks}};
  return keys;
}

/// "Message Collective Functions" in Intel's older references, which do not cover missing
/// operations.
const Keys& intel_keys() {
  static const Keys keys{{"allreduce", SizeKey::bytes},        {"bcast", SizeKey::bytes},
                         {"reduce", SizeKey::bytes},           {"allgather", SizeKey::bytes},
                         {"alltoall", SizeKey::bytes},         {"gather", SizeKey::bytes},
                         {"scatter", SizeKey::bytes},          {"reduce-scatter", SizeKey::bytes},
                         {"allgatherv", SizeKey::times_ranks}, {"alltoallv", SizeKey::times_ranks},
                         {"alltoallw", SizeKey::times_ranks}};
  return keys;
}

/// avg_msg_size for the first four, total_msg_size for the others. Those of gather and scatter
/// count elements as bytes.
const Keys& mpich_keys() {
  static const Keys keys{
      {"allreduce", SizeKey::bytes},        {"bcast", SizeKey::bytes},
      {"reduce", SizeKey::bytes},           {"alltoall", SizeKey::bytes},
      {"reduce-scatter", SizeKey::bytes},   {"allgather", SizeKey::times_ranks},
      {"allgatherv", SizeKey::times_ranks}, {"reduce-scatter-block", SizeKey::times_ranks}};
  return keys;
}

SizeKey found_in(const Keys& keys, const std::string& operation) {
  const auto found = keys.find(plain_name(operation));
  return found == keys.end() ? SizeKey::none : found->second;
}

/// The one choice of all measured sizes; nullopt if they differ. Sizes outside the measured range,
/// which are the library's, are ignored.
std::optional<Choice> only_choice(const RanksRule& rule) {
  std::optional<Choice> only;
  for (const SizeRule& size : rule.sizes) {
    if (size.choice.is_default() && !size.measured) continue;
    if (only && *only != size.choice) return std::nullopt;
    only = size.choice;
  }
  return only ? only : Choice();
}

}  // namespace

std::string_view word(Target target) { return target_words.at(static_cast<std::size_t>(target)); }

Target parse_target(const std::string& text) {
  const auto* const known = std::ranges::find(target_words, text);
  if (known != target_words.end()) return static_cast<Target>(known - target_words.begin());
  throw InputError({fmt::format("unknown target '{}'", text),
                    "hockney writes no selection files for it",
                    suggest(text, {target_words.begin(), target_words.end()})});
}

Target target_of_library(const std::string& library) {
  const auto* const found = std::ranges::find_if(library_words, [&](const LibraryWord& known) {
    return library.starts_with(known.beginning);
  });
  if (found != library_words.end()) return found->target;
  throw InputError({fmt::format("no selection file for the library '{}'", library),
                    "hockney knows no format that it reads", "name a target with --for"});
}

bool speaks_of(Target target, const std::string& library) {
  return vocabulary(target) == vocabulary(target_of_library(library));
}

SizeKey size_key(Target target, const std::string& operation) {
  switch (target) {
    case Target::openmpi:
    case Target::openmpi6:
      return found_in(open_mpi_keys(), operation);
    case Target::intel:
      return found_in(intel_keys(), operation);
    case Target::mpich_json:
      return found_in(mpich_keys(), operation);
    case Target::mpich:
      return SizeKey::none;
    case Target::smpi:
      break;
  }
  return SizeKey::bytes;
}

std::int64_t key_of(SizeKey key, int ranks, std::int64_t bytes) {
  if (key == SizeKey::none) return 0;
  return key == SizeKey::times_ranks ? bytes * ranks : bytes;
}

KeyedRules keyed(Target target, const Rules& rules) {
  KeyedRules result;
  for (OperationRules operation : rules) {
    const SizeKey key = size_key(target, operation.operation);
    for (RanksRule& rule : operation.ranks) {
      if (key == SizeKey::none) {
        const auto only = only_choice(rule);
        if (!only) {
          result.inexpressible.push_back(
              {operation.operation,
               fmt::format("sizes do not count there, and those measured on {} ranks differ",
                           rule.measured)});
        }
        rule.sizes = {{.from = 0, .choice = only.value_or(Choice())}};
      }
      for (SizeRule& size : rule.sizes) size.from = key_of(key, rule.measured, size.from);
    }
    result.rules.push_back(std::move(operation));
  }
  result.rules = merged(std::move(result.rules));
  return result;
}

}  // namespace hockney::tune
