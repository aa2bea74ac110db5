#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>

#include "benchmarks/engine/prepared.hpp"
#include "benchmarks/harness/buffer_ring.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/programs/launch/block_message.hpp"
#include "benchmarks/programs/launch/launch.hpp"
#include "core/error.hpp"
#include "core/record.hpp"
#include "core/record_file.hpp"
#include "tests/benchmarks/corruption/corruptor.hpp"
#include "tests/benchmarks/programs/launch/some_operations.hpp"

namespace hockney::benchmarks::programs {

TEST_CASE("a measurement block arrives as it was sent") {
  const MeasurementBlock whole{.point = 3,
                               .batch = 7,
                               .samples_seconds = {1e-6, 2e-6},
                               .started_seconds = 0.25,
                               .skew_seconds = 0.0,
                               .locals_seconds = {3e-6, 4e-6, 5e-6},
                               .late_starts = 2,
                               .noise_probe_seconds = 5e-6,
                               .page_faults = 33.5,
                               .transport = Transport{.messages = 10,
                                                      .payload_bytes = 20,
                                                      .copy_calls = 3,
                                                      .copied_bytes = 4'000'000'000'000,
                                                      .tcp_bytes = 5,
                                                      .shares_memory = true,
                                                      .devices = {"knem", "nvidia", "cma"}},
                               .deliveries_checked = 151,
                               .is_check = true,
                               .flags = {std::string(corrupt_flag), "oversubscribed"}};
  CHECK(unpack_block(3, pack(whole)) == whole);
  const MeasurementBlock bare{.point = 1, .batch = 1, .samples_seconds = {}};
  CHECK(unpack_block(1, pack(bare)) == bare);
}

TEST_CASE("a block that lost its end on the way, or is none, is an error of the run") {
  const std::vector<std::byte> whole = pack({.samples_seconds = {1, 2, 3}});
  for (const std::size_t length : {std::size_t{0}, std::size_t{8}, whole.size() - 1}) {
    const std::vector<std::byte> cut(whole.begin(),
                                     whole.begin() + static_cast<std::ptrdiff_t>(length));
    CHECK_THROWS_AS(unpack_block(0, cut), RunError);
  }
}

namespace {

/// A name that all ranks agree on and no other test uses.
std::string record_name() {
  const auto file = std::filesystem::temp_directory_path() /
                    ("hockney-launch-" + std::to_string(getpid()) + ".json");
  return broadcast_text(MPI_COMM_WORLD, file.string());
}

LaunchOptions small_launch() {
  LaunchOptions options{.sizes = {{0}, {8}, {70'000}},
                        .epochs = 3,
                        .budget = Seconds{0.1},  // shortens the visits; the epochs end the launch
                        .samples = 2,
                        .seed = 11};
  options.operations = some_operations();
  return options;
}

TEST_CASE("a node that measures itself has the memory bandwidth of its cores, at begin and end") {
  LaunchOptions options = small_launch();
  options.operations = {"pingpong"};
  options.each_node = true;
  const auto record = run_launch(MPI_COMM_WORLD, "test", options);
  if (!record) return;
  REQUIRE(record->machine.size() == 3);
  CHECK(record->machine[1].memory.empty());
  for (const std::size_t i : {0U, 2U}) {
    REQUIRE(record->machine[i].memory.size() == 1);
    const MemoryProbe& memory = record->machine[i].memory.front();
    CHECK(memory.cores > 0);
    CHECK(memory.cores <= record->provenance.hosts.front().cpus);
    CHECK(memory.bytes_per_second > 1e7);
  }
}

TEST_CASE("a launch measures every point in every epoch and leaves one valid record") {
  LaunchOptions options = small_launch();
  options.output = record_name();
  const auto record = run_launch(MPI_COMM_WORLD, "test", options);
  REQUIRE(record.has_value() == (rank_in(MPI_COMM_WORLD) == 0));
  if (!record) return;
  CHECK(load_record(options.output) == *record);
  CHECK_FALSE(std::filesystem::exists(journal_name(options.output)));
  std::filesystem::remove(options.output);
  CHECK(record->stopped_because == "epochs done");
  CHECK(record->seed == 11);
  CHECK(static_cast<int>(record->ranks.size()) == size_of(MPI_COMM_WORLD));
  REQUIRE(record->machine.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    const MachineProbe& probe = record->machine[i];
    CHECK(probe.moment == static_cast<ProbeMoment>(i));
    CHECK(probe.ranks.size() == record->ranks.size());
    CHECK(probe.at_seconds <= record->measuring_seconds);
    // Without ranks that share CPUs the pairs that the points use are probed.
    const bool shares = std::ranges::count(record->flags, oversubscribed_flag) > 0;
    if (shares) CHECK(probe.lines.empty());
  }
  for (const PlannedPoint& planned : record->points) {
    INFO(planned.point.operation << ": " << planned.reason);
    const Descriptor& descriptor = find_operation(planned.point.operation).descriptor;
    const bool odd = descriptor.shape == GroupShape::pairs && size_of(MPI_COMM_WORLD) % 2 != 0;
    // On a machine that is busy with something else some rank may miss all starts, and is said to.
    const bool is_late = planned.reason.find("missed every start") != std::string::npos;
    const bool needs_device = descriptor.carrier == Carrier::device;
    CHECK((planned.status == PointStatus::skipped) == (odd || is_late || needs_device));
  }
  CHECK_FALSE(record->series.empty());
  for (const Series& series : record->series) {
    INFO(curve_name(series.point) << " " << series.point.bytes.value);
    CHECK(series.blocks.size() == 3);
    CHECK(series.flags.empty());
    CHECK(std::ranges::all_of(series.samples_seconds, [](double t) { return t > 0 && t < 60; }));
  }
}

TEST_CASE("a launch says how its clocks came together, and that they still are") {
  LaunchOptions options = small_launch();
  options.operations = {"pingpong"};
  const auto record = run_launch(MPI_COMM_WORLD, "test", options);
  if (!record) return;
  REQUIRE(record->sync);
  CHECK(record->sync->scheme == "same-clock");
  CHECK(record->sync->bound_seconds == 0);
  REQUIRE(record->sync->self_test);
  CHECK(record->sync->self_test->passed);
  REQUIRE(record->sync->end_error_seconds);
  CHECK(*record->sync->end_error_seconds <= record->sync->end_bound_seconds);
  CHECK(std::ranges::find(record->flags, "clock-drifted") == record->flags.end());
}

TEST_CASE("a launch makes the clock checks it is asked for, and no others") {
  LaunchOptions options = small_launch();
  options.operations = {"pingpong"};
  const auto unasked = run_launch(MPI_COMM_WORLD, "test", options);
  options.clock_checks = 4;
  const auto requested = run_launch(MPI_COMM_WORLD, "test", options);
  if (!requested) return;
  CHECK_FALSE(unasked->sync->checks.has_value());
  REQUIRE(requested->sync->checks);
  CHECK(requested->sync->checks->size() == 4 * (requested->ranks.size() - 1));
  for (const ClockSelfTest& found : *requested->sync->checks) CHECK(found.passed);
}

TEST_CASE("a launch measures its smallest size whatever its budget, and says what it left out") {
  LaunchOptions options = small_launch();
  options.operations = {"bandwidth"};
  options.sizes = {{8}, {1 << 10}, {4 << 20}};
  options.epochs.reset();
  options.budget = Seconds{1e-9};  // spent before the first size is through, however fast
  const auto record = run_launch(MPI_COMM_WORLD, "test", options);
  if (!record) return;
  CHECK(record->stopped_because == "budget spent");
  bool has_small = false;
  for (const PlannedPoint& planned : record->points) {
    CAPTURE(planned.point.bytes.value, planned.reason);
    const bool is_reached = planned.reason != "it was not reached before budget spent";
    if (planned.point.bytes.value > 8) CHECK_FALSE(is_reached);
    has_small = has_small || (is_reached && planned.status == PointStatus::measured);
  }
  CHECK(has_small);
}

TEST_CASE("a launch measures a block of every size before a second one, the ends first") {
  LaunchOptions options = small_launch();
  options.operations = {"pingpong"};
  options.sizes = {{1}, {2}, {4}, {8}, {16}};
  options.epochs.reset();
  options.budget = Seconds{2};
  const auto record = run_launch(MPI_COMM_WORLD, "test", options);
  if (!record || record->series.size() != options.sizes.size())
    return;  // several pairs, or a busy machine
  std::map<double, std::int64_t> first;
  double first_second = record->measuring_seconds;
  for (const Series& series : record->series) {
    REQUIRE_FALSE(series.starts_seconds.empty());
    first[series.starts_seconds[0]] = series.point.bytes.value;
    if (series.starts_seconds.size() < 2) continue;
    first_second = std::min(first_second, series.starts_seconds[1]);
  }
  CHECK(first.rbegin()->first < first_second);
  std::vector<std::int64_t> order;
  for (const auto& [started, bytes] : first) order.push_back(bytes);
  CHECK(order == std::vector<std::int64_t>{1, 16, 4, 2, 8});
}

TEST_CASE("ranks are where they were asked to be, or the record says otherwise") {
  LaunchOptions options = small_launch();
  options.operations = {"pingpong"};
  const auto record = run_launch(MPI_COMM_WORLD, "test", options);
  if (!record) return;
  for (const RankPlace& place : record->ranks) {
    REQUIRE(place.requested_cpu);
    CHECK(place.actual_cpus == std::vector<int>{*place.requested_cpu});
  }
  CHECK(record->provenance.hosts.size() == 1);
  CHECK(record->provenance.mpi.library == mpi_library());
}

TEST_CASE("a corrupted message is found and flagged") {
  LaunchOptions options = small_launch();
  options.operations = {"pingpong"};
  options.sizes = {{8}, {70'000}};
  // Nothing but the messages measured consists of bytes.
  const Corruptor corruptor(Corruption::last_bit, {.delivery = std::nullopt, .type = MPI_BYTE});
  const auto record = run_launch(MPI_COMM_WORLD, "test", options);
  if (!record) return;
  REQUIRE(record->series.size() >= 2);
  for (const Series& series : record->series) {
    CHECK(series.flags == std::vector<std::string>{"corrupt"});
  }
}

TEST_CASE("one wrong delivery in fifty is found, and so is one wrong in three") {
  for (const char* operation : {"pingpong", "bcast", "bandwidth", "ialltoall"}) {
    for (const std::size_t every : {std::size_t{3}, std::size_t{50}}) {
      LaunchOptions options = small_launch();
      options.operations = {operation};
      options.sizes = {{8}};
      const Corruptor corruptor(Corruption::last_bit, {.type = MPI_BYTE, .every = every});
      const auto record = run_launch(MPI_COMM_WORLD, "test", options);
      if (!record) continue;
      INFO(operation << ", one in " << every);
      REQUIRE_FALSE(record->series.empty());
      bool is_found = false;
      for (const Series& series : record->series) is_found = is_found || !series.flags.empty();
      CHECK(is_found);
    }
  }
}

TEST_CASE("work without a call delivers nothing that could be checked") {
  LaunchOptions options = small_launch();
  options.operations = {"ialltoall"};
  options.sizes = {{8}};
  const auto record = run_launch(MPI_COMM_WORLD, "test", options);
  if (!record) return;
  for (const Series& series : record->series) {
    const auto work = series.point.parameters.find("work");
    const bool is_alone = work != series.point.parameters.end() && work->second == "alone";
    CHECK((series.deliveries_checked == 0) == is_alone);
  }
}

TEST_CASE("a launch says how many deliveries it has checked at each point") {
  LaunchOptions options = small_launch();
  options.operations = {"pingpong", "barrier"};
  options.sizes = {{0}, {8}};
  options.choices.set(cache_parameter, {CacheState::hot, CacheState::fresh});
  const auto record = run_launch(MPI_COMM_WORLD, "test", options);
  if (!record) return;
  for (const Series& series : record->series) {
    INFO(curve_name(series.point) << " " << series.point.bytes.value);
    const auto blocks = static_cast<std::int64_t>(series.blocks.size());
    const auto cache = series.point.parameters.find("cache");
    const bool is_hot = cache == series.point.parameters.end() || cache->second == "hot";
    if (series.point.bytes.value == 0) {
      CHECK(series.deliveries_checked == 0);
    } else if (is_hot && series.point.pair == std::vector<int>{0, 1}) {
      CHECK(series.deliveries_checked == blocks + deliveries_to_check);  // the first one checked
    } else if (!is_hot) {
      // Every iteration of a visit has a place of its own: one to gather, and all of the samples.
      CHECK(series.deliveries_checked >= blocks + 2 * series.batch);
    }
  }
}

TEST_CASE("cache states are measured beside each other, and the record names them") {
  LaunchOptions options = small_launch();
  options.sizes = {{8}};
  options.operations = {"pingpong", "bcast", "bandwidth", "barrier"};
  options.choices.set(cache_parameter, {CacheState::hot, CacheState::cold, CacheState::fresh});
  options.epochs = 1;
  options.start = StartScheme::barrier;  // no start is late, however few CPUs there are
  const auto record = run_launch(MPI_COMM_WORLD, "test", options);
  if (!record) return;
  std::map<std::string, int> points;
  for (const PlannedPoint& planned : record->points) {
    const auto named = planned.point.parameters.find("cache");
    CHECK((named == planned.point.parameters.end()) == (planned.point.operation == "barrier"));
    if (named == planned.point.parameters.end()) continue;
    ++points[named->second];
    if (planned.status == PointStatus::measured) continue;
    // Only a machine whose caches are not known, or one without memory, has an excuse.
    CHECK_THAT(planned.reason, Catch::Contains("not known") || Catch::Contains("memory"));
  }
  CHECK(points.size() == 3);
  CHECK(points["cold"] == points["hot"]);
  CHECK(points["fresh"] == points["hot"]);
  for (const Series& series : record->series) {
    CHECK(series.flags.empty());
    CHECK(series.samples_seconds.size() <= 2);
    CHECK_FALSE(series.samples_seconds.empty());
    CHECK(series.page_faults.size() == series.blocks.size());
    const auto cache = series.point.parameters.find("cache");
    const bool is_fresh = cache != series.point.parameters.end() && cache->second == "fresh";
    if (is_fresh) CHECK(series.summary.page_faults >= 1.0);
  }
}

TEST_CASE("a corrupted message is found in a ring, too") {
  LaunchOptions options = small_launch();
  options.operations = {"pingpong"};
  options.sizes = {{8}};
  options.choices.set(cache_parameter, {CacheState::cold, CacheState::fresh});
  options.epochs = 1;
  const Corruptor corruptor(Corruption::last_bit, {.delivery = std::nullopt, .type = MPI_BYTE});
  const auto record = run_launch(MPI_COMM_WORLD, "test", options);
  if (!record) return;
  REQUIRE_FALSE(record->series.empty());
  for (const Series& series : record->series) {
    CHECK(series.flags == std::vector<std::string>{"corrupt"});
  }
}

TEST_CASE("the seed of rank 0 rules") {
  LaunchOptions options = small_launch();
  options.operations = {"pingpong"};
  options.seed = 100 + static_cast<std::uint64_t>(rank_in(MPI_COMM_WORLD));
  const auto record = run_launch(MPI_COMM_WORLD, "test", options);
  if (record) CHECK(record->seed == 100);
}

const ExpectedPath cma_from_64k{.path = "cma", .from = {64 << 10}};

/// pingpong of so many bytes, of which so many were copied.
Series counted(std::int64_t bytes, std::int64_t copied) {
  const Transport transport{
      .messages = 1, .payload_bytes = bytes, .copied_bytes = copied, .shares_memory = true};
  return {.point = {.operation = "pingpong",
                    .bytes = {bytes},
                    .ranks = 2,
                    .path = prove_path(transport).path},
          .transport = transport};
}

}  // namespace

TEST_CASE("series of the expected sizes that went another way are flagged, and their record") {
  Record record;
  record.series = {counted(8, 0), counted(64 << 10, 64 << 10), counted(1 << 20, 0),
                   counted(2 << 20, 900'000)};
  record.series.push_back({.point = {.operation = "floor-memcpy", .bytes = {1 << 20}}});
  flag_paths(record, cma_from_64k);
  std::vector<bool> flagged;
  for (const Series& series : record.series) flagged.push_back(!series.flags.empty());
  CHECK(flagged == std::vector<bool>{false, false, true, true, false});
  CHECK(record.flags == std::vector<std::string>{"path-differs"});
  const auto difference = path_difference(record, cma_from_64k);
  REQUIRE(difference);
  CHECK(difference->problem == "the path is not cma as expected in 2 series");
  CHECK(difference->why == "pingpong ranks=2 at 1M is shm");
}

TEST_CASE("nothing is flagged where all is as expected, or nothing is") {
  Record record;
  record.series = {counted(1 << 20, 1 << 20)};
  flag_paths(record, cma_from_64k);
  flag_paths(record, std::nullopt);
  CHECK(record.flags.empty());
  CHECK_FALSE(path_difference(record, cma_from_64k));
  CHECK_FALSE(path_difference(record, std::nullopt));
}

}  // namespace hockney::benchmarks::programs
