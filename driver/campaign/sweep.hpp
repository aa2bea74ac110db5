#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_functions.hpp"
#include "core/text.hpp"

namespace hockney::campaign {

inline constexpr int maximum_ranks = 1'000'000;

/// One way to run the program; the campaign compares the settings.
struct Setting {
  std::string name;
  std::map<std::string, std::string> environment;
  std::vector<std::string> arguments;           ///< added to those of the campaign
  std::vector<std::string> launcher_arguments;  ///< added to those of the launcher
  std::optional<int> ranks;                     ///< of its launches; nullopt: as the campaign
  std::map<std::string, std::string> axes;      ///< in a sweep: its value on each axis

  friend bool operator==(const Setting&, const Setting&) = default;
};

/// One value of an axis and its additions to a launch; no additions for the library's default.
struct AxisValue {
  std::string name;
  std::map<std::string, std::string> environment;
  std::vector<std::string> arguments;           ///< for the program
  std::vector<std::string> launcher_arguments;  ///< for the launcher
  std::optional<int> ranks;                     ///< of the launch; nullopt: the campaign's

  [[nodiscard]] bool is_default() const {
    return environment.empty() && arguments.empty() && launcher_arguments.empty() && !ranks;
  }
  friend bool operator==(const AxisValue&, const AxisValue&) = default;
};

inline constexpr std::string_view default_value = "default";
/// The axis whose values may be numbers: ranks of a launch.
inline constexpr std::string_view ranks_axis = "ranks";

/// A varied quantity of a sweep.
struct Axis {
  std::string name;
  std::string variable;  ///< of the environment; empty: each value has its own
  std::optional<std::vector<AxisValue>> values;  ///< nullopt: read from the library
  std::vector<std::string> except;               ///< excluded from the listed values

  friend bool operator==(const Axis&, const Axis&) = default;
};

/// The combinations of a sweep: all; those that differ from the defaults in at most one axis; or
/// the defaults and random ones.
enum class SweepMode { full, one_at_a_time, random };

constexpr auto words_of(std::type_identity<SweepMode>) {
  return std::to_array<std::string_view>({"full", "one-at-a-time", "random"});
}

/// Values by name of the axis.
using Places = std::map<std::string, std::vector<std::string>>;

/// Combinations that match `when` but not `needs` are skipped.
struct Condition {
  Places when;
  Places needs;
  std::string because;
};

struct Sweep {
  std::vector<Axis> axes;
  SweepMode mode = SweepMode::full;
  std::size_t drawn = 0;  ///< combinations in total, in random mode
  std::vector<Condition> conditions;
};

inline constexpr std::size_t maximum_combinations = 10'000;

/// How the reason begins for a value that has the same effect as the default.
inline constexpr std::string_view nothing_changes = "nothing changes";

struct SkippedCombination {
  std::string setting;
  std::string because;

  friend bool operator==(const SkippedCombination&, const SkippedCombination&) = default;
};

struct Expansion {
  std::vector<Setting> settings;
  std::vector<SkippedCombination> skipped;
};

/// The settings of a sweep whose axes all have values; the last axis varies fastest. Their names
/// are like "eager=8192,algorithm=4", or "combination-001" and so on if one is too long. The
/// default of an axis is the value that adds nothing, or the first one. Pure: equal seeds draw
/// equal combinations on every machine, including the one of all defaults.
Expansion expand(const Sweep& sweep, std::uint64_t seed);

/// InputError for an invalid sweep:
/// names that are not plain or occur twice; axes without values; two axes that set one variable;
/// conditions on unknown axes or values; too many combinations. Values still to be read from the
/// library are not checked.
void check_sweep(const Sweep& sweep, const std::string& file);

/// A value of an axis' variable: in the environment, or an option of smpirun for a simulator's
/// variable ("smpi/bcast").
AxisValue axis_value(const std::string& name, const std::string& variable, const std::string& text);

/// Whether the variable is set by smpirun's --cfg=smpi/bcast:NAME, not by the environment.
bool is_simulator_variable(std::string_view variable);

/// A value's name: its text with everything but letters, digits and . _ - + replaced by +.
std::string value_name(std::string_view text);

/// The keys `axes`, `sweep` and `conditions` of a config, read strictly; nullopt without axes.
std::optional<Sweep> read_sweep(const JsonNode& config);

/// Writes these keys into the document of a config.
void write_sweep(const Sweep& sweep, nlohmann::json& config);

}  // namespace hockney::campaign
