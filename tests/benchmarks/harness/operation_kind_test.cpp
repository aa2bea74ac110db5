#include <catch2/catch.hpp>

#include "benchmarks/harness/catalogue.hpp"

namespace hockney::benchmarks {
namespace {

TEST_CASE("a descriptor tells what kind of operation it is to other suites") {
  CHECK(kind_of({.shape = GroupShape::pair}) == OperationKind::pair);
  CHECK(kind_of({.shape = GroupShape::pair, .timing = Timing::last_rank}) == OperationKind::pair);
  CHECK(kind_of({.shape = GroupShape::pair, .windowed = true}) == OperationKind::windowed_pair);
  CHECK(kind_of({.shape = GroupShape::pairs, .windowed = true}) == OperationKind::windowed_pairs);
  CHECK(kind_of({.shape = GroupShape::pair, .one_sided = true}) == OperationKind::one_sided);
  CHECK(kind_of({.shape = GroupShape::pair, .windowed = true, .one_sided = true}) ==
        OperationKind::windowed_one_sided);
  CHECK(kind_of({.shape = GroupShape::pairs, .windowed = true, .one_sided = true}) ==
        OperationKind::windowed_pairs);
  CHECK(kind_of({.shape = GroupShape::everybody}) == OperationKind::ring);
  CHECK(kind_of({.shape = GroupShape::everybody, .single = true}) == OperationKind::collective);
  CHECK(kind_of({.shape = GroupShape::everybody, .single = true, .sized = false}) ==
        OperationKind::barrier);
}

TEST_CASE("what threads do is timed by other rules") {
  CHECK(kind_of({.shape = GroupShape::pair, .threaded = true}) == OperationKind::threaded_messages);
  CHECK(kind_of({.shape = GroupShape::everybody, .threaded = true}) ==
        OperationKind::threaded_messages);
  CHECK(kind_of({.shape = GroupShape::pair, .windowed = true, .threaded = true}) ==
        OperationKind::threaded_windows);
  CHECK(kind_of({.shape = GroupShape::everybody, .single = true, .threaded = true}) ==
        OperationKind::threaded_collective);
  CHECK(
      kind_of({.shape = GroupShape::everybody, .single = true, .sized = false, .threaded = true}) ==
      OperationKind::threaded_barrier);
}

TEST_CASE("suites' loops time messages, in calls that may follow each other") {
  CHECK(fits_suite_loops({.shape = GroupShape::pair}));
  CHECK(fits_suite_loops({.shape = GroupShape::pair, .threaded = true}));
  CHECK_FALSE(fits_suite_loops({.shape = GroupShape::everybody, .needs_ready = true}));
  CHECK_FALSE(fits_suite_loops({.shape = GroupShape::everybody, .files = true}));
  CHECK_FALSE(fits_suite_loops({.shape = GroupShape::everybody, .carrier = Carrier::none}));
  CHECK_FALSE(fits_suite_loops({.shape = GroupShape::everybody, .has_neighbours = true}));
}

}  // namespace
}  // namespace hockney::benchmarks
