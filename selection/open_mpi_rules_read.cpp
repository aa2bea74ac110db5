#include <charconv>
#include <limits>

#include "core/error.hpp"
#include "core/names.hpp"
#include "selection/open_mpi_names.hpp"
#include "selection/open_mpi_rules_file.hpp"

namespace hockney {
namespace {

/// A number of the file and the line it stands on.
struct Word {
  std::int64_t value = 0;
  int line = 0;
};

/// The numbers of a rules file, one after the other.
class Words {
 public:
  Words(const std::string& text, std::string file) : file_(std::move(file)) {
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
    if (at_ == words_.size()) reject("the file ends", "a number is missing: " + what);
    const Word word = words_[at_++];
    line_ = word.line;
    if (word.value < least) reject("bad " + what, "it is below " + std::to_string(least));
    return word.value;
  }

  int next_int(const std::string& what, int least = 0) {
    const std::int64_t value = next(what, least);
    if (value > std::numeric_limits<int>::max()) reject("bad " + what, "it is too large");
    return static_cast<int>(value);
  }

  void end() {
    if (at_ < words_.size()) reject("numbers after the last rule", "nobody reads them");
  }

  [[noreturn]] void reject(const std::string& problem, const std::string& why) const {
    throw InputError({file_ + ":" + std::to_string(line_) + ": " + problem,
                      why + "; Open MPI would ignore the whole file", "write it anew"});
  }

 private:
  /// strtol of Open MPI takes a leading 0 for octal.
  void add(const std::string& word, int line) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    line_ = line;
    const bool whole = error == std::errc() && end == word.data() + word.size();
    const bool octal = word.size() > 1 && word.front() == '0';
    if (!whole || octal) reject("'" + word + "' is no number", "rules are decimal numbers");
    words_.push_back({value, line});
  }

  std::string file_;
  std::vector<Word> words_;
  std::size_t at_ = 0;
  int line_ = 1;
};

Choice read_choice(Words& words, const std::string& operation) {
  const int number = words.next_int("algorithm");
  const int fanout = words.next_int("fan-out");
  const std::int64_t segment = words.next("segment");
  if (number == 0) return {};
  return {.algorithm = open_mpi_name(operation, number),
          .number = number,
          .segment = segment,
          .fanout = fanout,
          .variables = {}};
}

RanksRule read_ranks(Words& words, const std::string& operation) {
  RanksRule rule{.from = words.next_int("number of ranks"), .measured = 0, .sizes = {}};
  const std::int64_t count = words.next("number of sizes", 1);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t from = words.next("size");
    if (i == 0 && from != 0) words.reject("the first size is not 0", "every size needs a rule");
    if (i > 0 && from <= rule.sizes.back().from) {
      words.reject("size " + std::to_string(from) + " is out of order", "sizes ascend");
    }
    rule.sizes.push_back({.from = from, .choice = read_choice(words, operation)});
  }
  return rule;
}

OperationRules read_operation(Words& words) {
  const int collective = words.next_int("operation");
  const auto operation = open_mpi_operation(collective);
  if (!operation) {
    words.reject("unknown operation " + std::to_string(collective), "it has no algorithms");
  }
  OperationRules rules{.operation = operation.value_or(""), .ranks = {}};
  const std::int64_t count = words.next("count of numbers of ranks", 1);
  for (std::int64_t i = 0; i < count; ++i) {
    rules.ranks.push_back(read_ranks(words, rules.operation));
    if (i == 0 || rules.ranks[rules.ranks.size() - 2].from < rules.ranks.back().from) continue;
    words.reject("ranks are out of order", "they ascend");
  }
  return rules;
}

}  // namespace

Rules read_open_mpi_rules(const std::string& text, const std::string& file) {
  Words words(text, file);
  const std::int64_t count = words.next("number of operations");
  Rules rules;
  for (std::int64_t i = 0; i < count; ++i) rules.push_back(read_operation(words));
  words.end();
  return rules;
}

}  // namespace hockney
