#include <catch2/catch.hpp>

#include "benchmarks/harness/catalogue.hpp"
#include "tests/benchmarks/operations/mockups/mock_ups.hpp"

namespace hockney::benchmarks {
namespace {

std::set<std::string> names() {
  std::set<std::string> all;
  for (const Guideline& guideline : guidelines()) all.insert(guideline.name);
  return all;
}

const Descriptor& described(const std::string& operation) {
  return find_operation(operation).descriptor;
}

TEST_CASE("every mock-up is in the catalogue, and is a side of a guideline") {
  std::set<std::string> sides;
  for (const Guideline& guideline : guidelines()) {
    sides.insert({guideline.left.operation, guideline.right.operation});
  }
  CHECK(mock_up_names().size() >= 30);
  for (const std::string& name : mock_up_names()) {
    INFO(name);
    CHECK_NOTHROW(find_operation(name));
    CHECK(sides.contains(name));
  }
}

TEST_CASE("the guidelines of PGMPI are all there") {
  // github.com/hunsa/pgmpi and the paper of 2016, with hockney's names.
  const std::vector<std::string> published{"allgather <= allgatherv",
                                           "allgather <= allreduce",
                                           "allgather <= alltoall",
                                           "allgather <= gather + bcast",
                                           "allreduce <= reduce + bcast",
                                           "allreduce <= reduce-scatter-block + allgather",
                                           "allreduce <= reduce-scatter + allgatherv",
                                           "alltoall <= alltoallv",
                                           "bcast <= allgatherv",
                                           "bcast <= scatter + allgather",
                                           "gather <= allgather",
                                           "gather <= gatherv",
                                           "gather <= reduce",
                                           "reduce <= allreduce",
                                           "reduce <= reduce-scatter-block + gather",
                                           "reduce <= reduce-scatter + gatherv",
                                           "reduce <= reduce-scatter",
                                           "reduce-scatter-block <= reduce + scatter",
                                           "reduce-scatter-block <= reduce-scatter",
                                           "reduce-scatter-block <= allreduce",
                                           "reduce-scatter <= allreduce",
                                           "reduce-scatter <= reduce + scatterv",
                                           "scan <= exscan + reduce_local",
                                           "scatter <= bcast",
                                           "scatter <= scatterv"};
  REQUIRE(published.size() == 25);
  const std::set<std::string> known = names();
  for (const std::string& name : published) CHECK(known.contains(name));
}

TEST_CASE("guidelines have names of their own, and sides that can be compared") {
  const std::vector<Guideline> all = guidelines();
  CHECK(names().size() == all.size());
  CHECK(std::ranges::is_sorted(all, {}, &Guideline::name));
  for (const Guideline& guideline : all) {
    INFO(guideline.name);
    CHECK(guideline.name.find(',') == std::string::npos);  // names are joined by commas
    const Descriptor& left = described(guideline.left.operation);
    const Descriptor& right = described(guideline.right.operation);
    CHECK(left.shape == right.shape);
    CHECK(left.timing == right.timing);
    CHECK(left.single == right.single);
    CHECK(left.sized == right.sized);
    CHECK(left.reduces == right.reduces);
    CHECK(left.rooted == right.rooted);
  }
}

TEST_CASE("a mock-up has the bytes and the data of the operation whose work it does") {
  for (const Guideline& guideline : guidelines()) {
    if (!is_mock_up(guideline.right.operation) || guideline.map != SizeRelation::same) continue;
    INFO(guideline.name);
    const CatalogueEntry& left = find_operation(guideline.left.operation);
    const CatalogueEntry& right = find_operation(guideline.right.operation);
    CHECK(left.descriptor.blocks == right.descriptor.blocks);
    CHECK(left.descriptor.divides == right.descriptor.divides);
    for (const int ranks : {3, 4}) {
      const Point point{.bytes = {120}, .ranks = ranks};
      const Volume wanted = left.volume(point);
      const Volume found = right.volume(point);
      CHECK(found.operations == wanted.operations);
      CHECK(found.bytes == wanted.bytes);
      CHECK(found.bus_bytes == wanted.bus_bytes);
    }
  }
}

TEST_CASE("operations are held to themselves at other sizes and ranks") {
  const std::set<std::string> known = names();
  for (const std::string operation : {"bcast", "allreduce", "alltoall", "pingpong"}) {
    CHECK(known.contains(operation + ": a size <= the next"));
    CHECK(known.contains(operation + ": whole <= in parts"));
  }
  CHECK(known.contains("barrier: some ranks <= more"));
  CHECK_FALSE(known.contains("barrier: a size <= the next"));   // there is one size
  CHECK_FALSE(known.contains("pingpong: some ranks <= more"));  // two are at work
}

TEST_CASE("a guideline cannot be stated twice") {
  CHECK_THROWS_AS(add_guideline({.name = "bcast <= allgatherv", .left = {}, .right = {}}),
                  std::logic_error);
}

}  // namespace
}  // namespace hockney::benchmarks
