#include "components/tune/open_mpi_rules.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/collectives.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::tune {
namespace {

constexpr std::string_view version_word = "rule-file-version-";

bool limits_requests(const Rules& rules) {
  return std::ranges::any_of(rules, [](const OperationRules& operation) {
    return std::ranges::any_of(operation.ranks, [](const RanksRule& rule) {
      return std::ranges::any_of(rule.sizes,
                                 [](const SizeRule& size) { return size.choice.requests > 0; });
    });
  });
}

std::string sizes_text(const std::string& operation, const RanksRule& rule) {
  std::string text =
      fmt::format("{}  # ranks, and on\n{}  # sizes\n", rule.from, rule.sizes.size());
  for (const SizeRule& size : rule.sizes) {
    const Choice& choice = size.choice;
    text += fmt::format(
        "{} {} {} {}{}  # {}\n", size.from, open_mpi_number(operation, choice).value_or(0),
        choice.fanout, choice.segment,
        choice.requests > 0 ? fmt::format(" {}", choice.requests) : "", describe(choice));
  }
  return text;
}

/// A number of the file and its line.
struct RuleNumber {
  std::int64_t value = 0;
  int line = 0;
};

/// The numbers of a rules file in order.
class RuleNumbers {
 public:
  RuleNumbers(const std::string& text, std::string file) : file_(std::move(file)) {
    add_all(std::string_view(text).substr(read_version(text)));
  }

  /// 1 without a version line.
  [[nodiscard]] int version() const { return version_; }

  std::int64_t next(const std::string& what) {
    if (at_ == numbers_.size()) reject("the file ends", "a number is missing: " + what, ignored);
    const RuleNumber number = numbers_[at_++];
    line_ = number.line;
    if (number.value < 0) reject("bad " + what, "it is below 0", ignored);
    return number.value;
  }

  int next_int(const std::string& what) {
    const std::int64_t value = next(what);
    if (value > std::numeric_limits<int>::max()) reject("bad " + what, "it is too large");
    return static_cast<int>(value);
  }

  /// Whether another number follows on the line of the last one.
  [[nodiscard]] bool line_goes_on() const {
    return at_ < numbers_.size() && numbers_[at_].line == line_;
  }

  void end() {
    if (at_ == numbers_.size()) return;
    line_ = numbers_[at_].line;
    reject("numbers after the last rule", "no library reads them, so a count before them is wrong");
  }

  /// Open MPI's treatment of an unreadable file, for messages.
  static constexpr const char* ignored = "; Open MPI would ignore the whole file";

  [[noreturn]] void reject(const std::string& problem, const std::string& why,
                           const std::string& effect = "") const {
    throw InputError({fmt::format("{}:{}: {}", file_, line_, problem), why + effect,
                      "write it anew: hockney tune ... -o FILE"});
  }

 private:
  /// Reads the version, which Open MPI accepts only at the very beginning; returns the position of
  /// the numbers.
  std::size_t read_version(const std::string& text) {
    if (text.starts_with("\xEF\xBB\xBF")) {
      reject("a byte-order mark at the beginning", "Open MPI takes no version behind it", "");
    }
    if (!text.starts_with(version_word)) return 0;
    const std::size_t begin = version_word.size();
    const std::size_t end = std::min(text.find_first_of(" \t\n\v\f\r#", begin), text.size());
    const auto version = as_number<int>(std::string_view(text).substr(begin, end - begin));
    if (!version || *version < 1 || *version > 2) {
      reject(fmt::format("'{}'", text.substr(0, std::min(end, longest_name))),
             "classic files have version 1 or 2; 3 is that of the JSON of Open MPI 6.0");
    }
    version_ = *version;
    return end;
  }

  void add_all(std::string_view text) {
    int line = 0;
    for (const std::string& written : split(text, '\n')) {
      line_ = ++line;
      // Blanks are those of Open MPI's fscanf.
      std::istringstream words(written.substr(0, written.find('#')));
      for (std::string word; words >> word;) add(word);
    }
    line_ = 1;
  }

  /// Adds a number, decimal or 0x400 as in Open MPI's fscanf("%li"), which reads a leading 0 as
  /// octal.
  void add(const std::string& word) {
    const bool is_hexadecimal = word.starts_with("0x") || word.starts_with("0X");
    constexpr int hexadecimal = 16;
    std::int64_t value = 0;
    const char* const begin = word.data() + (is_hexadecimal ? 2 : 0);
    const auto [end, error] =
        std::from_chars(begin, word.data() + word.size(), value, is_hexadecimal ? hexadecimal : 10);
    const bool is_number =
        error == std::errc() && end == word.data() + word.size() && (!is_hexadecimal || value >= 0);
    const bool is_octal = !is_hexadecimal && word.size() > 1 && word.front() == '0';
    if (!is_number || is_octal) reject_word(word, is_number && is_octal);
    numbers_.push_back({value, line_});
  }

  [[noreturn]] void reject_word(const std::string& word, bool is_octal) const {
    if (word.starts_with(version_word)) {
      reject(fmt::format("'{}' here", shortened(word)),
             "Open MPI takes it as the first characters of the file alone, before comments",
             ignored);
    }
    if (word.starts_with('{') || word.starts_with('[')) {
      reject(fmt::format("'{}' is no number", shortened(word)),
             "it may be JSON, which Open MPI 6.0 reads and hockney does not write");
    }
    reject(fmt::format("'{}' is no number", shortened(word)),
           is_octal ? "Open MPI takes a leading 0 for octal"
                    : "rules are decimal numbers, comments begin with #");
  }

