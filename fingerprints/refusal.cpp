#include "fingerprints/refusal.hpp"

#include <cctype>
#include <ranges>

#include "core/names.hpp"

namespace hockney {
namespace {

constexpr std::size_t longest = 200;

/// Without control characters and runs of blanks.
std::string tidy(std::string_view text) {
  std::string tidied;
  for (const char c : text) {
    const char plain = c > ' ' && c <= '~' ? c : ' ';
    if (plain != ' ' || (!tidied.empty() && tidied.back() != ' ')) tidied += plain;
  }
  while (tidied.ends_with(' ')) tidied.pop_back();
  return tidied.substr(0, longest);
}

std::string upper_name(std::string_view operation) {
  std::string name(operation);
  for (char& c : name) {
    c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return name;
}

/// Launchers talk after the program's last words.
bool is_of_launcher(std::string_view line) {
  return line.find_first_not_of("=-*# \t\r") == std::string_view::npos || line.starts_with("=") ||
         line.starts_with("YOUR APPLICATION") || line.starts_with("This typically") ||
         line.starts_with("Please see the FAQ");
}

}  // namespace

std::optional<std::string> refusal_in(std::string_view text, std::string_view operation) {
  const std::string intel = upper_name(operation) + ": algo #";
  for (const std::string& line : split(text, '\n')) {
    const bool by_intel = line.starts_with(intel) && line.find("has fallback") != std::string::npos;
    const bool by_mpich =
        line.find("User set collective algorithm is not usable") != std::string::npos;
    if (by_intel || by_mpich) return tidy(line);
  }
  return std::nullopt;
}

std::string last_words(std::string_view text) {
  const std::vector<std::string> lines = split(text, '\n');
  // Intel MPI ends with an assertion; what it is about stands before.
  for (const std::string& line : lines) {
    if (line.find(" has fallback") != std::string::npos) return tidy(line);
  }
  for (const std::string& line : std::views::reverse(lines)) {
    if (!is_of_launcher(line) && !tidy(line).empty()) return tidy(line);
  }
  return {};
}

}  // namespace hockney
