#include "campaign/guardian.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "core/text.hpp"

namespace hockney::campaign {
namespace {

namespace fs = std::filesystem;

struct ProcessState {
  char state = '?';
  pid_t parent = 0;
};

/// "123 (a name with ) and spaces) S 1 ...": the name ends at the last parenthesis (proc(5)).
std::optional<ProcessState> read_state(pid_t pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(in, line);
  const std::size_t name_end = line.rfind(") ");
  if (name_end == std::string::npos) return std::nullopt;
  const std::size_t parent = name_end + 4;
  const auto number = as_number<pid_t>(line.substr(parent, line.find(' ', parent) - parent));
  if (!number) return std::nullopt;
  return ProcessState{line[name_end + 2], *number};
}

std::multimap<pid_t, pid_t> children_by_parent() {
  std::multimap<pid_t, pid_t> children;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    const auto pid = as_number<pid_t>(entry.path().filename().string());
    if (!pid) continue;
    if (const auto state = read_state(*pid)) children.emplace(state->parent, *pid);
  }
  return children;
}

bool is_zombie(pid_t pid) {
  const auto state = read_state(pid);
  return !state || state->state == 'Z';
}

void reap() {
  while (::waitpid(-1, nullptr, WNOHANG) > 0) {
  }
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

int kill_descendants(Seconds limit, Seconds patience) {
  using SteadyClock = std::chrono::steady_clock;
  const auto begin = SteadyClock::now();
  const auto deadline = begin + std::chrono::duration<double>(limit.value);
  const auto first_kill = begin + std::chrono::duration<double>(patience.value);
  std::set<pid_t> killed;
  while (SteadyClock::now() < deadline) {
    reap();
    const std::vector<pid_t> left = descendants(::getpid());
    if (left.empty()) break;
    const bool is_patient = SteadyClock::now() < first_kill;
    for (const pid_t pid : left) {
      if (!is_patient && !is_zombie(pid) && ::kill(pid, SIGKILL) == 0) killed.insert(pid);
    }
    // A killed process needs a moment to die, and its children one to become ours.
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return static_cast<int>(killed.size());
}

namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr int cannot_execute = 127;  // as shells say it

/// Asks for a signal when the parent ends; true unless it has ended already. Linux sends it when
/// the thread of the parent ends that started this process, which need not be the parent's own end.
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

/// Waits for the launcher, ending it when asked to, and when the driver has ended; nullopt when it
/// outlived the grace.
class Watchman {
 public:
  Watchman(pid_t launcher, pid_t driver, Seconds grace, SignalWatch& signals)
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

  /// Whether the launcher was told to end.
  [[nodiscard]] bool has_ended_launcher() const { return deadline_.has_value(); }

 private:
  [[nodiscard]] bool grace_is_over() const { return deadline_ && SteadyClock::now() >= *deadline_; }

  void end_launcher() {
    ::kill(-launcher_, SIGTERM);
    const bool again = deadline_.has_value();
    const auto grace = std::chrono::duration<double>(again ? 0 : grace_.value);
    deadline_ = SteadyClock::now() + std::chrono::duration_cast<SteadyClock::duration>(grace);
  }

  /// Buries whatever has ended; the launcher's status when it is among them.
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
  // A signal that only wakes the watchman: he looks whether the driver is there.
  if (!follow_parent(driver, SIGCHLD)) ::_exit(1);
  const pid_t guardian = ::getpid();
  const pid_t launcher = ::fork();
  if (launcher == 0) become_launcher(launch, guardian, signals);
  ::setpgid(launcher, launcher);  // as the child does; whoever comes first, the group is there
  GuardianReport report{.wait_status =
                            SIGKILL};  // what the launcher ends with if it must be killed
  Watchman watchman(launcher, driver, launch.grace, signals);
  if (launcher < 0) {
    report.wait_status = cannot_execute << 8;
  } else if (const auto status = watchman.wait()) {
    report.wait_status = *status;
  }
  const Seconds until_given_up{10};
  const Seconds patience{watchman.has_ended_launcher() ? 0.0
                                                       : 1.0};  // mpirun's own srun ends later
  report.strays = kill_descendants(until_given_up, patience);
  const bool told = ::write(launch.report, &report, sizeof report) == sizeof report;
  ::_exit(told ? 0 : 1);
}

namespace {

/// All but stdin and stdout: pipes of other folders, and what a reader of stderr waits for.
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

/// What runs on other nodes may still write into the folder while it is removed.
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
  const int path = ::fcntl(folder.path, F_DUPFD, STDERR_FILENO);  // not in the way of the next
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

}  // namespace hockney::campaign
