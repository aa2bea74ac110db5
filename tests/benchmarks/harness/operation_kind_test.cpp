#include "benchmarks/harness/catalogue.hpp"

#include <catch2/catch.hpp>

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

}  // namespace
}  // namespace hockney::benchmarks
