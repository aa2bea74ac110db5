#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_node.hpp"
#include "core/provenance.hpp"

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

/// The values that a description lists, each as "name - what it does" on a line of its own (MPICH
/// 5), or with the names run together with the sentence before (MPICH 4 drops the line ends; such a
/// name is told apart only where a word that the description also uses by itself, or a bracket,
/// ends before it). MPICH numbers them in this order. Empty when they cannot be told for certain.
std::vector<PermittedValue> described_choices(std::string_view description);

/// "range: 0-32" of `impi_info` to its whole numbers; empty where there is none.
std::vector<PermittedValue> described_range(std::string_view description);

/// The names after "Valid algorithms:", up to the end of the sentence (SMPI).
std::vector<PermittedValue> listed_choices(std::string_view text);

/// The names after "@Alias:#" (Intel MPI).
std::vector<std::string> described_aliases(std::string_view description);

/// The algorithm behind a preset of I_MPI_ADJUST_<operation>, `variable`, as Intel's Developer
/// Reference (2019 to 2021) names it; empty where it does not. The library itself tells numbers
/// alone.
std::string_view intel_preset_name(std::string_view variable, std::int64_t preset);

/// What an MPI library printed about settings it did not take, one text for each complaint, at most
/// a few; its patterns stand in one table in settings.cpp. Ranks that say the same count once.
std::vector<std::string> complaints_in(std::string_view log);

/// Faults that an MPI library reports of itself, each once, as texts without control characters.
struct LibraryReport {
  std::vector<std::string> messages;
  bool lost_shared_memory =
      false;  ///< messages then take a slower way than the library's usual one

  friend bool operator==(const LibraryReport&, const LibraryReport&) = default;
};

/// What the library reports in the log of a launch. Lines of hockney's own programs do not count.
LibraryReport library_report(std::string_view log);

/// Of a record in which a setting that was asked for did not take effect.
inline constexpr std::string_view setting_ignored_flag = "setting-ignored";

/// What became of `asked`, the value of the environment's `variable`: proven when the control
/// variable it stands for has that value (numbers in any spelling, sizes with K, M or G, booleans
/// in words, values by name or number); ignored when it has another, or when there is none of that
/// name in a library that shows all it has; else unproven.
RequestedSetting prove(const std::string& variable, const std::string& requested,
                       const std::vector<ControlVariable>& variables);

/// The same for every variable of an environment that asks for a setting.
std::vector<RequestedSetting> prove_all(const std::map<std::string, std::string>& environment,
                                        const std::vector<ControlVariable>& variables);

/// "OMPI_MCA_x=8192: 4096 is in force", for messages.
std::string complaint_of(const RequestedSetting& setting);

}  // namespace hockney
