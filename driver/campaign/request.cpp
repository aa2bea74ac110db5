#include "driver/campaign/request.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <utility>

#include "core/atomic_file.hpp"
#include "core/quantities.hpp"
#include "core/site_file.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "driver/campaign/config.hpp"
#include "driver/campaign/launch_command.hpp"
#include "driver/campaign/manifest.hpp"
#include "driver/campaign/subprocess.hpp"

namespace hockney::campaign {
namespace {

/// Time for ranks to end and for the last documents to be written.
constexpr Seconds reserve{10};

std::string variable(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? "" : text;
}

std::vector<std::string> nodes_of(const std::string& list) {
  try {
    return list.empty() ? std::vector<std::string>() : expand_hosts(list);
  } catch (const HostListError&) {
    return {};
  }
}

/// 2 of "2(x4)" and "2,1".
std::optional<int> leading_number(const std::string& text) {
  return as_number<int>(text.substr(0, text.find_first_of("(,")));
}

std::chrono::steady_clock::duration as_duration(Seconds time) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(time.value));
}

/// A time as Slurm writes it: "59:03", "1:00:00", "2-03:04:05"; nullopt for other texts, such as
/// "UNLIMITED".
std::optional<Seconds> parse_slurm_time(std::string_view text) {
  constexpr int hours_of_day = 24;
  constexpr int sixty = 60;
  int days = 0;
  if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
    const auto number = as_number<int>(text.substr(0, dash));
    if (!number) return std::nullopt;
    days = *number;
    text.remove_prefix(dash + 1);
  }
  const std::vector<std::string> parts = split(text, ':');
  if (parts.size() < 2 || parts.size() > 3) return std::nullopt;
  double seconds = 0;
  for (const std::string& part : parts) {
    const auto number = as_number<int>(part);
    if (!number || *number < 0) return std::nullopt;
    seconds = seconds * sixty + *number;
  }
  return Seconds{seconds + static_cast<double>(days) * hours_of_day * sixty * sixty};
}

/// Adds the host at the beginning of a text such as "n1:4" or "n1 slots=2", if it is new.
void add_host(std::string_view text, std::vector<std::string>& hosts) {
  std::string name(text.substr(0, text.find_first_of(": \t")));
  if (name.empty() || name.front() == '#') return;
  if (std::ranges::find(hosts, name) == hosts.end()) hosts.push_back(std::move(name));
}

/// Independent streams from one seed: the finaliser of SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t mix(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15ULL;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31U);
}

namespace fs = std::filesystem;

using Arguments = std::vector<std::string>;

/// Makes names of files next to the config absolute (platform files, host files), so that a
/// campaign starts from any folder.
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

/// The campaign's variables, overridden by the setting's.
std::map<std::string, std::string> launch_environment(const Config& config,
                                                      const Setting& setting) {
  std::map<std::string, std::string> environment = setting.environment;
  environment.insert(config.environment.begin(), config.environment.end());
  return environment;
}

/// A job of the program with the arguments of campaign and setting.
Job job_of(const Request& request, const Setting& setting, const std::string& program) {
  const Config& config = request.config;
  Job job{.ranks = setting.ranks.value_or(request.ranks),
          .per_node = request.per_node,
          .environment = launch_environment(config, setting),
          .launcher_arguments = resolve_files(config.launcher.arguments, request.config.file),
          .program = {program},
          .as_root = ::geteuid() == 0};
  append(job.launcher_arguments, resolve_files(setting.launcher_arguments, request.config.file));
  append(job.program, config.arguments);
  if (request.per_node) job.program.emplace_back("--each-node");
  append(job.program, setting.arguments);
  return job;
}

}  // namespace

std::optional<Allocation> current_allocation(const JobQuery& query) {
  const std::string job = variable("SLURM_JOB_ID");
  if (job.empty()) return std::nullopt;
  const std::vector<std::string> said = split(query(job, "%L"), '\n');
  return Allocation{.job = job,
                    .nodes = nodes_of(variable("SLURM_JOB_NODELIST")),
                    .tasks_of_first = leading_number(variable("SLURM_TASKS_PER_NODE")),
                    .time_left = parse_slurm_time(said.front())};
}

std::vector<std::string> hosts_of(const std::vector<std::string>& launcher_arguments) {
  constexpr std::array<std::string_view, 4> lists{"--host", "-host", "-H", "-hosts"};
  constexpr std::array<std::string_view, 6> files{"--hostfile",   "-hostfile",     "-f",
                                                  "-machinefile", "--machinefile", "-hosts-file"};
  std::vector<std::string> hosts;
  for (std::size_t i = 0; i + 1 < launcher_arguments.size(); ++i) {
    const std::string& option = launcher_arguments[i];
    const std::string& value = launcher_arguments[i + 1];
    const bool is_file =
        std::ranges::find(files, option) != files.end() && std::filesystem::exists(value);
    if (!is_file && std::ranges::find(lists, option) == lists.end()) continue;
    for (const std::string& host :
         split(is_file ? read_file(value) : value, is_file ? '\n' : ',')) {
      add_host(host, hosts);
    }
  }
  return hosts;
}

int fewest_across_nodes(const Allocation& allocation) {
  return allocation.nodes.size() > 1 ? allocation.tasks_of_first.value_or(1) + 1 : 0;
}

