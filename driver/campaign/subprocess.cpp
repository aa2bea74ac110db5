#include "driver/campaign/subprocess.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <map>
#include <set>
#include <vector>

#include "core/error.hpp"
#include "core/process_stat.hpp"
#include "core/shell.hpp"
#include "core/text.hpp"

namespace hockney::campaign {
namespace {

namespace fs = std::filesystem;
using SteadyClock = std::chrono::steady_clock;

bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

timespec to_timespec(Seconds limit) {
  // At most a day: huge limits must not overflow time_t, and callers call again.
  const double seconds = std::clamp(limit.value, 0.0, 86400.0);
  const double whole = std::floor(seconds);
  return {whole_number<time_t>(whole), whole_number<long>(std::floor((seconds - whole) * 1e9))};
}

constexpr int cannot_execute = 127;  // as in shells

[[noreturn]] void fail(const std::string& problem) {
  throw RunError({problem, std::strerror(errno), "check the folder and the limits of the system"});
}

/// Becomes the program. If it cannot be executed, prints the error and exits as shells do.
[[noreturn]] void execute(const Command& command, const SignalWatch& signals) {
  signals.restore_for_child();
  for (const auto& [name, value] : command.environment) ::setenv(name.c_str(), value.c_str(), 1);
  std::vector<std::string> words = command.arguments;
  ::execvp(words.front().c_str(), null_terminated(words).data());
  const std::string line = to_line({fmt::format("cannot run '{}'", words.front()),
                                    std::strerror(errno), "check its name and PATH"}) +
                           "\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
  ::_exit(cannot_execute);
}

ProcessOutcome outcome_of(int wait_status) {
  if (!WIFSIGNALED(wait_status)) return {.exit_code = WEXITSTATUS(wait_status)};
  return {.end = ProcessEnd::killed, .signal = WTERMSIG(wait_status)};
}

/// Requests a signal at the end of the parent; false if the parent has ended already. Linux sends
/// it when the parent's thread that started this process ends, which may be before the parent does.
bool follow_parent(pid_t parent, int signal) {
  ::prctl(PR_SET_PDEATHSIG, signal);
  return ::getppid() == parent;
}

/// The end of the launcher, as its guardian reports it.
struct GuardianReport {
  int wait_status = SIGKILL;  ///< of the launcher; that of a killed one if it outlived the grace
  int strays = 0;             ///< processes that outlived the launcher and were killed
};

/// A launch of the driver, for its guardian.
struct GuardedLaunch {
  const ProcessRequest& request;
  int log = -1;     ///< takes the launcher's stdout and stderr
  int report = -1;  ///< pipe end that takes one GuardianReport
  pid_t driver = -1;
};

[[noreturn]] void become_launcher(const GuardedLaunch& launch, pid_t guardian,
                                  const SignalWatch& signals) {
  ::setpgid(0, 0);
  if (!follow_parent(guardian, SIGTERM)) ::_exit(1);  // a guardian has one thread
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(launch.log, STDOUT_FILENO);
  ::dup2(launch.log, STDERR_FILENO);
  execute(launch.request.command, signals);
}

/// Reaps the children that have ended; false if there are no others.
bool reap() {
  pid_t ended = 0;
  do ended = ::waitpid(-1, nullptr, WNOHANG);
  while (ended > 0);
  return ended == 0;
}

/// The descendants of this process that have not ended. Reads /proc, as kernels without
/// CONFIG_PROC_CHILDREN have no lists of children.
std::vector<pid_t> descendants() {
  std::multimap<pid_t, pid_t> children;
  std::set<pid_t> ended;  // of parents that do not reap, or that end at this moment
  std::error_code error;
  const fs::directory_iterator end;
  for (fs::directory_iterator entry("/proc", error); entry != end; entry.increment(error)) {
    const auto pid = as_number<pid_t>(entry->path().filename().string());
    const auto stat = pid ? read_process_stat(entry->path() / "stat") : std::nullopt;
    if (!stat) continue;
    children.emplace(static_cast<pid_t>(stat->number(ProcessStat::parent)), *pid);
    if (stat->state_letter() == "Z") ended.insert(*pid);
  }
  std::vector<pid_t> found{::getpid()};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto [first, last] = children.equal_range(found[i]);
    for (auto child = first; child != last; ++child) found.push_back(child->second);
  }
  found.erase(found.begin());
  std::erase_if(found, [&](pid_t pid) { return ended.contains(pid); });
  return found;
}

/// Reaps all descendants of the calling process; after `patience` kills the remaining ones
/// (SIGKILL). Returns when none is left, or after `limit` if a process hangs in the kernel. The
/// caller must be a child subreaper (PR_SET_CHILD_SUBREAPER): orphaned processes become its
/// children, and their end sends it SIGCHLD. Returns the number of killed processes.
int kill_descendants(Seconds limit, Seconds patience, SignalWatch& signals) {
  const auto begin = SteadyClock::now();
  std::set<pid_t> killed;
  while (reap() && elapsed_since(begin) < limit) {
    const bool is_patient = elapsed_since(begin) < patience;
    for (const pid_t pid : is_patient ? std::vector<pid_t>() : descendants()) {
      if (::kill(pid, SIGKILL) == 0) killed.insert(pid);
    }
    const Seconds left = (is_patient ? patience : limit) - elapsed_since(begin);
    signals.wait(std::min(left, Seconds{1}));  // processes may begin and end meanwhile
  }
  return static_cast<int>(killed.size());
}

/// Waits for the launcher; ends it on a signal or when the driver has ended. nullopt if it outlived
/// the grace.
class Supervisor {
 public:
  Supervisor(pid_t launcher, pid_t driver, Seconds grace, SignalWatch& signals)
      : launcher_(launcher), driver_(driver), grace_(grace), signals_(signals) {}

