#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "benchmarks/harness/epochs.hpp"
#include "benchmarks/harness/exposed_memory.hpp"
#include "core/words.hpp"
#include "tests/benchmarks/operations/corruption_trial.hpp"
#include "tests/benchmarks/operations/variants.hpp"

namespace hockney::benchmarks {
namespace {

/// A point with each kind of window, each way of completing calls, and each place where it counts,
/// as far as it can be measured.
std::vector<Point> window_variants(const CatalogueEntry& entry, const Point& point) {
  std::vector<Point> points = each_value({point}, window_kind_parameter, valid_words<WindowKind>());
  points = each_value(points, synchronisation_parameter, valid_words<EpochKind>());
  points = each_value(points, completion_parameter, valid_words<Completion>());
  std::erase_if(points, [&](const Point& variant) { return entry.obstacle(variant).has_value(); });
  return points;
}

/// Calls check(entry, point, team) for every variant of every one-sided operation.
template <class Check>
int for_every_variant(std::size_t elements, Check check) {
  int points = 0;
  for (const CatalogueEntry& entry : catalogue()) {
    if (!entry.descriptor.one_sided) continue;
    const UniqueComm team = team_for(entry.descriptor);
    if (!team) continue;
    const Point plain = point_for(entry.descriptor, Bytes{}, size_of(team.get()));
    for (const Point& point :
         window_variants(entry, with_elements(plain, entry.descriptor, elements))) {
      INFO(curve_name(point));
      check(entry, point, team);
      ++points;
    }
  }
  return points;
}

TEST_CASE("every one-sided call delivers its data, however its window was made and completed") {
  BufferPool buffers(7);
  for (const std::size_t elements : {0U, 1U, 3U, 5000U}) {
    for_every_variant(
        elements, [&](const CatalogueEntry& entry, const Point& point, const UniqueComm& team) {
          const auto operation =
              entry.prepare({team.get(), rank_in(team.get()), size_of(team.get()), buffers}, point);
          for (std::uint64_t seed = 1; seed < 3; ++seed) {
            operation->refill(seed, 1);
            for (std::uint64_t call = 0; call < seed + 1; ++call) operation->run_batch(1);
            CHECK(operation->verify());
          }
        });
  }
}

TEST_CASE("every corruption is noticed, however a window was made and completed") {
  BufferPool buffers(8);
  Tally tally;
  const int points = for_every_variant(
      trial_elements, [&](const CatalogueEntry& entry, const Point& point, const UniqueComm& team) {
        Trial(entry, point, team, buffers, tally).one_sided(entry.descriptor).expect_check(false);
      });
  for (const std::string& mistake : tally.mistakes) UNSCOPED_INFO(mistake);
  CHECK(tally.mistakes.empty());
  CHECK(tally.clean == points);
  CHECK(tally.noticed == tally.corrupted);
  if (points > 0) CHECK(tally.corrupted > 5'000);
}

/// Why a point of an operation cannot be measured.
std::string obstacle_of(const std::string& operation,
                        const std::map<std::string, std::string>& parameters) {
  const CatalogueEntry& entry = find_operation(operation);
  Point point = point_for(entry.descriptor, Bytes{8}, 2);
  for (const auto& [key, value] : parameters) point.parameters[key] = value;
  return entry.obstacle(point).value_or("");
}

TEST_CASE("what cannot be measured of one-sided calls says why") {
  CHECK(obstacle_of("put", {}).empty());
  CHECK(obstacle_of("put", {{"cache", "cold"}}) == "the memory of a window stays in one place");
  CHECK(obstacle_of("get", {{"completion", "target"}}) == "it changes nothing at its target");
  CHECK(obstacle_of("put", {{"completion", "target"}, {"synchronisation", "flush-local"}}) ==
        "what is flushed locally need not have reached its target");
  CHECK(obstacle_of("put", {{"work", "during"}, {"synchronisation", "fence"}}) ==
        "a target that computes takes no part in a fence");
  CHECK(obstacle_of("put", {{"work", "during"}, {"completion", "target"}}) ==
        "a target that computes does not look at its memory");
  CHECK(obstacle_of("accumulate", {{"operator", "user-sum"}}) ==
        "MPI_Accumulate and its like take operators of MPI only");
  CHECK(obstacle_of("compare-and-swap", {{"datatype", "double"}}) ==
        "MPI_Compare_and_swap takes whole numbers, truth values and bytes only");
}

TEST_CASE("a target that computes leaves its memory to others, and works alone where asked") {
  BufferPool buffers(9);
  for (const char* work : {"alone", "during"}) {
    for (const char* operation_name : {"put", "get", "fetch-and-op"}) {
      const CatalogueEntry& entry = find_operation(operation_name);
      const UniqueComm team = team_for(entry.descriptor);
      if (!team) continue;
      Point point = point_for(entry.descriptor, Bytes{8}, 2);
      point.parameters[work_parameter] = work;
      const auto operation = entry.prepare({team.get(), rank_in(team.get()), 2, buffers}, point);
      operation->set_work(1000);
      operation->refill(1, 3);
      operation->run_batch(3);
      INFO(operation_name << " " << work);
      CHECK(operation->verify());
      const bool has_calls = std::string(work) == "during";
      operation->refill(2, 3);  // and not run
      CHECK(all_of(team.get(), operation->verify()) == !has_calls);
    }
  }
}

}  // namespace
}  // namespace hockney::benchmarks
