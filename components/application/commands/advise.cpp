#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "components/application/advice/advice.hpp"
#include "components/application/commands/commands.hpp"
#include "components/application/commands/program_launches.hpp"
#include "components/application/commands/program_model.hpp"
#include "components/application/commands/site_names.hpp"
#include "components/application/screens/advice/advice_screen.hpp"
#include "components/application/screens/finding_words.hpp"
#include "components/application/screens/profile_report.hpp"
#include "core/atomic_file.hpp"
#include "core/cli/command_line.hpp"
#include "core/json_values.hpp"
#include "core/quantities.hpp"
#include "core/record_file.hpp"
#include "core/settings.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "driver/campaign/launch_command.hpp"
#include "driver/campaign/preload.hpp"
#include "driver/campaign/subprocess.hpp"
#include "driver/subcommands.hpp"
#include "report/table.hpp"

namespace hockney::driver {
namespace {

/// Launches of a program, unchanged and with each advice.
struct TrialRequest {
  std::vector<std::string> words;  ///< the command without hockney
  std::string folder;              ///< new folder for profiles, logs and the launcher's files
  int blocks = 8;
};

struct TrialResult {
  std::vector<advice::TrialLaunch> launches;  ///< of complete blocks
  std::vector<advice::InForce> in_force;      ///< of each advice; also why it was not launched
  int blocks = 0;  ///< complete ones; fewer than requested after a signal
};

namespace fs = std::filesystem;
using advice::Advice;
using advice::InForce;
using Variables = std::map<std::string, std::string>;

/// One variant of the launch.
struct Arm {
  std::optional<std::size_t> advice;  ///< nullopt: unchanged
  std::string name;                   ///< of its files: "as-it-was", "advice-1"
  Variables variables{};
  std::vector<profile::Profile> profiles{};  ///< of complete blocks
};

/// Variables that place ranks on hosts; nullopt if the launcher has none.
std::optional<Variables> placing_variables(std::optional<campaign::LauncherKind> kind,
                                           const std::string& file) {
  using campaign::LauncherKind;
  if (kind == LauncherKind::openmpi4) {
    return Variables{{"OMPI_MCA_rmaps_rank_file_path", file},
                     {"OMPI_MCA_rmaps_rank_file_physical", "1"}};
  }
  if (kind == LauncherKind::mpich || kind == LauncherKind::intel) {
    return Variables{{"HYDRA_HOST_FILE", file}};
  }
  if (kind == LauncherKind::slurm) {
    return Variables{{"SLURM_HOSTFILE", file}, {"SLURM_DISTRIBUTION", "arbitrary"}};
  }
  return std::nullopt;
}

/// The launcher of a command. For a script, the launcher of the program's MPI library.
std::optional<campaign::LauncherKind> launcher_of(const std::string& word,
                                                  const profile::Profile& run) {
  using campaign::LauncherKind;
  if (const auto kind = campaign::launcher_named(word, campaign::probe_version)) return kind;
  const std::string& library = run.provenance.mpi.library;
  if (library.starts_with("Open MPI v4")) return LauncherKind::openmpi4;
  if (library.starts_with("MPICH")) return LauncherKind::mpich;
  return library.starts_with("Intel") ? std::optional(LauncherKind::intel) : std::nullopt;
}

class Trial {
 public:
  /// InputError if the command cannot be found, or if the program's MPI library is not supported.
  Trial(const TrialRequest& request, const profile::Profile& run, std::span<const Advice> advice)
      : request_(request),
        words_(with_path(request.words)),
        advice_(advice),
        kind_(launcher_of(request.words.front(), run)),
        programs_(request.folder, words_),
        limit_{usual_grace + most_times * run.seconds} {
    arms_.push_back({.advice = std::nullopt, .name = "as-it-was"});
    for (std::size_t i = 0; i < advice.size(); ++i) add_arm(i, run);
  }

  TrialResult run(double seconds) {
    const auto blocks = static_cast<std::size_t>(request_.blocks);
    std::cerr << fmt::format(
        "launching {} in {}, about {} and their start\n",
        report::count_text(arms_.size(), "setting"), report::count_text(blocks, "round"),
        format_duration(Seconds{static_cast<double>(arms_.size() * blocks) * seconds}));
    for (const Arm& arm : arms_) {
      if (arm.advice && hosts_of(*arm.advice).empty())
        in_force_[*arm.advice] = requested_library(arm);
    }
    std::mt19937_64 random(std::random_device{}());
    TrialResult result;
    while (result.blocks < request_.blocks) {
      const auto launched = run_block(result.blocks + 1, random);
      if (!launched) break;
      ++result.blocks;
      result.launches.insert(result.launches.end(), launched->begin(), launched->end());
    }
    for (const Arm& arm : arms_) {
      if (!arm.advice || hosts_of(*arm.advice).empty()) continue;
      in_force_[*arm.advice] = advice::placed_as_requested(hosts_of(*arm.advice), arm.profiles);
    }
    result.in_force = in_force_;
    return result;
  }

