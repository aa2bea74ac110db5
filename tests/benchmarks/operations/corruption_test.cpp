#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <vector>

#include "benchmarks/harness/data_layout.hpp"
#include "benchmarks/harness/datatypes.hpp"
#include "tests/benchmarks/operations/corruption_trial.hpp"

namespace hockney::benchmarks {
namespace {

/// Whether this library tells signed from unsigned: Open MPI 4.1.4 does not where the maximum or
/// minimum is of unsigned long (github.com/open-mpi/ompi/issues/10525) or of MPI_Offset.
bool compares_rightly(const Point& point) {
  const Datatype& type = datatype_of(point);
  const Operator* const named = point.parameters[operator_parameter];
  const std::string_view op = named == nullptr ? "" : named->name;
  if ((op != "max" && op != "min") || type.kind == DatatypeKind::floating) return true;
  std::vector<unsigned char> one(type.extent, 0);
  std::vector<unsigned char> top_bit(type.extent, 0);
  (std::endian::native == std::endian::little ? one.front() : one.back()) = 1;
  (std::endian::native == std::endian::little ? top_bit.back() : top_bit.front()) = 0x80;
  const bool top_bit_is_large = type.name.starts_with('u');  // a minus sign otherwise
  const auto& right = top_bit_is_large == (op == "max") ? top_bit : one;
  std::vector<unsigned char> found = top_bit;
  mpi_check(PMPI_Reduce_local(one.data(), found.data(), 1, type.handle, named->handle));
  return found == right;
}

/// Whether elements have bytes without meaning that MPI counts and sends: of data that are packed
/// the shim cannot tell which they are.
bool is_padded(const Datatype& type) {
  std::size_t bytes = 0;
  for (const ByteRange& range : type.significant) bytes += range.bytes;
  return bytes < type.size;
}

/// The check of an operation's data is that of few others: there all datatypes and operators are
/// tried, and here one of each kind of layout and of algorithm.
bool is_tried(const Descriptor& descriptor, const Datatype& type, std::string_view op) {
  constexpr std::array thorough{"pingpong",  "bcast", "reduce",         "allreduce",
                                "allgather", "scan",  "get-accumulate", "compare-and-swap"};
  constexpr std::array types{"byte", "double", "double-int", "long-double", "int16"};
  constexpr std::array ops{"", "sum", "maxloc", "user-sum", "user-ordered"};
  // An accumulated truth value is not the one that was given, but whether it is one; and a part of
  // a complex factor is 0, of which a product does not show every bit.
  const bool hides_bits =
      op.starts_with('l') || (op == "prod" && type.kind == DatatypeKind::complex);
  if (descriptor.accumulates && hides_bits) return false;
  if (descriptor.files) return type.name == "byte";  // tests of files try all ways of them
  if (descriptor.own.contains(layout_parameter) && is_padded(type)) return false;
  if (!descriptor.single && !descriptor.one_sided) return true;
  const auto has = [](const auto& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
  };
  return has(thorough, descriptor.name) || (has(types, type.name) && has(ops, op));
}

/// Every point of an operation: with each datatype and, for reductions, with each operator.
std::vector<Point> points_for(const Descriptor& descriptor, int ranks) {
  std::vector<Point> points;
  for (const Datatype& type : datatypes()) {
    Point point = point_for(descriptor, Bytes{}, ranks);
    point.parameters.set(datatype_parameter, type.name);
    point = with_elements(point, descriptor, trial_elements);
    if (!descriptor.reduces && is_tried(descriptor, type, "")) points.push_back(point);
    for (const Operator& op : operators()) {
      point.parameters.set(operator_parameter, &op);
      const bool is_wanted = is_defined(op, type) && is_tried(descriptor, type, op.name);
      if (descriptor.reduces && is_wanted) points.push_back(point);
    }
  }
  return points;
}

TEST_CASE("every corruption of every datatype and operator is noticed in every operation") {
  BufferPool buffers(3);
  Tally tally;
  int points = 0;
  int faults = 0;
  for (const CatalogueEntry& entry : catalogue()) {
    const UniqueComm team = team_for(entry.descriptor);
    if (!team || !entry.descriptor.sized || !goes_by_mpi(entry.descriptor)) continue;
    for (const Point& point : points_for(entry.descriptor, size_of(team.get()))) {
      if (!is_possible(entry, point)) continue;
      Trial trial(entry, point, team, buffers, tally);
      const bool is_right = compares_rightly(point);
      if (entry.descriptor.one_sided || entry.descriptor.files) trial.one_sided(entry.descriptor);
      const bool reduces = entry.descriptor.reduces && !entry.descriptor.one_sided;
      is_right ? trial.expect_check(reduces) : trial.expect_fault();
      ++(is_right ? points : faults);
    }
  }
  for (const std::string& mistake : tally.mistakes) UNSCOPED_INFO(mistake);
  CHECK(tally.mistakes.empty());
  CHECK(tally.clean == points);
  CHECK(tally.faults == faults);
  CHECK(tally.noticed == tally.corrupted);
  CHECK(tally.corrupted > 10'000);
  CHECK(tally.swapped_ranks > 70);
}

TEST_CASE("one wrong delivery in fifty is noticed in every operation") {
  BufferPool buffers(5);
  Tally tally;
  for (const CatalogueEntry& entry : catalogue()) {
    const UniqueComm team = team_for(entry.descriptor);
    if (!team || !entry.descriptor.sized || !goes_by_mpi(entry.descriptor)) continue;
    Point point = point_for(entry.descriptor, Bytes{}, size_of(team.get()));
    point.parameters.set(datatype_parameter, "float");
    point = with_elements(point, entry.descriptor, trial_elements);
    if (!is_possible(entry, point)) continue;
    Trial(entry, point, team, buffers, tally).expect_rare_fault_found();
  }
  for (const std::string& mistake : tally.mistakes) UNSCOPED_INFO(mistake);
  CHECK(tally.mistakes.empty());
  CHECK(tally.noticed == tally.corrupted);
  CHECK(tally.corrupted > 30);
}

TEST_CASE("every corruption at every place of a cold or fresh ring is noticed") {
  BufferPool buffers(4);
  constexpr std::int64_t iterations = 3;
  for (const CachePlan& cache : small_rings()) {
    if (cache.state == CacheState::hot) continue;
    Tally tally;
    for (const CatalogueEntry& entry : catalogue()) {
      const UniqueComm team = team_for(entry.descriptor);
      if (!team || !entry.descriptor.sized || !goes_by_mpi(entry.descriptor)) continue;
      const Point point =
          point_for(entry.descriptor, Bytes{trial_elements * 8}, size_of(team.get()));
      if (!is_possible(entry, point, cache)) continue;
      Trial(entry, point, team, buffers, tally, {cache, iterations})
          .expect_check(entry.descriptor.reduces);
    }
    INFO(word(cache.state));
    for (const std::string& mistake : tally.mistakes) UNSCOPED_INFO(mistake);
    CHECK(tally.mistakes.empty());
    CHECK(tally.noticed == tally.corrupted);
    CHECK(tally.corrupted > 200);
  }
}

}  // namespace
}  // namespace hockney::benchmarks
