#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "components/application/analysis/replay_split.hpp"
#include "components/application/analysis/trace.hpp"
#include "tests/support/scripted_trace.hpp"

// Who waits for whom in a collective, as the meaning of each demands.
namespace hockney::applications {
namespace {

using profile::Function;
using profile::Kind;

constexpr double lateness = 100e-6;  // of the second rank [s]

/// Two ranks on two hosts in one call, the second of them late by 100 us.
ScriptedTrace late_second(Function function, int root, std::int64_t first_bytes,
                          std::int64_t second_bytes) {
  ScriptedTrace script(2, 1);
  script.collective(function, 0, root, first_bytes).takes(100);
  script.computes(1, 100).collective(function, 1, root, second_bytes).takes(10);
  return script;
}

/// How long the replay has the early rank wait [s].
double wait_of_first(Function function, int root = -1, std::int64_t first_bytes = 8,
                     std::int64_t second_bytes = 8) {
  const ScriptedTrace script = late_second(function, root, first_bytes, second_bytes);
  return split_by_replay(script.analysis(), {}).ranks[0].dependency;
}

models::CollectiveWaits waits_of_two(Function function) {
  const Trace trace = late_second(function, -1, 8, 8).trace();
  return waits_of(trace, {.calls = {{0, 0}, {1, 0}}});
}

/// A collective's name without its form: "Ibcast" and "Bcast_init" are "Bcast".
std::string blocking_form(std::string name) {
  if (name.ends_with("_init")) return name.substr(0, name.size() - 5);
  if (name.front() != 'I') return name;
  name.erase(0, 1);
  name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
  return name;
}

models::CollectiveWaits expected_waits(const std::string& name) {
  if (name == "Bcast" || name == "Scatter" || name == "Scatterv")
    return models::CollectiveWaits::for_root;
  if (name == "Reduce" || name == "Gather" || name == "Gatherv")
    return models::CollectiveWaits::root_for_all;
  if (name == "Scan" || name == "Exscan") return models::CollectiveWaits::for_lower_ranks;
  if (name.starts_with("Neighbor_")) return models::CollectiveWaits::for_neighbours;
  const std::set<std::string> all{"Barrier",   "Allgather",      "Allgatherv",
                                  "Alltoall",  "Alltoallv",      "Alltoallw",
                                  "Allreduce", "Reduce_scatter", "Reduce_scatter_block"};
  INFO(name);
  REQUIRE(all.contains(name));
  return models::CollectiveWaits::for_all;
}

}  // namespace

TEST_CASE("every collective in all its forms waits for whom its meaning says") {
  int seen = 0;
  for (int number = 0; number < static_cast<int>(Function::count); ++number) {
    const auto function = static_cast<Function>(number);
    const profile::Call& call = profile::describe(function);
    if (call.kind != Kind::collective && call.kind != Kind::plan_collective) continue;
    INFO(call.name);
    CHECK(waits_of_two(function) == expected_waits(blocking_form(std::string(call.name))));
    ++seen;
  }
  CHECK(seen == 66);  // 17 and 5 among neighbours, each blocking, nonblocking and persistent
}

TEST_CASE("who hands over nothing is waited for by nobody") {
  for (const Function function : {Function::Allreduce, Function::Scan, Function::Alltoallv}) {
    INFO(profile::describe(function).name);
    CHECK(wait_of_first(function, -1, 0, 0) == Approx(0).margin(1e-15));
  }
  CHECK(wait_of_first(Function::Bcast, 1, 8, 8) == Approx(lateness));
  CHECK(wait_of_first(Function::Bcast, 1, 0, 0) == Approx(0).margin(1e-15));
  CHECK(wait_of_first(Function::Gatherv, 0, 0, 0) == Approx(0).margin(1e-15));
  // One rank's counts may be 0 where the call as a whole carries data.
  CHECK(wait_of_first(Function::Gatherv, 0, 0, 8) == Approx(lateness));
  CHECK(wait_of_first(Function::Barrier, -1, 0, 0) == Approx(lateness));
}

TEST_CASE("MPI_Comm_idup waits for nobody, other makers of communicators for all") {
  CHECK(wait_of_first(Function::Comm_dup) == Approx(lateness));
  CHECK(wait_of_first(Function::Comm_idup) == Approx(0).margin(1e-15));
  CHECK(wait_of_first(Function::Comm_idup_with_info) == Approx(0).margin(1e-15));
}

TEST_CASE("clocks are aligned by those collectives alone that hold every rank until all are in") {
  const std::set<std::string> strict{"Barrier", "Allreduce", "Allgather", "Alltoall",
                                     "Reduce_scatter_block"};
  for (int number = 0; number < static_cast<int>(Function::count); ++number) {
    const auto function = static_cast<Function>(number);
    const std::string name(profile::describe(function).name);
    INFO(name);
    const auto is_known = [&](std::int64_t first_bytes, std::int64_t second_bytes) {
      const Trace trace = late_second(function, -1, first_bytes, second_bytes).trace();
      const Matching matching{.messages = {}, .collectives = {{.calls = {{0, 0}, {1, 0}}}}};
      return align_clocks(trace, matching).at("n1").bound_seconds.has_value();
    };
    CHECK(is_known(8, 8) == strict.contains(name));
    CHECK(is_known(8, 0) == (name == "Barrier"));
  }
}

}  // namespace hockney::applications