 private:
  static constexpr double usual_grace = 60;  // [s]
  static constexpr double most_times = 20;   // times the time of the run

  void add_arm(std::size_t number, const profile::Profile& run) {
    const advice::Change& change = advice_[number].change;
    Arm arm{.advice = number,
            .name = fmt::format("advice-{}", number + 1),
            .variables = change.variables};
    in_force_.push_back({});
    const std::vector<std::string>& hosts = change.what_if.hosts;
    if (!hosts.empty()) {
      const std::string ranks = programs_.file(fmt::format("ranks-{}", number + 1));
      const auto variables = placing_variables(kind_, ranks);
      if (!variables) {
        in_force_.back().evidence = "this launcher takes no placement from its environment";
        return;
      }
      write_atomically(ranks, kind_ == campaign::LauncherKind::openmpi4
                                  ? advice::rank_file(hosts, run)
                                  : advice::host_list(hosts));
      arm.variables.insert(variables->begin(), variables->end());
    }
    if (arm.variables.empty()) {
      in_force_.back().evidence = "no variable of this library is known for it";
      return;
    }
    arms_.push_back(std::move(arm));
  }

  /// nullopt if a signal ended it.
  std::optional<std::vector<advice::TrialLaunch>> run_block(int block, std::mt19937_64& random) {
    std::map<std::size_t, profile::Profile> profiles;
    for (const std::size_t number : random_order(arms_.size(), random)) {
      const Arm& arm = arms_[number];
      const std::string name = fmt::format("round-{}-{}", block, arm.name);
      auto profile = programs_.launch(name, words_, arm.variables, limit_);
      if (!profile) return std::nullopt;
      profiles.emplace(number, std::move(*profile));
    }
    std::vector<advice::TrialLaunch> launches;
    std::vector<std::string> reported;
    for (auto& launched : profiles) {
      Arm& arm = arms_[launched.first];
      const double seconds = launched.second.seconds;
      launches.push_back({block, arm.advice, seconds});
      reported.push_back(fmt::format("{} {}", arm.name, report::short_time(seconds)));
      arm.profiles.push_back(std::move(launched.second));
    }
    std::cerr << fmt::format("round {} of {}: {}\n", block, request_.blocks, join(reported));
    return launches;
  }

  [[nodiscard]] const std::vector<std::string>& hosts_of(std::size_t advice) const {
    return advice_[advice].change.what_if.hosts;
  }

  /// Reads the variables back from the library: launches hockney-settings in place of the program.
  InForce requested_library(const Arm& arm) {
    const std::vector<std::size_t> places = campaign::places_of_programs(words_);
    const auto program = campaign::find_executable("hockney-settings", {campaign::own_folder()});
    if (places.size() != 1 || !program) {
      return {Proof::unproven, "hockney-settings cannot be launched in place of the program"};
    }
    std::vector<std::string> words(words_.begin(),
                                   words_.begin() + static_cast<std::ptrdiff_t>(places[0]));
    const std::string answer = programs_.file(fmt::format("settings-{}.json", arm.name));
    words.insert(words.end(), {*program, "--output", answer});
    campaign::run_process(
        {.command = campaign::Command{.arguments = words, .environment = arm.variables},
         .log_file = programs_.file(fmt::format("settings-{}.log", arm.name)),
         .limit = limit_},
        programs_.signals());
    if (!fs::exists(answer)) {
      return {Proof::unproven, "the settings could not be read (hockney-settings failed)"};
    }
    return advice::set_as_requested(prove_all(arm.variables, read_variables(load_json(answer))));
  }

