#include "settings/complaints.hpp"

#include <algorithm>
#include <array>

#include "core/names.hpp"

namespace hockney {
namespace {

/// A part of a line that is a complaint, and how many lines that say something after it belong to
/// it.
struct Pattern {
  std::string_view words;
  std::size_t more_lines = 0;
};

// Seen of Open MPI 4.1.4 and 5.0.11, Intel MPI 2021.18.1, MPICH 4.0.2 and 5.0.2.
constexpr std::array<Pattern, 11> patterns{{
    {"An invalid value was supplied for an enum variable", 2},
    {"An invalid value was supplied for an MCA variable", 2},
    {"MCA parameter in the", 1},  // "... vader BTL was set to a value which is too low"
    {"A requested component was not found", 0},
    {"Incorrect algorithm", 0},
    {"Incorrect adjust value", 0},
    {"will be ignored", 0},
    {"environment variable is not supported", 0},
    {"fabric is unknown or has been removed", 0},
    {"Unable to parse environment variable", 0},
    {"Invalid MPIR_CVAR_", 0},
}};

constexpr std::size_t most_complaints = 5;
constexpr std::size_t longest = 300;

bool says_something(const std::string& line) {
  return line.find_first_not_of(" \t\r-=") != std::string::npos;
}

/// Without control characters and runs of blanks.
std::string tidy(const std::string& text) {
  std::string tidied;
  for (const char c : text) {
    const char plain = c > ' ' && c <= '~' ? c : ' ';
    if (plain != ' ' || (!tidied.empty() && tidied.back() != ' ')) tidied += plain;
  }
  while (tidied.ends_with(' ')) tidied.pop_back();
  return tidied.substr(0, longest);
}

std::string whole_complaint(const std::vector<std::string>& lines, std::size_t first,
                            std::size_t more) {
  std::string text = lines[first];
  for (std::size_t i = first + 1; i < lines.size() && more > 0; ++i) {
    if (!says_something(lines[i])) continue;
    text += " " + lines[i];
    --more;
  }
  return tidy(text);
}

}  // namespace

std::vector<std::string> complaints_in(std::string_view log) {
  std::vector<std::string> lines = split(log, '\n');
  std::vector<std::string> complaints;
  for (std::size_t i = 0; i < lines.size() && complaints.size() < most_complaints; ++i) {
    const auto* const pattern = std::ranges::find_if(patterns, [&](const Pattern& known) {
      return lines[i].find(known.words) != std::string::npos;
    });
    if (pattern == patterns.end()) continue;
    std::string complaint = whole_complaint(lines, i, pattern->more_lines);
    if (std::ranges::find(complaints, complaint) == complaints.end()) {
      complaints.push_back(std::move(complaint));
    }
  }
  return complaints;
}

}  // namespace hockney
