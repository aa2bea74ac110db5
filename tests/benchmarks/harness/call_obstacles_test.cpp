#include <catch2/catch.hpp>

#include "benchmarks/harness/buffer_ring.hpp"
#include "benchmarks/harness/collectives.hpp"
#include "benchmarks/harness/communicators.hpp"
#include "benchmarks/harness/payload.hpp"
#include "benchmarks/harness/traffic.hpp"
#include "core/error.hpp"

namespace hockney::benchmarks {
namespace {

constexpr Descriptor gatherv{
    .name = "gatherv", .blocks = true, .divides = true, .rooted = true, .in_place = InPlace::kept};
constexpr Descriptor alltoallv{
    .name = "alltoallv", .blocks = true, .divides = true, .in_place = InPlace::consumed};

Point point_with(std::int64_t bytes, const Parameters& parameters) {
  return {.operation = {}, .bytes = {bytes}, .ranks = 4, .parameters = parameters};
}

TEST_CASE("blocks of all ranks are as large as MPI counts, and no larger") {
  constexpr std::int64_t quarter = std::int64_t{1} << 29;  // of 2^31
  CHECK_FALSE(call_obstacle(gatherv, point_with(quarter - 1, {})));
  CHECK(call_obstacle(gatherv, point_with(quarter, {})) ==
        "the blocks of all ranks are larger than MPI 3 counts, 2147483647 bytes");
  // The last rank receives three quarters of four blocks from each of four ranks.
  CHECK_FALSE(call_obstacle(
      alltoallv, point_with(quarter / 4, {{counts_parameter, Distribution::one_heavy}})));
  CHECK(call_obstacle(alltoallv,
                      point_with(quarter / 2, {{counts_parameter, Distribution::one_heavy}})));
  CHECK_FALSE(
      call_obstacle(alltoallv, point_with(quarter / 2, {{counts_parameter, Distribution::equal}})));
}

TEST_CASE("buffers are counted with the largest block") {
  CHECK(buffer_bytes({.name = "bcast"}, point_with(100, {})) == 200);
  CHECK(buffer_bytes(gatherv, point_with(100, {})) == 800);
  // zeros: blocks of 200, 0, 200, 0.
  CHECK(buffer_bytes(alltoallv, point_with(100, {{counts_parameter, Distribution::zeros}})) ==
        Approx(1200));
}

TEST_CASE("buffers are counted with windows, flows and threads") {
  const Descriptor window{.name = "bandwidth", .windowed = true};
  CHECK(buffer_count({.name = "bcast"}, point_with(100, {})) == 2);
  CHECK(buffer_count(window, point_with(8, {{window_parameter, 1'000'000}})) == 1'000'001);
  CHECK(buffer_bytes(window, point_with(8, {{window_parameter, 1'000'000}})) == 8'000'008);
  const Descriptor get{.name = "get-bandwidth", .windowed = true, .one_sided = true};
  CHECK(buffer_count(get, point_with(8, {{window_parameter, 16}})) == 17);
  const Descriptor put{
      .name = "put-bandwidth", .windowed = true, .one_sided = true, .changes_target = true};
  CHECK(buffer_count(put, point_with(8, {{window_parameter, 16}})) == 1);
  CHECK(buffer_bytes(put, point_with(8, {{window_parameter, 16}})) == 17 * 8);
  CHECK(buffer_count({.name = "fan-in", .contends = true}, point_with(8, {})) == 2);
  CHECK(buffer_count({.name = "threaded-bcast", .threaded = true},
                     point_with(8, {{threads_parameter, 3}})) == 6);
}

TEST_CASE("roots are ranks, and rotate with hot buffers only") {
  CHECK_FALSE(call_obstacle(gatherv, point_with(8, {{root_parameter, parse_root("3")}})));
  CHECK(call_obstacle(gatherv, point_with(8, {{root_parameter, parse_root("4")}})) ==
        "there is no rank 4 among 4");
  CHECK_FALSE(call_obstacle(gatherv, point_with(8, {{root_parameter, parse_root("rotating")},
                                                    {cache_parameter, CacheState::hot}})));
  CHECK(call_obstacle(gatherv, point_with(8, {{root_parameter, parse_root("rotating")},
                                              {cache_parameter, CacheState::cold}})) ==
        "the root rotates with hot buffers only");
  CHECK_THROWS_AS(parse_root("second"), InputError);
  CHECK_THROWS_AS(parse_root("-1"), InputError);
  CHECK(parse_root("12").rank == 12);
}

TEST_CASE("the root rotates through all ranks, and a fixed one stays") {
  BufferPool pool(1);
  BufferRing ring(pool, {});
  const Context context{MPI_COMM_WORLD, 1, 3, ring};
  Roots rotating(context, point_with(8, {{root_parameter, parse_root("rotating")}}));
  CHECK(rotating.next() == 0);
  CHECK(rotating.next() == 1);
  CHECK(rotating.next() == 2);
  CHECK(rotating.next() == 0);
  CHECK_FALSE(rotating.was_last());
  CHECK(rotating.is_next());
  CHECK(rotating.next() == 1);
  CHECK(rotating.was_last());
  CHECK_FALSE(rotating.is_next());
  CHECK(rotating.may_be());
  Roots fixed(context, point_with(8, {{root_parameter, parse_root("2")}}));
  CHECK(fixed.next() == 2);
  CHECK(fixed.next() == 2);
  CHECK_FALSE(fixed.may_be());
  const Roots own(context, point_with(8, {{root_parameter, parse_root("1")}}));
  CHECK(own.may_be());
  CHECK(own.is_next());
}

}  // namespace
}  // namespace hockney::benchmarks
