#include "driver/campaign/subprocess.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/process_stat.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "driver/campaign/failure_cause.hpp"

namespace hockney::campaign {
namespace {

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

namespace {

namespace fs = std::filesystem;

std::optional<ProcessStat> read_stat(pid_t pid) {
  return read_process_stat(fmt::format("/proc/{}/stat", pid));
}

std::multimap<pid_t, pid_t> children_by_parent() {
  std::multimap<pid_t, pid_t> children;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    const auto pid = as_number<pid_t>(entry.path().filename().string());
    if (!pid) continue;
    if (const auto stat = read_stat(*pid)) {
      children.emplace(static_cast<pid_t>(stat->number(ProcessStat::parent)), *pid);
    }
  }
  return children;
}

bool is_zombie(pid_t pid) {
  const auto stat = read_stat(pid);
  return !stat || stat->state_letter() == "Z";
}

void reap() {
  while (::waitpid(-1, nullptr, WNOHANG) > 0) {
  }
}

/// A descriptor that is readable once the process has ended (pidfd_open(2)). Not open, with errno,
/// before Linux 5.3.
FileDescriptor end_of(pid_t pid) {
#ifdef SYS_pidfd_open
  return FileDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
#else
  errno = ENOSYS;
  return FileDescriptor(-1);
#endif
}

/// Waits until one of the processes has ended, at most `limit`. Without pidfd_open(2), or without
/// processes, waits a moment.
void await_an_end(const std::vector<pid_t>& processes, std::chrono::milliseconds limit) {
  std::vector<FileDescriptor> ends;
  std::vector<pollfd> polled;
  for (const pid_t pid : processes) {
    FileDescriptor end = end_of(pid);
    if (!end.is_open() && errno == ESRCH) return;
    if (!end.is_open()) break;
    polled.push_back({.fd = end.get(), .events = POLLIN, .revents = 0});
    ends.push_back(std::move(end));
  }
  if (polled.empty() || polled.size() < processes.size()) {
    std::this_thread::sleep_for(std::min(limit, std::chrono::milliseconds(2)));
    return;
  }
  ::poll(polled.data(), polled.size(), static_cast<int>(limit.count()));
}

}  // namespace

std::vector<pid_t> descendants(pid_t ancestor) {
  const auto children = children_by_parent();
  std::vector<pid_t> found{ancestor};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto [begin, end] = children.equal_range(found[i]);
    for (auto child = begin; child != end; ++child) found.push_back(child->second);
  }
  found.erase(found.begin());
  return found;
}

