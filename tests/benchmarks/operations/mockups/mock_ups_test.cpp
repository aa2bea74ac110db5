#include <catch2/catch.hpp>

#include "benchmarks/engine/prepared.hpp"
#include "benchmarks/harness/communicators.hpp"
#include "tests/benchmarks/corruption/corruptor.hpp"
#include "tests/benchmarks/operations/mockups/mock_ups.hpp"
#include "tests/benchmarks/operations/variants.hpp"

namespace hockney::benchmarks {
namespace {

/// Each mock-up with a group of its shape, in this program.
template <class Check>
void for_every_mock_up(Check check) {
  BufferPool buffers(1);
  for (const CatalogueEntry* entry : mock_ups()) {
    if (entry->descriptor.shape == GroupShape::pair && size_of(MPI_COMM_WORLD) < 2) continue;
    const UniqueComm group = team_for(entry->descriptor);
    if (!group) continue;
    const Workbench bench{group.get(), rank_in(group.get()), size_of(group.get()), buffers};
    INFO(entry->descriptor.name);
    check(*entry, bench);
  }
}

TEST_CASE("every mock-up delivers what its operation does, however it is called", "[matrix]") {
  for_every_mock_up([](const CatalogueEntry& entry, const Workbench& bench) {
    for (const std::int64_t bytes : {0, 1, 3, 8, 24, 1001}) {
      check_variants(entry, bench, bytes);
    }
  });
}

TEST_CASE("every mock-up takes every datatype and operator, at eager and rendezvous sizes") {
  for_every_mock_up([](const CatalogueEntry& entry, const Workbench& bench) {
    for (const char* type : {"byte", "double", "double-int", "long-double", "int16"}) {
      for (const char* op : {"sum", "maxloc", "user-sum", "user-ordered", "bxor"}) {
        Point point =
            point_for(entry.descriptor, Bytes{entry.descriptor.sized ? 96'000 : 0}, bench.size);
        point.parameters.set(datatype_parameter, type);
        if (entry.descriptor.reduces) {
          point.parameters.set(operator_parameter, &find_operator(op));
        }
        if (obstacle(point) || entry.obstacle(point)) continue;
        INFO(curve_name(point));
        const auto operation = entry.prepare(bench, point);
        operation->refill(7, 2);
        operation->run_batch(2);
        CHECK(operation->verify());
      }
    }
  });
}

TEST_CASE("the deliveries of every mock-up can be checked one by one") {
  for_every_mock_up([](const CatalogueEntry& entry, const Workbench& bench) {
    const Point point = bytes_point(entry.descriptor, 1001, bench.size);
    if (entry.obstacle(point)) return;
    MpiRankGroup group(bench.comm);
    const auto clock = make_clock();
    const auto operation = entry.prepare(bench, point);
    const Checked checked = check_deliveries(*operation, group, *clock, {.least = 50, .most = 50});
    CHECK(checked.is_good);
    CHECK(checked.deliveries == 50);
  });
}

TEST_CASE("no mock-up takes data that were not sent for data that were") {
  for_every_mock_up([](const CatalogueEntry& entry, const Workbench& bench) {
    const Point point = point_for(entry.descriptor, Bytes{64}, bench.size);
    if (entry.obstacle(point)) return;
    const auto operation = entry.prepare(bench, point);
    operation->refill(1, 1);  // and not run
    CHECK_FALSE(all_of(bench.comm, operation->verify()));
  });
}

TEST_CASE("every mock-up works on buffers that are cold or fresh") {
  BufferPool buffers(2);
  for (const CatalogueEntry* entry : mock_ups()) {
    const UniqueComm group = team_for(entry->descriptor);
    if (!group || !entry->descriptor.sized) continue;
    const Point point = point_for(entry->descriptor, Bytes{4096}, size_of(group.get()));
    for (const CachePlan& cache : small_rings()) {
      if (!is_possible(*entry, point, cache)) continue;
      INFO(entry->descriptor.name << " " << word(cache.state));
      const auto operation = entry->prepare(
          {group.get(), rank_in(group.get()), size_of(group.get()), buffers, cache}, point);
      operation->refill(3, 5);
      operation->run_batch(5);
      CHECK(operation->verify());
    }
  }
}

/// What the shim cannot see arrive: without data, past the shim, one-sided.
bool is_seen(const Descriptor& descriptor) {
  const std::string_view name = descriptor.name;
  return descriptor.sized && name != "bcast-by-pmpi" && !name.starts_with("put");
}

/// Only the root of a gather or of a reduction has what matters.
bool has_result(const Descriptor& descriptor, int rank) {
  const std::string_view name = descriptor.name;
  const bool to_root = name.starts_with("gather-") ||
                       (name.starts_with("reduce-") && !name.starts_with("reduce-scatter"));
  return !to_root || rank == 0;
}

/// One run in which every byte of one delivery to one rank is wrong; of none without a number.
struct Poisoned {
  bool good;               ///< what arrived was taken for right on all ranks
  bool has_changed;        ///< something was spoilt
  std::size_t deliveries;  ///< to the victim
};

Poisoned poison(PreparedOperation& operation, const Workbench& bench, int victim,
                std::optional<std::size_t> delivery) {
  operation.refill(static_cast<std::uint64_t>(victim), 1);
  const bool is_hit = delivery && bench.rank == victim;
  Corruptor corruptor(is_hit ? Corruption::everything : Corruption::none, {.delivery = delivery});
  operation.run_batch(1);
  auto deliveries = static_cast<long>(corruptor.deliveries());
  mpi_check(PMPI_Bcast(&deliveries, 1, MPI_LONG, victim, bench.comm));
  return {.good = all_of(bench.comm, operation.verify()),
          .has_changed = any_of(bench.comm, corruptor.has_changed()),
          .deliveries = static_cast<std::size_t>(deliveries)};
}

TEST_CASE("whatever arrives wrong at any rank of a mock-up is noticed") {
  int noticed = 0;
  for_every_mock_up([&](const CatalogueEntry& entry, const Workbench& bench) {
    // A size that all numbers of ranks divide, so that no byte of a delivery is padding.
    const Point point = point_for(entry.descriptor, Bytes{24 * 8}, bench.size);
    if (!is_seen(entry.descriptor) || entry.obstacle(point)) return;
    const auto operation = entry.prepare(bench, point);
    std::size_t seen = 0;
    for (int victim = 0; victim < bench.size; ++victim) {
      const std::size_t deliveries = poison(*operation, bench, victim, std::nullopt).deliveries;
      seen += deliveries;
      for (std::size_t i = 0; has_result(entry.descriptor, victim) && i < deliveries; ++i) {
        INFO("victim " << victim << ", delivery " << i);
        const Poisoned poisoned = poison(*operation, bench, victim, i);
        CHECK(poisoned.has_changed);
        CHECK_FALSE(poisoned.good);
        ++noticed;
      }
    }
    CHECK(seen > 0);
  });
  CHECK(noticed >= 50);
}

}  // namespace
}  // namespace hockney::benchmarks
