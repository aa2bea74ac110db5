#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/provenance.hpp"

namespace hockney {

class JsonNode;

/// Parses "8192", "0x2000" or "8K" (K, M, G are powers of two) as a whole number. nullopt for other
/// text, such as "8192x", although libraries read a number there.
std::optional<std::int64_t> requested_number(std::string_view text);

/// Parses "0.25"; nullopt if it is no number.
std::optional<double> requested_real(std::string_view text);

/// Parses "yes", "true", "on", "enabled", their opposites, or a whole number; nullopt otherwise.
std::optional<bool> requested_boolean(std::string_view text);

/// A permitted value of a control variable.
struct PermittedValue {
  std::string name;                    ///< as written in the environment
  std::optional<std::int64_t> number;  ///< as the library reports it

  friend bool operator==(const PermittedValue&, const PermittedValue&) = default;
};

/// A control variable of an MPI library (MPI 3.1, section 14.3.6).
struct ControlVariable {
  std::string name;
  std::vector<std::string> aliases;  ///< other environment variables that set it
  std::string description;
  std::string type;                     ///< "int", "text", ...; "" for an unsupported type
  std::string scope;                    ///< "constant", "readonly", "local", ...; "" if unknown
  std::optional<std::string> value;     ///< effective value
  std::vector<PermittedValue> choices;  ///< all permitted values, if the library lists them

  friend bool operator==(const ControlVariable&, const ControlVariable&) = default;
};

inline constexpr std::string_view settings_schema = "hockney.settings/1";

/// The control variable that the environment variable `environment` sets, such as "OMPI_MCA_btl".
/// It is found by its library's prefix, its own name or an alias; nullptr if none matches.
const ControlVariable* find_variable(const std::vector<ControlVariable>& variables,
                                     const std::string& environment);

/// The environment variable of a control variable: "OMPI_MCA_btl" for "btl".
std::string environment_name(const ControlVariable& variable);

/// The document `hockney.settings/1`; `read_variables` of it gives equal variables.
nlohmann::json to_json(const std::vector<ControlVariable>& variables);
std::vector<ControlVariable> read_variables(const JsonNode& document);

/// The values that a description lists, in the order in which MPICH numbers them. MPICH 5 has each
/// as "name - meaning" on a separate line. MPICH 4 drops the line ends, so that a name may be
/// joined to the sentence before it. It is separated only where a bracket ends before it, or a word
/// that the description also uses alone. Empty if the values are not certain.
std::vector<PermittedValue> described_choices(std::string_view description);

/// The whole numbers of "range: 0-32" of `impi_info`; empty without a range.
std::vector<PermittedValue> described_range(std::string_view description);

/// The names after "Valid algorithms:", up to the end of the sentence (SMPI).
std::vector<PermittedValue> listed_choices(std::string_view text);

/// The names after "@Alias:#" (Intel MPI).
std::vector<std::string> described_aliases(std::string_view description);

/// Flag of a record: a requested setting did not take effect.
inline constexpr std::string_view setting_ignored_flag = "setting-ignored";

/// Compares `requested`, the value of the environment variable `variable`, with its control
/// variable:
/// - proven if the values are equal (numbers in any spelling, sizes with K, M or G, booleans in
///   words, values by name or number);
/// - ignored if they differ, or if a library that lists all its variables has none of that name;
/// - unproven otherwise.
RequestedSetting prove(const std::string& variable, const std::string& requested,
                       const std::vector<ControlVariable>& variables);

/// The same for every environment variable that requests a setting.
std::vector<RequestedSetting> prove_all(const std::map<std::string, std::string>& environment,
                                        const std::vector<ControlVariable>& variables);

/// "OMPI_MCA_x=8192: 4096 is in force", for messages.
std::string complaint_of(const RequestedSetting& setting);

}  // namespace hockney
