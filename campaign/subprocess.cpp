#include "campaign/subprocess.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <utility>

#include "campaign/failure_cause.hpp"
#include "campaign/guardian.hpp"
#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/file_descriptor.hpp"
#include "core/text.hpp"
#include "core/time.hpp"

namespace hockney::campaign {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& problem) {
  throw RunError({problem, std::strerror(errno), "check the folder and the limits of the system"});
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
  std::vector<std::string> words = request.command.arguments;
  std::vector<std::string> variables = merged_environment(request.command.environment);
  const std::vector<char*> arguments = null_terminated(words);
  const std::vector<char*> environment = null_terminated(variables);
  const pid_t driver = ::getpid();
  const pid_t guardian = ::fork();
  if (guardian < 0) fail("cannot start '" + request.command.arguments.front() + "'");
  if (guardian == 0) {
    guard({arguments.data(), environment.data(), log.get(), report, request.grace}, driver,
          signals);
  }
  return guardian;
}

/// How long to wait for news of a launch that began at `start`.
Seconds patience(const ProcessRequest& request, std::chrono::steady_clock::time_point start) {
  const Seconds left = request.limit - elapsed_since(start);
  return request.watch ? std::min(left, request.between) : left;
}

/// Waits for the guardian; the first reason to end the launch early, if there was one, and how
/// often it was given, is passed on to it.
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

/// The end of a file; logs of a job gone wild can be large.
std::string last_bytes(const std::string& file, std::streamoff count) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in) return {};
  const std::streamoff size = in.tellg();
  in.seekg(std::max<std::streamoff>(0, size - count));
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Bytes above 127 may be cut within a character of UTF-8, which JSON cannot hold.
bool is_plain(char c) { return c >= ' ' && c <= '~'; }

std::vector<std::string> telling_lines(const std::string& text, std::size_t longest) {
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

/// A guardian that was killed itself cannot tell; its launcher died with it.
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

/// Whether a launcher that failed was ended with its job: Slurm signals the processes of a job one
/// after the other, so the launcher may be gone before this program is told.
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
    throw RunError({"stopped by a signal", "it came while '" + arguments.front() + "' ran", ""});
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
  std::vector<std::string> lines = telling_lines(last_bytes(log_file, read_bytes), longest);
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
  if (keeper_ < 0) fail("cannot make '" + pattern + "'");
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
  fail("cannot make '" + pattern + "'");
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  owner_.reset();
  ::waitpid(keeper_, nullptr, 0);
}

}  // namespace hockney::campaign
