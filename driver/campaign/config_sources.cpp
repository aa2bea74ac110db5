#include "driver/campaign/config_sources.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <type_traits>
#include <utility>

#include "core/error.hpp"
#include "core/json_node.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "driver/campaign/config.hpp"
#include "driver/campaign/launch_command.hpp"

namespace hockney::campaign {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view suffix = ".json";

/// Former names of configs, which are no longer listed.
struct RenamedConfig {
  std::string_view before;
  std::string_view now;
};

constexpr std::array renamed_configs{RenamedConfig{"tune-openmpi-bcast", "rules-openmpi-bcast"}};

/// "configs/new.json" of "configs/old.json", and "new" of "old"; other names as they are.
std::string name_now(const std::string& name) {
  const fs::path path(name);
  const bool is_file = path.extension() == suffix;
  const std::string stem = is_file ? path.stem().string() : path.filename().string();
  const auto* const found = std::ranges::find(renamed_configs, stem, &RenamedConfig::before);
  if (found == renamed_configs.end()) return name;
  return (path.parent_path() / (std::string(found->now) + (is_file ? std::string(suffix) : "")))
      .string();
}

bool is_file_name(const std::string& name) {
  std::error_code unreachable;
  return name.find('/') != std::string::npos || name.ends_with(suffix) ||
         fs::is_regular_file(name, unreachable);
}

/// The *.json files of a folder by name; empty if the folder cannot be read.
std::map<std::string, std::string> files_in(const std::string& folder) {
  std::map<std::string, std::string> files;
  std::error_code unreachable;
  for (const auto& entry : fs::directory_iterator(folder, unreachable)) {
    if (entry.path().extension() == suffix && entry.is_regular_file(unreachable)) {
      files.emplace(entry.path().stem().string(), entry.path().string());
    }
  }
  return files;
}

bool is_config(const JsonNode& document) {
  const auto schema = document.is_object() ? document.find("schema") : std::nullopt;
  return schema && schema->is_text() && schema->text().starts_with("hockney.campaign/");
}

/// nullopt if the file is no JSON.
std::optional<JsonNode> read_document(const std::string& file) {
  try {
    return load_json(file);
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// nullopt if the document is no config.
std::optional<NamedConfig> read_named(const std::string& name, const std::string& file) {
  const auto document = read_document(file);
  if (!document || !is_config(*document)) return std::nullopt;
  NamedConfig found{.name = name, .config = {}, .problem = {}};
  try {
    found.config = read_config(*document);
  } catch (const InputError& error) {
    found.problem = error.what();
  }
  return found;
}

constexpr int launches_like = 10;  // like the shipped configs
constexpr Seconds budget_like{60};

constexpr std::array<std::string_view, 3> workload_options{"--sizes", "-b", "--operations"};

bool has_workload(const Setting& setting) {
  return std::ranges::find(setting.arguments, "--operations") != setting.arguments.end();
}

Setting renamed(const Setting& setting, std::string name) {
  Setting copy = setting;
  copy.name = std::move(name);
  copy.arguments = without_workload(setting.arguments);
  copy.axes.clear();
  return copy;
}

/// The distinct values of the points of records.
struct RecordedWorkload {
  std::set<std::string> operations;
  std::set<std::int64_t> bytes;
  std::set<int> ranks;
  std::map<std::string, std::set<std::string>> parameters;
};

RecordedWorkload workload_of(std::span<const Record> records) {
  RecordedWorkload workload;
  for (const Record& record : records) {
    for (const PlannedPoint& planned : record.points) {
      const Point& point = planned.point;
      workload.operations.insert(point.operation);
      workload.bytes.insert(point.bytes.value);
      workload.ranks.insert(point.ranks);
      for (const auto& [name, value] : point.parameters) workload.parameters[name].insert(value);
    }
  }
  return workload;
}

/// The last part of a path, of characters that a campaign's name may have.
std::string name_from(const std::string& path) {
  std::string name = path.substr(0, path.find_last_not_of('/') + 1);
  name = name.substr(name.rfind('/') + 1);
  const auto is_odd = [](char c) {
    const bool is_plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return !is_plain && c != '.' && c != '_' && c != '-';
  };
  std::ranges::replace_if(name, is_odd, '-');
  constexpr std::size_t longest = 60;
  return name.substr(0, longest);
}

/// The option of an MPI executable that sets a parameter of points.
std::string option_of(const std::string& parameter) {
  return "--" + (parameter == timing_parameter ? "compat" : parameter);
}

template <class Values>
std::string joined(const Values& values) {
  std::vector<std::string> texts;
  for (const auto& value : values) {
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(value)>>) {
      texts.push_back(std::to_string(value));
    } else {
      texts.push_back(value);
    }
  }
  return join(texts, ",");
}

}  // namespace

std::vector<std::string> config_folders() {
  std::vector<std::string> folders{"."};
  for (const std::string& folder : path_folders("HOCKNEY_CONFIGS")) folders.push_back(folder);
  folders.push_back((fs::path(own_folder()) / ".." / "share" / "hockney" / "configs")
                        .lexically_normal()
                        .string());
  return folders;
}

std::vector<std::string> config_names(const std::vector<std::string>& folders) {
  std::set<std::string> names;
  for (const std::string& folder : folders) {
    for (const auto& [name, file] : files_in(folder)) names.insert(name);
  }
  return {names.begin(), names.end()};
}

std::optional<std::string> known_config(const std::string& name,
                                        const std::vector<std::string>& folders) {
  if (is_file_name(name)) {
    std::error_code unreachable;
    return fs::exists(name, unreachable) ? name : name_now(name);
  }
  for (const std::string& folder : folders) {
    const std::map<std::string, std::string> files = files_in(folder);
    if (const auto found = files.find(name); found != files.end()) return found->second;
    if (const auto found = files.find(name_now(name)); found != files.end()) return found->second;
  }
  return std::nullopt;
}

std::string find_config(const std::string& name, const std::vector<std::string>& folders) {
  if (auto file = known_config(name, folders)) return *std::move(file);
  const std::string nearest = did_you_mean(name, config_names(folders));
  throw InputError({fmt::format("no config '{}'", name),
                    fmt::format("it is no file, and {}.json is in none of {}", name, join(folders)),
                    fmt::format("{}{}hockney run --list shows those there are", nearest,
                                nearest.empty() ? "" : " ")});
}

std::vector<NamedConfig> named_configs(const std::vector<std::string>& folders) {
  std::map<std::string, NamedConfig> by_name;
  for (const std::string& folder : folders) {
    for (const auto& [name, file] : files_in(folder)) {
      if (by_name.contains(name)) continue;
      if (auto found = read_named(name, file)) by_name.emplace(name, std::move(*found));
    }
  }
  std::vector<NamedConfig> configs;
  configs.reserve(by_name.size());
  for (auto& [name, config] : by_name) configs.push_back(std::move(config));
  return configs;
}

std::string expected_length(const Config& config) {
  constexpr double minute = 60;
  if (config.budget && std::fmod(config.budget->value, minute) == 0) {
    return fmt::format("{} min", std::lround(config.budget->value / minute));
  }
  if (config.budget) return format_duration(*config.budget);
  if (!config.launches || !is_expanded(config)) return "-";
  const int launches = *config.launches * static_cast<int>(config.settings.size());
  return fmt::format("{} {}", launches, launches == 1 ? "launch" : "launches");
}

std::string summary_of(const Config& config) {
  const std::string& text = config.description;
  std::size_t end = text.find_first_of(".:;");
  while (end != std::string::npos && end + 1 < text.size() && text[end + 1] != ' ') {
    end = text.find_first_of(".:;", end + 1);  // within a name, such as README.md
  }
  return escaped(text.substr(0, end));
}

std::string config_choice(const std::function<bool(const Config&)>& takes) {
  std::vector<std::string> names;
  for (const NamedConfig& named : named_configs(config_folders())) {
    const bool is_word = std::ranges::all_of(named.name, [](unsigned char letter) {
      return std::islower(letter) != 0 || std::isdigit(letter) != 0 || letter == '-';
    });
    if (is_word && named.config && takes(*named.config)) names.push_back(named.name);
  }
  return join(names, "|");
}

Config config_like(std::span<const Record> records, const std::string& name) {
  const RecordedWorkload workload = workload_of(records);
  if (workload.ranks.size() != 1) {
    throw InputError({fmt::format("'{}' has points of {} ranks", name,
                                  workload.ranks.empty() ? "no" : joined(workload.ranks)),
                      "a campaign like it has one number of ranks",
                      "name records of one number of ranks"});
  }
  constexpr int ranks_of_a_pair = 2;
  const int ranks = *workload.ranks.begin();
  Config config{
      .name = "like-" + name_from(name),
      .description = "The operations, sizes, ranks and way of timing of " + name,
      .program = ranks == ranks_of_a_pair ? "hockney-pingpong" : "hockney-collectives",
      .arguments = {"--operations", joined(workload.operations), "--sizes", joined(workload.bytes)},
      .ranks = ranks,
      .launches = launches_like,
      .budget = budget_like};
  for (const auto& [parameter, values] : workload.parameters) {
    append(config.arguments, {option_of(parameter), joined(values)});
  }
  return config;
}

std::vector<std::string> without_workload(const std::vector<std::string>& arguments) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string name = arguments[i].substr(0, arguments[i].find('='));
    const bool is_workload = std::ranges::find(workload_options, name) != workload_options.end();
    if (!is_workload) {
      kept.push_back(arguments[i]);
    } else if (name == arguments[i]) {
      ++i;  // its value follows
    }
  }
  return kept;
}

