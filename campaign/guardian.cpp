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
#include <optional>

#include "campaign/descendants.hpp"

namespace hockney {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr int cannot_execute = 127;  // as shells say it

/// SIGTERM when the parent dies; true unless it has died already.
bool follow_parent(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  return ::getppid() == parent;
}

[[noreturn]] void become_launcher(const Guarded& launch, pid_t guardian,
                                  const SignalWatch& signals) {
  ::setpgid(0, 0);
  if (!follow_parent(guardian)) ::_exit(cannot_execute);
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

/// Waits for the launcher, ending it when asked to; nullopt when it outlived the grace.
class Watchman {
 public:
  Watchman(pid_t launcher, Seconds grace, SignalWatch& signals)
      : launcher_(launcher), grace_(grace), signals_(signals) {}

  std::optional<int> wait() {
    while (!grace_is_over()) {
      if (const auto status = reap()) return status;
      const auto signal = signals_.wait({deadline_ ? 0.02 : 3600});
      if (signal && *signal != SIGCHLD) end_launcher();
    }
    return std::nullopt;
  }

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
  Seconds grace_;
  SignalWatch& signals_;
  std::optional<SteadyClock::time_point> deadline_;
};

}  // namespace

void guard(const Guarded& launch, pid_t driver, SignalWatch& signals) {
  ::setsid();
  ::prctl(PR_SET_NAME, "hockney-guard");
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (!follow_parent(driver)) ::_exit(1);
  const pid_t guardian = ::getpid();
  const pid_t launcher = ::fork();
  if (launcher == 0) become_launcher(launch, guardian, signals);
  ::setpgid(launcher, launcher);  // as the child does; whoever comes first, the group is there
  GuardianReport report{.wait_status =
                            SIGKILL};  // what the launcher ends with if it must be killed
  if (launcher < 0) {
    report.wait_status = cannot_execute << 8;
  } else if (const auto status = Watchman(launcher, launch.grace, signals).wait()) {
    report.wait_status = *status;
  }
  const Seconds until_given_up{10};
  report.strays = kill_descendants(until_given_up);
  const bool told = ::write(launch.report, &report, sizeof report) == sizeof report;
  ::_exit(told ? 0 : 1);
}

}  // namespace hockney
