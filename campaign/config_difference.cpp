#include <nlohmann/json.hpp>
#include <set>

#include "campaign/manifest.hpp"

namespace hockney {
namespace {

using Json = nlohmann::json;

std::optional<std::string> difference(const Json& before, const Json& now, const std::string& key);

std::optional<std::string> in_objects(const Json& before, const Json& now,
                                      const std::string& prefix) {
  std::set<std::string> keys;
  for (const auto& member : before.items()) keys.insert(member.key());
  for (const auto& member : now.items()) keys.insert(member.key());
  const auto value = [](const Json& object, const std::string& key) {
    return object.contains(key) ? object.at(key) : Json(nullptr);
  };
  for (const std::string& key : keys) {
    const std::string full = std::string(prefix).append(prefix.empty() ? "" : ".").append(key);
    if (full == "description" || full == "launch_timeout_seconds") continue;
    if (auto found = difference(value(before, key), value(now, key), full)) return found;
  }
  return std::nullopt;
}

std::optional<std::string> in_arrays(const Json& before, const Json& now, const std::string& key) {
  if (before.size() != now.size()) return key;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const std::string full = key + "[" + std::to_string(i) + "]";
    if (auto found = difference(before[i], now[i], full)) return found;
  }
  return std::nullopt;
}

std::optional<std::string> difference(const Json& before, const Json& now, const std::string& key) {
  if (before == now) return std::nullopt;
  // A campaign may be given more time.
  if (key == "budget_seconds" && before.is_number() && now.is_number()) return std::nullopt;
  if (before.is_object() && now.is_object()) return in_objects(before, now, key);
  if (before.is_array() && now.is_array()) return in_arrays(before, now, key);
  return key;
}

}  // namespace

std::optional<std::string> differing_key(const CampaignConfig& before, const CampaignConfig& now) {
  return difference(to_json(before), to_json(now), "");
}

}  // namespace hockney
