#include "campaign/request.hpp"

#include <unistd.h>
#include <array>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "campaign/config.hpp"
#include "campaign/folder.hpp"
#include "core/text.hpp"

namespace hockney::campaign {
namespace {

namespace fs = std::filesystem;

using Arguments = std::vector<std::string>;

/// An argument that names a file beside the config, such as a platform or a host file, becomes its
/// absolute path, so that a campaign may be started from any folder.
Arguments resolve_files(const Arguments& arguments, const std::string& config_file) {
  const fs::path folder =
      config_file.empty() ? fs::current_path() : fs::absolute(config_file).parent_path();
  Arguments resolved;
  for (const std::string& argument : arguments) {
    std::error_code error;
    const fs::path file = (folder / argument).lexically_normal();
    const bool names_file = !argument.starts_with("-") && fs::is_regular_file(file, error);
    resolved.push_back(names_file ? file.string() : argument);
  }
  return resolved;
}

std::string as_text(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", number);
  return text.data();
}

/// The program with the campaign's arguments and the setting's.
Job job_of(const Request& request, const Setting& setting, const std::string& program) {
  const Config& config = request.config;
  Job job{.ranks = setting.ranks.value_or(request.ranks),
          .environment = launch_environment(config, setting),
          .launcher_arguments = resolve_files(config.launcher.arguments, request.config_file),
          .program = {program},
          .as_root = ::geteuid() == 0};
  append(job.launcher_arguments, resolve_files(setting.launcher_arguments, request.config_file));
  append(job.program, config.arguments);
  append(job.program, setting.arguments);
  return job;
}

}  // namespace

std::map<std::string, std::string> launch_environment(const Config& config,
                                                      const Setting& setting) {
  std::map<std::string, std::string> environment = setting.environment;
  environment.insert(config.environment.begin(), config.environment.end());
  return environment;
}

Job settings_job(const Request& request, std::vector<std::string> program) {
  return {
      .ranks = request.ranks,
      .environment = request.config.environment,
      .launcher_arguments = resolve_files(request.config.launcher.arguments, request.config_file),
      .program = std::move(program),
      .as_root = ::geteuid() == 0};
}

Job verification_job(const Request& request, const Setting& setting, const std::string& program,
                     const std::map<std::string, std::string>& verbose_environment,
                     const std::string& file, std::size_t skip) {
  Job job = job_of(request, setting, program);
  for (const auto& [name, value] : verbose_environment) job.environment[name] = value;
  append(job.program, {"--output", file, "--skip", std::to_string(skip)});
  return job;
}

Job launch_job(const Request& request, const PlannedLaunch& launch, const std::string& record_file,
               std::optional<Seconds> slot) {
  const Config& config = request.config;
  const Setting& setting = config.settings.at(launch.setting);
  Job job = job_of(request, setting, request.program);
  append(job.program, {"--output", record_file, "--seed", std::to_string(launch.seed)});
  if (request.network) {
    append(job.program, {"--sites", campaign_folder(request.folder).network()});
  }
  if (slot) append(job.program, {"--budget", as_text(slot->value)});
  if (const auto precision = precision_of(config)) {
    append(job.program, {"--precision", as_text(*precision)});
  }
  append(job.program, {"--campaign", config.name, "--setting", setting.name});
  if (!setting.axes.empty()) append(job.program, {"--axes", join_assignments(setting.axes)});
  append(job.program, {"--launch", std::to_string(launch.launch)});
  return job;
}

}  // namespace hockney::campaign
