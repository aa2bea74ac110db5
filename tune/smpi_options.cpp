#include "tune/smpi_options.hpp"

#include <algorithm>
#include <sstream>

#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "tune/operation_names.hpp"

namespace hockney::tune {
namespace {

template <class Number>
std::string end_text(const std::optional<Number>& last) {
  return last ? std::to_string(*last) : "-";
}

/// One line of the list.
struct ListedRule {
  std::string operation;
  int ranks = 0;
  std::int64_t from = 0;
  Choice choice;
};

/// "binomial_tree" of "--cfg=smpi/bcast:binomial_tree".
Choice choice_in(const std::string& option, const std::string& operation) {
  if (option == "-") return {};
  const std::string prefix = "--cfg=smpi/" + lower_name(operation) + ":";
  if (!option.starts_with(prefix) || option.size() == prefix.size()) {
    throw InputError({"bad option '" + option + "'", "it does not choose for " + operation,
                      "write it like " + prefix + "NAME"});
  }
  return {.algorithm = option.substr(prefix.size())};
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

ListedRule read_listed_rule(const std::string& text) {
  const std::vector<std::string> words = words_of(text);
  constexpr std::size_t columns = 6;
  if (words.size() != columns) {
    throw InputError({"bad line '" + text + "'", "it has not six columns",
                      "operation, ranks from and to, bytes from and to, option"});
  }
  return {.operation = words[0],
          .ranks = parse_count<int>("ranks", words[1], 2),
          .from = parse_count<std::int64_t>("bytes", words[3], 0),
          .choice = choice_in(words[5], words[0])};
}

void add(Rules& rules, ListedRule listed) {
  auto operation = std::ranges::find(rules, listed.operation, &OperationRules::operation);
  if (operation == rules.end()) {
    rules.push_back({.operation = listed.operation, .ranks = {}});
    operation = rules.end() - 1;
  }
  auto& ranks = operation->ranks;
  if (ranks.empty() || ranks.back().from != listed.ranks) {
    ranks.push_back({.from = listed.ranks, .measured = 0, .sizes = {}});
  }
  ranks.back().sizes.push_back({.from = listed.from, .choice = std::move(listed.choice)});
}

/// Of no words, or of words whose first one begins with #: it names no operation.
bool is_comment(const std::string& line) {
  const std::vector<std::string> words = words_of(line);
  return words.empty() || words.front().starts_with('#');
}

/// InputError unless every line begins where the one before it ends: the rules say it all then.
void check_ends(const Rules& rules, const std::string& text, const std::string& file) {
  std::vector<std::string> expected = split(smpi_list(rules, {}), '\n');
  std::erase_if(expected, is_comment);
  int number = 0;
  std::size_t next = 0;
  for (const std::string& line : split(text, '\n')) {
    ++number;
    if (is_comment(line)) continue;
    const std::string& other = expected.at(next++);
    if (join(words_of(line), " ") == other) continue;
    throw InputError({file + ":" + std::to_string(number) + ": bad line '" + line + "'",
                      "by the lines around it, it would be '" + other + "'",
                      "write the list anew"});
  }
}

}  // namespace

std::string smpi_option(const std::string& operation, const Choice& choice) {
  if (choice.is_default()) return {};
  return "--cfg=smpi/" + lower_name(operation) + ":" + choice.algorithm;
}

std::string smpi_list(const Rules& rules, const std::vector<std::string>& comments) {
  std::ostringstream out;
  for (const std::string& comment : comments) out << "# " << comment << '\n';
  out << "# operation  ranks from  to  bytes from  to  option\n";
  for (const OperationRules& operation : rules) {
    for (std::size_t i = 0; i < operation.ranks.size(); ++i) {
      const RanksRule& rule = operation.ranks[i];
      for (std::size_t j = 0; j < rule.sizes.size(); ++j) {
        const std::string option = smpi_option(operation.operation, rule.sizes[j].choice);
        out << operation.operation << ' ' << rule.from << ' ' << end_text(last_ranks(operation, i))
            << ' ' << rule.sizes[j].from << ' ' << end_text(last_size(rule, j)) << ' '
            << (option.empty() ? "-" : option) << '\n';
      }
    }
  }
  return out.str();
}

Rules read_smpi_list(const std::string& text, const std::string& file) {
  Rules rules;
  int number = 0;
  for (const std::string& line : split(text, '\n')) {
    ++number;
    if (is_comment(line)) continue;
    try {
      add(rules, read_listed_rule(line));
    } catch (const InputError& error) {
      throw InputError({file + ":" + std::to_string(number), error.what(), "write the list anew"});
    }
  }
  check_ends(rules, text, file);
  return rules;
}

}  // namespace hockney::tune
