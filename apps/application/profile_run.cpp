#include "apps/application/profile_run.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "apps/screens.hpp"
#include "apps/subcommands.hpp"
#include "campaign/executables.hpp"
#include "campaign/preload.hpp"
#include "campaign/signal_watch.hpp"
#include "campaign/subprocess.hpp"
#include "core/atomic_file.hpp"
#include "core/cli/cli11.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "profile/collect.hpp"
#include "profile/event_log.hpp"
#include "report/profiles/profile_report.hpp"

namespace hockney::apps {
namespace {

constexpr const char* memory_variable = "HOCKNEY_PROFILE_MEMORY";

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

std::string output_file(const ProfileRun& run) {
  std::string name = run.out.value_or("hockney-profile-" + utc_stamp() + ".json");
  for (int again = 2; !run.out && std::filesystem::exists(name); ++again) {
    name = "hockney-profile-" + utc_stamp() + "-" + std::to_string(again) + ".json";
  }
  const std::filesystem::path file = std::filesystem::absolute(name);
  if (!std::filesystem::is_directory(file.parent_path())) {
    throw InputError({"cannot write '" + name + "'", "there is no folder of that name",
                      "make it, or name another with --out"});
  }
  if (!is_replaceable(file.string())) {
    throw InputError({"cannot write a profile to '" + name + "'", "it is no regular file",
                      "name another with --out"});
  }
  const std::string events = profile::events_file(name);
  for (const std::string& there : {name, events}) {
    if (!std::filesystem::exists(there) || (there == events && !run.logs_events)) continue;
    throw InputError({"'" + there + "' is there already", "a profile replaces nothing",
                      "remove it, or name another with --out"});
  }
  return file.string();
}

std::map<std::string, std::string> variables_of(const ProfileRun& run, const std::string& out) {
  std::map<std::string, std::string> variables{{profile_out_variable, out}};
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
  if (run.out)
    std::cout << "export " << profile_out_variable << '=' << campaign::shell_word(output_file(run))
              << '\n';
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

/// A command under way. Launchers take a second signal to end for an order to kill their ranks at
/// once, which then leave nothing; so each signal must reach them once, also where it is sent to
/// this program's whole group, by a terminal or by timeout(1).
class RunningCommand {
 public:
  explicit RunningCommand(const campaign::Command& command) : child_(::fork()) {
    if (child_ < 0) throw RunError({"cannot start a process", std::strerror(errno), ""});
    if (child_ == 0) execute(command);
  }

  /// Its exit code, as a shell has it; signals that end this program go on to it.
  int end() {
    int status = 0;
    while (::waitpid(child_, &status, WNOHANG) == 0) {
      const auto signal = signals_.wait(Seconds{1});
      if (signal && *signal != SIGCHLD) pass_on(*signal);
    }
    constexpr int killed = 128;
    return WIFSIGNALED(status) ? killed + WTERMSIG(status) : WEXITSTATUS(status);
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

/// What the program left; where that is no profile, says why.
std::optional<profile::Profile> collect_profile(const std::string& out) {
  try {
    if (auto profile = profile::collect(out)) return profile;
    throw RunError({"no profile was written",
                    "it could not be written, or no rank had the library before it in MPI_Init",
                    "does the launcher pass LD_PRELOAD on? see hockney profile --env"});
  } catch (const Error& error) {
    std::cerr << error.what() << '\n';
    return std::nullopt;
  }
}

void show(const profile::Profile& profile, const std::string& out) {
  report::ProfileView view = report::view_of(profile, out, {});
  add_log(view, {});
  report::print_screen(std::cerr, report::screen_of(view));
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

void add_log(report::ProfileView& view, std::span<const Record> records) {
  if (!view.profile.log) return;
  try {
    report::add_replay(view, applications::load_trace(profile::events_file(view.file)), records);
  } catch (const Error& error) {
    view.doubts.emplace_back(error.what());
  }
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
  const std::string out = output_file(run);
  const std::string library = campaign::profile_library(abi_of(run));
  const int code = RunningCommand(campaign::preloaded(run.words, library, variables_of(run, out),
                                                      campaign::probe_version))
                       .end();
  const auto profile = collect_profile(out);
  if (profile) show(*profile, out);
  if (code != 0 || profile) return static_cast<ExitCode>(code);
  return ExitCode::run_failed;
}

}  // namespace hockney::apps