  std::optional<int> wait() {
    while (!grace_is_over()) {
      if (const auto status = reap()) return status;
      if (!deadline_ && ::getppid() != driver_) end_launcher();
      const auto signal = signals_.wait({deadline_ ? 0.02 : 3600});
      if (signal && *signal != SIGCHLD) end_launcher();
    }
    return std::nullopt;
  }

  /// Whether the launcher was sent SIGTERM.
  [[nodiscard]] bool has_ended_launcher() const { return deadline_.has_value(); }

 private:
  [[nodiscard]] bool grace_is_over() const { return deadline_ && SteadyClock::now() >= *deadline_; }

  void end_launcher() {
    ::kill(-launcher_, SIGTERM);
    const bool again = deadline_.has_value();
    const auto grace = std::chrono::duration<double>(again ? 0 : grace_.value);
    deadline_ = SteadyClock::now() + std::chrono::duration_cast<SteadyClock::duration>(grace);
  }

  /// Reaps ended children; returns the launcher's status if it is among them.
  [[nodiscard]] std::optional<int> reap() const {
    std::optional<int> found;
    int status = 0;
    for (pid_t pid = 0; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;) {
      if (pid == launcher_) found = status;
    }
    return found;
  }

  pid_t launcher_;
  pid_t driver_;
  Seconds grace_;
  SignalWatch& signals_;
  std::optional<SteadyClock::time_point> deadline_;
};

/// Runs the guardian, the process between the driver and a launcher. It leads a new session, adopts
/// orphaned descendants, and starts the launcher. When the launcher has ended, it kills every
/// remaining process in any process group (Open MPI gives each rank one).
/// On SIGTERM it ends the launcher: SIGTERM to its group, then SIGKILL to all after the grace, or
/// at once on a second SIGTERM. It does the same when the driver dies in any way; the end of the
/// driver's thread that called fork(2) is not enough. Call it in a new child of the driver, with
/// the signals of `signals` blocked.
[[noreturn]] void guard(const GuardedLaunch& launch, SignalWatch& signals) {
  ::setsid();
  ::prctl(PR_SET_NAME, "hockney-guard");
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  // SIGCHLD only wakes the supervisor, which then checks whether the driver still runs.
  if (!follow_parent(launch.driver, SIGCHLD)) ::_exit(1);
  const pid_t guardian = ::getpid();
  const pid_t launcher = ::fork();
  if (launcher == 0) become_launcher(launch, guardian, signals);
  ::setpgid(launcher, launcher);  // here and in the child, so the group exists in either order
  GuardianReport report;
  Supervisor supervisor(launcher, launch.driver, launch.request.grace, signals);
  if (launcher < 0) {
    report.wait_status = cannot_execute << 8;
  } else if (const auto status = supervisor.wait()) {
    report.wait_status = *status;
  }
  const Seconds until_given_up{10};
  const Seconds patience{supervisor.has_ended_launcher() ? 0.0
                                                         : 1.0};  // mpirun's own srun ends later
  report.strays = kill_descendants(until_given_up, patience, signals);
  const bool reported = ::write(launch.report, &report, sizeof report) == sizeof report;
  ::_exit(reported ? 0 : 1);
}

pid_t start_guardian(const ProcessRequest& request, int report, SignalWatch& signals) {
  const FileDescriptor log(
      ::open(request.log_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644));
  if (!log.is_open()) fail(fmt::format("cannot write '{}'", request.log_file));
  const pid_t driver = ::getpid();
  const pid_t guardian = ::fork();
  if (guardian < 0) fail(fmt::format("cannot start '{}'", request.command.arguments.front()));
  if (guardian == 0) guard({request, log.get(), report, driver}, signals);
  return guardian;
}

/// Time until the next report or the limit of a launch that began at `start`.
Seconds patience(const ProcessRequest& request, SteadyClock::time_point start) {
  const Seconds left = request.limit - elapsed_since(start);
  return request.watch ? std::min(left, request.between) : left;
}

/// Waits for the guardian. Sends it SIGTERM on a signal or at the limit, and again on every further
/// signal. Returns the first cause.
ProcessEnd await_guardian(pid_t guardian, const ProcessRequest& request, SignalWatch& signals) {
  const Seconds limit = request.limit;
  const auto start = SteadyClock::now();
  ProcessEnd end = ProcessEnd::exited;
  if (signals.end_requested()) {
    end = ProcessEnd::interrupted;
    ::kill(guardian, SIGTERM);
  }
  while (::waitpid(guardian, nullptr, WNOHANG) == 0) {
    const bool ending = end != ProcessEnd::exited;
    const auto signal = signals.wait(ending ? Seconds{60} : patience(request, start));
    if (signal && *signal != SIGCHLD) {
      if (!ending) end = ProcessEnd::interrupted;
      ::kill(guardian, SIGTERM);
    } else if (!signal && !ending && elapsed_since(start) >= limit) {
      end = ProcessEnd::timed_out;
      ::kill(guardian, SIGTERM);
    } else if (!signal && !ending && request.watch) {
      request.watch(elapsed_since(start));
    }
  }
  return end;
}

/// The guardian's report. A killed guardian sends none; its launcher died with it.
GuardianReport read_report(const Pipe& pipe) {
  GuardianReport report;
  const ssize_t size = ::read(pipe.out.get(), &report, sizeof report);
  return size == sizeof report ? report : GuardianReport{};
}

/// Whether a failed launcher was ended with its Slurm job. Slurm signals a job's processes one
/// after the other, so the launcher may end before this program gets its signal.
bool ended_with_job(const ProcessOutcome& outcome, SignalWatch& signals) {
  const bool has_failed = outcome.exit_code != 0 || outcome.signal != 0;
  if (!has_failed || std::getenv("SLURM_JOB_ID") == nullptr) return false;
  constexpr Seconds longest{2};
  const auto start = SteadyClock::now();
  while (!signals.end_requested() && elapsed_since(start) < longest) {
    signals.wait(longest - elapsed_since(start));
  }
  return signals.end_requested().has_value();
}

/// Whether this program gets Ctrl-C from the terminal.
bool is_in_foreground() {
  const FileDescriptor terminal(::open("/dev/tty", O_RDONLY | O_CLOEXEC));
  return terminal.is_open() && ::tcgetpgrp(terminal.get()) == ::getpgrp();
}

}  // namespace

