#include "report/colors.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <vector>

#include "core/text.hpp"

namespace hockney::report {
namespace {

constexpr std::string_view bad = "\033[31m";
constexpr std::string_view good = "\033[32m";
constexpr std::string_view open = "\033[33m";
constexpr std::string_view usual = "\033[39m";
constexpr std::string_view bold = "\033[1m";
constexpr std::string_view not_bold = "\033[22m";

struct ColoredWord {
  std::string_view word;
  std::string_view color;
};

constexpr std::array<ColoredWord, 15> colored_words{{{"slower", bad},
                                                     {"violated", bad},
                                                     {"regressed", bad},
                                                     {"REGRESSED", bad},
                                                     {"WRONG", bad},
                                                     {"poor", bad},
                                                     {"failed", bad},
                                                     {"faster", good},
                                                     {"satisfied", good},
                                                     {"improved", good},
                                                     {"OK", good},
                                                     {"good", good},
                                                     {"undecided", open},
                                                     {"LEARNING", open},
                                                     {"fair", open}}};

bool is_letter(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) != 0; }

std::string with_words(std::string_view line) {
  std::string text;
  for (auto at = line.begin(); at != line.end();) {
    const auto end = std::find_if_not(at, line.end(), is_letter);
    const std::string_view word(at, end);
    const auto found = std::ranges::find(colored_words, word, &ColoredWord::word);
    if (found == colored_words.end()) {
      text += word;
    } else {
      text.append(found->color).append(word).append(usual);
    }
    const auto next = std::find_if(end, line.end(), is_letter);
    text.append(end, next);
    at = next;
  }
  return text;
}

}  // namespace

bool may_color(int descriptor) {
  const auto value_of = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string_view(value == nullptr ? "" : value);
  };
  const std::string_view terminal = value_of("TERM");
  return ::isatty(descriptor) != 0 && value_of("NO_COLOR").empty() && !terminal.empty() &&
         terminal != "dumb";
}

std::string colored(std::string_view text) {
  std::vector<std::string> lines = split(text, '\n');
  bool is_command = false;  // below "next", where words are names of options and files
  for (std::string& line : lines) {
    const std::string label = line.substr(0, line.find(' '));
    const bool is_labelled = label == "trust" || label == "next";
    if (is_labelled) is_command = label == "next";
    const std::string words = is_labelled ? line.substr(label.size()) : line;
    line = is_command ? words : with_words(words);
    if (is_labelled) line = std::string(bold) + label + std::string(not_bold) + line;
  }
  return join(lines, "\n");
}

std::string colored_for(int descriptor, const std::string& text) {
  return may_color(descriptor) ? colored(text) : text;
}

}  // namespace hockney::report
