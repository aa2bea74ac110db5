#include "components/application/commands/profile_run.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "components/application/commands/profile_name.hpp"
#include "components/application/commands/site_names.hpp"
#include "components/application/profile/collect.hpp"
#include "components/application/profile/event_log.hpp"
#include "components/application/profile/part.hpp"
#include "components/application/screens/finding_words.hpp"
#include "components/application/screens/function_views.hpp"
#include "components/application/screens/profile_report.hpp"
#include "components/application/screens/time_line_views.hpp"
#include "components/application/symbols/frame_names.hpp"
#include "components/application/where/busy_watch.hpp"
#include "components/application/where/command_line.hpp"
#include "components/application/where/rank_bindings.hpp"
#include "core/atomic_file.hpp"
#include "core/called_name.hpp"
#include "core/cli/command_line.hpp"
#include "core/cli/standard_output.hpp"
#include "core/environment.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/shell.hpp"
#include "core/text.hpp"
#include "driver/campaign/launch_command.hpp"
#include "driver/campaign/preload.hpp"
#include "driver/campaign/subprocess.hpp"
#include "report/table.hpp"

namespace hockney::driver {
namespace {

namespace fs = std::filesystem;

constexpr const char* memory_variable = "HOCKNEY_PROFILE_MEMORY";
constexpr int killed = 128;  // plus the signal number: exit codes of shells and launchers

campaign::RecordedAbi abi_of(const ProfileRun& run) {
  using campaign::RecordedAbi;
  if (run.family) {
    if (const auto abi = find_word<RecordedAbi>(*run.family)) return *abi;
    throw InputError({fmt::format("bad --mpi '{}'", *run.family),
                      "it names the family of the program's MPI",
                      suggest(*run.family, valid_words<RecordedAbi>())});
  }
  const std::vector<std::string> words =
      run.words.empty() ? std::vector<std::string>{"mpirun"} : run.words;
  return campaign::abi_of_command(words, campaign::probe_version);
}

/// InputError if a word is no program; suggests a subcommand.
void check_program(const std::string& word) {
  if (campaign::find_executable(word, campaign::path_folders())) return;
  throw InputError({fmt::format("no program '{}'", word),
                    "it is not in PATH, and no subcommand of profile",
                    suggest(word, {"show", "compare"})});
}

/// What is recorded, and how much.
std::map<std::string, std::string> recording_variables(const ProfileRun& run) {
  std::map<std::string, std::string> variables;
  if (run.memory_mebibytes) variables[memory_variable] = std::to_string(*run.memory_mebibytes);
  if (run.logs_events) variables[profile_log_variable] = "1";
  if (run.samples_per_second) {
    variables[profile_sample_variable] = report::significant(*run.samples_per_second);
  }
  return variables;
}

std::map<std::string, std::string> variables_of(const ProfileRun& run, const std::string& out,
                                                const std::string& id) {
  std::map<std::string, std::string> variables = recording_variables(run);
  variables.insert({{profile_out_variable, out}, {profile::run_variable, id}});
  return variables;
}

/// For a batch script: ranks read these variables.
std::string environment_text(const ProfileRun& run) {
  std::string text;
  const auto add = [&](std::string_view name, const std::string& value) {
    text += fmt::format("export {}={}\n", name, shell_word(value));
  };
  add("LD_PRELOAD", campaign::profile_library(abi_of(run)));
  if (run.out) add(profile_out_variable, unused_profile(*run.out, run.logs_events));
  for (const auto& [name, value] : recording_variables(run)) add(name, value);
  return text;
}

/// Samples processes outside of a command, each second, or less often where that takes more than a
/// 200th of a CPU.
class OthersWatch {
 public:
  void sample() {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    if (begin < next_) return;
    const where::ProcessSamples samples = where::sample_processes();
    std::set<int> own = where::descendants_of(samples, ::getpid());
    own.merge(where::ancestors_of(samples, ::getpid()));
    busy_.add(samples, Seconds{std::chrono::duration<double>(begin.time_since_epoch()).count()},
              own);
    constexpr int rarely = 200;
    next_ =
        begin + std::max<Clock::duration>(std::chrono::seconds(1), rarely * (Clock::now() - begin));
  }

  [[nodiscard]] const where::BusyWatch& busy() const { return busy_; }

