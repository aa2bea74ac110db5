#include "driver/campaign/verification_runs.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/algorithm_use.hpp"
#include "core/atomic_file.hpp"
#include "core/collectives.hpp"
#include "core/error.hpp"
#include "core/json_fields.hpp"
#include "core/json_values.hpp"
#include "core/quantities.hpp"
#include "core/record.hpp"
#include "core/record_json.hpp"
#include "driver/campaign/failure_cause.hpp"
#include "driver/campaign/fingerprints/verdict.hpp"
#include "driver/campaign/launch_command.hpp"
#include "driver/campaign/manifest.hpp"
#include "driver/campaign/outcome.hpp"
#include "driver/campaign/subprocess.hpp"

namespace hockney::campaign {

constexpr auto fields_of(std::type_identity<SettingAlgorithms>) {
  return object_of(DocumentSchema{"hockney.algorithms/1",
                                  "remove the file, and the verification is launched again"},
                   key("library", &SettingAlgorithms::library),
                   key("failure", &SettingAlgorithms::failure),
                   key("changed", &SettingAlgorithms::changed, KeyUse::left_out_if_empty),
                   key("launches", &SettingAlgorithms::launches),
                   key("algorithms", &SettingAlgorithms::algorithms));
}

namespace {

/// The document `hockney.algorithms/1`.
void save_setting_algorithms(const std::string& setting, const SettingAlgorithms& known,
                             const std::string& file) {
  nlohmann::json document = known;
  document["setting"] = setting;
  write_atomically(file, json_text(document) + "\n");
}

/// Collects the findings of one setting's verification runs. Each run covers some points, until the
/// library ends it.
class AlgorithmFindings {
 public:
  /// `launcher_arguments` include the setting's: a simulator's choose the algorithm.
  explicit AlgorithmFindings(std::vector<std::string> launcher_arguments)
      : launcher_arguments_(std::move(launcher_arguments)) {}

  /// Adds the document and the output of a run that skipped `known()` points.
  void add(const VerificationRun& verification, const std::string& log) {
    verification_ = verification;
    found_.library = verification.library;
    ++found_.launches;
    const std::size_t known_before = known();
    while (known() < verification.points.size()) {
      const VerificationPoint& point = verification.points[known()];
      if (point.stage == VerificationStage::done) {
        judge(point, log);
        continue;
      }
      // The launch ended in this call, or before it. Before it, the point is blamed only if the
      // launch made no other progress.
      const bool to_blame = point.stage == VerificationStage::begun || known() == known_before;
      if (to_blame) judge(point, log);
      break;
    }
    is_complete_ = known() == verification.points.size();
  }

  /// Names a variable that the following runs set.
  void change(const std::string& variable, const std::string& value) {
    found_.changed[variable] = value;
  }

  /// Adds a run that wrote nothing.
  void add_failed(const std::string& log) {
    ++found_.launches;
    is_complete_ = true;
    if (verification_.points.empty()) {
      const std::string cause = failure_cause(log);
      found_.failure = fmt::format("the verification launch showed nothing{}{}",
                                   cause.empty() ? "" : ": ", cause);
      return;
    }
    while (known() < verification_.points.size()) judge(verification_.points[known()], log);
  }

  /// Points that need no further run.
  [[nodiscard]] std::size_t known() const { return found_.algorithms.size(); }
  [[nodiscard]] bool complete() const { return is_complete_; }
  [[nodiscard]] const SettingAlgorithms& found() const { return found_; }

 private:
  void judge(const VerificationPoint& point, const std::string& log) {
    const RequestedAlgorithm requested =
        requested_algorithm(point.point.operation, verification_.requested, launcher_arguments_);
    AlgorithmUse use = judge_algorithm(verification_, point, requested, log);
    if (!found_.changed.empty()) {
      use.evidence += fmt::format(" (verified with {})", join_assignments(found_.changed));
    }
    found_.algorithms.push_back(std::move(use));
  }

