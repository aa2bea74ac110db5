#include "application/commands/advice_trial.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "application/advice/placing.hpp"
#include "application/commands/program_launches.hpp"
#include "campaign/executables.hpp"
#include "campaign/preload.hpp"
#include "campaign/subprocess.hpp"
#include "core/atomic_file.hpp"
#include "core/record_file.hpp"
#include "core/settings/prove.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "report/table.hpp"

namespace hockney::apps {
namespace {

namespace fs = std::filesystem;
using advice::Advice;
using advice::InForce;
using Variables = std::map<std::string, std::string>;

/// One of the ways to run the program.
struct Arm {
  std::optional<std::size_t> advice;  ///< nullopt: as it was
  std::string name;                   ///< of its files: "as-it-was", "advice-1"
  Variables variables{};
  std::vector<profile::Profile> profiles{};  ///< of whole blocks
};

/// By which a launcher puts ranks on hosts; nullopt where it has none.
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

/// Of a script that starts the launcher, the one that the program's library comes with.
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
  /// InputError for a command that is none, and for a program of an MPI that nothing records.
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
    std::cerr << "launching " << report::count_text(arms_.size(), "setting") << " in "
              << report::count_text(blocks, "block") << ", about "
              << format_duration(Seconds{static_cast<double>(arms_.size() * blocks) * seconds})
              << " and their start\n";
    for (const Arm& arm : arms_) {
      if (arm.advice && hosts_of(*arm.advice).empty()) in_force_[*arm.advice] = asked_library(arm);
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
      in_force_[*arm.advice] = advice::placed_as_asked(hosts_of(*arm.advice), arm.profiles);
    }
    result.in_force = in_force_;
    return result;
  }

 private:
  static constexpr double usual_grace = 60;  // [s]
  static constexpr double most_times = 20;   // as long as the run

  void add_arm(std::size_t number, const profile::Profile& run) {
    const advice::Change& change = advice_[number].change;
    Arm arm{.advice = number,
            .name = "advice-" + std::to_string(number + 1),
            .variables = change.variables};
    in_force_.push_back({});
    const std::vector<std::string>& hosts = change.what_if.hosts;
    if (!hosts.empty()) {
      const std::string ranks = programs_.file("ranks-" + std::to_string(number + 1));
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

  /// nullopt where a signal ended it.
  std::optional<std::vector<advice::TrialLaunch>> run_block(int block, std::mt19937_64& random) {
    std::map<std::size_t, profile::Profile> profiles;
    for (const std::size_t number : random_order(arms_.size(), random)) {
      const Arm& arm = arms_[number];
      const std::string name = "block-" + std::to_string(block) + "-" + arm.name;
      auto profile = programs_.launch(name, words_, arm.variables, limit_);
      if (!profile) return std::nullopt;
      profiles.emplace(number, std::move(*profile));
    }
    std::vector<advice::TrialLaunch> launches;
    std::vector<std::string> told;
    for (auto& launched : profiles) {
      Arm& arm = arms_[launched.first];
      const double seconds = launched.second.seconds;
      launches.push_back({block, arm.advice, seconds});
      told.push_back(arm.name + " " + report::short_time(seconds));
      arm.profiles.push_back(std::move(launched.second));
    }
    std::cerr << "block " << block << " of " << request_.blocks << ": " << join(told) << '\n';
    return launches;
  }

  [[nodiscard]] const std::vector<std::string>& hosts_of(std::size_t advice) const {
    return advice_[advice].change.what_if.hosts;
  }

  /// What the library says of the variables, in a job of hockney-settings that is launched as the
  /// program is.
  InForce asked_library(const Arm& arm) {
    const std::vector<std::size_t> places = campaign::places_of_programs(words_);
    const auto program = campaign::find_executable("hockney-settings", {campaign::own_folder()});
    if (places.size() != 1 || !program) {
      return {Proof::unproven, "hockney-settings cannot be launched in place of the program"};
    }
    std::vector<std::string> words(words_.begin(),
                                   words_.begin() + static_cast<std::ptrdiff_t>(places[0]));
    const std::string answer = programs_.file("settings-" + arm.name + ".json");
    words.insert(words.end(), {*program, "--output", answer});
    campaign::run_process(
        {.command = campaign::Command{.arguments = words, .environment = arm.variables},
         .log_file = programs_.file("settings-" + arm.name + ".log"),
         .limit = limit_},
        programs_.signals());
    if (!fs::exists(answer)) {
      return {Proof::unproven, "the library could not be asked (hockney-settings failed)"};
    }
    return advice::set_as_asked(prove_all(arm.variables, read_variables(load_json(answer))));
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

}  // namespace

TrialResult run_trial(const TrialRequest& request, const profile::Profile& run,
                      std::span<const Advice> advice) {
  return Trial(request, run, advice).run(run.seconds);
}

}  // namespace hockney::apps
