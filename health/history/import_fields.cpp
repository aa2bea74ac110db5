#include "health/history/import_fields.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "health/history/night.hpp"

namespace hockney {

std::int64_t day_at(const JsonNode& line, std::string_view key) {
  const JsonNode node = line.at(key);
  try {
    return parse_day(node.text());
  } catch (const InputError&) {
    node.reject("is no day", "it is '" + node.text() + "'", "write it like 2026-11-22");
  }
}

SeriesKind read_series_kind(const JsonNode& line) {
  line.allow_only({"kind", "series", "unit", "role", "worse"});
  const std::string role = line.at("role").text();
  const std::string worse = line.at("worse").text();
  if (role != word(role_of(role))) {
    line.at("role").reject("is unknown", "it is '" + role + "'",
                           suggest(role, {"subject", "control"}));
  }
  if (worse != word(worse_of(worse))) {
    line.at("worse").reject("is unknown", "it is '" + worse + "'",
                            suggest(worse, {"larger", "smaller"}));
  }
  return {.name = line.at("series").text(),
          .unit = line.at("unit").text(),
          .role = role_of(role),
          .worse = worse_of(worse)};
}

std::size_t count_at(const JsonNode& line, std::string_view key) {
  return static_cast<std::size_t>(line.at(key).unsigned_integer());
}

double positive_at(const JsonNode& line, std::string_view key) {
  const JsonNode node = line.at(key);
  if (std::isfinite(node.number()) && node.number() > 0) return node.number();
  node.reject("is not above 0", "it is " + node.json().dump(), "");
}

}  // namespace hockney