  std::vector<std::string> launcher_arguments_;
  VerificationRun verification_;
  SettingAlgorithms found_;
  bool is_complete_ = false;
};

/// The algorithms that a simulator's launcher options request (--cfg=smpi/bcast:NAME), for the
/// points of a record. They are unproven: SMPI runs the named algorithm, but some fall back to
/// others without a message.
std::vector<AlgorithmUse> simulated_uses(const Record& record,
                                         const std::vector<std::string>& launcher_arguments) {
  std::vector<AlgorithmUse> uses;
  for (const PlannedPoint& planned : record.points) {
    const RequestedAlgorithm requested =
        requested_algorithm(planned.point.operation, {}, launcher_arguments);
    if (requested.is_default() || use_of(planned.point, uses) != nullptr) continue;
    uses.push_back({.operation = planned.point.operation,
                    .bytes = planned.point.bytes,
                    .ranks = planned.point.ranks,
                    .requested = requested.algorithm,
                    .evidence = "the simulator runs the algorithm of this name unless it falls "
                                "back to another without a message",
                    .parameters = choosing_parameters(planned.point)});
  }
  return uses;
}

namespace fs = std::filesystem;

constexpr const char* verification_program = "hockney-algorithms";
constexpr const char* pml_variable = "OMPI_MCA_pml";

bool says_how(const std::map<std::string, std::string>& environment,
              const std::vector<std::string>& launcher_arguments) {
  return std::ranges::any_of(environment,
                             [](const auto& each) { return steers_algorithm(each.first); }) ||
         std::ranges::any_of(launcher_arguments, [](const std::string& argument) {
           return simulated_choice(argument).has_value();
         });
}

/// A simulator counts no messages and refuses no algorithm, so verification is impossible.
bool is_simulator(const Request& request) { return request.launcher.kind == LauncherKind::simgrid; }

bool concerns_collectives(const Config& config) {
  return says_how(config.environment, config.launcher.arguments) ||
         std::ranges::any_of(config.settings, [](const Setting& setting) {
           return says_how(setting.environment, setting.launcher_arguments);
         });
}

/// Variables that make a library print its algorithm.
std::map<std::string, std::string> verbose_environment(const Launcher& launcher) {
  const bool by_slurm = launcher.kind == LauncherKind::slurm;
  const bool open_mpi = launcher.kind == LauncherKind::openmpi4 ||
                        launcher.kind == LauncherKind::openmpi5 ||
                        (by_slurm && launcher.programs == MpiFamily::openmpi);
  const bool intel =
      launcher.kind == LauncherKind::intel || (by_slurm && launcher.programs == MpiFamily::mpich);
  if (open_mpi) return {{"OMPI_MCA_pml_monitoring_enable", "1"}};
  if (intel) return {{"I_MPI_ADJUST_FAILURE_ON_COLL_FALLBACK", "1"}};
  return {};
}

/// The path of hockney-algorithms, in the folder of the campaign's program.
std::string found_program(const Request& request) {
  return find_program(verification_program, "", {fs::path(request.program).parent_path().string()});
}

void require_known(const Request& request, const std::string& setting,
                   const SettingAlgorithms& known) {
  if (known.failure.empty() || request.config.verification != VerificationChoice::always) return;
  throw RunError({fmt::format("no verification of setting '{}'", setting), known.failure,
                  "see its logs in the campaign's folder, or leave 'verification' to auto"});
}

std::vector<std::string> all_launcher_arguments(const Config& config, const Setting& setting) {
  std::vector<std::string> arguments = config.launcher.arguments;
  append(arguments, setting.launcher_arguments);
  return arguments;
}

/// The document of a launch; nullopt if it ended before its first line.
std::optional<VerificationRun> read_run(const std::string& file) {
  if (!fs::exists(file)) return std::nullopt;
  try {
    return read_verification(read_file(file), file);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

void announce(const CampaignObserver& observer, std::size_t index, std::size_t total,
              const std::string& setting, std::optional<Attempt> ended) {
  observer({.position = static_cast<int>(index) + 1,
            .total = static_cast<int>(total),
            .launch = "verification of " + setting,
            .ended = std::move(ended),
            .verifies = true});
}

/// Flags all series as unproven.
void flag_unproven(Record& record) {
  for (Series& series : record.series) {
    const bool has = std::ranges::find(series.flags, algorithm_unproven_flag) != series.flags.end();
    if (!has) series.flags.emplace_back(algorithm_unproven_flag);
  }
}

/// An attempt for the observer; the manifest does not list it.
Attempt ended(const SettingAlgorithms& known, Seconds duration) {
  return {.status = known.failure.empty() ? AttemptStatus::complete : AttemptStatus::failed,
          .reason = known.failure,
          .duration_seconds = duration.value};
}

}  // namespace

SettingAlgorithms load_setting_algorithms(const std::string& file) {
  return read_value<SettingAlgorithms>(load_json(file));
}

bool wants_verification(const Request& request) {
  if (request.config.verification != VerificationChoice::automatic) {
    return request.config.verification == VerificationChoice::always;
  }
  const bool measures_them = fs::path(request.program).filename() == "hockney-collectives";
  return measures_them && concerns_collectives(request.config);
}

std::vector<std::string> verification_commands(const Request& request, const Folder& folder) {
  std::vector<std::string> commands;
  if (!wants_verification(request) || is_simulator(request)) return commands;
  const std::string program =
      (fs::path(request.program).parent_path() / verification_program).string();
  for (const Setting& setting : request.config.settings) {
    const Job job =
        verification_job(request, setting, program, verbose_environment(request.launcher),
                         folder.verification(setting.name, "-1.jsonl"), 0);
    commands.push_back(to_shell(launch_command(request.launcher, job)));
  }
  return commands;
}

std::optional<SettingAlgorithms> VerificationRuns::verify(const Setting& setting,
                                                          const std::string& program,
                                                          SignalWatch& signals) const {
  AlgorithmFindings findings(all_launcher_arguments(request_.config, setting));
  std::map<std::string, std::string> environment = verbose_environment(request_.launcher);
  for (int launch = 1; !findings.complete(); ++launch) {
    const std::string file = folder_.verification(setting.name, fmt::format("-{}.jsonl", launch));
    const std::string log = folder_.verification(setting.name, fmt::format("-{}.log", launch));
    fs::remove(file);
    const Job job =
        verification_job(request_, setting, program, environment, file, findings.known());
    const ProcessOutcome outcome = run_process({.command = launch_command(request_.launcher, job),
                                                .log_file = log,
                                                .limit = request_.config.launch_timeout,
                                                .grace = request_.grace},
                                               signals);
    if (outcome.end == ProcessEnd::interrupted) return std::nullopt;
    if (const auto refused = refusal_of(outcome, log)) throw InputError(*refused);
    const auto written = read_run(file);
    const auto list = written ? pml_with_monitoring(written->pml) : std::nullopt;
    if (list && environment.try_emplace(pml_variable, *list).second) {
      findings.change(pml_variable, *list);
      continue;
    }
    if (written) {
      findings.add(*written, log_text(log));
    } else {
      findings.add_failed(log_text(log));
    }
  }
  return findings.found();
}

void VerificationRuns::run(SignalWatch& signals, const CampaignObserver& observer) {
  if (!wants_verification(request_) || is_simulator(request_)) return;
  fs::create_directories(folder_.verifications());
  const std::vector<Setting>& settings = request_.config.settings;
  std::optional<std::string> program;
  for (std::size_t index = 0; index < settings.size() && !signals.end_requested(); ++index) {
    const std::string& name = settings[index].name;
    const std::string file = folder_.verification(name, ".json");
    if (fs::exists(file)) {
      known_[name] = load_setting_algorithms(file);
      continue;
    }
    if (!program) program = found_program(request_);
    announce(observer, index, settings.size(), name, std::nullopt);
    const auto start = std::chrono::steady_clock::now();
    const auto found = verify(settings[index], *program, signals);
    if (!found) return;
    require_known(request_, name, *found);
    save_setting_algorithms(name, *found, file);
    known_[name] = *found;
    announce(observer, index, settings.size(), name, ended(*found, elapsed_since(start)));
  }
}

void VerificationRuns::add_algorithm_use(const std::string& setting, LaunchRecord& launch) const {
  if (!wants_verification(request_) || !launch.is_complete()) return;
  const std::optional<Record>& measured = launch.record();
  if (!measured || !measured->algorithms.empty()) return;
  const std::vector<AlgorithmUse> uses = uses_of(setting, *measured);
  const auto known = known_.find(setting);
  const bool failed = known != known_.end() && !known->second.failure.empty();
  if (uses.empty() && !failed) return;
  Record& record = launch.change();
  hockney::add_algorithm_use(record, uses);
  if (failed) flag_unproven(record);
}

std::vector<AlgorithmUse> VerificationRuns::uses_of(const std::string& name,
                                                    const Record& record) const {
  const auto known = known_.find(name);
  if (known != known_.end()) return known->second.algorithms;
  const auto setting = std::ranges::find(request_.config.settings, name, &Setting::name);
  if (!is_simulator(request_) || setting == request_.config.settings.end()) return {};
  return simulated_uses(record, all_launcher_arguments(request_.config, *setting));
}

std::map<std::string, SettingAlgorithms> run_verification(const Request& request,
                                                          const CampaignObserver& observer) {
  if (!wants_verification(request)) {
    throw InputError({"--verification-only for a campaign without verification launches",
                      "no setting says how a collective operation is done",
                      "set 'verification' to true in the config, or leave the option out"});
  }
  const Folder folder = campaign_folder(request.folder);
  make_folders(folder);
  const FolderLock lock(folder.lock());
  SignalWatch signals;
  VerificationRuns runs(request, folder);
  runs.run(signals, observer);
  return runs.known();
}

}  // namespace hockney::campaign
