#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "benchmarks/harness/epochs.hpp"
#include "benchmarks/harness/rank_work.hpp"
#include "core/text.hpp"
#include "tests/benchmarks/operations/corruption_trial.hpp"
#include "tests/benchmarks/operations/variants.hpp"

namespace hockney::benchmarks {
namespace {

/// A point with each kind of window, each way of completing calls, and each place where it counts,
/// as far as it can be measured.
std::vector<Point> window_variants(const CatalogueEntry& entry, const Point& point) {
  std::vector<Point> points = each_value({point}, window_kind_parameter, every<WindowKind>());
  points = each_value(points, synchronisation_parameter, every<EpochKind>());
  points = each_value(points, completion_parameter, every<Completion>());
  std::erase_if(points, [&](const Point& variant) { return !is_possible(entry, variant); });
  return points;
}

/// Calls check(entry, point, team) for every variant of these one-sided operations, or of all of
/// them. Those of two ranks are the same among more.
template <class Check>
int for_every_variant(std::size_t elements, const std::vector<std::string_view>& operations,
                      Check check) {
  int points = 0;
  for (const CatalogueEntry& entry : catalogue()) {
    const bool is_wanted = std::ranges::find(operations, entry.descriptor.name) != operations.end();
    if (!operations.empty() && !is_wanted) continue;
    const bool is_pair = entry.descriptor.shape == GroupShape::pair;
    if (!entry.descriptor.one_sided || (is_pair && size_of(MPI_COMM_WORLD) > 2)) continue;
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
  for (const std::size_t elements : {0U, 1200U}) {
    for_every_variant(
        elements, {}, [&](const CatalogueEntry& entry, const Point& point, const UniqueComm& team) {
          const auto operation =
              entry.prepare({team.get(), rank_in(team.get()), size_of(team.get()), buffers}, point);
          operation->refill(1, 1);
          for (int call = 0; call < 2; ++call) operation->run_batch(1);
          CHECK(operation->verify());
        });
  }
}

/// Every form and every kind of data.
const std::vector<std::string_view> every_form{"put",
                                               "get-bidirectional-bandwidth",
                                               "get-accumulate-bandwidth",
                                               "accumulate-rate",
                                               "compare-and-swap",
                                               "fetch-and-op-rate",
                                               "one-put-all",
                                               "one-get-all",
                                               "all-put-all",
                                               "all-get-all",
                                               "exchange-put",
                                               "exchange-get"};

TEST_CASE("every corruption is noticed, however a window was made and completed") {
  BufferPool buffers(8);
  Tally tally;
  const int points = for_every_variant(
      trial_elements, every_form,
      [&](const CatalogueEntry& entry, const Point& point, const UniqueComm& team) {
        Trial(entry, point, team, buffers, tally).one_sided(entry.descriptor).expect_check(false);
      });
  for (const std::string& mistake : tally.mistakes) UNSCOPED_INFO(mistake);
  CHECK(tally.mistakes.empty());
  CHECK(tally.clean == points);
  CHECK(tally.noticed == tally.corrupted);
  if (points > 0) CHECK(tally.corrupted > 2'000);  // none on a rank that has no partner
}

TEST_CASE("a put that is late for the call that completes it is noticed") {
  BufferPool buffers(10);
  for (const char* name : {"put", "one-put-all", "all-put-all", "exchange-put"}) {
    const CatalogueEntry& entry = find_operation(name);
    const UniqueComm team = team_for(entry.descriptor);
    if (!team) continue;
    const int ranks = size_of(team.get());
    const Point plain = point_for(entry.descriptor, Bytes{64}, ranks);
    for (const Point& point : each_value({plain}, synchronisation_parameter,
                                         {EpochKind::fence, EpochKind::pscw, EpochKind::lock,
                                          EpochKind::lock_all, EpochKind::flush})) {
      INFO(curve_name(point));
      for (const Corruption corruption : {Corruption::none, Corruption::late}) {
        const auto operation =
            entry.prepare({team.get(), rank_in(team.get()), ranks, buffers}, point);
        operation->refill(1, 1);
        const Corruptor corruptor(corruption, {});
        operation->run_batch(1);
        CHECK(all_of(team.get(), operation->verify()) == (corruption == Corruption::none));
      }
    }
  }
}

TEST_CASE("a lock that is not taken is noticed, as what is called without one moves nothing") {
  BufferPool buffers(11);
  for (const char* name : {"put", "get", "accumulate", "one-put-all", "all-get-all"}) {
    const CatalogueEntry& entry = find_operation(name);
    const UniqueComm team = team_for(entry.descriptor);
    if (!team) continue;
    const int ranks = size_of(team.get());
    const Point plain = point_for(entry.descriptor, Bytes{64}, ranks);
    for (const Point& point :
         each_value({plain}, synchronisation_parameter, {EpochKind::lock, EpochKind::lock_all})) {
      INFO(curve_name(point));
      for (const Corruption corruption : {Corruption::none, Corruption::unlocked}) {
        const auto operation =
            entry.prepare({team.get(), rank_in(team.get()), ranks, buffers}, point);
        operation->refill(1, 1);
        {
          const Corruptor corruptor(corruption, {});
          operation->run_batch(1);
        }
        CHECK(all_of(team.get(), operation->verify()) == (corruption == Corruption::none));
      }
    }
  }
}

/// Why a point of an operation cannot be measured.
std::string obstacle_of(const std::string& operation, const Parameters& parameters,
                        Bytes bytes = Bytes{8}) {
  const CatalogueEntry& entry = find_operation(operation);
  Point point = point_for(entry.descriptor, bytes, 2);
  point.parameters.set(parameters);
  return entry.obstacle(point).value_or("");
}

TEST_CASE("what cannot be measured of one-sided calls says why") {
  CHECK(obstacle_of("put", {}).empty());
  CHECK(obstacle_of("put", {{cache_parameter, CacheState::cold}}) ==
        "the memory of a window stays in one place");
  CHECK(obstacle_of("get", {{completion_parameter, Completion::target}}) ==
        "it changes nothing at its target");
  CHECK(obstacle_of("put", {{completion_parameter, Completion::target},
                            {synchronisation_parameter, EpochKind::flush_local}}) ==
        "what is flushed locally need not have reached its target");
  CHECK(obstacle_of("put", {{work_parameter, Work::during},
                            {synchronisation_parameter, EpochKind::fence}}) ==
        "a target that computes takes no part in a fence");
  CHECK(obstacle_of("put",
                    {{work_parameter, Work::during}, {completion_parameter, Completion::target}}) ==
        "a target that computes does not read its memory");
  CHECK(obstacle_of("accumulate", {{operator_parameter, &find_operator("user-sum")}}) ==
        "MPI_Accumulate and its like take operators of MPI only");
  CHECK(obstacle_of("accumulate", {{datatype_parameter, "int16"}}) ==
        "a sum of so few bits overflows after a few calls");
  CHECK(obstacle_of("accumulate",
                    {{datatype_parameter, "int16"}, {operator_parameter, &find_operator("max")}})
            .empty());
  const std::string with_gaps = mpi_library().starts_with("Open MPI")
                                    ? "Open MPI writes past a buffer of its own when elements with "
                                      "gaps are accumulated; use --window-kind allocated"
                                    : "";
  const Parameters pairs{{datatype_parameter, "double-int"},
                         {operator_parameter, &find_operator("maxloc")}};
  const Bytes one{12};
  CHECK(obstacle_of("accumulate", pairs, Bytes{2 * one.value}) == with_gaps);
  CHECK(obstacle_of("get-accumulate", pairs, Bytes{2 * one.value}) == with_gaps);
  CHECK(obstacle_of("accumulate", pairs, one).empty());
  const bool crashes = mpi_library().find("Open MPI v4") != std::string::npos;
  const std::string swap_in_allocated =
      obstacle_of("compare-and-swap", {{window_kind_parameter, WindowKind::allocated}});
  CHECK(swap_in_allocated == (crashes ? "Open MPI 4 crashes in MPI_Compare_and_swap in memory of "
                                        "MPI_Win_allocate; use --window-kind created"
                                      : ""));
  CHECK(obstacle_of("compare-and-swap", {}).empty());
  CHECK(obstacle_of("compare-and-swap", {{datatype_parameter, "double"}}) ==
        "MPI_Compare_and_swap takes whole numbers, truth values and bytes only");
}

TEST_CASE("a target that computes leaves its memory to others, and works alone where asked") {
  BufferPool buffers(9);
  for (const Work work : {Work::alone, Work::during}) {
    for (const char* operation_name : {"put", "get", "fetch-and-op"}) {
      const CatalogueEntry& entry = find_operation(operation_name);
      const UniqueComm team = team_for(entry.descriptor);
      if (!team) continue;
      Point point = point_for(entry.descriptor, Bytes{8}, 2);
      point.parameters.set(work_parameter, work);
      const auto operation = entry.prepare({team.get(), rank_in(team.get()), 2, buffers}, point);
      operation->set_work(1000);
      operation->refill(1, 3);
      operation->run_batch(3);
      INFO(operation_name << " " << word(work));
      CHECK(operation->verify());
      const bool has_calls = work == Work::during;
      operation->refill(2, 3);  // and not run
      CHECK(all_of(team.get(), operation->verify()) == !has_calls);
    }
  }
}

}  // namespace
}  // namespace hockney::benchmarks
