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

#include "core/json_node.hpp"
#include "core/text.hpp"

namespace hockney::campaign {

inline constexpr int maximum_ranks = 1'000'000;

/// One way to run the program, which the campaign compares with the others.
struct Setting {
  std::string name;
  std::map<std::string, std::string> environment;
  std::vector<std::string> arguments;           ///< added to those of the campaign
  std::vector<std::string> launcher_arguments;  ///< added to those of the launcher
  std::optional<int> ranks;                     ///< of its launches; nullopt: the campaign's
  std::map<std::string, std::string> axes;      ///< of a sweep: its value on each axis

  friend bool operator==(const Setting&, const Setting&) = default;
};

/// One value of an axis and what it adds to a launch; nothing for the library's own default.
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
/// The axis whose values may be plain numbers: ranks of a launch.
inline constexpr std::string_view ranks_axis = "ranks";

/// Something that is varied.
struct Axis {
  std::string name;
  std::string variable;                          ///< of the environment; empty: values bring theirs
  std::optional<std::vector<AxisValue>> values;  ///< nullopt: the library is asked for them
  std::vector<std::string> except;               ///< of the values it lists

  friend bool operator==(const Axis&, const Axis&) = default;
};

/// Which combinations there are: all; all that differ from the defaults in one axis at most; or the
/// defaults and others drawn at random.
enum class SweepMode { full, one_at_a_time, random };

constexpr auto words_of(std::type_identity<SweepMode>) {
  return std::to_array<std::string_view>({"full", "one-at-a-time", "random"});
}

/// For each axis named, the values that are meant.
using Places = std::map<std::string, std::vector<std::string>>;

/// Combinations that lie in `when`, and not in `needs` too, are skipped.
struct Condition {
  Places when;
  Places needs;
  std::string because;
};

struct Sweep {
  std::vector<Axis> axes;
  SweepMode mode = SweepMode::full;
  std::size_t drawn = 0;  ///< of the random mode: combinations in all
  std::vector<Condition> conditions;
};

inline constexpr std::size_t maximum_combinations = 10'000;

struct SkippedCombination {
  std::string setting;
  std::string because;

  friend bool operator==(const SkippedCombination&, const SkippedCombination&) = default;
};

struct Expansion {
  std::vector<Setting> settings;
  std::vector<SkippedCombination> skipped;
};

/// The settings of a sweep whose axes all have values, in the order of a counter whose last axis
/// turns fastest, named "eager=8192,algorithm=4"; "combination-001" and so on when such a name
/// would be too long. Of an axis the default is the value that adds nothing, or the first one.
/// Pure: equal seeds draw equal combinations on every machine, the one of all defaults among them.
Expansion expand(const Sweep& sweep, std::uint64_t seed);

/// InputError when a sweep makes no sense: names that are not plain or occur twice, axes without
/// values, two axes that set one variable, conditions on what there is not, too many combinations.
/// Values that are still to be asked for are not judged.
void check_sweep(const Sweep& sweep, const std::string& file);

/// A value of an axis' variable: in the environment, or as an option of smpirun where it is a
/// variable of the simulator ("smpi/bcast").
AxisValue axis_value(const std::string& name, const std::string& variable, const std::string& text);

/// Whether smpirun takes the variable, as --cfg=smpi/bcast:NAME, and not the environment.
bool is_simulator_variable(std::string_view variable);

/// The axis of "NAME=a,b": values of a variable of the environment ("OMPI_MCA_btl"), of an option
/// of the program ("--cache"), of the number of ranks ("ranks"), or of smpirun ("smpi/bcast").
/// "default" leaves the choice to the library, and "ask" asks it for all values there are. A '+' in
/// a value stands for a comma; with ';' anywhere values are parted by it and taken as they are.
/// InputError for what has no name or no values.
Axis varied_axis(const std::string& text);

/// A value's name: its text with everything but letters, digits and . _ - + replaced by +.
std::string value_name(std::string_view text);

/// The keys `axes`, `sweep` and `conditions` of a config, read strictly; nullopt without axes.
std::optional<Sweep> read_sweep(const JsonNode& config);

/// Writes them into the document of a config.
void write_sweep(const Sweep& sweep, nlohmann::json& config);

}  // namespace hockney::campaign
