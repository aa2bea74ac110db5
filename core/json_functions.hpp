#pragma once

namespace hockney {

class JsonNode;

/// Whether ordinary functions read and write a type: read_into(const JsonNode&, Type&) and
/// to_json(nlohmann::json&, const Type&), declared beside the type and defined in one source. A
/// type without them is read and written by its field list (core/json_fields.hpp), which takes
/// seconds to compile wherever that is done.
template <class Type>
inline constexpr bool has_json_functions = false;

}  // namespace hockney
