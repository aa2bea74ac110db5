#include "core/provenance_fields.hpp"

// Of core/record_json.hpp. Writing alone: the library that is preloaded before programs has no
// reader (components/application/library).

namespace hockney {

void to_json(nlohmann::json& json, const Host& value) { write_fields(json, value); }

void to_json(nlohmann::json& json, const Provenance& value) { write_fields(json, value); }

void to_json(nlohmann::json& json, const SiteOrigin& value) { write_fields(json, value); }

}  // namespace hockney
