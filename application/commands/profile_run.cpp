#include "application/commands/profile_run.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <iostream>

#include "application/commands/commands.hpp"
#include "application/commands/profile_name.hpp"
#include "apps/screens.hpp"
#include "campaign/executables.hpp"
#include "campaign/preload.hpp"
#include "campaign/signal_watch.hpp"
#include "campaign/subprocess.hpp"
#include "core/cli/cli11.hpp"
#include "core/cli/standard_output.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "application/profile/collect.hpp"
#include "application/profile/run_files.hpp"
#include "application/screens/profile_report.hpp"
#include "report/table.hpp"

namespace hockney::apps {
namespace {

constexpr const char* memory_variable = "HOCKNEY_PROFILE_MEMORY";
constexpr int killed = 128;  // and the number of the signal: exit codes of shells and launchers

campaign::RecordedAbi abi_of(const ProfileRun& run) {
  using campaign::RecordedAbi;
  if (run.family) {
    if (const auto abi = find_word<RecordedAbi>(*run.family)) return *abi;
    throw InputError({"bad --mpi '" + *run.family + "'", "it names the family of the program's MPI",
                      suggest(*run.family, valid_words<RecordedAbi>())});
  }
  const std::vector<std::string> words =
      run.words.empty() ? std::vector<std::string>{"mpirun"} : run.words;
  return campaign::abi_of_command(words, campaign::probe_version);
}

/// InputError for what is neither a program nor a subcommand that was meant.
void check_program(const std::string& word) {
  if (campaign::find_executable(word, campaign::path_folders())) return;
  throw InputError({"no program '" + word + "'", "it is not in PATH, and no subcommand of profile",
                    suggest(word, {"show", "compare"})});
}

std::map<std::string, std::string> variables_of(const ProfileRun& run, const std::string& out,
                                                const std::string& id) {
  std::map<std::string, std::string> variables{{profile_out_variable, out},
                                               {profile::run_variable, id}};
  if (run.memory_mebibytes) {
    variables[memory_variable] = std::to_string(*run.memory_mebibytes);
  }
  if (run.logs_events) variables[profile_log_variable] = "1";
  return variables;
}

/// For a batch script: the program's ranks take them from their environment.
void print_environment(const ProfileRun& run) {
  std::cout << "export LD_PRELOAD=" << campaign::shell_word(campaign::profile_library(abi_of(run)))
            << '\n';
  if (run.out) {
    std::cout << "export " << profile_out_variable << '='
              << campaign::shell_word(unused_profile(*run.out, run.logs_events)) << '\n';
  }
  if (run.memory_mebibytes) {
    std::cout << "export " << memory_variable << '=' << *run.memory_mebibytes << '\n';
  }
  if (run.logs_events) std::cout << "export " << profile_log_variable << "=1\n";
}

/// Whether Ctrl-C at the terminal is for this program.
bool is_in_foreground() {
  const int terminal = ::open("/dev/tty", O_RDONLY | O_CLOEXEC);
  if (terminal < 0) return false;
  const bool is_it = ::tcgetpgrp(terminal) == ::getpgrp();
  ::close(terminal);
  return is_it;
}

struct CommandEnd {
  int code = 0;    ///< as a shell has it
  int signal = 0;  ///< that ended the command itself; 0: none
};

/// A command under way. Launchers take a second signal to end for an order to kill their ranks at
/// once, which then leave nothing; so each signal must reach them once, also where it is sent to
/// this program's whole group, by a terminal or by timeout(1).
class RunningCommand {
 public:
  explicit RunningCommand(const campaign::Command& command) : child_(::fork()) {
    if (child_ < 0) throw RunError({"cannot start a process", std::strerror(errno), ""});
    if (child_ == 0) execute(command);
  }

  /// Waits for it; signals that end this program go on to it.
  CommandEnd end() {
    int status = 0;
    while (::waitpid(child_, &status, WNOHANG) == 0) {
      const auto signal = signals_.wait(Seconds{1});
      if (signal && *signal != SIGCHLD) pass_on(*signal);
    }
    if (!WIFSIGNALED(status)) return {.code = WEXITSTATUS(status)};
    return {.code = killed + WTERMSIG(status), .signal = WTERMSIG(status)};
  }

 private:
  [[noreturn]] void execute(const campaign::Command& command) const {
    // In the foreground it stays in the group that may read from the terminal.
    if (!is_foreground_) {
      ::setpgid(0, 0);
      ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    }
    signals_.restore_for_child();
    for (const auto& [name, value] : command.environment) ::setenv(name.c_str(), value.c_str(), 1);
    std::vector<std::string> words = command.arguments;
    const std::vector<char*> arguments = campaign::null_terminated(words);
    ::execvp(arguments.front(), arguments.data());
    constexpr int not_found = 127;
    const std::string line = to_line({"cannot run '" + words.front() + "'", std::strerror(errno),
                                      "check its name and PATH"}) +
                             "\n";
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
    ::_exit(not_found);
  }

  void pass_on(int signal) {
    if (is_foreground_ && signals_.came_from_terminal()) return;  // it has got it as well
    const auto now = std::chrono::steady_clock::now();
    const bool is_the_same = signal == passed_ && now - passed_at_ < std::chrono::seconds(1);
    if (is_the_same) return;
    passed_ = signal;
    passed_at_ = now;
    ::kill(child_, signal);
  }