  const TrialRequest& request_;
  std::vector<std::string> words_;
  std::span<const Advice> advice_;
  std::optional<campaign::LauncherKind> kind_;
  ProgramLaunches programs_;
  Seconds limit_;
  std::vector<Arm> arms_;
  std::vector<InForce> in_force_;
};

/// Runs blocks with one launch of each variant, in random order and without a log. Prints a line on
/// stderr for each block. InputError if the folder exists. RunError, with the last lines of output,
/// if a launch fails. A signal stops the current launch and ends the trial.
TrialResult run_trial(const TrialRequest& request, const profile::Profile& run,
                      std::span<const Advice> advice) {
  return Trial(request, run, advice).run(run.seconds);
}

struct AdviseCommand {
  std::string file;
  MachineRecords machine;
  std::vector<std::string> words;  ///< the command for the verification launches
  std::optional<std::string> folder;
  int blocks = 8;
  campaign::OutputOptions output;
};

void verify_advice(const AdviseCommand& command, advice::AdviceView& view) {
  const std::vector<advice::Advice>& worth = view.findings.worth;
  const TrialRequest request{
      .words = command.words,
      .folder = command.folder ? *command.folder : unused_folder("hockney-advice"),
      .blocks = command.blocks};
  const TrialResult result = run_trial(request, view.profile, worth);
  view.folder = request.folder;
  view.in_force = result.in_force;
  view.verified = advice::verify(worth, view.findings.seconds, result.launches);
  if (result.blocks < command.blocks) {
    view.doubts.push_back(
        fmt::format("ended after {} of {}", result.blocks,
                    report::count_text(static_cast<std::size_t>(command.blocks), "round")));
  }
  write_atomically(request.folder + "/advice.json", json_text(to_json(view)) + "\n");
}

/// Time of the run if messages cost less, by replay on the machine's costs; nullopt if it cannot be
/// projected. Small messages: ten in one. Others: as if computing hid them.
std::optional<double> projected_without(const ProgramModel& model,
                                        const applications::Finding& finding) {
  using applications::FindingKind;
  constexpr double small_bytes = 1024;
  constexpr double together = 10;
  const auto mean = finding.volume.mean_bytes();
  projection::WhatIf what_if;
  if (finding.kind != FindingKind::transfer) return std::nullopt;
  if (mean && *mean <= small_bytes) {
    what_if.latency_divisor = together;
  } else {
    what_if.is_free = true;
  }
  const auto reported = model.projector().project("", what_if);
  return reported.why_not.empty() ? std::optional(reported.seconds) : std::nullopt;
}

/// Causes in the program itself. Gains are those of replays.
std::vector<advice::ProgramAdvice> program_advice(const ProgramModel& model,
                                                  const AdviseCommand& command,
                                                  std::span<const Record> records) {
  applications::ProgramReport report =
      applications::analyse(model.profile(), {.log = &model.run(), .protocols = records});
  std::vector<report::SiteName> names = name_sites(report.profile, sites_of_findings(report)).names;
  const report::ProfileView view{
      .report = std::move(report), .file = command.file, .site_names = std::move(names)};
  std::vector<advice::ProgramAdvice> found;
  for (applications::Finding one : view.report.findings) {
    one.without_seconds = projected_without(model, one).value_or(one.without_seconds);
    one.without_seconds = std::min(one.without_seconds, view.report.split.seconds);
    found.push_back({.kind = std::string(word(one.kind)),
                     .rank = one.rank,
                     .site = one.site ? site_text(view, one.site) : "",
                     .fraction = one.fraction,
                     .sentence = sentence_of(view, one),
                     .help = help_of(view, one),
                     .seconds = one.without_seconds});
  }
  return found;
}

ExitCode run_advise(const AdviseCommand& command) {
  if (command.words.empty() && command.folder) {
    throw InputError({"--out without --verify", "it is for the launches that prove an advice",
                      "add --verify -- COMMAND"});
  }
  const ProgramModel model(command.file, command.machine);
  advice::AdviceView view{
      .profile = model.profile(),
      .file = command.file,
      .records = command.machine.paths,
      .findings = advice::find_advice({model.profile(), model.projector(), model.machine()}),
      .model_seconds = model.projector().model_seconds(),
      .has_intervals = model.machine().has_intervals(),
      .doubts = model.projector().doubts(),
      .verified = {},
      .in_force = {},
      .folder = {},
      .program = program_advice(model, command, model.records())};
  if (!command.words.empty() && !view.findings.worth.empty()) verify_advice(command, view);
  campaign::Output(command.output)
      .show({.summary = [&] { return screen_of(view); },
             .tables = [&](std::ostream& out) { print_tried_table(out, view); },
             .document = [&] { return to_json(view); },
             .csv = [&](std::ostream& out) { report::write_csv(out, view_of(view)); }});
  return verdict_of(view);
}

void add_advise_options(CommandLine& app, AdviseCommand& command) {
  app.add_option("FILE", command.file, "Profile of a run of a program, recorded with --log")
      .required();
  app.add_option("RECORDS", command.machine.paths,
                 "Records of the machine: ping-pongs, hockney-protocol, collectives")
      .required();
  app.add_option("--verify", command.words,
                 "Run this command as it is and with each advice, and judge what it gains")
      .type_name(command_type)
      .default_str("none");
  add_count_option(app, "--rounds", command.blocks, 1, "Launches of each setting, for --verify")
      .default_str("8");
  add_count_option(app, "--blocks", command.blocks, 1, "The same").hidden();
  app.add_option("-o,--out", command.folder, "New folder for the launches of --verify")
      .type_name("DIR")
      .default_str("hockney-advice-<UTC time>");
  app.add_option("--sites", command.machine.sites, "Site file of the network").default_str("none");
  app.add_option("--setting", command.machine.setting, "The campaign's setting of the ping-pongs")
      .default_str("the only one");
  add_output_options(app, command.output, {.file = false});
}

}  // namespace

void add_advise(CommandLine& driver, Action& chosen) {
  add_command<AdviseCommand>(
      driver, chosen, advise_beside.name, advise_beside.summary, add_advise_options, run_advise,
      {.examples = {
           {"hockney advise run.json results/hops", "what would gain, most first"},
           {"hockney advise run.json results/hops --verify -- mpirun -n 2 ./app", "prove it"},
           {"hockney advise run.json results/hops --all", "everything that was tried"}}});
}

}  // namespace hockney::driver
