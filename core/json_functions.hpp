#pragma once

namespace hockney {

class JsonNode;

/// True if read_into(const JsonNode&, Type&) and to_json(nlohmann::json&, const Type&) are ordinary
/// functions, defined in one source. Other types use their field list (core/json_fields.hpp), which
/// takes seconds to compile in each source.
template <class Type>
inline constexpr bool has_json_functions = false;

}  // namespace hockney
