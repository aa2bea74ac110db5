#include "core/complaints.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>

#include "core/text.hpp"

namespace hockney {
namespace {

/// A part of a line that identifies a complaint, and the number of non-empty lines after it that
/// belong to it.
struct Pattern {
  std::string_view words;
  std::size_t more_lines = 0;
};

// Seen with Open MPI 4.1.4 and 5.0.11, Intel MPI 2021.18.1, MPICH 4.0.2 and 5.0.2.
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

std::string whole_complaint(const std::vector<std::string>& lines, std::size_t first,
                            std::size_t more) {
  std::string text = lines[first];
  for (std::size_t i = first + 1; i < lines.size() && more > 0; ++i) {
    if (!says_something(lines[i])) continue;
    text += " " + lines[i];
    --more;
  }
  return tidied(text, longest);
}

bool has_any(std::string_view line, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(
      words, [&](std::string_view word) { return line.find(word) != std::string_view::npos; });
}

// Seen with Open MPI 4.1.4 and 5.0.9 (shmem/mmap, btl/vader, btl/sm), UCX 1.13 and libfabric 1.17.
bool is_loss_of_shared_memory(std::string_view line) {
  return has_any(line, {"shared memory", "shared-memory", "/dev/shm", "shm_open", "shmget"}) &&
         has_any(line,
                 {"not enough space", "No space left", "ailed", "nable to", "annot", "ould not"});
}

bool is_warning(std::string_view line) {
  return has_any(line, {"WARNING:", "UCX  WARN", "UCX  ERROR", "PMIX ERROR", "ORTE_ERROR_LOG",
                        ":core:warn", "performance degradation", "lower performance"});
}

}  // namespace

std::string tidied(std::string_view text, std::size_t most) {
  std::string plain;
  for (const char c : text) {
    const char shown = c > ' ' && c <= '~' ? c : ' ';
    if (shown != ' ' || (!plain.empty() && plain.back() != ' ')) plain += shown;
  }
  while (plain.ends_with(' ')) plain.pop_back();
  return plain.substr(0, most);
}

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

LibraryReport library_report(std::string_view log) {
  const std::vector<std::string> lines = split(log, '\n');
  LibraryReport report;
  for (std::size_t i = 0; i < lines.size() && report.messages.size() < most_complaints; ++i) {
    const std::string& line = lines[i];
    if (line.starts_with("hockney")) continue;
    const bool is_loss = is_loss_of_shared_memory(line);
    if (!is_loss && !is_warning(line)) continue;
    report.lost_shared_memory = report.lost_shared_memory || is_loss;
    const auto paragraph_end = std::find_if_not(lines.begin() + static_cast<std::ptrdiff_t>(i),
                                                lines.end(), says_something);
    std::string message =
        tidied(join({lines.begin() + static_cast<std::ptrdiff_t>(i), paragraph_end}, " "), longest);
    if (std::ranges::find(report.messages, message) == report.messages.end()) {
      report.messages.push_back(std::move(message));
    }
    i = static_cast<std::size_t>(paragraph_end - lines.begin());
  }
  return report;
}

}  // namespace hockney
