#include "core/json_reading.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/text.hpp"
#include "core/time.hpp"

namespace hockney {
namespace {

constexpr std::string_view no_negative = "it cannot be negative";

/// A whole number from `least` to the largest one of `Number`.
template <class Number>
Number whole_number_in(const JsonNode& node, Number least) {
  const std::int64_t value = node.integer();
  if (value < least || value > std::numeric_limits<Number>::max()) {
    node.reject("is " + std::to_string(value), "it is out of range", "");
  }
  return static_cast<Number>(value);
}

std::int64_t not_negative(const JsonNode& node, std::string_view why) {
  const std::int64_t value = node.integer();
  if (value < 0) node.reject("is " + std::to_string(value), std::string(why), "");
  return value;
}

}  // namespace

void read_into(const JsonNode& node, std::string& value) { value = node.text(); }

void read_into(const JsonNode& node, bool& value) { value = node.boolean(); }

void read_into(const JsonNode& node, double& value) {
  value = node.number();
  if (value < 0) node.reject("is " + std::to_string(value), std::string(no_negative), "");
}

void read_into(const JsonNode& node, int& value) { value = whole_number_in<int>(node, 0); }

void read_into(const JsonNode& node, std::int64_t& value) {
  value = not_negative(node, no_negative);
}

void read_into(const JsonNode& node, std::uint64_t& value) { value = node.unsigned_integer(); }

void read_into(const JsonNode& node, Bytes& value) {
  value.value = not_negative(node, "bytes cannot be negative");
}

void read_into(const JsonNode& node, Seconds& value) { read_into(node, value.value); }

void read_into(const JsonNode& node, std::vector<double>& values) {
  values = node.numbers();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] < 0) read_into(node.elements()[i], values[i]);  // says which
  }
}

void read_into(const JsonNode& node, std::vector<std::string>& values) { values = node.texts(); }

void read_into(const JsonNode& node, std::map<std::string, std::string>& values) {
  values = node.text_members();
}

double any_number(const JsonNode& node) { return node.number(); }

std::int64_t any_integer(const JsonNode& node) { return node.integer(); }

double positive_number(const JsonNode& node) {
  const double value = node.number();
  if (value > 0) return value;
  node.reject("is not above 0", "it is " + node.json().dump(), "");
}

int positive_integer(const JsonNode& node) { return whole_number_in(node, 1); }

std::string utc_moment(const JsonNode& node) {
  std::string text = node.text();
  try {
    if (!text.empty()) parse_utc(text);
  } catch (const InputError&) {
    node.reject("is '" + text + "'", "it is no time of UTC", "write it like 2026-11-22T03:04:05Z");
  }
  return text;
}

void reject_word(const JsonNode& node, const std::vector<std::string>& words) {
  const std::string text = node.text();
  node.reject("is '" + text + "'", "it is none of the known words", suggest(text, words));
}

}  // namespace hockney
