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

#include "core/error.hpp"
#include "core/json_functions.hpp"
#include "core/quantities.hpp"
#include "core/settings.hpp"
#include "core/text.hpp"
#include "driver/campaign/launch_command.hpp"
#include "driver/campaign/sweep.hpp"

namespace hockney::campaign {

/// InputError about the config of that file: "<file>: <problem> (<why>) <suggestion>".
[[noreturn]] inline void reject_config(const std::string& file, const std::string& problem,
                                       const std::string& why, const std::string& suggestion) {
  throw InputError({file + ": " + problem, why, suggestion});
}

/// Appends arguments to a command line.
inline void append(std::vector<std::string>& arguments, const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
}

inline constexpr std::string_view campaign_schema = "hockney.campaign/1";
inline constexpr int maximum_launches = 10'000;

/// Whether a launch whose MPI library ignored a setting fails or is flagged.
enum class IgnoredSettings { fail, flag };

constexpr auto words_of(std::type_identity<IgnoredSettings>) {
  return std::to_array<std::string_view>({"fail", "flag"});
}

/// Whether verification launches determine which algorithms each setting runs. Automatic: if a
/// setting chooses a collective's algorithm and the program measures collectives.
enum class VerificationChoice { automatic, always, never };

struct LauncherConfig {
  std::optional<Dialect> dialect;      ///< nullopt: as the program's MPI library needs
  std::optional<std::string> command;  ///< nullopt: found next to the MPI library or in PATH
  std::vector<std::string> arguments;
};

/// Program, settings and number of launches of a campaign: document `hockney.campaign/1`.
struct Config {
  std::string name;
  std::string description;
  std::string program;
  std::map<std::string, std::string> environment;  ///< of every launch
  std::vector<std::string> arguments;
  std::optional<int> ranks = 2;     ///< nullopt ("hops"): as many as cover all hop classes
  bool each_node = false;           ///< every node measures itself, with so many ranks each
  std::optional<int> launches;      ///< per setting; nullopt: by precision or budget
  std::optional<double> precision;  ///< half-width of every interval, as a share of its median
  std::optional<int> most_launches;
  std::optional<Seconds> budget;
  Seconds launch_timeout{120};
  std::vector<Setting> settings{{.name = "default"}};  ///< of an expanded sweep, its combinations
  std::optional<Sweep> sweep;
  IgnoredSettings ignored_settings = IgnoredSettings::fail;
  VerificationChoice verification = VerificationChoice::automatic;
  std::optional<RequiredLibrary> required_library;  ///< nullopt: any
  bool is_experiment = false;                       ///< of hockney itself, listed on request alone
  LauncherConfig launcher;
  std::string file;  ///< from which it was read, no key of its document: relative paths in launcher
                     ///< arguments start from its folder; empty for a config that is built in
};

/// Where a config is from, for messages: its file, else its name.
std::string origin_of(const Config& config);

/// Whether the axes have been expanded to settings; true for a campaign without axes too.
bool is_expanded(const Config& config);

/// The relative half-width of intervals at which a campaign stops. The default is 5 % if the config
/// sets no precision, launches or budget. With launches or a budget, but without precision:
/// nullopt.
std::optional<double> precision_of(const Config& config);

/// Strict: InputError of one line with file and key if a key is unknown, missing or mistyped.
/// Values are checked by check_config, after command-line options are applied.
Config read_config(const JsonNode& document);
Config load_config(const std::string& file);

/// The document of a config; `read_config` of it gives an equal config.
nlohmann::json to_json(const Config& config);

/// The config without secret values, as documents keep it (core/provenance.hpp). Names of settings
/// and axes, and values of an axis' variable, are unchanged.
Config without_secrets(Config config);
bool has_secrets(const Config& config);

/// The config with the launches, precision and budget of `other`.
Config with_stopping_of(const Config& other, Config config);

/// InputError for invalid values:
/// names that occur twice or are no file names; ranks or launches out of range; no time to run;
/// arguments that the campaign itself sets.
void check_config(const Config& config);

/// "4" or "hops" (nullopt); InputError on anything else.
std::optional<int> parse_ranks(std::string_view text);

/// The control variable that an environment variable sets, with its possible values. InputError if
/// the MPI library has no such variable.
using VariableLookup = std::function<ControlVariable(const std::string& variable)>;

/// The sweep with values from the library for each axis that has none. They are the library's
/// default and every value that it lists, without the effective one and the excepted ones.
/// InputError with the variable's name if the library lists no values.
Sweep resolve_values(const Sweep& sweep, const VariableLookup& query, const std::string& file);

/// Expands the axes to settings and returns the skipped combinations. Leaves an expanded config as
/// it is. InputError if no combination is left.
std::vector<SkippedCombination> settle_sweep(Config& config, std::uint64_t seed,
                                             const VariableLookup& query);

}  // namespace hockney::campaign