const Setting& setting_of(const Config& config, const std::string& name) {
  const auto found = std::ranges::find(config.settings, name, &Setting::name);
  if (found != config.settings.end()) return *found;
  throw InputError({fmt::format("the campaign has no setting '{}'", name),
                    "its config does not hold it",
                    suggest(name, strings_of(config.settings, &Setting::name))});
}

Config verification_config(const Manifest& campaign, const VerificationPlan& plan) {
  Config config = campaign.config;
  config.name += "-verify";
  config.description = "The default against a selection file made of " + campaign.config.name;
  config.program = campaign.program;
  config.ranks = campaign.ranks;
  config.launches = campaign.launches;
  config.precision.reset();
  config.most_launches.reset();
  config.budget.reset();
  config.sweep.reset();
  config.arguments = without_workload(config.arguments);
  config.settings = {renamed(setting_of(campaign.config, plan.base), std::string(default_side))};
  config.settings.push_back(plan.tuned);
  for (const std::string& name : plan.forced) {
    config.settings.push_back(
        renamed(setting_of(campaign.config, name), std::string(forced_side) + name));
  }
  const std::vector<std::string> workload{"--operations", join(plan.operations, ","), "--sizes",
                                          plan.sizes};
  for (Setting& setting : config.settings) {
    if (has_workload(setting)) continue;
    append(setting.arguments, workload);
  }
  return config;
}

Config self_test_config() {
  return {.name = "self-test",
          .description =
              "What hockney finds where the truth is known: every operation under two names, and "
              "with slow-downs of 5, 10 and 20 %, interleaved at random; and clocks that are the "
              "same. What 'hockney self-test' runs and reads.",
          .program = "hockney-self-test",
          .arguments = {},
          .ranks = 2,
          .launches = 40,
          .budget = Seconds{180},
          .is_experiment = true};
}

}  // namespace hockney::campaign
