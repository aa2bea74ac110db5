#include "core/json_fields.hpp"

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace hockney {
namespace {

/// The first number beyond `most` in a value of a document.
std::optional<JsonNode> find_excess(const JsonNode& node,
                                    double most) {  // NOLINT(misc-no-recursion)
  const nlohmann::json value = node.json();
  if (value.is_number()) {
    return std::abs(value.get<double>()) > most ? std::optional(node) : std::nullopt;
  }
  if (!value.is_array()) return std::nullopt;
  for (const JsonNode& element : node.elements()) {
    if (auto found = find_excess(element, most)) return found;
  }
  return std::nullopt;
}

}  // namespace

void reject_excess(const JsonNode& node, double most) {
  const JsonNode wrong = find_excess(node, most).value_or(node);
  constexpr double most_digits = 1e15;
  const std::string limit = most > most_digits ? nlohmann::json(most).dump()
                                               : std::to_string(static_cast<std::int64_t>(most));
  wrong.reject("is " + wrong.json().dump(), "it is at most " + limit, "");
}

std::optional<JsonNode> find_key(const JsonNode& object, std::string_view name,
                                 std::string_view former, bool is_needed) {
  std::optional<JsonNode> node = object.find(name);
  if (!node && !former.empty()) node = object.find(former);
  if (!node && is_needed) node = object.at(name);
  return node;
}

nlohmann::json& member_of(nlohmann::json& object, std::string_view name) {
  return object[std::string(name)];
}

void write_value(bool value, nlohmann::json& written) { written = value; }

void write_value(int value, nlohmann::json& written) { written = value; }

void write_value(std::int64_t value, nlohmann::json& written) { written = value; }

void write_value(double value, nlohmann::json& written) { written = value; }

void write_value(const std::string& value, nlohmann::json& written) { written = value; }

void write_value(const std::vector<std::string>& value, nlohmann::json& written) {
  written = value;
}

void write_value(const std::vector<double>& value, nlohmann::json& written) { written = value; }

void write_value(const std::optional<double>& value, nlohmann::json& written) { written = value; }

void write_value(const std::optional<std::int64_t>& value, nlohmann::json& written) {
  written = value;
}

}  // namespace hockney
