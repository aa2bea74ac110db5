#include <algorithm>
#include <array>
#include <catch2/catch.hpp>

#include "benchmarks/engine/suites.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/communicators.hpp"
#include "benchmarks/harness/datatypes.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/programs/launch/launch.hpp"
#include "core/point.hpp"
#include "tests/benchmarks/corruption/corruptor.hpp"
#include "tests/benchmarks/programs/launch/some_operations.hpp"

// --compat on real ranks: what other suites would print, beside hockney's own times.
namespace hockney::benchmarks::programs {
namespace {

LaunchOptions compat_launch() {
  LaunchOptions options{.sizes = {{8}},
                        .start = StartScheme::barrier,  // no start is late on a busy machine
                        .epochs = 2,
                        .budget = Seconds{0.1},  // shortens the visits; the epochs end the launch
                        .seed = 12};
  options.choices.set(timing_parameter, {Suite::osu, Suite::imb});
  options.operations = some_operations();
  return options;
}

std::optional<Suite> suite_of(const hockney::Point& point) {
  const auto name = point.parameters.find(hockney::timing_parameter);
  return name == point.parameters.end() ? std::nullopt : std::optional(parse_suite(name->second));
}

void check_suite_series(const Series& series) {
  const OperationKind kind = kind_of(find_operation(series.point.operation).descriptor);
  const Repetitions wanted = default_repetitions(*suite_of(series.point), kind, series.point.bytes);
  CHECK(series.blocks == std::vector<int>{1, 1});
  CHECK(series.samples_seconds.size() == 2);
  CHECK(series.batch >= 1);
  CHECK(series.batch <= wanted.timed);
  CHECK(series.skews_seconds.empty());
  CHECK(series.late_starts == 0);
}

TEST_CASE(
    "every operation is timed like the suites, one sample in a visit, with its data checked") {
  const auto record = run_launch(MPI_COMM_WORLD, "test", compat_launch());
  if (!record) return;
  std::size_t like_suites = 0;
  std::size_t hockneys_alone = 0;  // no suite has such work, nor this completion under flush
  for (const Series& series : record->series) {
    INFO(curve_name(series.point) << " " << series.point.bytes.value);
    CHECK(series.flags.empty());
    CHECK(std::ranges::all_of(series.samples_seconds, [](double t) { return t > 0 && t < 60; }));
    auto said = series.point.parameters;
    const bool has_work = said.contains("work") && said["work"] != "none";
    const bool at_target = said["completion"] == "target";
    if (has_work || at_target) ++hockneys_alone;
    if (!suite_of(series.point)) continue;
    ++like_suites;
    check_suite_series(series);
  }
  CHECK(3 * like_suites == 2 * (record->series.size() - hockneys_alone));
}

TEST_CASE("large messages are timed like the suites, as often as they call them at most") {
  LaunchOptions options = compat_launch();
  options.operations = {"pingpong", "bcast", "bandwidth"};
  options.sizes = {{70'000}};
  const auto record = run_launch(MPI_COMM_WORLD, "test", options);
  if (!record) return;
  for (const Series& series : record->series) {
    INFO(curve_name(series.point));
    CHECK(series.flags.empty());
    if (suite_of(series.point)) check_suite_series(series);
  }
}

TEST_CASE("a message corrupted while timed like a suite is found") {
  LaunchOptions options = compat_launch();
  options.operations = {"pingpong"};
  const Corruptor corruptor(Corruption::last_bit, {.delivery = std::nullopt, .type = MPI_BYTE});
  const auto record = run_launch(MPI_COMM_WORLD, "test", options);
  if (!record) return;
  REQUIRE(record->series.size() >= 3);
  for (const Series& series : record->series) {
    CHECK(series.flags == std::vector<std::string>{"corrupt"});
  }
}

/// A barrier that counts its calls.
class Counting final : public PreparedOperation {
 public:
  explicit Counting(MPI_Comm comm) : comm_(comm) {}
  void run_batch(std::int64_t iterations) override {
    for (; iterations > 0; --iterations, ++calls) MPI_Barrier(comm_);
  }
  [[nodiscard]] std::optional<std::int64_t> most_iterations() const override {
    return std::nullopt;
  }
  void refill(std::uint64_t, std::int64_t) override {}
  [[nodiscard]] bool verify() override { return true; }

  std::int64_t calls = 0;

 private:
  MPI_Comm comm_;
};

TEST_CASE("all ranks make the calls the suite makes, and agree on the time") {
  MpiRankGroup group(MPI_COMM_WORLD);
  const auto clock = make_suite_clock();
  CHECK(clock->source() == "MPI_Wtime");
  for (const Suite suite : {Suite::osu, Suite::imb}) {
    for (const OperationKind kind :
         {OperationKind::pair, OperationKind::windowed_pairs, OperationKind::ring,
          OperationKind::collective, OperationKind::barrier}) {
      Counting operation(MPI_COMM_WORLD);
      const double seconds =
          time_like_suite(operation, group, *clock, {timing_of(suite, kind), {200, 7}});
      CHECK(operation.calls == 207);
      std::array largest{seconds, -seconds};
      group.maximum(largest);
      CHECK(largest[0] == -largest[1]);
      CHECK(seconds > 0);
    }
  }
}

}  // namespace
}  // namespace hockney::benchmarks::programs
