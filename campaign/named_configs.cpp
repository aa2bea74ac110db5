#include "campaign/named_configs.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "campaign/executables.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "core/time.hpp"

namespace hockney::campaign {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view suffix = ".json";

/// Configs that had another name, which is not listed any more.
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

/// The files of a folder that may be configs, by name; none of one that cannot be read.
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

/// nullopt of what is no JSON.
std::optional<JsonNode> read_document(const std::string& file) {
  try {
    return load_json(file);
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// nullopt of another document.
std::optional<NamedConfig> read_named(const std::string& name, const std::string& file) {
  const auto document = read_document(file);
  if (!document || !is_config(*document)) return std::nullopt;
  NamedConfig found{.name = name, .file = file, .config = {}, .problem = {}};
  try {
    found.config = read_config(*document);
  } catch (const InputError& error) {
    found.problem = error.what();
  }
  return found;
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

std::string find_config(const std::string& name, const std::vector<std::string>& folders) {
  if (is_file_name(name)) {
    std::error_code unreachable;
    return fs::exists(name, unreachable) ? name : name_now(name);
  }
  std::vector<std::string> known;
  for (const std::string& folder : folders) {
    const std::map<std::string, std::string> files = files_in(folder);
    if (const auto found = files.find(name); found != files.end()) return found->second;
    if (const auto found = files.find(name_now(name)); found != files.end()) return found->second;
    for (const auto& [other, file] : files) known.push_back(other);
  }
  const std::string nearest = did_you_mean(name, known);
  throw InputError(
      {"no config '" + name + "'",
       "it is no file, and " + name + ".json is in none of " + join(folders),
       nearest + (nearest.empty() ? "" : " ") + "hockney run --list shows those there are"});
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
    return std::to_string(std::lround(config.budget->value / minute)) + " min";
  }
  if (config.budget) return format_duration(*config.budget);
  if (!config.launches || !is_expanded(config)) return "-";
  const int launches = *config.launches * static_cast<int>(config.settings.size());
  return std::to_string(launches) + (launches == 1 ? " launch" : " launches");
}

std::string summary_of(const Config& config) {
  const std::string& text = config.description;
  std::size_t end = text.find_first_of(".:;");
  while (end != std::string::npos && end + 1 < text.size() && text[end + 1] != ' ') {
    end = text.find_first_of(".:;", end + 1);  // within a name, such as README.md
  }
  return inert(text.substr(0, end));
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

}  // namespace hockney::campaign
