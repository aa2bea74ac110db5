#include <catch2/catch.hpp>

#include "benchmarks/programs/launch/launch.hpp"
#include "tests/benchmarks/programs/launch/some_jobs.hpp"

namespace hockney::benchmarks::programs {
namespace {

TEST_CASE("ranks that share CPUs start after a barrier, others at an agreed time") {
  JobPlacement job = four_ranks();
  LaunchOptions options = options_for({"barrier"});
  CHECK(choose_start(options, job) == StartScheme::round_time);
  job.flags = {"unbound", "oversubscribed"};
  CHECK(choose_start(options, job) == StartScheme::barrier);
  options.start = StartScheme::round_time;
  CHECK(choose_start(options, job) == StartScheme::round_time);
  job.flags.clear();
  options.start = StartScheme::dissemination;
  CHECK(choose_start(options, job) == StartScheme::dissemination);
}

}  // namespace
}  // namespace hockney::benchmarks::programs
