#include "application/where/probe/started_program.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <chrono>
#include <csignal>
#include <cstring>
#include <string>
#include <thread>

#include "core/error.hpp"
#include "application/where/processes.hpp"

extern char** environ;

namespace hockney::where {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds between_moments{50};

}  // namespace

StartedProgram::StartedProgram(std::span<char*> words) {
  const int failed =
      ::posix_spawnp(&process_, words.front(), nullptr, nullptr, words.data(), environ);
  if (failed == 0) return;
  throw RunError({"cannot start '" + std::string(words.front()) + "'", std::strerror(failed), ""});
}

StartedProgram::~StartedProgram() {
  if (has_ended()) return;
  ::kill(process_, SIGTERM);
  const auto end = Clock::now() + std::chrono::seconds(2);
  while (!has_ended() && Clock::now() < end) std::this_thread::sleep_for(between_moments);
  if (has_ended()) return;
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

bool StartedProgram::has_ended() {
  if (!has_ended_) has_ended_ = ::waitpid(process_, nullptr, WNOHANG) != 0;
  return has_ended_;
}

std::vector<ThreadPlace> StartedProgram::watch_threads(Seconds limit) {
  ThreadWatch watch;
  const auto end = Clock::now() + std::chrono::duration<double>(limit.value);
  while (!has_ended() && Clock::now() < end) {
    watch.add(sample_family(process_), process_);
    std::this_thread::sleep_for(between_moments);
  }
  std::vector<ThreadPlace> places = watch.most();
  if (!places.empty()) return places;
  throw RunError({"the program ended before its threads were seen", "it ran for less than 50 ms",
                  "give it more to do, or leave out --run"});
}

}  // namespace hockney::where
