#include "campaign/named_configs.hpp"

#include <algorithm>
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
  if (is_file_name(name)) return name;
  std::vector<std::string> known;
  for (const std::string& folder : folders) {
    const std::map<std::string, std::string> files = files_in(folder);
    if (const auto found = files.find(name); found != files.end()) return found->second;
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

std::string summary_of(const Config& config, std::size_t most) {
  std::string text = config.description.substr(0, config.description.find_first_of(".:;"));
  if (text.size() <= most) return inert(text);
  constexpr std::string_view cut = "...";
  text.resize(text.rfind(' ', most - cut.size()));
  return inert(text) + std::string(cut);
}

}  // namespace hockney::campaign
