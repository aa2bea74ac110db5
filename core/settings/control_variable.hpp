#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_node.hpp"

namespace hockney {

/// "8192", "0x2000" or "8K" (K, M, G are powers of two) as a whole number; nullopt for anything
/// else, such as "8192x", though libraries read a number there.
std::optional<std::int64_t> asked_number(std::string_view text);

/// "0.25" as a number; nullopt for what is none.
std::optional<double> asked_real(std::string_view text);

/// "yes", "true", "on", "enabled" or a whole number; nullopt for anything else.
std::optional<bool> asked_boolean(std::string_view text);

/// A value that a control variable may have.
struct PermittedValue {
  std::string name;                    ///< as it is written in the environment
  std::optional<std::int64_t> number;  ///< that the library reads it back as

  friend bool operator==(const PermittedValue&, const PermittedValue&) = default;
};

/// One thing an MPI library lets be set (MPI 3.1, section 14.3.6).
struct ControlVariable {
  std::string name;
  std::vector<std::string> aliases;  ///< variables of the environment that set it too
  std::string description;
  std::string type;                     ///< "int", "text", ...; "" for one we cannot read
  std::string scope;                    ///< "constant", "readonly", "local", ...; "" when not known
  std::optional<std::string> value;     ///< in force
  std::vector<PermittedValue> choices;  ///< all the values it may have, where the library says so

  friend bool operator==(const ControlVariable&, const ControlVariable&) = default;
};

inline constexpr std::string_view settings_schema = "hockney.settings/1";

/// The variable that `environment` (such as "OMPI_MCA_btl") sets: by the prefix of its MPI library,
/// by its very name, or by an alias; nullptr when there is none.
const ControlVariable* find_variable(const std::vector<ControlVariable>& variables,
                                     const std::string& environment);

/// How the environment names a control variable: "OMPI_MCA_btl" for "btl".
std::string environment_name(const ControlVariable& variable);

/// The document `hockney.settings/1`; `read_variables` of it gives equal variables.
nlohmann::json to_json(const std::vector<ControlVariable>& variables);
std::vector<ControlVariable> read_variables(const JsonNode& document);

}  // namespace hockney