  std::string file_;
  std::vector<RuleNumber> numbers_;
  std::size_t at_ = 0;
  int line_ = 1;
  int version_ = 1;
};

/// Reads the rules of a file for one release.
class RulesReader {
 public:
  RulesReader(const std::string& text, const std::string& file, const OpenMpiRelease& release)
      : numbers_(text, file), release_(release) {}

  Rules read() {
    check_version();
    const std::int64_t count = numbers_.next("number of operations");
    if (count > std::ssize(all_collectives)) {
      numbers_.reject(fmt::format("{} operations", count),
                      fmt::format("MPI has {}", all_collectives.size()), RuleNumbers::ignored);
    }
    Rules rules;
    for (std::int64_t i = 0; i < count; ++i) {
      OperationRules read = read_operation(rules);
      if (!read.ranks.empty()) rules.push_back(std::move(read));
    }
    numbers_.end();
    return rules;
  }

 private:
  void check_version() const {
    constexpr OpenMpiRelease first_of_4{4, 1, 8};
    constexpr OpenMpiRelease first_of_5{5, 0, 7};
    const bool is_old =
        release_.major < first_of_5.major ? release_ < first_of_4 : release_ < first_of_5;
    if (numbers_.version() < 2 || !is_old) return;
    numbers_.reject(
        fmt::format("'{}2'", version_word),
        fmt::format("{}.{} does not read it, 4.1.8 and 5.0.7 do", title(release_), release_.patch),
        RuleNumbers::ignored);
  }

  OperationRules read_operation(const Rules& before) {
    const auto number = static_cast<std::size_t>(numbers_.next_int("operation"));
    if (number >= all_collectives.size()) {
      numbers_.reject(fmt::format("unknown operation {}", number),
                      fmt::format("MPI has 0..{}", all_collectives.size() - 1),
                      RuleNumbers::ignored);
    }
    const std::string name(all_collectives[number].name);
    const std::string title = fmt::format("operation {} ({})", number, name);
    if (known_names(all_collectives[number].open_mpi).empty()) {
      numbers_.reject("rules of " + title, "coll/tuned has no algorithms of it");
    }
    if (std::ranges::count(before, name, &OperationRules::operation) > 0) {
      numbers_.reject(title + " a second time", "Open MPI would forget the first rules");
    }
    OperationRules rules{.operation = name, .ranks = {}};
    const std::int64_t count = numbers_.next("count of numbers of ranks");
    for (std::int64_t i = 0; i < count; ++i) {
      rules.ranks.push_back(read_ranks(rules.operation));
      if (i == 0 || rules.ranks[rules.ranks.size() - 2].from < rules.ranks.back().from) continue;
      numbers_.reject("ranks are out of order", "they ascend");
    }
    return rules;
  }

  RanksRule read_ranks(const std::string& operation) {
    RanksRule rule{.from = numbers_.next_int("number of ranks"), .measured = 0, .sizes = {}};
    const std::int64_t count = numbers_.next("number of sizes");
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t from = numbers_.next("size");
      if (i == 0 && from != 0) {
        numbers_.reject("the first size is not 0", "every size needs a rule", RuleNumbers::ignored);
      }
      if (i > 0 && from <= rule.sizes.back().from) {
        numbers_.reject(fmt::format("size {} is out of order", from), "sizes ascend");
      }
      rule.sizes.push_back({.from = from, .choice = read_choice(operation)});
    }
    // Without rules the library decides.
    if (rule.sizes.empty()) rule.sizes.push_back({});
    return rule;
  }

  Choice read_choice(const std::string& operation) {
    const int number = numbers_.next_int("algorithm");
    const int last = last_open_mpi_algorithm(operation, release_);
    if (number > last) {
      numbers_.reject(fmt::format("algorithm {} of {} does not exist", number, operation),
                      fmt::format("{} has 0..{}", title(release_), last));
    }
    const int fanout = numbers_.next_int("fan-out");
    const std::int64_t segment = numbers_.next("segment");
    const bool has_requests = numbers_.version() > 1 && numbers_.line_goes_on();
    const int requests = has_requests ? numbers_.next_int("number of requests") : 0;
    if (number == 0) return {};
    return {.algorithm = open_mpi_name(operation, number),
            .number = number,
            .segment = segment,
            .fanout = fanout,
            .requests = requests,
            .variables = {}};
  }

  RuleNumbers numbers_;
  OpenMpiRelease release_;
};

}  // namespace

std::string open_mpi_rules_file(const Rules& keyed, const std::vector<std::string>& comments) {
  const bool has_requests = limits_requests(keyed);
  std::string text;
  if (has_requests) text += fmt::format("{}2\n", version_word);
  for (const std::string& comment : comments) text += fmt::format("# {}\n", comment);
  text += fmt::format("# size key [B], algorithm, fan-out, segment [B]{}\n{}  # operations\n",
                      has_requests ? ", requests" : "", keyed.size());
  for (const OperationRules& rules : keyed) {
    text += fmt::format("{}  # {}\n{}  # numbers of ranks\n",
                        open_mpi_collective(rules.operation).value_or(0), rules.operation,
                        rules.ranks.size());
    for (const RanksRule& rule : rules.ranks) text += sizes_text(rules.operation, rule);
  }
  return text;
}

Rules read_open_mpi_rules(const std::string& text, const std::string& file,
                          const OpenMpiRelease& release) {
  return RulesReader(text, file, release).read();
}

}  // namespace hockney::tune
