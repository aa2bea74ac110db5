#include "core/cpu_sharing.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "tests/support/launches.hpp"

namespace hockney {
namespace {

RankPlace place(int rank, const std::string& host, const std::vector<int>& cpus) {
  return {.rank = rank, .host = host, .asked_cpu = {}, .actual_cpus = cpus};
}

Record on_cpus(const std::vector<RankPlace>& places) {
  Record record = launch_of("default");
  record.ranks = places;
  if (cpu_sharing(places)) record.flags = {std::string(oversubscribed_flag)};
  return record;
}

const std::vector<RankPlace> four_on_two{place(0, "a", {0, 1}), place(1, "a", {0, 1}),
                                         place(2, "a", {0, 1}), place(3, "a", {0, 1})};
const std::vector<RankPlace> two_on_two{place(0, "a", {0}), place(1, "a", {1})};

}  // namespace

TEST_CASE("ranks share CPUs where a host has fewer for them than ranks") {
  CHECK(cpu_sharing(four_on_two) == CpuSharing{.ranks = 4, .cpus = 2});
  CHECK_FALSE(cpu_sharing(two_on_two));
  const std::vector<RankPlace> two_hosts{place(0, "a", {3}), place(1, "a", {3}), place(2, "b", {0}),
                                         place(3, "b", {1})};
  CHECK(cpu_sharing(two_hosts) == CpuSharing{.ranks = 2, .cpus = 1});
  const std::vector<RankPlace> simulated{place(0, "a", {}), place(1, "a", {})};
  CHECK_FALSE(cpu_sharing(simulated));
}

TEST_CASE("one sentence says which ranks share CPUs, and in how many launches") {
  const std::vector<Record> all{on_cpus(four_on_two), on_cpus(four_on_two)};
  const std::string sentence = "4 ranks on 2 CPUs: times are those of ranks that share CPUs";
  CHECK(oversubscription_text(all) == sentence);
  std::vector<Record> some{on_cpus(four_on_two), on_cpus(two_on_two), on_cpus(two_on_two)};
  CHECK(oversubscription_text(some) == sentence + " (1 of 3 launches)");
  some[0].status = LaunchStatus::interrupted;
  CHECK(oversubscription_text(some).empty());
  CHECK(oversubscription_text(std::span(some).first(1), all) == sentence);
  Record threads = on_cpus(two_on_two);
  add_measured(threads, simple_point("threaded-latency", 8), 1e-6,
               {std::string(oversubscribed_flag)});
  CHECK(oversubscription_text({&threads, 1}) ==
        "threads share CPUs: times are those of threads that share CPUs");
}

}  // namespace hockney
