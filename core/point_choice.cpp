#include "core/point_choice.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney {
namespace {

constexpr std::string_view before_size = " at ";
constexpr std::string_view before_least_size = " from ";
constexpr std::string_view after_size = " bytes";
constexpr std::string_view before_reason = ": ";
constexpr char between_choices = ';';

std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words = split(text, ' ');
  std::erase(words, "");
  return words;
}

/// Cuts the part from `mark` on off; nullopt if there is none.
std::optional<std::string_view> cut(std::string_view& text, std::string_view mark) {
  const std::size_t place = text.rfind(mark);
  if (place == std::string_view::npos) return std::nullopt;
  const std::string_view rest = text.substr(place + mark.size());
  text = text.substr(0, place);
  return rest;
}

Bytes size_of(std::string_view text) {
  if (text.ends_with(after_size)) text.remove_suffix(after_size.size());
  return parse_bytes(std::string(text));
}

/// Whether the point has the value, be it one that its name leaves out.
bool has(const std::vector<std::string>& name, const std::string& word) {
  if (std::ranges::find(name, word) != name.end()) return true;
  const std::size_t equals = word.find('=');
  const std::string key = word.substr(0, equals + 1);
  return is_unsaid(word.substr(0, equals), word.substr(equals + 1)) &&
         std::ranges::none_of(name, [&](const auto& each) { return each.starts_with(key); });
}

}  // namespace

std::string PointChoice::text() const {
  std::string text = operation;
  for (const std::string& word : words) text += " " + word;
  if (!bytes) return text;
  return fmt::format("{}{}{}{}", text, and_larger ? before_least_size : before_size, bytes->value,
                     after_size);
}

bool PointChoice::names(const Point& point) const {
  if (point.operation != operation) return false;
  if (bytes && (and_larger ? point.bytes < *bytes : point.bytes != *bytes)) return false;
  const std::vector<std::string> name = words_in(curve_name(point));
  return std::ranges::all_of(words, [&](const std::string& word) { return has(name, word); });
}

PointChoice parse_point_choice(std::string_view text) {
  const auto reject = [whole = std::string(text)](const std::string& why) {
    throw InputError({fmt::format("'{}' names no points", whole), why,
                      "write it like 'allreduce memory=cuda at 8 bytes'"});
  };
  PointChoice choice;
  if (const auto reason = text.find(before_reason); reason != std::string_view::npos) {
    choice.reason = text.substr(reason + before_reason.size());
    text = text.substr(0, reason);
  }
  if (const auto size = cut(text, before_size)) {
    choice.bytes = size_of(*size);
  } else if (const auto least = cut(text, before_least_size)) {
    choice.bytes = size_of(*least);
    choice.and_larger = true;
  }
  choice.words = words_in(text);
  if (choice.words.empty()) reject("it has no operation");
  choice.operation = choice.words.front();
  choice.words.erase(choice.words.begin());
  for (const std::string& word : choice.words) {
    const std::size_t equals = word.find('=');
    const bool is_whole = equals != std::string::npos && equals > 0 && equals + 1 < word.size();
    if (!is_whole) reject(fmt::format("'{}' is no parameter with its value", word));
  }
  return choice;
}

std::vector<PointChoice> parse_point_choices(std::string_view text) {
  std::vector<PointChoice> choices;
  for (const std::string& one : split(text, between_choices)) {
    choices.push_back(parse_point_choice(one));
  }
  return choices;
}

std::string text_of(const std::vector<PointChoice>& choices) {
  std::string text;
  for (const PointChoice& choice : choices) {
    if (!text.empty()) text += between_choices;
    text += choice.text();
    std::string reason = choice.reason;
    std::ranges::replace(reason, between_choices, ',');
    if (!reason.empty()) text += fmt::format("{}{}", before_reason, reason);
  }
  return text;
}

PointChoice choice_of(const Point& point) {
  PointChoice choice{
      .operation = point.operation, .words = words_in(curve_name(point)), .bytes = point.bytes};
  choice.words.erase(choice.words.begin());
  return choice;
}

}  // namespace hockney
