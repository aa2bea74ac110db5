#include <unistd.h>

#include <fmt/format.h>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "components/application/where/probe/probed_rank.hpp"
#include "components/application/where/rank_bindings.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "driver/campaign/subprocess.hpp"
#include "placement/machine.hpp"

// Two steps of `hockney where`:
//   hockney-where-step --before WORDS...
//   hockney-where-step --watch SECONDS FOLDER INDEX PROGRAM...
//
// The first runs before each wrapper and before the probe. It records its allowed CPUs and executes
// WORDS. The second replaces the probe with --run. It starts the program, watches its threads and
// ends it. Built without OpenMP: GNU's runtime binds the first thread of a program that loads it if
// OMP_PLACES or OMP_PROC_BIND is set.
namespace hockney::where {
namespace {

int go_on(std::span<char*> words) {
  const char* before = std::getenv(started_variable);
  const std::string own = placement::format_cpus(place_of_this_thread().allowed_cpus);
  const std::string all = before == nullptr ? own : fmt::format("{};{}", before, own);
  ::setenv(started_variable, all.c_str(), 1);
  ::execvp(words.front(), words.data());  // the words end with a null, as main's do
  throw RunError({fmt::format("cannot start '{}'", words.front()), std::strerror(errno), ""});
}

/// Places of a program's threads while most of them are at work. Watches until the program ends, at
/// most for `limit`.
std::vector<ThreadPlace> watch_threads(campaign::RunningProgram& program, Seconds limit) {
  constexpr Seconds between{0.05};
  const auto start = std::chrono::steady_clock::now();
  ThreadWatch watch;
  while (!program.wait(between) && elapsed_since(start) < limit) {
    watch.add(sample_family(program.id()), program.id());
  }
  std::vector<ThreadPlace> places = watch.most();
  if (!places.empty()) return places;
  throw RunError({"the program ended before its threads were seen", "it ran for less than 50 ms",
                  "give it more to do, or leave out --run"});
}

int watch(std::span<char*> arguments) {
  const auto limit = as_number<double>(arguments[0]);
  RankPlace place = begin_part(as_number<int>(arguments[2]).value_or(0));
  const std::span<char*> words = arguments.subspan(3);
  campaign::SignalWatch signals;
  campaign::RunningProgram program({{words.begin(), words.end()}, {}}, signals, SIGKILL);
  place.threads = watch_threads(program, Seconds{limit.value_or(1)});
  leave_parts(place, arguments[1]);
  return 0;
}

int take_step(std::span<char*> arguments) {
  const std::string_view mode = arguments.size() > 1 ? arguments[1] : "";
  if (mode == "--before" && arguments.size() > 2) return go_on(arguments.subspan(2));
  if (mode == "--watch" && arguments.size() > 5) return watch(arguments.subspan(2));
  throw InputError({"too few arguments", "hockney where starts this", "use hockney where"});
}

}  // namespace
}  // namespace hockney::where

int main(int argc, char** argv) {
  return hockney::where::exit_code_of(hockney::where::take_step,
                                      {argv, static_cast<std::size_t>(argc)});
}
