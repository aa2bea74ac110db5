#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/launch_command.hpp"
#include "campaign/sweep.hpp"
#include "core/error.hpp"
#include "core/json_node.hpp"
#include "core/quantities.hpp"
#include "core/settings.hpp"
#include "core/text.hpp"

namespace hockney::campaign {

/// InputError about the config of that file: "<file>: <problem> (<why>) <suggestion>".
[[noreturn]] inline void reject_config(const std::string& file, const std::string& problem,
                                       const std::string& why, const std::string& suggestion) {
  throw InputError({file + ": " + problem, why, suggestion});
}

/// Adds arguments of a command line at its end.
inline void append(std::vector<std::string>& arguments, const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
}

inline constexpr std::string_view campaign_schema = "hockney.campaign/1";
inline constexpr double default_precision = 0.05;
inline constexpr int maximum_launches = 10'000;

/// What becomes of a launch whose MPI library ignored a setting.
enum class IgnoredSettings { fail, flag };

constexpr auto words_of(std::type_identity<IgnoredSettings>) {
  return std::to_array<std::string_view>({"fail", "flag"});
}

/// Whether a verification run launch tells for each setting which algorithms ran. Automatic: when a
/// setting says how a collective operation is done, and the program measures collectives.
enum class VerificationChoice { automatic, always, never };

struct LauncherConfig {
  std::optional<Dialect> dialect;      ///< nullopt: whatever the program's MPI library needs
  std::optional<std::string> command;  ///< nullopt: found beside the MPI library or in PATH
  std::vector<std::string> arguments;
};

/// What to launch, how, and how often: document `hockney.campaign/1`.
struct Config {
  std::string name;
  std::string description;
  std::string program;
  std::map<std::string, std::string> environment;  ///< of every launch
  std::vector<std::string> arguments;
  std::optional<int> ranks = 2;     ///< nullopt ("hops"): as many as cover all hop classes
  std::optional<int> launches;      ///< per setting; nullopt: precision or budget decide
  std::optional<double> precision;  ///< half-width of every interval, as a share of its median
  std::optional<int> most_launches;
  std::optional<Seconds> budget;
  Seconds launch_timeout{120};
  std::vector<Setting> settings{{.name = "default"}};  ///< of a sweep, once it is expanded
  std::optional<Sweep> sweep;
  IgnoredSettings ignored_settings = IgnoredSettings::fail;
  VerificationChoice verification = VerificationChoice::automatic;
  std::optional<RequiredLibrary> required_library;  ///< nullopt: any
  LauncherConfig launcher;
};

/// Whether the settings are those that axes make; true too for a campaign without axes.
bool is_expanded(const Config& config);

/// The half-width at which a campaign stops: as asked, or 5 % when nothing else says when to stop;
/// nullopt when a number of launches or a budget alone does.
std::optional<double> precision_of(const Config& config);

/// Strict: InputError of one line naming file and key for whatever is unknown, missing or mistyped.
/// Values are judged by check_config, after options of the command line have had their say.
Config read_config(const JsonNode& document);
Config load_config(const std::string& file);

/// The document of a config; `read_config` of it gives an equal config.
nlohmann::json to_json(const Config& config);

/// The config as documents keep it (core/provenance.hpp). Names of settings and axes, and the
/// values of an axis' variable, are kept as they are.
Config without_secrets(Config config);
bool has_secrets(const Config& config);

/// The config, stopping when `other` does: how many launches, how precise, how long.
Config with_stopping_of(const Config& other, Config config);

/// InputError when a value makes no sense: names that are no file names or occur twice, ranks or
/// launches out of range, no time to run, arguments that the campaign itself has to give.
void check_config(const Config& config, const std::string& file);

/// "4" or "hops" (nullopt); InputError on anything else.
std::optional<int> parse_ranks(std::string_view text);

/// Makes settings of the texts of varied_axis, every combination of them, for a campaign that has
/// none of its own. InputError for one that has.
void vary(Config& config, const std::vector<std::string>& texts);

/// The control variable that a variable of the environment sets, with the values it may have;
/// InputError when the MPI library has none of that name.
using VariableLookup = std::function<ControlVariable(const std::string& variable)>;

/// The sweep with the values of its axes that are to be asked for: the library's default, and every
/// value it lists but the one in force, which is the default, and those the axis excepts.
/// InputError naming the variable when the library lists none.
Sweep resolve_values(const Sweep& sweep, const VariableLookup& ask, const std::string& file);

/// Gives the config the settings its axes make and returns what is skipped. Nothing is done to a
/// config that is expanded. InputError when nothing is left to launch.
std::vector<SkippedCombination> settle_sweep(Config& config, std::uint64_t seed,
                                             const VariableLookup& ask, const std::string& file);

}  // namespace hockney::campaign
