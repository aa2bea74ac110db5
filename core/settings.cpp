#include "core/settings.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>

#include "core/environment.hpp"
#include "core/json_fields.hpp"
#include "core/provenance.hpp"
#include "core/text.hpp"

namespace hockney {

constexpr auto fields_of(std::type_identity<PermittedValue>) {
  return object_of(key("name", &PermittedValue::name),
                   key("number", &PermittedValue::number, any_integer));
}

constexpr auto fields_of(std::type_identity<ControlVariable>) {
  return object_of(key("name", &ControlVariable::name), key("aliases", &ControlVariable::aliases),
                   key("description", &ControlVariable::description),
                   key("type", &ControlVariable::type), key("scope", &ControlVariable::scope),
                   key("value", &ControlVariable::value),
                   key("choices", &ControlVariable::choices));
}

namespace {

std::optional<std::int64_t> multiplier(std::string_view unit) {
  if (unit.empty()) return 1;
  if (unit.size() != 1) return std::nullopt;
  constexpr std::string_view letters = "kmgKMG";
  const std::size_t at = letters.find(unit.front());
  if (at == std::string_view::npos) return std::nullopt;
  return std::int64_t{1} << (10 * (at % 3 + 1));
}

constexpr std::string_view open_mpi_prefix = "OMPI_MCA_";

/// MPICH and Intel MPI give control variables the names of environment variables.
bool is_environment_name(std::string_view name) {
  return name.starts_with("MPIR_CVAR_") || name.starts_with("I_MPI_");
}

constexpr std::string_view white = " \t\n\r";
constexpr std::string_view separator = " - ";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(white);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(white) - first + 1);
}

/// Whether the word has the form of a value's name, unlike words of a sentence.
bool is_name(std::string_view word) {
  return !word.empty() &&
         word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
}

std::string_view last_word(std::string_view text) {
  const std::size_t space = trimmed(text).find_last_of(white);
  return space == std::string_view::npos ? trimmed(text) : trimmed(text).substr(space + 1);
}

/// The parts between " - ": the meaning of one value, then the name of the next.
std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t at = text.find(separator); at != std::string_view::npos;
       at = text.find(separator)) {
    parts.push_back(text.substr(0, at));
    text.remove_prefix(at + separator.size());
  }
  parts.push_back(text);
  return parts;
}

/// The plain words of a text, each also with a plural s.
std::set<std::string> words_of(const std::string& text) {
  std::set<std::string> words;
  for (const std::string& word : split(text, ' ')) {
    if (is_name(word)) words.insert({word, word + "s"});
  }
  return words;
}

/// Whether a text contains the words of a name, such as "recursive doubling" or "smp".
bool prints_of(std::string_view text, std::string name) {
  std::ranges::replace(name, '_', ' ');
  return fmt::format(" {} ", text).find(fmt::format(" {} ", name)) != std::string::npos;
}

/// Separates a name from the word before it: "algorithmsmp" gives "smp", since "algorithm" is a
/// word. If "algorithms" may be one too, the text of the value decides; nullopt if it does not.
std::optional<std::string> unglued(std::string_view word, std::string_view text,
                                   const std::set<std::string>& words) {
  const std::size_t mark = word.find_last_of(").,");
  if (mark != std::string_view::npos) word.remove_prefix(mark + 1);
  if (!is_name(word)) return std::nullopt;
  if (mark != std::string_view::npos) return std::string(word);
  std::vector<std::string> names;
  for (std::size_t length = word.size() - 1; length > 1; --length) {
    if (words.contains(std::string(word.substr(0, length)))) {
      names.emplace_back(word.substr(length));
    }
  }
  if (names.size() > 1) {
    std::erase_if(names, [&](const std::string& name) { return !prints_of(text, name); });
  }
  return names.size() == 1 ? std::optional(names.front()) : std::nullopt;
}

std::vector<PermittedValue> numbered(const std::vector<std::string>& names) {
  std::vector<PermittedValue> choices;
  choices.reserve(names.size());
  for (const std::string& name : names) {
    choices.push_back({name, static_cast<std::int64_t>(choices.size())});
  }
  return choices;
}

std::vector<PermittedValue> choices_of_lines(std::string_view description) {
  std::vector<std::string> names;
  for (const std::string& line : split(description, '\n')) {
    const std::size_t at = line.find(separator);
    if (at == std::string::npos) continue;
    const std::string_view name = trimmed(std::string_view(line).substr(0, at));
    if (is_name(name)) names.emplace_back(name);
  }
  return numbered(names);
}

/// Whether the library lists all its variables, at least those of components in use.
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
  setting.reason = nearest.empty()
                       ? "the library has no such variable here"
                       : fmt::format("the library has no such variable here, {}", nearest);
  return setting;
}

/// The number of "send,put": flags are combined.
std::optional<std::int64_t> chosen_number(const std::string& requested,
                                          const std::vector<PermittedValue>& choices) {
  std::int64_t sum = 0;
  for (const std::string& part : split(requested, ',')) {
    const auto choice = std::ranges::find(choices, part, &PermittedValue::name);
    const auto number = choice != choices.end() ? choice->number : requested_number(part);
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
  const auto effective = requested_number(value);
  if (is_boolean(variable.choices))
    return effective && requested_boolean(requested) == (*effective != 0);
  if (!variable.choices.empty())
    return effective && chosen_number(requested, variable.choices) == effective;
  if (const auto number = requested_number(requested)) return effective == number;
  return requested_real(requested) && requested_real(requested) == requested_real(value);
}

/// Whether the library hides the value: Intel MPI reports empty texts for any request, MPICH a
/// number for a name. (MPICH refuses unknown names at its start.)
bool hides_value(const ControlVariable& variable, const std::string& requested) {
  if (variable.type == "text") return variable.value == "" && !requested.empty();
  const bool in_words =
      !requested_number(requested) && !requested_real(requested) && !requested_boolean(requested);
  const auto named = std::ranges::find(variable.choices, requested, &PermittedValue::name);
  return in_words && named == variable.choices.end() && variable.name.starts_with("MPIR_CVAR_");
}

/// The name of a value if it has one, for people.
std::string shown(const ControlVariable& variable, const std::string& value) {
  const auto number = requested_number(value);
  const auto choice = std::ranges::find(variable.choices, number, &PermittedValue::number);
  return number && choice != variable.choices.end() ? choice->name : value;
}

}  // namespace

