#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include "benchmarks/harness/buffer_memory.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/communicators.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/rank_work.hpp"
#include "core/text.hpp"
#include "tests/benchmarks/operations/one_operation.hpp"
#include "tests/benchmarks/operations/registered_names.hpp"

// Operations in which ranks work by themselves. No data travel in them that a shim could corrupt;
// what a pass has gone over is counted, and the counts are looked at.
namespace hockney::benchmarks {
namespace {

/// An operation at a size with every value of the parameter that it has.
std::vector<Point> noise_points(const Descriptor& descriptor, std::int64_t bytes) {
  Point point = point_for(descriptor, Bytes{descriptor.sized ? bytes : 0}, size_of(MPI_COMM_WORLD));
  std::vector<Point> points;
  const auto add = [&](const ParameterValue& value) {
    points.push_back(point);
    points.back().parameters.set(value);
  };
  if (descriptor.has_neighbours) {
    for (const auto work : every<NeighbourWork>()) add({neighbours_parameter, work});
  }
  if (descriptor.own.contains(pages_parameter)) {
    for (const auto pages : every<PageChoice>()) add({pages_parameter, pages});
  }
  return points.empty() ? std::vector{point} : points;
}

TEST_CASE("every operation without messages is in the catalogue, and says that it sends nothing") {
  std::set<std::string> names;
  for (const CatalogueEntry& entry : catalogue()) {
    names.emplace(entry.descriptor.name);
    CHECK(works_alone(entry.descriptor));
    CHECK(entry.descriptor.summary.size() > 20);
    CHECK(entry.descriptor.counts.size() > 10);
    const Volume volume = entry.volume(point_for(entry.descriptor, Bytes{120}, 4));
    CHECK(volume.operations == 1);
    CHECK(volume.bytes.value == (entry.descriptor.sized ? 120 : 0));
  }
  CHECK(names ==
        registered_names(HOCKNEY_SOURCE_DIR "/benchmarks/operations/noise", {"Registration"}));
  CHECK(names == std::set<std::string>{"fixed-work", "neighbour-work", "page-touch"});
}

TEST_CASE("all of their memory is gone over, in every state of neighbours and pages") {
  BufferPool buffers(1);
  const Workbench bench{MPI_COMM_WORLD, rank_in(MPI_COMM_WORLD), size_of(MPI_COMM_WORLD), buffers};
  for (const CatalogueEntry& entry : catalogue()) {
    for (const std::int64_t bytes : {0, 64, 5000, 300'000}) {
      for (const Point& point : noise_points(entry.descriptor, bytes)) {
        if (entry.obstacle(point)) continue;
        INFO(curve_name(point) << " at " << bytes);
        const auto operation = entry.prepare(bench, point);
        for (const std::uint64_t seed : {std::uint64_t{1}, std::uint64_t{2}}) {
          operation->refill(seed, 6);
          for (const std::int64_t iterations : {1, 3, 2}) {
            operation->ready();
            operation->run_batch(iterations);
          }
          CHECK(operation->verify());
        }
      }
    }
  }
}

TEST_CASE("a pass that leaves out a line, or meets a changed one, has another sum") {
  BufferPool pool(1);
  const std::span<std::byte> memory = pool.keep(64 * 10);
  clear_counts(memory);
  CHECK(go_over(memory) == sum_after(memory, 1));
  CHECK(go_over(memory) == 20);  // ten lines, twice
  CHECK(go_over(memory.first(64 * 9)) != sum_after(memory, 3));
  clear_counts(memory);
  memory[64 * 3] = std::byte{1};
  CHECK(go_over(memory) != sum_after(memory, 1));
}

TEST_CASE("pages that stay are the same until more are asked for") {
  BufferPool pool(1);
  const std::byte* const first = pool.keep(100'000).data();
  CHECK(pool.keep(50'000).data() == first);
  CHECK(pool.keep(100'000).data() == first);
  CHECK(pool.keep(50'000).size() == 50'000);
  const std::byte* const larger = pool.keep(10'000'000).data();
  CHECK(pool.keep(100'000).data() == larger);
}

TEST_CASE("what would change nothing, and sizes without a line, are no points") {
  const auto obstacle_of = [](const std::string& operation, std::int64_t bytes,
                              const Parameters& parameters) {
    return find_operation(operation)
        .obstacle({.operation = operation, .bytes = {bytes}, .ranks = 2, .parameters = parameters})
        .value_or("none");
  };
  for (const char* name : {"neighbour-work", "page-touch"}) {
    CHECK(obstacle_of(name, 4096, {}) == "none");
    CHECK(obstacle_of(name, 63, {}) == "63 bytes are less than a cache line");
    for (const Parameters& parameters : {Parameters{{cache_parameter, CacheState::cold}},
                                         Parameters{{memory_parameter, parse_memory("huge")}},
                                         Parameters{{datatype_parameter, "double"}}}) {
      CHECK_THAT(obstacle_of(name, 4096, parameters), Catch::Contains("memory of its own"));
    }
  }
  CHECK(obstacle_of("neighbour-work", 0, {}) == "none");
  CHECK(obstacle_of("page-touch", 0, {}) == "0 bytes are on no page");
}

TEST_CASE("what happened to every core comes to the first rank") {
  const auto noise = record_noise(MPI_COMM_WORLD, 0.01);
  const int ranks = rank_in(MPI_COMM_WORLD) == 0 ? size_of(MPI_COMM_WORLD) : 0;
  REQUIRE(noise.size() == static_cast<std::size_t>(ranks));
  for (std::size_t rank = 0; rank < noise.size(); ++rank) {
    CHECK(noise[rank].rank == static_cast<int>(rank));
    CHECK(noise[rank].work_seconds > 0);
    CHECK(noise[rank].recorded_seconds >= noise[rank].work_seconds);
    CHECK_FALSE(noise[rank].stolen.empty());
  }
}

}  // namespace
}  // namespace hockney::benchmarks
