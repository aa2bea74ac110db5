#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/json_fields.hpp"
#include "core/provenance.hpp"

namespace hockney {

/// Codec for variables and command lines. Masks secrets on writing, and on reading documents of
/// older versions.
template <class Value>
inline constexpr FieldCodec<Value, Value> secretless{
    [](const JsonNode& node) { return without_secrets(read_value<Value>(node)); },
    [](const Value& value) { return without_secrets(value); }};

using SecretlessWords = std::vector<std::string>;
using SecretlessVariables = std::map<std::string, std::string>;

}  // namespace hockney
