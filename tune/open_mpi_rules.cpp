#include "tune/open_mpi_rules.hpp"

#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/error.hpp"
#include "core/text.hpp"
#include "tune/open_mpi_names.hpp"
#include "tune/operation_names.hpp"

namespace hockney::tune {
namespace {

void write_sizes(std::ostream& out, const std::string& operation, const RanksRule& rule) {
  out << rule.from << "  # ranks, and on\n" << rule.sizes.size() << "  # sizes\n";
  for (const SizeRule& size : rule.sizes) {
    const Choice& choice = size.choice;
    out << size.from << ' ' << open_mpi_number(operation, choice).value_or(0) << ' '
        << choice.fanout << ' ' << choice.segment << "  # " << describe(choice) << '\n';
  }
}

/// A number of the file and the line it stands on.
struct RuleNumber {
  std::int64_t value = 0;
  int line = 0;
};

/// The numbers of a rules file, one after the other.
class RuleNumbers {
 public:
  RuleNumbers(const std::string& text, std::string file) : file_(std::move(file)) {
    int line = 0;
    for (const std::string& written : split(text, '\n')) {
      ++line;
      const std::string said = written.substr(0, written.find('#'));
      for (const std::string& word : split(said, ' ')) {
        if (word.find_first_not_of("\t\r") != std::string::npos) add(word, line);
      }
    }
  }

  std::int64_t next(const std::string& what, std::int64_t least = 0) {
    if (at_ == numbers_.size()) reject("the file ends", "a number is missing: " + what);
    const RuleNumber number = numbers_[at_++];
    line_ = number.line;
    if (number.value < least) reject("bad " + what, "it is below " + std::to_string(least));
    return number.value;
  }

  int next_int(const std::string& what, int least = 0) {
    const std::int64_t value = next(what, least);
    if (value > std::numeric_limits<int>::max()) reject("bad " + what, "it is too large");
    return static_cast<int>(value);
  }

  void end() {
    if (at_ < numbers_.size()) reject("numbers after the last rule", "nobody reads them");
  }

  [[noreturn]] void reject(const std::string& problem, const std::string& why) const {
    throw InputError({file_ + ":" + std::to_string(line_) + ": " + problem,
                      why + "; Open MPI would ignore the whole file", "write it anew"});
  }

 private:
  /// strtol of Open MPI takes a leading 0 for octal.
  void add(const std::string& word, int line) {
    const auto value = as_number<std::int64_t>(word);
    line_ = line;
    const bool octal = word.size() > 1 && word.front() == '0';
    if (!value || octal) reject("'" + word + "' is no number", "rules are decimal numbers");
    numbers_.push_back({*value, line});
  }

  std::string file_;
  std::vector<RuleNumber> numbers_;
  std::size_t at_ = 0;
  int line_ = 1;
};

Choice read_choice(RuleNumbers& numbers, const std::string& operation) {
  const int number = numbers.next_int("algorithm");
  const int fanout = numbers.next_int("fan-out");
  const std::int64_t segment = numbers.next("segment");
  if (number == 0) return {};
  return {.algorithm = open_mpi_name(operation, number),
          .number = number,
          .segment = segment,
          .fanout = fanout,
          .variables = {}};
}

RanksRule read_ranks(RuleNumbers& numbers, const std::string& operation) {
  RanksRule rule{.from = numbers.next_int("number of ranks"), .measured = 0, .sizes = {}};
  const std::int64_t count = numbers.next("number of sizes", 1);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t from = numbers.next("size");
    if (i == 0 && from != 0) numbers.reject("the first size is not 0", "every size needs a rule");
    if (i > 0 && from <= rule.sizes.back().from) {
      numbers.reject("size " + std::to_string(from) + " is out of order", "sizes ascend");
    }
    rule.sizes.push_back({.from = from, .choice = read_choice(numbers, operation)});
  }
  return rule;
}

OperationRules read_operation(RuleNumbers& numbers) {
  const int collective = numbers.next_int("operation");
  const auto operation = open_mpi_operation(collective);
  if (!operation) {
    numbers.reject("unknown operation " + std::to_string(collective), "it has no algorithms");
  }
  OperationRules rules{.operation = operation.value_or(""), .ranks = {}};
  const std::int64_t count = numbers.next("count of numbers of ranks", 1);
  for (std::int64_t i = 0; i < count; ++i) {
    rules.ranks.push_back(read_ranks(numbers, rules.operation));
    if (i == 0 || rules.ranks[rules.ranks.size() - 2].from < rules.ranks.back().from) continue;
    numbers.reject("ranks are out of order", "they ascend");
  }
  return rules;
}

using Json = nlohmann::json;

/// "reducescatter".
std::string joined_name(const std::string& operation) {
  std::string name = plain_name(operation);
  std::erase(name, '-');
  return name;
}

/// 6.0 gave one algorithm another name.
std::string new_name(const std::string& operation, const std::string& algorithm) {
  const bool is_renamed = plain_name(operation) == "allgather" && algorithm == "bruck";
  return is_renamed ? "bruck-k-fanout" : algorithm;
}

Json sizes_json(const std::string& operation, const RanksRule& rule) {
  Json sizes = Json::array();
  for (std::size_t i = 0; i < rule.sizes.size(); ++i) {
    const SizeRule& size = rule.sizes[i];
    if (size.choice.is_default()) continue;
    Json json{{"msg_size_min", size.from}, {"alg", new_name(operation, size.choice.algorithm)}};
    if (const auto last = last_size(rule, i)) json["msg_size_max"] = *last;
    if (size.choice.segment > 0) json["seg_size"] = size.choice.segment;
    if (size.choice.fanout > 0) json["faninout"] = size.choice.fanout;
    sizes.push_back(std::move(json));
  }
  return sizes;
}

}  // namespace

std::string open_mpi_rules_file(const Rules& keyed, const std::vector<std::string>& comments) {
  std::ostringstream out;
  for (const std::string& comment : comments) out << "# " << comment << '\n';
  out << "# size key [B], algorithm, fan-out, segment [B]\n";
  out << keyed.size() << "  # operations\n";
  for (const OperationRules& rules : keyed) {
    out << open_mpi_collective(rules.operation).value_or(0) << "  # " << rules.operation << '\n'
        << rules.ranks.size() << "  # numbers of ranks\n";
    for (const RanksRule& rule : rules.ranks) write_sizes(out, rules.operation, rule);
  }
  return out.str();
}

Rules read_open_mpi_rules(const std::string& text, const std::string& file) {
  RuleNumbers numbers(text, file);
  const std::int64_t count = numbers.next("number of operations");
  Rules rules;
  for (std::int64_t i = 0; i < count; ++i) rules.push_back(read_operation(numbers));
  numbers.end();
  return rules;
}

Json open_mpi_json(const Rules& keyed) {
  Json collectives = Json::object();
  for (const OperationRules& rules : keyed) {
    Json ranks = Json::array();
    for (std::size_t i = 0; i < rules.ranks.size(); ++i) {
      Json sizes = sizes_json(rules.operation, rules.ranks[i]);
      if (sizes.empty()) continue;
      Json json{{"comm_size_min", rules.ranks[i].from},
                {"comm_rank_distribution", "any"},
                {"rules", std::move(sizes)}};
      if (const auto last = last_ranks(rules, i)) json["comm_size_max"] = *last;
      ranks.push_back(std::move(json));
    }
    collectives[joined_name(rules.operation)] = std::move(ranks);
  }
  return {{"rule_file_version", 3}, {"module", "tuned"}, {"collectives", collectives}};
}

}  // namespace hockney::tune