SignalWatch::SignalWatch() {
  sigemptyset(&watched_);
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGCHLD})
    sigaddset(&watched_, signal);
  if (!is_ignored(SIGHUP)) sigaddset(&watched_, SIGHUP);
  // With SIGCHLD ignored the kernel would reap our children, and their exit status would be lost.
  struct sigaction plain {};
  plain.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &plain, &child_before_);
  sigprocmask(SIG_BLOCK, &watched_, &mask_before_);
}

SignalWatch::~SignalWatch() {
  // Consumes pending repeats of a request to end, which would kill us when the mask is lifted.
  while (end_requested_ && wait({0})) {
  }
  restore_for_child();
}

std::optional<int> SignalWatch::wait(Seconds limit) {
  const timespec timeout = to_timespec(limit);
  siginfo_t info{};
  const int signal = sigtimedwait(&watched_, &info, &timeout);
  if (signal < 0) return std::nullopt;
  came_from_terminal_ = info.si_code == SI_KERNEL;
  if (signal != SIGCHLD && !end_requested_) end_requested_ = signal;
  return signal;
}

std::optional<int> SignalWatch::end_requested() {
  while (!end_requested_ && wait({0})) {
  }
  return end_requested_;
}

void SignalWatch::restore_for_child() const {
  sigaction(SIGCHLD, &child_before_, nullptr);
  sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
}