  campaign::SignalWatch signals_;
  bool is_foreground_ = is_in_foreground();
  int passed_ = 0;  ///< the last signal that went on
  std::chrono::steady_clock::time_point passed_at_{};
  pid_t child_;
};

std::string signal_text(int signal) {
  const char* const name = ::strsignal(signal);
  return "signal " + std::to_string(signal) + " (" + (name == nullptr ? "" : name) + ")";
}

/// Why a command left no profile.
RunError without_profile(const CommandEnd& end) {
  if (end.code == 0) {
    return RunError({"no profile was written",
                     "it could not be written, or no rank had the library before it in MPI_Init",
                     "does the launcher pass LD_PRELOAD on? see hockney profile --env"});
  }
  std::string how = "the command ended with exit code " + std::to_string(end.code);
  if (end.signal != 0) {
    how = "the command was ended by " + signal_text(end.signal);
  } else if (end.code > killed && end.code < killed + NSIG) {
    how += ", as after " + signal_text(end.code - killed);
  }
  return RunError({"no profile was written", how + ", before a rank saved anything",
                   "does it end well without hockney?"});
}

/// Reads the log of each world that is to have one, and splits the time of the first, whose view
/// that is. Where one is lost, prints why and returns false; a lost one of the first is a doubt.
/// ForeignLog where that is of another run.
bool read_logs(const std::vector<profile::WorldProfile>& worlds, report::ProfileView& first) {
  bool are_there = true;
  for (const profile::WorldProfile& world : worlds) {
    if (!world.profile.log) continue;
    const bool is_first = &world == &worlds.front();
    try {
      const applications::TraceAnalysis run(applications::load_trace(world.profile, world.file));
      if (is_first) add_replay(first, run, {});
    } catch (const Error& error) {
      std::cerr << "the log of events is lost: " << error.what() << '\n';
      are_there = false;
      if (!is_first) continue;
      if (dynamic_cast<const applications::ForeignLog*>(&error) != nullptr) throw;
      first.doubts.emplace_back(error.what());
    }
  }
  return are_there;
}

void name_worlds(const std::vector<profile::WorldProfile>& worlds) {
  std::cerr << "\nthe program had " << worlds.size() << " worlds, with a profile each:\n";
  for (const profile::WorldProfile& world : worlds) {
    const profile::Profile& profile = world.profile;
    std::cerr << "  " << inert(world.file) << "  "
              << report::count_text(static_cast<std::size_t>(profile.world_ranks), "rank") << ", "
              << format_duration(Seconds{profile.seconds}) << ": "
              << inert(join(profile.provenance.command_line, " ")) << '\n';
  }
}

/// What is lost, then the first screen of the first world, and the names of all where there are
/// several. False where anything is lost.
bool show_all(const profile::Collected& collected, const CommandEnd& end) {
  for (const std::string& problem : collected.problems) std::cerr << inert(problem) << '\n';
  if (collected.worlds.empty()) {
    std::cerr << without_profile(end).what() << '\n';
    return false;
  }
  const profile::WorldProfile& first = collected.worlds.front();
  report::ProfileView view = report::view_of(first.profile, first.file);
  const bool are_logs_there = read_logs(collected.worlds, view);
  report::print_screen(std::cerr, report::screen_of(view), report::ScreenSize::first,
                       output_columns(STDERR_FILENO));
  if (collected.worlds.size() > 1) name_worlds(collected.worlds);
  return are_logs_there && collected.problems.empty();
}

}  // namespace

void add_profile_run_options(CLI::App& app, ProfileRun& run) {
  app.add_option(command_words, run.words,
                 "The program with its launcher, as it is run without hockney")
      ->type_name("TEXT")
      ->default_str("none");
  app.add_option("-o,--out", run.out, "File for the profile")
      ->type_name("FILE")
      ->default_str("hockney-profile-<UTC time>.json");
  app.add_option(
         "--mpi", run.family,
         "Family of the program's MPI: openmpi, mpich (Intel MPI too), or mpi-abi, the ABI of "
         "MPI 5")
      ->type_name(type_of_choice(valid_words<campaign::RecordedAbi>()))
      ->default_str("what the program is linked with, else the launcher's");
  app.add_option("--memory", run.memory_mebibytes, "Memory of each rank for what is recorded [MiB]")
      ->check(CLI::Range(1, 1 << 20))
      ->type_name("N")
      ->default_str("64");
  app.add_flag("--log", run.logs_events,
               "Also keep every call in its order, in NAME.events beside NAME.json");
  app.add_flag("--env", run.prints_environment,
               "Print what to set in a batch script instead of running anything");
}

ExitCode run_profile(const ProfileRun& run) {
  if (run.prints_environment) {
    print_environment(run);
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
  const CommandEnd end =
      RunningCommand(campaign::preloaded(run.words, library, variables_of(run, name.file(), id),
                                         campaign::probe_version))
          .end();
  const bool is_whole = show_all(profile::collect(name.file(), id), end);
  if (end.code != 0 || is_whole) return static_cast<ExitCode>(end.code);
  return ExitCode::run_failed;
}

}  // namespace hockney::apps
