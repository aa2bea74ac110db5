#include "core/settings/prove.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>

#include "core/secrets.hpp"
#include "core/settings/collective_variable.hpp"
#include "core/settings/control_variable.hpp"
#include "core/text.hpp"

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

/// Libraries that show every variable they know, if it is of a component in use.
bool shows_all(std::string_view variable) {
  return variable.starts_with("OMPI_MCA_") || variable.starts_with("MPIR_CVAR_");
}

RequestedSetting judge_unknown(RequestedSetting setting,
                               const std::vector<ControlVariable>& variables) {
  if (is_for_launcher(setting.variable)) {
    setting.reason = "it is for the launcher";
    return setting;
  }
  if (!shows_all(setting.variable) || variables.empty()) {
    setting.reason = "the library does not show it";
    return setting;
  }
  std::vector<std::string> names;
  names.reserve(variables.size());
  for (const ControlVariable& known : variables) names.push_back(environment_name(known));
  setting.proof = Proof::ignored;
  const std::string nearest = did_you_mean(setting.variable, names);
  setting.reason =
      "the library has no such variable here" + (nearest.empty() ? "" : ", " + nearest);
  return setting;
}

/// "send,put" of a set of flags is the sum of its parts.
std::optional<std::int64_t> chosen_number(const std::string& requested,
                                          const std::vector<PermittedValue>& choices) {
  std::int64_t sum = 0;
  for (const std::string& part : split(requested, ',')) {
    const auto choice = std::ranges::find(choices, part, &PermittedValue::name);
    const auto number = choice != choices.end() ? choice->number : asked_number(part);
    if (!number) return std::nullopt;
    sum |= *number;
  }
  return sum;
}

bool is_boolean(const std::vector<PermittedValue>& choices) {
  return choices == std::vector<PermittedValue>{{"false", 0}, {"true", 1}};
}

bool equal(const std::string& requested, const ControlVariable& variable,
           const std::string& value) {
  if (variable.type == "text") return requested == value;
  const auto effective = asked_number(value);
  if (is_boolean(variable.choices))
    return effective && asked_boolean(requested) == (*effective != 0);
  if (!variable.choices.empty())
    return effective && chosen_number(requested, variable.choices) == effective;
  if (const auto number = asked_number(requested)) return effective == number;
  return asked_real(requested) && asked_real(requested) == asked_real(value);
}

/// Intel MPI shows empty texts whatever was asked for, MPICH a number for a name. (What is no name
/// at all MPICH refuses at its start.)
bool hides_value(const ControlVariable& variable, const std::string& requested) {
  if (variable.type == "text") return variable.value == "" && !requested.empty();
  const bool in_words =
      !asked_number(requested) && !asked_real(requested) && !asked_boolean(requested);
  const auto named = std::ranges::find(variable.choices, requested, &PermittedValue::name);
  return in_words && named == variable.choices.end() && variable.name.starts_with("MPIR_CVAR_");
}

/// The name of a value where it has one, for people.
std::string shown(const ControlVariable& variable, const std::string& value) {
  const auto number = asked_number(value);
  const auto choice = std::ranges::find(variable.choices, number, &PermittedValue::number);
  return number && choice != variable.choices.end() ? choice->name : value;
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

namespace {

bool has_any(std::string_view line, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(
      words, [&](std::string_view word) { return line.find(word) != std::string_view::npos; });
}

// Seen of Open MPI 4.1.4 and 5.0.9 (shmem/mmap, btl/vader, btl/sm), UCX 1.13 and libfabric 1.17.
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
        tidy(join({lines.begin() + static_cast<std::ptrdiff_t>(i), paragraph_end}, " "));
    if (std::ranges::find(report.messages, message) == report.messages.end()) {
      report.messages.push_back(std::move(message));
    }
    i = static_cast<std::size_t>(paragraph_end - lines.begin());
  }
  return report;
}

RequestedSetting prove(const std::string& variable, const std::string& requested,
                       const std::vector<ControlVariable>& variables) {
  RequestedSetting setting{.variable = variable, .requested = requested};
  const ControlVariable* known = find_variable(variables, variable);
  if (known == nullptr) return judge_unknown(std::move(setting), variables);
  if (!known->value || hides_value(*known, requested)) {
    setting.reason = "the library does not show its value";
    return setting;
  }
  setting.effective = shown(*known, *known->value);
  setting.proof = equal(requested, *known, *known->value) ? Proof::proven : Proof::ignored;
  if (setting.proof == Proof::ignored) setting.reason = "'" + *setting.effective + "' is in force";
  return setting;
}

std::vector<RequestedSetting> prove_all(const std::map<std::string, std::string>& environment,
                                        const std::vector<ControlVariable>& variables) {
  std::vector<RequestedSetting> settings;
  for (const auto& [variable, requested] : environment) {
    if (asks_for_setting(variable)) settings.push_back(prove(variable, requested, variables));
  }
  return settings;
}

std::string complaint_of(const RequestedSetting& setting) {
  const RequestedSetting kept = without_secrets(std::vector{setting}).front();
  return kept.variable + "=" + kept.requested + ": " + kept.reason;
}

}  // namespace hockney
