#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "benchmarks/programs/launch/axes.hpp"
#include "benchmarks/programs/launch/workload.hpp"
#include "core/error.hpp"
#include "tests/benchmarks/programs/launch/some_jobs.hpp"

namespace hockney::benchmarks::programs {

using placement::Hop;
namespace {

TEST_CASE("one pair stands for each hop class, each alone in its slot") {
  const LaunchPlan workload = plan_workload(options_for({"pingpong"}), four_ranks());
  CHECK(workload.points.size() == 6);
  CHECK(workload.slots.size() == 6);
  std::set<std::string> hops;
  for (const PlannedMeasurement& planned : workload.points) {
    hops.insert(planned.point.hop.value());
    CHECK(planned.point.ranks == 2);
    CHECK(planned.point.pair.size() == 2);
  }
  CHECK(hops == std::set<std::string>{"smt", "l3", "cross-node"});
}

TEST_CASE("further points are those of one operation with other parameters, each once") {
  LaunchOptions options = options_for({"allreduce", "bcast"});
  options.sizes = {{8}};
  const Parameters in_place{{in_place_parameter, ReceivePlace::in_place}};
  const auto with = [](const char* op) {
    return Parameters{{operator_parameter, &find_operator(op)}};
  };
  options.further = {{"allreduce", in_place},
                     {"allreduce", with("user-sum")},
                     {"allreduce", with("sum")},
                     {"allreduce", in_place}};
  std::vector<std::string> curves;
  LaunchPlan workload = plan_workload(options, ranks_without_places(2));
  for (const PlannedMeasurement& planned : workload.points) {
    auto said = planned.point.parameters.texts();
    curves.push_back(planned.point.operation + " " + said["operator"] + " " + said["in-place"]);
  }
  CHECK(curves == std::vector<std::string>{"allreduce sum ", "allreduce sum yes",
                                           "allreduce user-sum ", "bcast  "});
}

TEST_CASE("rings take all ranks, and have a hop class only if all pairs have the same") {
  const LaunchPlan mixed = plan_workload(options_for({"sendrecv"}), four_ranks());
  CHECK(mixed.points.front().point.ranks == 4);
  CHECK_FALSE(mixed.points.front().point.hop);
  CHECK(mixed.points.front().point.pair.empty());
  const JobPlacement alike = ranks_on_one_l3(2);
  const LaunchPlan same = plan_workload(options_for({"sendrecv"}), alike);
  CHECK(same.points.front().point.hop == "l3");
}

TEST_CASE("ranks that are not bound are measured without a hop class") {
  const JobPlacement job = ranks_without_places(2);
  const LaunchPlan workload = plan_workload(options_for({"pingpong"}), job);
  REQUIRE(workload.points.size() == 2);
  CHECK_FALSE(workload.points.front().point.hop);
}

TEST_CASE("an operation without a message is measured at size 0 only") {
  const LaunchPlan workload = plan_workload(options_for({"barrier"}), ranks_without_places(3));
  REQUIRE(workload.points.size() == 1);
  CHECK(workload.points[0].point.bytes.value == 0);
  CHECK(workload.points[0].point.ranks == 3);
}

TEST_CASE("an odd number of ranks skips the message rate, and says why") {
  const JobPlacement job = ranks_on_one_l3(3);
  const LaunchPlan workload = plan_workload(options_for({"message-rate", "pingpong"}), job);
  REQUIRE(workload.points.size() == 4);
  CHECK(workload.points[0].status == PointStatus::skipped);
  CHECK(workload.points[0].reason == "it needs an even number of ranks");
  CHECK(workload.slots.size() == 2);
}

TEST_CASE("windows are parameters of the point") {
  LaunchOptions options = options_for({"bandwidth"});
  const JobPlacement job = ranks_on_one_l3(2);
  CHECK(plan_workload(options, job).points.front().point.parameters[window_parameter] == 64);
  options.choices.set(window_parameter, {7});
  CHECK(plan_workload(options, job).points.front().point.parameters[window_parameter] == 7);
}

/// The one point of each size that a workload of two ranks has.
std::vector<PlannedMeasurement> points_of(LaunchOptions options) {
  const JobPlacement job = ranks_on_one_l3(2);
  return plan_workload(options, job).points;
}

TEST_CASE("the datatype is a parameter of messages only when it was asked for") {
  LaunchOptions options = options_for({"pingpong", "barrier"});
  for (const PlannedMeasurement& planned : points_of(options)) {
    CHECK_FALSE(planned.point.parameters.contains(datatype_parameter));
  }
  options.choices.set(datatype_parameter, {"int", "float"});
  const auto points = points_of(options);
  REQUIRE(points.size() == 5);
  CHECK(points[0].point.parameters ==
        Parameters{{cache_parameter, CacheState::hot}, {datatype_parameter, "int"}});
  CHECK(points[3].point.parameters ==
        Parameters{{cache_parameter, CacheState::hot}, {datatype_parameter, "float"}});
  CHECK(points[4].point.parameters == Parameters{});  // a barrier has no data
}

TEST_CASE("reductions always name datatype and operator, and multiply by both") {
  LaunchOptions options = options_for({"allreduce"});
  CHECK(points_of(options)[0].point.parameters ==
        Parameters{{cache_parameter, CacheState::hot},
                   {datatype_parameter, "double"},
                   {operator_parameter, &find_operator("sum")}});
  options.choices.set(datatype_parameter, {"int", "float"});
  options.choices.set(operator_parameter,
                      {&find_operator("sum"), &find_operator("max"), &find_operator("min")});
  CHECK(points_of(options).size() == 12);
}

std::vector<std::optional<Suite>> suites_of(const LaunchPlan& workload) {
  std::vector<std::optional<Suite>> suites;
  for (const PlannedMeasurement& planned : workload.points) {
    const Parameters& parameters = planned.point.parameters;
    suites.push_back(parameters.contains(timing_parameter)
                         ? std::optional(parameters[timing_parameter])
                         : std::nullopt);
  }
  return suites;
}

/// The values that a parameter has in the points of an operation; "" where it has none.
std::vector<std::string> values_of(const LaunchOptions& options, const std::string& parameter) {
  std::vector<std::string> values;
  for (const PlannedMeasurement& planned : plan_workload(options, ranks_without_places(4)).points) {
    values.push_back(planned.point.parameters.texts()[parameter]);
  }
  return values;
}

TEST_CASE("windows, pairs at work and draws of pairs make points of their own when asked for") {
  using Values = std::vector<std::string>;
  LaunchOptions options = options_for({"message-rate"});
  options.sizes = {{8}};
  CHECK(values_of(options, "window") == Values{"64"});
  CHECK(values_of(options, "flows") == Values{""});
  options.choices.set(window_parameter, {1, 16});
  options.choices.set(flows_parameter, {Flows{1}, Flows{}});
  CHECK(values_of(options, "window") == Values{"1", "1", "16", "16"});
  CHECK(values_of(options, "flows") == Values{"1", "all", "1", "all"});
  LaunchOptions random = options_for({"random-pairs"});
  random.sizes = {{8}};
  CHECK(values_of(random, "pairing") == Values{"1"});
  random.choices.set(pairing_parameter, {3, 5});
  CHECK(values_of(random, "pairing") == Values{"3", "5"});
}

TEST_CASE("one-sided operations name their window, and are measured at both ends that they have") {
  LaunchOptions options = options_for({"put", "get", "fetch-and-op", "accumulate"});
  options.sizes = {{64}, {128}};
  std::vector<std::string> points;
  for (const PlannedMeasurement& planned : plan_workload(options, ranks_without_places(2)).points) {
    auto parameters = planned.point.parameters.texts();
    CHECK(parameters["window-kind"] == "allocated");
    CHECK(parameters["synchronisation"] == "flush");
    CHECK_FALSE(parameters.contains("work"));
    points.push_back(planned.point.operation + " " + std::to_string(planned.point.bytes.value) +
                     " " + parameters["completion"] + " " + parameters["datatype"]);
  }
  CHECK(points ==
        std::vector<std::string>{"put 64 origin ", "put 128 origin ", "put 64 target ",
                                 "put 128 target ", "get 64 origin ", "get 128 origin ",
                                 "fetch-and-op 8 origin int64", "fetch-and-op 8 target int64",
                                 "accumulate 64 origin double", "accumulate 128 origin double",
                                 "accumulate 64 target double", "accumulate 128 target double"});
}

TEST_CASE("kinds of windows, ways to complete and works of the target multiply") {
  LaunchOptions options = options_for({"put"});
  options.sizes = {{8}};
  options.choices.set(window_kind_parameter, {WindowKind::created, WindowKind::shared});
  options.choices.set(synchronisation_parameter,
                      {EpochKind::fence, EpochKind::lock_all, EpochKind::flush_local});
  options.choices.set(work_parameter, {Work::none, Work::during});
  const LaunchPlan workload = plan_workload(options, ranks_without_places(2));
  CHECK(workload.points.size() == 2 * 3 * 2 * 2);
  std::set<std::string> reasons;
  for (const PlannedMeasurement& planned : workload.points) {
    if (planned.status == PointStatus::skipped) reasons.insert(planned.reason);
  }
  CHECK(reasons ==
        std::set<std::string>{"a target that computes takes no part in a fence",
                              "a target that computes does not read its memory",
                              "what is flushed locally need not have reached its target"});
}

TEST_CASE("ranks on different nodes share no window") {
  LaunchOptions options = options_for({"put"});
  options.sizes = {{8}};
  options.choices.set(window_kind_parameter, {WindowKind::shared});
  options.choices.set(completion_parameter, {Completion::origin});
  int shared = 0;
  for (const PlannedMeasurement& planned : plan_workload(options, four_ranks()).points) {
    const bool is_apart = planned.point.hop == "cross-node";
    CHECK((planned.status == PointStatus::skipped) == is_apart);
    shared += is_apart ? 0 : 1;
  }
  CHECK(shared > 0);
}

TEST_CASE("every point is also timed as each suite would, in a slot of its own") {
  LaunchOptions options = options_for({"pingpong", "allreduce"});
  options.choices.set(timing_parameter, {Suite::imb, Suite::osu});
  const JobPlacement job = ranks_on_one_l3(2);
  const LaunchPlan workload = plan_workload(options, job);
  REQUIRE(workload.points.size() == 12);
  CHECK(workload.slots.size() == 12);
  using Suites = std::vector<std::optional<Suite>>;
  const Suites each{std::nullopt, std::nullopt, Suite::imb, Suite::imb, Suite::osu, Suite::osu};
  const Suites suites = suites_of(workload);
  CHECK(Suites(suites.begin(), suites.begin() + 6) == each);
  CHECK(Suites(suites.begin() + 6, suites.end()) == each);
  CHECK(workload.points[0].point.parameters == Parameters{{cache_parameter, CacheState::hot}});
  CHECK(workload.points[2].point.parameters ==
        Parameters{{cache_parameter, CacheState::hot}, {timing_parameter, Suite::imb}});
  CHECK(workload.points[10].point.parameters ==
        Parameters{{cache_parameter, CacheState::hot},
                   {datatype_parameter, "double"},
                   {operator_parameter, &find_operator("sum")},
                   {timing_parameter, Suite::osu}});
}

TEST_CASE("suites time one-sided calls where they are complete for them") {
  LaunchOptions options = options_for({"put", "get"});
  options.sizes = {{8}};
  options.choices.set(synchronisation_parameter, {EpochKind::pscw, EpochKind::flush});
  options.choices.set(timing_parameter, {Suite::osu});
  std::vector<std::string> timed;
  LaunchPlan workload = plan_workload(options, ranks_without_places(2));
  for (const PlannedMeasurement& planned : workload.points) {
    auto parameters = planned.point.parameters.texts();
    if (!parameters.contains("timing")) continue;
    timed.push_back(planned.point.operation + " " + parameters["synchronisation"] + " " +
                    parameters["completion"]);
  }
  CHECK(timed ==
        std::vector<std::string>{"put pscw target", "put flush origin", "get flush origin"});
}

TEST_CASE("only points with hot buffers are timed as suites would") {
  LaunchOptions options;
  options.choices.set(timing_parameter, {Suite::osu});
  options.choices.set(cache_parameter, {CacheState::hot, CacheState::cold});
  CHECK(parameters_of({.name = "any"}, options) ==
        std::vector<Parameters>{
            Parameters{{cache_parameter, CacheState::hot}},
            Parameters{{cache_parameter, CacheState::cold}},
            Parameters{{cache_parameter, CacheState::hot}, {timing_parameter, Suite::osu}}});
  CHECK(parameters_of({.name = "any", .sized = false}, options) ==
        std::vector<Parameters>{Parameters{}, Parameters{{timing_parameter, Suite::osu}}});
}

TEST_CASE("without --compat no point has a timing") {
  const LaunchPlan workload =
      plan_workload(options_for({"barrier", "sendrecv"}), ranks_without_places(3));
  CHECK(suites_of(workload) == std::vector<std::optional<Suite>>(workload.points.size()));
}

TEST_CASE("what is skipped is skipped in every timing") {
  LaunchOptions options = options_for({"message-rate", "reduce"});
  options.sizes = {{4}};
  options.choices.set(timing_parameter, {Suite::osu});
  const LaunchPlan workload = plan_workload(options, ranks_without_places(3));
  REQUIRE(workload.points.size() == 4);
  CHECK(workload.slots.empty());
  CHECK(workload.points[1].reason == "it needs an even number of ranks");
  CHECK(workload.points[3].point.parameters[timing_parameter] == Suite::osu);
}

TEST_CASE("what cannot be measured is skipped with a reason, and has no slot") {
  LaunchOptions options = options_for({"reduce"});
  options.sizes = {{4}, {8}};
  const auto odd = points_of(options);
  REQUIRE(odd.size() == 2);
  CHECK(odd[0].status == PointStatus::skipped);
  CHECK(odd[0].reason == "it is no whole number of elements: one double has 8 bytes");
  CHECK(odd[1].status != PointStatus::skipped);
  options.has_usual_sizes = true;  // nobody asked for 4 bytes
  CHECK(points_of(options).size() == 1);
  options.has_usual_sizes = false;
  options.choices.set(operator_parameter, {&find_operator("band"), &find_operator("sum")});
  const auto undefined = points_of(options);
  REQUIRE(undefined.size() == 4);
  CHECK(undefined[1].reason == "the operator band is not defined for double");
  CHECK(undefined[3].status != PointStatus::skipped);
  CHECK(plan_workload(options, ranks_without_places(2)).slots.size() == 1);
}

TEST_CASE("of pairs at the same time, all are skipped or none") {
  LaunchOptions options = options_for({"pingpong"});
  options.pairs = PairChoice::all;
  options.concurrent = true;
  options.choices.set(datatype_parameter, {"double"});
  options.sizes = {{4}, {8}};
  const LaunchPlan workload = plan_workload(options, four_ranks());
  CHECK(workload.points.size() == 12);
  CHECK(std::ranges::count(workload.points, std::size_t{1}, &PlannedMeasurement::group) == 6);
  REQUIRE(workload.slots.size() == 3);
  for (const Slot& slot : workload.slots) CHECK(slot.points.size() == 2);
}

/// Two ranks on one cache of 32 MiB, with 16 GiB of memory.
JobPlacement two_on_a_cache() {
  JobPlacement job = ranks_on_one_l3(2);
  job.memories.assign(2, {.cache = 0,
                          .cache_bytes = std::size_t{32} << 20,
                          .line_bytes = 64,
                          .free_bytes = std::size_t{16} << 30});
  return job;
}

TEST_CASE("cache states multiply the points of operations with data, and of those alone") {
  LaunchOptions options = options_for({"pingpong", "barrier"});
  options.choices.set(cache_parameter, {CacheState::hot, CacheState::cold, CacheState::fresh});
  const LaunchPlan workload = plan_workload(options, two_on_a_cache());
  REQUIRE(workload.points.size() == 7);
  CHECK(workload.slots.size() == 7);  // each of its own: in random order with the others
  CHECK(workload.points[0].point.parameters == Parameters{{cache_parameter, CacheState::hot}});
  CHECK(workload.points[2].point.parameters == Parameters{{cache_parameter, CacheState::cold}});
  CHECK(workload.points[5].point.parameters == Parameters{{cache_parameter, CacheState::fresh}});
  CHECK(workload.points[6].point.parameters == Parameters{});
  CHECK(workload.points[0].cache == CachePlan{});
  CHECK(workload.points[2].cache ==
        CachePlan{.state = CacheState::cold, .bytes = std::size_t{32} << 20});
  CHECK(workload.points[5].cache.state == CacheState::fresh);
  CHECK(workload.points[6].cache == CachePlan{});
}

TEST_CASE("without a known cache cold points are skipped with the reason, others measured") {
  LaunchOptions options = options_for({"pingpong"});
  options.choices.set(cache_parameter, {CacheState::cold, CacheState::fresh});
  const auto points = points_of(options);
  REQUIRE(points.size() == 4);
  CHECK(points[0].status == PointStatus::skipped);
  CHECK(points[0].reason == "the size of the last-level cache of a is not known");
  CHECK(points[2].status != PointStatus::skipped);
}

TEST_CASE("one rank alone can call collectives, and send no message to another") {
  CHECK_THROWS_WITH(plan_workload(options_for({"bcast", "pingpong"}), ranks_without_places(1)),
                    Catch::Contains("pingpong needs at least two"));
  CHECK_THROWS_AS(plan_workload(options_for({"message-rate"}), ranks_without_places(1)),
                  InputError);
  const LaunchPlan alone =
      plan_workload(options_for({"bcast", "barrier"}), ranks_without_places(1));
  REQUIRE(alone.points.size() == 3);
  CHECK(alone.points[0].point.ranks == 1);
  CHECK(alone.slots.size() == 3);
}

}  // namespace
}  // namespace hockney::benchmarks::programs