 private:
  where::BusyWatch busy_;
  std::chrono::steady_clock::time_point next_{};
};

std::string signal_text(int signal) {
  const char* const name = ::strsignal(signal);
  return fmt::format("signal {} ({})", signal, name == nullptr ? "" : name);
}

/// Waits for the program, and watches meanwhile what others use.
campaign::ProcessOutcome watched_end(campaign::RunningProgram& program, OthersWatch& others) {
  while (true) {
    others.sample();
    if (const auto outcome = program.wait(Seconds{1})) return *outcome;
  }
}

/// As a shell reports it.
int exit_code_of(const campaign::ProcessOutcome& outcome) {
  return outcome.signal != 0 ? killed + outcome.signal : outcome.exit_code;
}

/// Error for a command that left no profile, with the cause.
RunError without_profile(const campaign::ProcessOutcome& outcome,
                         const std::vector<std::string>& words) {
  const int code = exit_code_of(outcome);
  if (code == 0) {
    return RunError({"no profile was written",
                     "it could not be written, or no rank had the library before it in MPI_Init",
                     "does the launcher pass LD_PRELOAD on? see hockney profile --env"});
  }
  std::string how = fmt::format("the command ended with exit code {}", code);
  // Launchers end then with codes of their own, such as 132 of Open MPI.
  if (const auto missing = where::missing_program(words, campaign::probe_version)) {
    return RunError({fmt::format("no program '{}'", *missing), how, "check its name and PATH"});
  }
  if (outcome.signal != 0) {
    how = "the command was ended by " + signal_text(outcome.signal);
  } else if (code > killed && code < killed + NSIG) {
    how = fmt::format("the command ended with exit code {}, as after {}", code,
                      signal_text(code - killed));
  }
  return RunError({"no profile was written", how + ", before a rank saved anything",
                   "does it end well without hockney?"});
}

/// Reads the log of each world that should have one; returns that of the first. Prints the reason
/// for a lost log, which for the first world is a doubt. ForeignLog if the first world's log
/// belongs to another run.
struct ReadLogs {
  std::optional<applications::TraceAnalysis> first;
  std::vector<std::string> doubts;
  bool are_there = true;
};

ReadLogs read_logs(const std::vector<profile::WorldProfile>& worlds) {
  ReadLogs logs;
  for (const profile::WorldProfile& world : worlds) {
    if (!world.profile.log) continue;
    const bool is_first = &world == &worlds.front();
    try {
      applications::TraceAnalysis run(applications::load_trace(world.profile, world.file));
      if (is_first) logs.first = std::move(run);
    } catch (const Error& error) {
      std::cerr << "the log of events is lost: " << error.what() << '\n';
      logs.are_there = false;
      if (!is_first) continue;
      if (dynamic_cast<const applications::ForeignLog*>(&error) != nullptr) throw;
      logs.doubts.emplace_back(error.what());
    }
  }
  return logs;
}

void name_worlds(const std::vector<profile::WorldProfile>& worlds) {
  std::cerr << fmt::format("\nthe program had {} worlds, with a profile each:\n", worlds.size());
  for (const profile::WorldProfile& world : worlds) {
    const profile::Profile& profile = world.profile;
    std::cerr << fmt::format(
        "  {}  {}, {}: {}\n", escaped(world.file),
        report::count_text(static_cast<std::size_t>(profile.world_ranks), "rank"),
        format_duration(Seconds{profile.seconds}),
        escaped(join(profile.provenance.command_line, " ")));
  }
}

/// "cc1plus (1.6 of 2 CPUs), load 7.5" if other processes were busy on this node, and ranks ran
/// there; else empty.
std::string busy_text(const where::BusyWatch& others, const profile::Profile& profile) {
  const auto& command = profile.provenance.command_line;
  if (std::ranges::count(profile.ranks, own_host(), &profile::Rank::host) == 0) return {};
  constexpr std::size_t longest_name = 15;  // of a process
  const std::string program =
      command.empty() ? "" : fs::path(command.front()).filename().string().substr(0, longest_name);
  std::string busy = others.text(static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN)), program);
  double load = 0;
  if (busy.empty() || ::getloadavg(&load, 1) != 1) return busy;
  return fmt::format("{}, load {:.1f}", busy, load);
}