std::optional<std::int64_t> requested_number(std::string_view text) {
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  if (hexadecimal) text.remove_prefix(2);
  std::int64_t number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, hexadecimal ? 16 : 10);
  if (error != std::errc()) return std::nullopt;
  const auto factor = multiplier(text.substr(static_cast<std::size_t>(end - text.data())));
  std::int64_t product = 0;
  if (!factor || __builtin_mul_overflow(number, *factor, &product)) return std::nullopt;
  return product;
}

std::optional<double> requested_real(std::string_view text) { return as_number<double>(text); }

std::optional<bool> requested_boolean(std::string_view text) {
  constexpr std::array<std::string_view, 6> yes{"true", "t", "yes", "y", "on", "enabled"};
  constexpr std::array<std::string_view, 6> no{"false", "f", "no", "n", "off", "disabled"};
  std::string word(text);
  std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::tolower(c); });
  if (std::ranges::find(yes, word) != yes.end()) return true;
  if (std::ranges::find(no, word) != no.end()) return false;
  const auto number = requested_number(text);
  return number ? std::optional(*number != 0) : std::nullopt;
}

const ControlVariable* find_variable(const std::vector<ControlVariable>& variables,
                                     const std::string& environment) {
  const auto is_it = [&](const ControlVariable& variable) {
    return environment_name(variable) == environment ||
           std::ranges::find(variable.aliases, environment) != variable.aliases.end();
  };
  const auto found = std::ranges::find_if(variables, is_it);
  return found == variables.end() ? nullptr : &*found;
}

std::string environment_name(const ControlVariable& variable) {
  if (is_environment_name(variable.name)) return variable.name;
  return fmt::format("{}{}", open_mpi_prefix, variable.name);
}

nlohmann::json to_json(const std::vector<ControlVariable>& variables) {
  std::vector<ControlVariable> kept = variables;
  for (ControlVariable& variable : kept) {
    if (variable.value) variable.value = without_secret(variable.name, *variable.value);
  }
  return {{"schema", settings_schema}, {"variables", kept}};
}

std::vector<ControlVariable> read_variables(const JsonNode& document) {
  document.require_schema(settings_schema, "use the hockney-settings of the same version");
  return read_value<std::vector<ControlVariable>>(document.at("variables"));
}

std::vector<PermittedValue> described_choices(std::string_view description) {
  description = trimmed(description);
  if (description.find('\n') != std::string_view::npos) return choices_of_lines(description);
  const std::set<std::string> words = words_of(std::string(description));
  const std::vector<std::string_view> parts = parts_of(description);
  std::vector<std::string> names;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    const auto name = unglued(last_word(parts[i]), parts[i + 1], words);
    if (!name) return {};
    names.push_back(*name);
  }
  return numbered(names);
}

std::vector<PermittedValue> described_range(std::string_view description) {
  constexpr std::string_view mark = "range: ";
  constexpr std::int64_t most = 1000;
  const std::size_t at = description.find(mark);
  if (at == std::string_view::npos) return {};
  const char* const end = description.data() + description.size();
  int low = 0;
  int high = 0;  // the difference of two of them may exceed int
  const auto first = std::from_chars(description.data() + at + mark.size(), end, low);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '-') return {};
  const auto second = std::from_chars(first.ptr + 1, end, high);
  if (second.ec != std::errc() || std::int64_t{high} - low > most) return {};
  std::vector<PermittedValue> choices;
  for (std::int64_t number = low; number <= high; ++number) {
    choices.push_back({std::to_string(number), number});
  }
  return choices;
}

std::vector<PermittedValue> listed_choices(std::string_view text) {
  constexpr std::string_view mark = "Valid algorithms:";
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + mark.size());
  std::vector<PermittedValue> choices;
  for (const std::string& name : split(text.substr(0, text.find_first_of(".\n")), ',')) {
    choices.push_back({std::string(trimmed(name)), std::nullopt});
  }
  return choices;
}

std::vector<std::string> described_aliases(std::string_view description) {
  constexpr std::string_view mark = "@Alias:#";
  std::vector<std::string> aliases;
  for (std::size_t at = description.find(mark); at != std::string_view::npos;
       at = description.find(mark)) {
    description.remove_prefix(at + mark.size());
    const std::string_view rest = trimmed(description);
    aliases.emplace_back(rest.substr(0, rest.find_first_of(white)));
  }
  return aliases;
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
  if (setting.proof == Proof::ignored) {
    setting.reason = fmt::format("'{}' is effective", *setting.effective);
  }
  return setting;
}

std::vector<RequestedSetting> prove_all(const std::map<std::string, std::string>& environment,
                                        const std::vector<ControlVariable>& variables) {
  std::vector<RequestedSetting> settings;
  for (const auto& [variable, requested] : environment) {
    if (requests_setting(variable)) settings.push_back(prove(variable, requested, variables));
  }
  return settings;
}

std::string complaint_of(const RequestedSetting& setting) {
  const RequestedSetting kept = without_secrets(std::vector{setting}).front();
  return fmt::format("{}={}: {}", kept.variable, kept.requested, kept.reason);
}

}  // namespace hockney
