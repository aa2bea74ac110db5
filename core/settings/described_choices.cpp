#include "core/settings/described_choices.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "core/text.hpp"

namespace hockney {
namespace {

constexpr std::string_view white = " \t\n\r";
constexpr std::string_view separator = " - ";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(white);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(white) - first + 1);
}

/// The names of values are plain, unlike words of a sentence.
bool is_name(std::string_view word) {
  return !word.empty() &&
         word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
}

std::string_view last_word(std::string_view text) {
  const std::size_t space = trimmed(text).find_last_of(white);
  return space == std::string_view::npos ? trimmed(text) : trimmed(text).substr(space + 1);
}

/// What stands between two " - ": what the value before does, and the name of the next one.
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

/// The plain words of a text, in the singular and in the plural.
std::set<std::string> words_of(const std::string& text) {
  std::set<std::string> words;
  for (const std::string& word : split(text, ' ')) {
    if (is_name(word)) words.insert({word, word + "s"});
  }
  return words;
}

/// Whether a text speaks of "recursive doubling", or of "smp".
bool speaks_of(std::string_view text, std::string name) {
  std::ranges::replace(name, '_', ' ');
  return (" " + std::string(text) + " ").find(" " + name + " ") != std::string::npos;
}

/// "algorithmsmp" to "smp", since "algorithm" is a word; where "algorithms" might be one too, the
/// text of the value decides. nullopt when it does not.
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
    std::erase_if(names, [&](const std::string& name) { return !speaks_of(text, name); });
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

}  // namespace

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
  constexpr int most = 1000;
  const std::size_t at = description.find(mark);
  if (at == std::string_view::npos) return {};
  const char* const end = description.data() + description.size();
  int low = 0;
  int high = 0;
  const auto first = std::from_chars(description.data() + at + mark.size(), end, low);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '-') return {};
  const auto second = std::from_chars(first.ptr + 1, end, high);
  if (second.ec != std::errc() || high - low > most) return {};
  std::vector<PermittedValue> choices;
  for (int number = low; number <= high; ++number) {
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

}  // namespace hockney
