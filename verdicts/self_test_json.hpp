#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "core/json_node.hpp"
#include "verdicts/self_test.hpp"

namespace hockney {

inline constexpr std::string_view self_test_schema = "hockney.self-test/1";

/// The document of `hockney self-test`; what is not known is null.
nlohmann::json to_json(const SelfTest& test);

/// Strict: InputError of one line naming file and key for whatever is unknown, missing, mistyped or
/// contradicts itself.
SelfTest read_self_test(const JsonNode& document);
SelfTest load_self_test(const std::string& file);

}  // namespace hockney