std::string query_job(const std::string& job, const std::string& format) {
  const auto squeue = find_executable("squeue", path_folders());
  if (!squeue) return {};
  return capture({{*squeue, "--noheader", "--job", job, "--format", format}, {}}, {10}).output;
}

std::optional<Deadline> deadline_of(const Allocation& allocation) {
  if (!allocation.time_left) return std::nullopt;
  const Seconds left{std::max(0.0, allocation.time_left->value - reserve.value)};
  return Deadline{allocation.job, std::chrono::steady_clock::now() + as_duration(left)};
}

std::optional<std::string> why_too_late(const std::optional<Deadline>& deadline, Seconds longest) {
  if (!deadline) return std::nullopt;
  const std::chrono::duration<double> left = deadline->at - std::chrono::steady_clock::now();
  if (left.count() > longest.value) return std::nullopt;
  if (longest.value <= 0) return fmt::format("the time of job {} is nearly up", deadline->job);
  return fmt::format("the time of job {} is nearly up and a launch takes up to {}", deadline->job,
                     format_duration(longest));
}

std::vector<PlannedLaunch> plan_launches(std::size_t settings, int launches, std::uint64_t seed) {
  std::vector<PlannedLaunch> plan;
  for (int launch = 1; launch <= launches; ++launch) {
    const std::uint64_t block_seed = mix(seed ^ mix(static_cast<std::uint64_t>(launch)));
    std::mt19937_64 random(block_seed);
    for (const std::size_t setting : random_order(settings, random)) {
      // 32 bits, so that every program and every JSON reader keeps the exact number.
      plan.push_back({setting, launch, mix(block_seed + setting) >> 32U});
    }
  }
  return plan;
}

std::string launch_name(const std::string& setting, int launch) {
  return fmt::format("{}-{:03}", setting, launch);
}

std::string launches_text(int launches) {
  return fmt::format("{} {}", launches, launches == 1 ? "launch" : "launches");
}

Plan::Plan(const Config& config, std::uint64_t seed, int launches)
    : settings_(strings_of(config.settings, &Setting::name)), seed_(seed) {
  plan(launches);
}

void Plan::plan(int launches) { plan_ = plan_launches(settings_.size(), launches, seed_); }

const std::string& Plan::setting(const PlannedLaunch& launch) const {
  return settings_.at(launch.setting);
}

std::string Plan::name(const PlannedLaunch& launch) const {
  return launch_name(setting(launch), launch.launch);
}

Plan::State Plan::state(const PlannedLaunch& launch) const {
  const auto known = states_.find(name(launch));
  if (known != states_.end()) return known->second;
  return given_up_.contains(setting(launch)) ? State::tried : State::open;
}

void Plan::reopen(const std::string& setting) {
  for (const PlannedLaunch& launch : plan_) {
    const auto known = states_.find(name(launch));
    const bool is_tried = known != states_.end() && known->second == State::tried;
    if (is_tried && this->setting(launch) == setting) states_.erase(known);
  }
}

std::optional<PlannedLaunch> Plan::next() const {
  const auto open =
      std::ranges::find(plan_, State::open, [this](const auto& launch) { return state(launch); });
  return open == plan_.end() ? std::nullopt : std::optional(*open);
}

int Plan::left() const {
  return static_cast<int>(
      std::ranges::count(plan_, State::open, [this](const auto& launch) { return state(launch); }));
}

bool Plan::is_complete(const PlannedLaunch& launch) const {
  return state(launch) == State::complete;
}

bool Plan::all_complete() const {
  return std::ranges::all_of(plan_, [this](const auto& launch) { return is_complete(launch); });
}

int Plan::whole_blocks() const {
  const auto open = next();
  if (open) return open->launch - 1;
  return plan_.empty() ? 0 : plan_.back().launch;
}

Job settings_job(const Request& request, std::vector<std::string> program) {
  return {
      .ranks = request.ranks,
      .environment = request.config.environment,
      .launcher_arguments = resolve_files(request.config.launcher.arguments, request.config.file),
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
               const std::optional<LaunchSlot>& slot, const std::vector<PointChoice>& left_out) {
  const Config& config = request.config;
  const Setting& setting = config.settings.at(launch.setting);
  Job job = job_of(request, setting, request.program);
  append(job.program, {"--output", record_file, "--seed", std::to_string(launch.seed)});
  if (request.network) {
    append(job.program, {"--sites", campaign_folder(request.folder).network()});
  }
  if (slot) append(job.program, {"--budget", as_text(slot->measuring.value)});
  if (slot && slot->first_epoch > slot->measuring) {
    append(job.program, {"--first-epoch", as_text(slot->first_epoch.value)});
  }
  if (const auto precision = precision_of(config)) {
    append(job.program, {"--precision", as_text(*precision)});
  }
  append(job.program, {"--campaign", config.name, "--setting", setting.name});
  if (!setting.axes.empty()) append(job.program, {"--axes", join_assignments(setting.axes)});
  append(job.program, {"--launch", std::to_string(launch.launch)});
  if (!left_out.empty()) append(job.program, {"--leave-out", text_of(left_out)});
  return job;
}

}  // namespace hockney::campaign
