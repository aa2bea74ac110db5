#pragma once

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

namespace hockney {

/// How a program ended and what it said.
struct CommandResult {
  int exit_code = -1;  ///< minus the signal when one killed it
  bool timed_out = false;
  std::string out;
  std::string err;
};

namespace detail {

struct CapturePipe {
  std::array<int, 2> ends{-1, -1};

  CapturePipe() {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
  }
  CapturePipe(const CapturePipe&) = delete;
  CapturePipe& operator=(const CapturePipe&) = delete;
  CapturePipe(CapturePipe&&) = delete;
  CapturePipe& operator=(CapturePipe&&) = delete;
  ~CapturePipe() {
    ::close(ends[0]);
    close_writer();
  }
  void close_writer() {
    if (ends[1] >= 0) ::close(ends[1]);
    ends[1] = -1;
  }
};

/// Starts the program as leader of its own process group, so that all of it can be ended.
inline pid_t start_captured(std::vector<std::string> arguments, const CapturePipe& out,
                            const CapturePipe& err) {
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions{};
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.ends[1], STDERR_FILENO);
  posix_spawnattr_t attributes{};
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t pid = -1;
  const int error =
      ::posix_spawnp(&pid, pointers.front(), &actions, &attributes, pointers.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error("cannot start " + arguments.front());
  return pid;
}

/// Appends what there is to read; false at the end of the stream.
inline bool drain(int descriptor, std::string& text) {
  std::array<char, 4096> part{};
  const ssize_t got = ::read(descriptor, part.data(), part.size());
  if (got > 0) text.append(part.data(), static_cast<std::size_t>(got));
  return got > 0 || (got < 0 && errno == EINTR);
}

/// Reads both streams to their ends; false when `limit` passed before.
inline bool drain_both(CapturePipe& out, CapturePipe& err, CommandResult& result,
                       std::chrono::seconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  std::array<pollfd, 2> streams{pollfd{out.ends[0], POLLIN, 0}, pollfd{err.ends[0], POLLIN, 0}};
  while (streams[0].fd >= 0 || streams[1].fd >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    if (::poll(streams.data(), streams.size(), static_cast<int>(left.count())) <= 0) continue;
    if (streams[0].revents != 0 && !drain(streams[0].fd, result.out)) streams[0].fd = -1;
    if (streams[1].revents != 0 && !drain(streams[1].fd, result.err)) streams[1].fd = -1;
  }
  return true;
}

/// A program that was started with an empty stdin.
class RunningCommand {
 public:
  explicit RunningCommand(const std::vector<std::string>& arguments)
      : pid_(start_captured(arguments, out_, err_)) {
    out_.close_writer();
    err_.close_writer();
  }

  /// What has not ended within `limit` from now on is killed with its whole process group.
  CommandResult finish(std::chrono::seconds limit) {
    CommandResult result;
    result.timed_out = !drain_both(out_, err_, result, limit);
    if (result.timed_out) ::kill(-pid_, SIGKILL);
    int status = 0;
    ::waitpid(pid_, &status, 0);
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return result;
  }

 private:
  CapturePipe out_;
  CapturePipe err_;
  pid_t pid_;
};

}  // namespace detail

/// Runs a program, found in PATH when its name has no slash, with an empty stdin. What has not
/// ended within `limit` is killed with its whole process group.
inline CommandResult run_command(const std::vector<std::string>& arguments,
                                 std::chrono::seconds limit = std::chrono::seconds(60)) {
  return detail::RunningCommand(arguments).finish(limit);
}

/// Launches of a test at once: ranks of other libraries keep their core while they wait for each
/// other.
#ifdef HOCKNEY_OPEN_MPI
inline constexpr std::size_t launches_at_a_time = 4;
#else
inline constexpr std::size_t launches_at_a_time = 1;
#endif

/// Runs programs of little output, so many at a time, and gives their results in order: mpirun of
/// Open MPI sleeps for two seconds where a program ends with another exit code than 0.
inline std::vector<CommandResult> run_together(
    const std::vector<std::vector<std::string>>& commands, std::size_t at_a_time,
    std::chrono::seconds limit = std::chrono::seconds(100)) {
  std::vector<CommandResult> results;
  std::deque<detail::RunningCommand> running;
  for (const std::vector<std::string>& command : commands) {
    running.emplace_back(command);
    if (running.size() < at_a_time) continue;
    results.push_back(running.front().finish(limit));
    running.pop_front();
  }
  for (detail::RunningCommand& command : running) results.push_back(command.finish(limit));
  return results;
}

}  // namespace hockney