ProcessOutcome run_process(const ProcessRequest& request, SignalWatch& signals) {
  const auto start = SteadyClock::now();
  Pipe pipe;
  const pid_t guardian = start_guardian(request, pipe.in.get(), signals);
  pipe.in.reset();
  const ProcessEnd end = await_guardian(guardian, request, signals);
  const GuardianReport report = read_report(pipe);
  ProcessOutcome outcome = outcome_of(report.wait_status);
  outcome.strays = report.strays;
  outcome.duration = elapsed_since(start);
  if (end != ProcessEnd::exited) {
    outcome.end = end;
  } else if (ended_with_job(outcome, signals)) {
    outcome.end = ProcessEnd::interrupted;
  }
  return outcome;
}

CapturedRun capture(const Command& command, Seconds limit) {
  const FileDescriptor memory(::memfd_create("hockney-output", MFD_CLOEXEC));
  if (!memory.is_open()) fail("cannot keep the output of a program");
  const std::string log = fmt::format("/proc/self/fd/{}", memory.get());
  SignalWatch signals;
  const ProcessOutcome outcome =
      run_process({.command = command, .log_file = log, .limit = limit}, signals);
  if (signals.end_requested()) {
    throw RunError({"stopped by a signal",
                    fmt::format("it came while '{}' ran", command.arguments.front()), ""});
  }
  return {outcome, read_file(log)};
}

RunningProgram::RunningProgram(const Command& command, SignalWatch& signals, int at_death)
    : signals_(signals), is_foreground_(is_in_foreground()), id_(::fork()) {
  if (id_ < 0) fail("cannot start a process");
  if (id_ > 0) return;
  if (!is_foreground_) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, at_death);
  }
  execute(command, signals);
}

RunningProgram::~RunningProgram() {
  if (outcome()) return;
  ::kill(id_, SIGTERM);
  constexpr Seconds grace{2};
  const auto start = SteadyClock::now();
  while (!outcome() && elapsed_since(start) < grace) signals_.wait(grace - elapsed_since(start));
  if (outcome()) return;
  ::kill(id_, SIGKILL);
  ::waitpid(id_, nullptr, 0);
}

std::optional<ProcessOutcome> RunningProgram::outcome() {
  int status = 0;
  if (id_ != 0 && ::waitpid(id_, &status, WNOHANG) == id_) {
    outcome_ = outcome_of(status);
    id_ = 0;
  }
  return id_ == 0 ? std::optional(outcome_) : std::nullopt;
}

std::optional<ProcessOutcome> RunningProgram::wait(Seconds limit) {
  if (const auto ended = outcome()) return ended;
  const auto signal = signals_.wait(limit);
  if (signal && *signal != SIGCHLD) forward(*signal);
  return outcome();
}

void RunningProgram::forward(int signal) {
  if (is_foreground_ && signals_.came_from_terminal()) return;  // the program has it, too
  const bool is_the_same = signal == forwarded_ && elapsed_since(forwarded_at_) < Seconds{1};
  if (is_the_same) return;
  forwarded_ = signal;
  forwarded_at_ = SteadyClock::now();
  ::kill(id_, signal);
}

Pipe::Pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("cannot make a pipe");
  out = FileDescriptor(ends[0]);
  in = FileDescriptor(ends[1]);
}

}  // namespace hockney::campaign