/// Prints losses, then the summary of the first world; for several worlds the names of all
/// profiles. False if anything is lost.
bool show_all(const profile::Collected& collected, const campaign::ProcessOutcome& outcome,
              const where::BusyWatch& others, const std::vector<std::string>& words) {
  for (const std::string& problem : collected.problems) std::cerr << escaped(problem) << '\n';
  if (collected.worlds.empty()) {
    std::cerr << runnable(without_profile(outcome, words).what()) << '\n';
    return false;
  }
  const profile::WorldProfile& first = collected.worlds.front();
  ReadLogs logs = read_logs(collected.worlds);
  symbols::NamedFrames frames = symbols::name_frames(first.profile);
  std::ranges::move(frames.doubts, std::back_inserter(logs.doubts));
  applications::ProgramReport report = applications::analyse(
      first.profile, {.log = logs.first ? &*logs.first : nullptr, .frame_names = &frames.names});
  std::vector<report::SiteName> names = name_sites(report.profile, sites_of_findings(report)).names;
  const report::ProfileView view{.report = std::move(report),
                                 .file = first.file,
                                 .site_names = std::move(names),
                                 .doubts = std::move(logs.doubts),
                                 .busy = busy_text(others, first.profile)};
  report::print_screen(std::cerr, report::screen_of(view), report::ScreenSize::first,
                       output_columns(STDERR_FILENO));
  if (collected.worlds.size() > 1) name_worlds(collected.worlds);
  return logs.are_there && collected.problems.empty();
}

/// "100Hz", "100", or "1e3": samples a second. InputError for others.
double parse_frequency(const std::string& text) {
  constexpr double most = 10'000;
  constexpr double least = 1e-3;
  const std::string number = text.ends_with("Hz") ? text.substr(0, text.size() - 2) : text;
  const auto value = as_number<double>(number);
  if (value && *value >= least && *value <= most) return *value;
  throw InputError({fmt::format("bad --sample '{}'", text),
                    "it wants samples a second, from 0.001Hz to 10000Hz",
                    "hockney profile --sample 100Hz -- COMMAND"});
}

}  // namespace

void add_profile_run_options(CommandLine& app, ProfileRun& run) {
  app.add_option(command_words, run.words,
                 "The program with its launcher, as it is run without hockney")
      .type_name("TEXT")
      .default_str("none");
  app.add_option("-o,--out", run.out, "File for the profile")
      .type_name("FILE")
      .default_str("hockney-profile-<UTC time>.json");
  app.add_option(
         "--mpi", run.family,
         "Family of the program's MPI: openmpi, mpich (Intel MPI too), or mpi-abi, the ABI of "
         "MPI 5")
      .type_name(type_of_choice(valid_words<campaign::RecordedAbi>()))
      .default_str("what the program is linked with, else the launcher's");
  app.add_option("--memory", run.memory_mebibytes, "Memory of each rank for what is recorded [MiB]")
      .in_range(1, 1 << 20)
      .type_name("N")
      .default_str("64");
  app.add_flag("--log", run.logs_events,
               "Also keep every call in its order, in NAME.events beside NAME.json");
  app.add_texts(
         "--sample",
         [&run](const std::vector<std::string>& words) {
           run.samples_per_second = parse_frequency(words.empty() ? "100Hz" : words.front());
         },
         "Also sample stacks, so many times a second of CPU time of each thread: the functions "
         "that compute")
      .type_name("RATE")
      .expected(0, 1)
      .default_str("100Hz");
  app.add_flag("--env", run.prints_environment,
               "Print what to set in a batch script instead of running anything");
}

ExitCode run_profile(const ProfileRun& run) {
  if (run.prints_environment) {
    std::cout << environment_text(run);
    return ExitCode::good;
  }
  if (run.words.empty()) {
    throw InputError({"no command to profile", "what is run stands after --",
                      "hockney profile -- mpirun -n 8 ./app"});
  }
  check_program(run.words.front());
  const ProfileName name(run);
  const std::string library = campaign::profile_library(abi_of(run));
  const std::string id = profile::new_run_id();
  const campaign::Command command = campaign::preloaded(
      run.words, library, variables_of(run, name.file(), id), campaign::probe_version);
  campaign::SignalWatch signals;
  campaign::RunningProgram program(command, signals);
  OthersWatch others;
  const campaign::ProcessOutcome outcome = watched_end(program, others);
  const bool is_whole =
      show_all(profile::collect(name.file(), id), outcome, others.busy(), run.words);
  const int code = exit_code_of(outcome);
  return code != 0 || is_whole ? static_cast<ExitCode>(code) : ExitCode::run_failed;
}

}  // namespace hockney::driver
