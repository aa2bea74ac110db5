#pragma once

#include <simdjson.h>

#include <string>

namespace hockney {

/// A parsed document. For core/json_*.cpp alone.
struct JsonDocument {
  std::string file;
  simdjson::dom::document tree{};
};

/// The key of the member `name` of the object whose own key is `object`.
std::string member_key(const std::string& object, std::string_view name);

}  // namespace hockney