namespace {

/// Reaps all descendants of the calling process; after `patience` kills the remaining ones
/// (SIGKILL). Returns when none is left, or after `limit` if a process hangs in the kernel. The
/// caller must be a child subreaper (PR_SET_CHILD_SUBREAPER), or orphaned processes escape. Returns
/// the number of killed processes.
int kill_descendants(Seconds limit, Seconds patience) {
  using SteadyClock = std::chrono::steady_clock;
  const auto begin = SteadyClock::now();
  const auto deadline = begin + std::chrono::duration<double>(limit.value);
  const auto first_kill = begin + std::chrono::duration<double>(patience.value);
  std::set<pid_t> killed;
  while (SteadyClock::now() < deadline) {
    reap();
    std::vector<pid_t> left = descendants(::getpid());
    if (left.empty()) break;
    std::erase_if(left, is_zombie);  // of parents that do not reap, or that end at this moment
    const bool is_patient = SteadyClock::now() < first_kill;
    for (const pid_t pid : left) {
      if (!is_patient && ::kill(pid, SIGKILL) == 0) killed.insert(pid);
    }
    // A killed process takes a moment to end, and its children one to become ours.
    const auto next = is_patient ? std::min(first_kill, deadline) : deadline;
    await_an_end(left, std::chrono::ceil<std::chrono::milliseconds>(
                           std::max(next - SteadyClock::now(), decltype(next)::duration{})));
  }
  return static_cast<int>(killed.size());
}

using SteadyClock = std::chrono::steady_clock;

constexpr int cannot_execute = 127;  // as in shells

/// Requests a signal at the end of the parent; false if the parent has ended already. Linux sends
/// it when the parent's thread that started this process ends, which may be before the parent does.
bool follow_parent(pid_t parent, int signal) {
  ::prctl(PR_SET_PDEATHSIG, signal);
  return ::getppid() == parent;
}

[[noreturn]] void become_launcher(const Guarded& launch, pid_t guardian,
                                  const SignalWatch& signals) {
  ::setpgid(0, 0);
  // A guardian has one thread.
  if (!follow_parent(guardian, SIGTERM)) ::_exit(cannot_execute);
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(launch.log, STDOUT_FILENO);
  ::dup2(launch.log, STDERR_FILENO);
  signals.restore_for_child();
  ::execve(launch.arguments[0], launch.arguments, launch.environment);
  std::fprintf(stderr, "cannot execute %s: %s\n", launch.arguments[0], std::strerror(errno));
  std::fflush(stderr);
  ::_exit(cannot_execute);
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

}  // namespace

void guard(const Guarded& launch, pid_t driver, SignalWatch& signals) {
  ::setsid();
  ::prctl(PR_SET_NAME, "hockney-guard");
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  // SIGCHLD only wakes the watchman, which then checks whether the driver still runs.
  if (!follow_parent(driver, SIGCHLD)) ::_exit(1);
  const pid_t guardian = ::getpid();
  const pid_t launcher = ::fork();
  if (launcher == 0) become_launcher(launch, guardian, signals);
  ::setpgid(launcher, launcher);  // here and in the child, so the group exists in either order
  GuardianReport report{.wait_status = SIGKILL};  // status of a launcher that must be killed
  Supervisor supervisor(launcher, driver, launch.grace, signals);
  if (launcher < 0) {
    report.wait_status = cannot_execute << 8;
  } else if (const auto status = supervisor.wait()) {
    report.wait_status = *status;
  }
  const Seconds until_given_up{10};
  const Seconds patience{supervisor.has_ended_launcher() ? 0.0
                                                         : 1.0};  // mpirun's own srun ends later
  report.strays = kill_descendants(until_given_up, patience);
  const bool reported = ::write(launch.report, &report, sizeof report) == sizeof report;
  ::_exit(reported ? 0 : 1);
}

namespace {

/// Closes all but stdin and stdout: pipes of other folders, and stderr, whose reader waits for its
/// end.
void close_others() {
  std::vector<int> open;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd", none)) {
    if (const auto number = as_number<int>(entry.path().filename().string())) {
      open.push_back(*number);
    }
  }
  for (const int number : open) {
    if (number > STDOUT_FILENO) ::close(number);
  }
}

/// Retries, since processes on other nodes may still write into the folder.
void remove_folder(const fs::path& folder) {
  constexpr int attempts = 50;
  std::error_code error;
  for (int attempt = 0; attempt < attempts && fs::exists(folder, error); ++attempt) {
    if (attempt > 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    fs::remove_all(folder, error);
  }
}

}  // namespace

void keep_folder(KeptFolder folder) noexcept {
  ::setsid();
  ::prctl(PR_SET_NAME, "hockney-scratch");
  for (const int signal : {SIGHUP, SIGINT, SIGTERM, SIGPIPE}) ::signal(signal, SIG_IGN);
  const int path = ::fcntl(folder.path, F_DUPFD, STDERR_FILENO);  // safe from the next dup2
  ::dup2(folder.owners, STDIN_FILENO);
  ::dup2(path, STDOUT_FILENO);
  close_others();
  if (::mkdtemp(folder.pattern.data()) == nullptr) ::_exit(errno);
  const auto size = static_cast<ssize_t>(folder.pattern.size());
  if (::write(STDOUT_FILENO, folder.pattern.data(), folder.pattern.size()) == size) {
    ::close(STDOUT_FILENO);
    char none = 0;
    while (::read(STDIN_FILENO, &none, 1) < 0 && errno == EINTR) {
    }
  }
  remove_folder(folder.pattern);
  ::_exit(0);
}

namespace {

[[noreturn]] void fail(const std::string& problem) {
  throw RunError({problem, std::strerror(errno), "check the folder and the limits of the system"});
}

/// The caller's environment, overridden by `changes`.
std::vector<std::string> merged_environment(const std::map<std::string, std::string>& changes) {
  std::vector<std::string> merged;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string variable = *entry;
    if (!changes.contains(variable.substr(0, variable.find('=')))) merged.push_back(variable);
  }
  for (const auto& [name, value] : changes) merged.push_back(fmt::format("{}={}", name, value));
  return merged;
}

struct Pipe {
  FileDescriptor out;
  FileDescriptor in;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("cannot make a pipe");
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

pid_t start_guardian(const ProcessRequest& request, int report, SignalWatch& signals) {
  const FileDescriptor log(
      ::open(request.log_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644));
  if (!log.is_open()) fail(fmt::format("cannot write '{}'", request.log_file));
  std::vector<std::string> words = request.command.arguments;
  std::vector<std::string> variables = merged_environment(request.command.environment);
  const std::vector<char*> arguments = null_terminated(words);
  const std::vector<char*> environment = null_terminated(variables);
  const pid_t driver = ::getpid();
  const pid_t guardian = ::fork();
  if (guardian < 0) fail(fmt::format("cannot start '{}'", request.command.arguments.front()));
  if (guardian == 0) {
    guard({arguments.data(), environment.data(), log.get(), report, request.grace}, driver,
          signals);
  }
  return guardian;
}

/// Time until the next report or the limit of a launch that began at `start`.
Seconds patience(const ProcessRequest& request, std::chrono::steady_clock::time_point start) {
  const Seconds left = request.limit - elapsed_since(start);
  return request.watch ? std::min(left, request.between) : left;
}

/// Waits for the guardian. Sends it SIGTERM on a signal or at the limit, and again on every further
/// signal. Returns the first cause.
ProcessEnd await_guardian(pid_t guardian, const ProcessRequest& request, SignalWatch& signals) {
  const Seconds limit = request.limit;
  const auto start = std::chrono::steady_clock::now();
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

/// The last bytes of a file; logs of faulty jobs can be large.
std::string last_bytes(const std::string& file, std::streamoff count) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in) return {};
  const std::streamoff size = in.tellg();
  in.seekg(std::max<std::streamoff>(0, size - count));
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Bytes above 127 may be cut within a character of UTF-8, which JSON cannot hold.
bool is_plain(char c) { return c >= ' ' && c <= '~'; }

std::vector<std::string> reporting_lines(const std::string& text, std::size_t longest) {
  std::vector<std::string> all;
  std::vector<std::string> of_program;
  bool fenced = false;
  for (std::string& line : split(text, '\n')) {
    std::erase_if(line, [](char c) { return !is_plain(c); });
    if (is_ruler(line)) fenced = !fenced;
    if (line.find_first_not_of(" -=") == std::string::npos) continue;
    if (line.size() > longest) line.resize(longest);
    if (!fenced && !is_of_slurm(line)) of_program.push_back(line);
    all.push_back(std::move(line));
  }
  return of_program.empty() ? all : of_program;
}

/// The guardian's report. A killed guardian sends none; its launcher died with it.
GuardianReport read_report(const Pipe& pipe) {
  GuardianReport report;
  const ssize_t size = ::read(pipe.out.get(), &report, sizeof report);
  return size == sizeof report ? report : GuardianReport{.wait_status = SIGKILL};
}

}  // namespace

std::vector<char*> null_terminated(std::vector<std::string>& texts) {
  std::vector<char*> pointers(texts.size());
  std::ranges::transform(texts, pointers.begin(), [](std::string& text) { return text.data(); });
  pointers.push_back(nullptr);
  return pointers;
}

namespace {

/// Whether a failed launcher was ended with its Slurm job. Slurm signals a job's processes one
/// after the other, so the launcher may end before this program gets its signal.
bool ended_with_job(const ProcessOutcome& outcome, SignalWatch& signals) {
  const bool has_failed = outcome.exit_code != 0 || outcome.signal != 0;
  if (!has_failed || std::getenv("SLURM_JOB_ID") == nullptr) return false;
  constexpr Seconds longest{2};
  const auto start = std::chrono::steady_clock::now();
  while (!signals.end_requested() && elapsed_since(start) < longest) {
    signals.wait(longest - elapsed_since(start));
  }
  return signals.end_requested().has_value();
}

}  // namespace

ProcessOutcome run_process(const ProcessRequest& request, SignalWatch& signals) {
  const auto start = std::chrono::steady_clock::now();
  Pipe pipe = make_pipe();
  const pid_t guardian = start_guardian(request, pipe.in.get(), signals);
  pipe.in.reset();
  ProcessOutcome outcome{.end = await_guardian(guardian, request, signals)};
  const GuardianReport report = read_report(pipe);
  outcome.strays = report.strays;
  if (WIFEXITED(report.wait_status)) outcome.exit_code = WEXITSTATUS(report.wait_status);
  if (WIFSIGNALED(report.wait_status)) outcome.signal = WTERMSIG(report.wait_status);
  outcome.duration = elapsed_since(start);
  if (outcome.end != ProcessEnd::exited) return outcome;
  if (outcome.signal != 0) outcome.end = ProcessEnd::killed;
  if (ended_with_job(outcome, signals)) outcome.end = ProcessEnd::interrupted;
  return outcome;
}

std::string output_of(const std::vector<std::string>& arguments, Seconds limit) {
  const ScratchFolder folder;
  const std::string log = folder.file("output");
  SignalWatch signals;
  run_process({.command = Command{arguments, {}}, .log_file = log, .limit = limit}, signals);
  if (signals.end_requested()) {
    throw RunError(
        {"stopped by a signal", fmt::format("it came while '{}' ran", arguments.front()), ""});
  }
  return read_file(log);
}

std::string log_text(const std::string& log_file) {
  std::error_code unreachable;
  return fs::exists(log_file, unreachable) ? read_file(log_file) : std::string();
}

std::vector<std::string> last_lines(const std::string& log_file, std::size_t count,
                                    std::size_t longest) {
  constexpr std::streamoff read_bytes = 8192;
  std::vector<std::string> lines = reporting_lines(last_bytes(log_file, read_bytes), longest);
  if (lines.size() > count) lines.erase(lines.begin(), lines.end() - static_cast<long>(count));
  return lines;
}

ScratchFolder::ScratchFolder() : ScratchFolder(fs::temp_directory_path().string()) {}

ScratchFolder::ScratchFolder(const std::string& parent) {
  std::string pattern = (fs::absolute(parent) / "hockney-XXXXXX").string();
  Pipe owners = make_pipe();
  Pipe path = make_pipe();
  keeper_ = ::fork();
  if (keeper_ == 0) keep_folder({std::move(pattern), path.in.get(), owners.out.get()});
  if (keeper_ < 0) fail(fmt::format("cannot make '{}'", pattern));
  path.in.reset();
  std::array<char, 256> part{};
  ssize_t size = 0;
  while ((size = ::read(path.out.get(), part.data(), part.size())) > 0 ||
         (size < 0 && errno == EINTR)) {
    path_.append(part.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  }
  owner_ = std::move(owners.in);
  if (!path_.empty()) return;
  int status = 0;
  ::waitpid(keeper_, &status, 0);
  errno = WIFEXITED(status) ? WEXITSTATUS(status) : EIO;
  fail(fmt::format("cannot make '{}'", pattern));
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  owner_.reset();
  ::waitpid(keeper_, nullptr, 0);
}

}  // namespace hockney::campaign
