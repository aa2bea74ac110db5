#include "campaign/request.hpp"

#include <unistd.h>
#include <array>
#include <cstdio>
#include <filesystem>
#include <numeric>
#include <random>
#include <utility>

#include "campaign/config.hpp"
#include "core/shuffle.hpp"
#include "core/text.hpp"

namespace hockney {
namespace {

/// Independent streams from one seed: the finaliser of SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t mix(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15ULL;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31U);
}

}  // namespace

std::vector<PlannedLaunch> plan_launches(std::size_t settings, int launches, std::uint64_t seed) {
  std::vector<PlannedLaunch> plan;
  for (int launch = 1; launch <= launches; ++launch) {
    const std::uint64_t block_seed = mix(seed ^ mix(static_cast<std::uint64_t>(launch)));
    std::mt19937_64 random(block_seed);
    for (const std::size_t setting : random_order(settings, random)) {
      // 32 bits, so that every program and every JSON reader takes the number whole.
      plan.push_back({setting, launch, mix(block_seed + setting) >> 32U});
    }
  }
  return plan;
}

std::string launch_name(const std::string& setting, int launch) {
  std::string number = std::to_string(launch);
  if (number.size() < 3) number.insert(0, 3 - number.size(), '0');
  return setting + "-" + number;
}

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
Job job_of(const CampaignRequest& request, const Setting& setting, const std::string& program) {
  const CampaignConfig& config = request.config;
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

Seconds elapsed_since(std::chrono::steady_clock::time_point moment) {
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - moment).count()};
}

std::map<std::string, std::string> launch_environment(const CampaignConfig& config,
                                                      const Setting& setting) {
  std::map<std::string, std::string> environment = setting.environment;
  environment.insert(config.environment.begin(), config.environment.end());
  return environment;
}

Job settings_job(const CampaignRequest& request, std::vector<std::string> program) {
  return {
      .ranks = request.ranks,
      .environment = request.config.environment,
      .launcher_arguments = resolve_files(request.config.launcher.arguments, request.config_file),
      .program = std::move(program),
      .as_root = ::geteuid() == 0};
}

Job witness_job(const CampaignRequest& request, const Setting& setting, const std::string& program,
                const std::map<std::string, std::string>& talkative, const std::string& file,
                std::size_t skip) {
  Job job = job_of(request, setting, program);
  for (const auto& [name, value] : talkative) job.environment[name] = value;
  append(job.program, {"--output", file, "--skip", std::to_string(skip)});
  return job;
}

Job launch_job(const CampaignRequest& request, const PlannedLaunch& launch,
               const std::string& record_file, std::optional<Seconds> slot) {
  const CampaignConfig& config = request.config;
  const Setting& setting = config.settings.at(launch.setting);
  Job job = job_of(request, setting, request.program);
  append(job.program, {"--output", record_file, "--seed", std::to_string(launch.seed)});
  if (slot) append(job.program, {"--budget", as_text(slot->value)});
  if (const auto precision = precision_of(config)) {
    append(job.program, {"--precision", as_text(*precision)});
  }
  append(job.program, {"--campaign", config.name, "--setting", setting.name});
  if (!setting.axes.empty()) append(job.program, {"--axes", join_assignments(setting.axes)});
  append(job.program, {"--launch", std::to_string(launch.launch)});
  return job;
}

}  // namespace hockney
