#include "benchmarks/launch/start_choice.hpp"

#include <algorithm>

#include "benchmarks/harness/environment.hpp"
#include "core/error.hpp"

namespace hockney {
namespace {

/// Of two ranks on one CPU, one is late for every time they agree on.
StartScheme usual_start(const JobPlacement& job) {
  const bool shared = std::ranges::find(job.flags, oversubscribed_flag) != job.flags.end();
  return shared ? StartScheme::barrier : StartScheme::round_time;
}

}  // namespace

StartScheme choose_start(const LaunchOptions& options, const JobPlacement& job) {
  if (!is_simulated()) return options.start.value_or(usual_start(job));
  const StartScheme start = options.start.value_or(StartScheme::barrier);
  if (start != StartScheme::round_time) return start;
  // Nobody can wait for a time there: it passes only inside MPI.
  throw InputError({"--start round-time under a simulator",
                    "time passes only inside MPI there, and waiting for it would never end",
                    "use --start barrier"});
}

}  // namespace hockney
