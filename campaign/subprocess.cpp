#include "campaign/subprocess.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>

#include "campaign/file_descriptor.hpp"
#include "campaign/guardian.hpp"
#include "core/atomic_file.hpp"
#include "core/error.hpp"

namespace hockney {
namespace {

using SteadyClock = std::chrono::steady_clock;

Seconds since(SteadyClock::time_point start) {
  return {std::chrono::duration<double>(SteadyClock::now() - start).count()};
}

[[noreturn]] void fail(const std::string& problem) {
  throw RunError({problem, std::strerror(errno), "check the folder and the limits of the system"});
}

/// Pointers as execve wants them; the texts must outlive the list.
std::vector<char*> null_terminated(std::vector<std::string>& texts) {
  std::vector<char*> pointers(texts.size());
  std::ranges::transform(texts, pointers.begin(), [](std::string& text) { return text.data(); });
  pointers.push_back(nullptr);
  return pointers;
}

/// The caller's environment with `changes` in place of what it says about the same names.
std::vector<std::string> merged_environment(const std::map<std::string, std::string>& changes) {
  std::vector<std::string> merged;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string variable = *entry;
    if (!changes.contains(variable.substr(0, variable.find('=')))) merged.push_back(variable);
  }
  for (const auto& [name, value] : changes) merged.push_back(std::string(name) + "=" + value);
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
  if (!log.is_open()) fail("cannot write '" + request.log_file + "'");
  std::vector<std::string> words = request.arguments;
  std::vector<std::string> variables = merged_environment(request.environment);
  const std::vector<char*> arguments = null_terminated(words);
  const std::vector<char*> environment = null_terminated(variables);
  const pid_t driver = ::getpid();
  const pid_t guardian = ::fork();
  if (guardian < 0) fail("cannot start '" + request.arguments.front() + "'");
  if (guardian == 0) {
    guard({arguments.data(), environment.data(), log.get(), report, request.grace}, driver,
          signals);
  }
  return guardian;
}

/// Waits for the guardian; the first reason to end the launch early, if there was one, and how
/// often it was given, is passed on to it.
ProcessEnd await_guardian(pid_t guardian, Seconds limit, SignalWatch& signals) {
  const auto start = SteadyClock::now();
  ProcessEnd end = ProcessEnd::exited;
  if (signals.end_requested()) {
    end = ProcessEnd::interrupted;
    ::kill(guardian, SIGTERM);
  }
  while (::waitpid(guardian, nullptr, WNOHANG) == 0) {
    const bool ending = end != ProcessEnd::exited;
    const auto signal = signals.wait(ending ? Seconds{60} : limit - since(start));
    if (signal && *signal != SIGCHLD) {
      if (!ending) end = ProcessEnd::interrupted;
      ::kill(guardian, SIGTERM);
    } else if (!signal && !ending && since(start) >= limit) {
      end = ProcessEnd::timed_out;
      ::kill(guardian, SIGTERM);
    }
  }
  return end;
}

/// A guardian that was killed itself cannot tell; its launcher died with it.
GuardianReport read_report(const Pipe& pipe) {
  GuardianReport report;
  const ssize_t size = ::read(pipe.out.get(), &report, sizeof report);
  return size == sizeof report ? report : GuardianReport{.wait_status = SIGKILL};
}

}  // namespace

ProcessOutcome run_process(const ProcessRequest& request, SignalWatch& signals) {
  const auto start = SteadyClock::now();
  Pipe pipe = make_pipe();
  const pid_t guardian = start_guardian(request, pipe.in.get(), signals);
  pipe.in.reset();
  ProcessOutcome outcome{.end = await_guardian(guardian, request.limit, signals)};
  const GuardianReport report = read_report(pipe);
  outcome.strays = report.strays;
  if (WIFEXITED(report.wait_status)) outcome.exit_code = WEXITSTATUS(report.wait_status);
  if (WIFSIGNALED(report.wait_status)) outcome.signal = WTERMSIG(report.wait_status);
  if (outcome.end == ProcessEnd::exited && outcome.signal != 0) outcome.end = ProcessEnd::killed;
  outcome.duration = since(start);
  return outcome;
}

std::string output_of(const std::vector<std::string>& arguments, Seconds limit) {
  std::string file = (std::filesystem::temp_directory_path() / "hockney-XXXXXX").string();
  const FileDescriptor made(::mkstemp(file.data()));
  if (!made.is_open()) fail("cannot write '" + file + "'");
  SignalWatch signals;
  run_process({.arguments = arguments, .environment = {}, .log_file = file, .limit = limit},
              signals);
  std::string output = read_file(file);
  std::filesystem::remove(file);
  if (signals.end_requested()) {
    throw RunError({"stopped by a signal", "it came while '" + arguments.front() + "' ran", ""});
  }
  return output;
}

}  // namespace hockney
