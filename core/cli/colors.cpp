#include "core/cli/colors.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <vector>

#include "core/text.hpp"

namespace hockney {
namespace {

constexpr std::string_view red = "\033[31m";
constexpr std::string_view green = "\033[32m";
constexpr std::string_view yellow = "\033[33m";
constexpr std::string_view no_color = "\033[39m";
constexpr std::string_view bold_begins = "\033[1m";
constexpr std::string_view bold_ends = "\033[22m";

struct ColoredWord {
  std::string_view word;
  std::string_view color;
};

constexpr std::array<ColoredWord, 14> colored_words{{{"slower", red},
                                                     {"violated", red},
                                                     {"regressed", red},
                                                     {"REGRESSED", red},
                                                     {"WRONG", red},
                                                     {"poor", red},
                                                     {"faster", green},
                                                     {"satisfied", green},
                                                     {"improved", green},
                                                     {"OK", green},
                                                     {"good", green},
                                                     {"undecided", yellow},
                                                     {"LEARNING", yellow},
                                                     {"fair", yellow}}};

bool is_letter(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) != 0; }

std::string with_words(std::string_view line) {
  std::string text;
  for (const auto* at = line.begin(); at != line.end();) {
    const auto* const end = std::find_if_not(at, line.end(), is_letter);
    const std::string_view word(at, end);
    const auto* const found = std::ranges::find(colored_words, word, &ColoredWord::word);
    if (found == colored_words.end()) {
      text += word;
    } else {
      text.append(found->color).append(word).append(no_color);
    }
    const auto* const next = std::find_if(end, line.end(), is_letter);
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
  static const std::string below_label(11, ' ');  // as report/screens/screen.cpp has commands
  std::vector<std::string> lines = split(text, '\n');
  for (std::string& line : lines) {
    const std::string label = line.substr(0, line.find(' '));
    const std::string rest = line.substr(label.size());
    if (label == "trust") {
      line = std::string(bold_begins) + label + std::string(bold_ends) + with_words(rest);
    } else if (label == "next") {
      line = std::string(bold_begins) + label + std::string(bold_ends) + rest;
    } else if (!line.starts_with(below_label)) {
      line = with_words(line);
    }
  }
  return join(lines, "\n");
}

}  // namespace hockney
