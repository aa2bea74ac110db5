#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace hockney {

/// A document of a page with its packed lists as objects again, as kit.js unpacks them.
inline nlohmann::json unpacked(const nlohmann::json& value) {
  using Json = nlohmann::json;
  if (value.is_array()) {
    Json list = Json::array();
    for (const Json& one : value) list.push_back(unpacked(one));
    return list;
  }
  if (!value.is_object()) return value;
  if (!value.contains("$keys")) {
    Json object = Json::object();
    for (const auto& [key, member] : value.items()) object[key] = unpacked(member);
    return object;
  }
  Json list = Json::array();
  for (const Json& row : value.at("$rows")) {
    Json object = value.at("$same");
    for (std::size_t i = 0; i < row.size(); ++i) {
      object[value.at("$keys")[i].get<std::string>()] = unpacked(row[i]);
    }
    list.push_back(std::move(object));
  }
  return list;
}

/// The document `name` of a page; null without one.
inline nlohmann::json document_in(const std::string& page, const std::string& name) {
  const std::string begin = "class=\"document\" data-name=\"" + name + "\">";
  const auto at = page.find(begin);
  if (at == std::string::npos) return {};
  const auto first = at + begin.size();
  return unpacked(nlohmann::json::parse(page.substr(first, page.find("</script>", first) - first)));
}

}  // namespace hockney
