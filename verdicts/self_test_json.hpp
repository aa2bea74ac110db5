#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "verdicts/self_test.hpp"

namespace hockney {

inline constexpr std::string_view self_test_schema = "hockney.self-test/1";

/// The document of `hockney self-test --json`; what is not known is null.
nlohmann::json to_json(const SelfTest& test);

}  // namespace hockney
