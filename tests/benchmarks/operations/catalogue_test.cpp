#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/epochs.hpp"
#include "benchmarks/harness/payload.hpp"
#include "benchmarks/harness/traffic.hpp"
#include "core/collectives.hpp"
#include "core/error.hpp"
#include "tests/benchmarks/operations/registered_names.hpp"

namespace hockney::benchmarks {
namespace {

TEST_CASE("every operation of every file is in the catalogue, and nothing else") {
  const std::set<std::string> written =
      registered_names(HOCKNEY_SOURCE_DIR "/benchmarks/operations", {"Registration"});
  std::set<std::string> names;
  for (const CatalogueEntry& entry : catalogue()) names.emplace(entry.descriptor.name);
  CHECK(written.size() >= 40);
  CHECK(names == written);
}

TEST_CASE("every operation says what it times and which bytes it counts") {
  for (const CatalogueEntry& entry : catalogue()) {
    INFO(entry.descriptor.name);
    CHECK(entry.descriptor.summary.size() > 20);
    CHECK(entry.descriptor.counts.size() > 10);
  }
}

TEST_CASE("the forms of a collective are described by the words of the blocking one") {
  const auto summary = [](const std::string& operation) {
    return find_operation(operation).descriptor.summary;
  };
  CHECK(summary("iallgather") ==
        "MPI_Iallgather among all ranks, and MPI_Wait, until the last one has all blocks");
  CHECK(summary("ireduce-scatter") ==
        "MPI_Ireduce_scatter over all ranks, and MPI_Wait, until the last one has its part");
  CHECK(summary("persistent-bcast") ==
        "MPI_Start and MPI_Wait of a persistent MPI_Bcast, until the last rank is through");
  CHECK(find_operation("igather").descriptor.counts == "the same bytes as gather");
  CHECK(find_operation("igather").descriptor.overlaps);
  CHECK_FALSE(find_operation("persistent-reduce").descriptor.overlaps);
  CHECK(find_operation("persistent-reduce").descriptor.rooted);
}

TEST_CASE(
    "every collective has a row in the table of collectives, with the facts of its operation") {
  const std::set<std::string> written =
      registered_names(HOCKNEY_SOURCE_DIR "/benchmarks/operations", {"Registration<Blocking"});
  std::set<std::string> names;
  for (const Collective& collective : all_collectives) {
    names.emplace(collective.name);
    CAPTURE(collective.name);
    const Descriptor& descriptor = find_operation(std::string(collective.name)).descriptor;
    const std::string_view function = descriptor.summary.substr(std::string_view("MPI_").size());
    CHECK(find_collective_call(function.substr(0, function.find(' '))) == &collective);
    CHECK(descriptor.rooted == collective.rooted);
    CHECK(descriptor.sized == (collective.data != Contribution::none));
    if (!is_of_all_ranks(collective)) continue;
    const bool has_blocks =
        collective.data == Contribution::block || collective.data == Contribution::blocks;
    CHECK(descriptor.blocks == has_blocks);
  }
  CHECK(names == written);
}

TEST_CASE("the catalogue is in order of names") {
  CHECK(std::ranges::is_sorted(catalogue(), {},
                               [](const CatalogueEntry& entry) { return entry.descriptor.name; }));
}

TEST_CASE("an unknown operation is answered with the nearest one") {
  CHECK(find_operation("pingpong").descriptor.name == "pingpong");
  CHECK_THROWS_WITH(find_operation("pingpog"), Catch::Contains("did you mean 'pingpong'?"));
}

TEST_CASE("a name can be taken once only") {
  CHECK_THROWS_AS(add_to_catalogue(find_operation("pingpong")), std::logic_error);
}

TEST_CASE("bytes that count per operation are those of the documented conventions") {
  struct Convention {
    std::string operation;
    std::int64_t operations;  // in one iteration
    std::int64_t bytes;       // that count for a message of 100 B between 2 ranks
  };
  const std::vector<Convention> conventions{{"pingpong", 2, 100},
                                            {"ssend-pingpong", 2, 100},
                                            {"pingping", 1, 100},
                                            {"sendrecv", 1, 200},
                                            {"exchange", 1, 400},
                                            {"cut", 1, 100},
                                            {"fan-in", 1, 100},
                                            {"fan-out", 1, 100},
                                            {"victim", 2, 100},
                                            {"bandwidth", 16, 100},
                                            {"bcast", 1, 100},
                                            {"allreduce", 1, 100},
                                            {"reduce", 1, 100},
                                            {"barrier", 1, 0},
                                            {"message-rate", 16, 100},
                                            {"bidirectional-bandwidth", 16, 200},
                                            {"floor-cacheline", 2, 0},
                                            {"floor-memcpy", 2, 100},
                                            {"floor-process-vm", 2, 100},
                                            {"floor-host-to-device", 1, 100},
                                            {"floor-device-to-host", 1, 100},
                                            {"floor-device-to-device", 1, 100},
                                            {"floor-pinned-to-device", 1, 100},
                                            {"floor-device-to-pinned", 1, 100},
                                            {"gather", 1, 200},
                                            {"gatherv", 1, 200},
                                            {"scatter", 1, 200},
                                            {"scatterv", 1, 200},
                                            {"allgather", 1, 200},
                                            {"allgatherv", 1, 200},
                                            {"alltoall", 1, 200},
                                            {"alltoallv", 1, 200},
                                            {"alltoallw", 1, 200},
                                            {"reduce-scatter", 1, 100},
                                            {"reduce-scatter-block", 1, 200},
                                            {"scan", 1, 100},
                                            {"exscan", 1, 100},
                                            {"ibarrier", 1, 0},
                                            {"ibcast", 1, 100},
                                            {"iallreduce", 1, 100},
                                            {"ireduce", 1, 100},
                                            {"iallgather", 1, 200},
                                            {"iallgatherv", 1, 200},
                                            {"ialltoall", 1, 200},
                                            {"ialltoallv", 1, 200},
                                            {"igather", 1, 200},
                                            {"iscatter", 1, 200},
                                            {"ireduce-scatter", 1, 100},
                                            {"ireduce-scatter-block", 1, 200},
                                            {"ialltoallw", 1, 200},
                                            {"igatherv", 1, 200},
                                            {"iscatterv", 1, 200},
                                            {"persistent-barrier", 1, 0},
                                            {"persistent-bcast", 1, 100},
                                            {"persistent-reduce", 1, 100},
                                            {"persistent-allreduce", 1, 100},
                                            {"persistent-allgather", 1, 200},
                                            {"persistent-alltoall", 1, 200},
                                            {"persistent-allgatherv", 1, 200},
                                            {"persistent-alltoallv", 1, 200},
                                            {"persistent-alltoallw", 1, 200},
                                            {"persistent-gather", 1, 200},
                                            {"persistent-gatherv", 1, 200},
                                            {"persistent-scatter", 1, 200},
                                            {"persistent-scatterv", 1, 200},
                                            {"persistent-reduce-scatter", 1, 100},
                                            {"persistent-reduce-scatter-block", 1, 200},
                                            {"neighbor-allgather", 1, 100},
                                            {"neighbor-alltoall", 1, 100},
                                            {"comm-dup", 1, 0},
                                            {"comm-dup-free", 1, 0},
                                            {"comm-idup", 1, 0},
                                            {"comm-split", 1, 0},
                                            {"comm-split-free", 1, 0},
                                            {"comm-split-type", 1, 0},
                                            {"comm-split-type-free", 1, 0},
                                            {"comm-create-group", 1, 0},
                                            {"comm-create-group-free", 1, 0},
                                            {"cart-create", 1, 0},
                                            {"cart-create-free", 1, 0},
                                            {"dist-graph-create-adjacent", 1, 0},
                                            {"dist-graph-create-adjacent-free", 1, 0},
                                            {"neighbor-allgatherv", 1, 100},
                                            {"neighbor-alltoallv", 1, 100},
                                            {"neighbor-alltoallw", 1, 100},
                                            {"ineighbor-allgather", 1, 100},
                                            {"ineighbor-allgatherv", 1, 100},
                                            {"ineighbor-alltoall", 1, 100},
                                            {"ineighbor-alltoallv", 1, 100},
                                            {"ineighbor-alltoallw", 1, 100},
                                            {"file-write", 1, 200},
                                            {"file-write-all", 1, 200},
                                            {"file-iwrite", 1, 200},
                                            {"file-iwrite-all", 1, 200},
                                            {"file-read", 1, 200},
                                            {"file-read-all", 1, 200},
                                            {"file-iread", 1, 200},
                                            {"file-iread-all", 1, 200},
                                            {"file-open-close", 1, 0},
                                            {"anysource-pingpong", 2, 100},
                                            {"probe-pingpong", 2, 100},
                                            {"mprobe-pingpong", 2, 100},
                                            {"derived-pingpong", 2, 100},
                                            {"pack-pingpong", 2, 100},
                                            {"copy-pingpong", 2, 100},
                                            {"anysource-pingping", 1, 100},
                                            {"sendrecv-replace", 1, 200},
                                            {"reduce-local", 1, 100},
                                            {"persistent-bandwidth", 16, 100},
                                            {"persistent-bidirectional-bandwidth", 16, 200},
                                            {"random-pairs", 16, 100},
                                            {"random-pairs-both-ways", 16, 200},
                                            {"waitall-completed", 16, 0},
                                            {"waitany-completed", 16, 0},
                                            {"waitsome-completed", 16, 0},
                                            {"testall-completed", 16, 0},
                                            {"waitany-bandwidth", 16, 100},
                                            {"waitsome-bandwidth", 16, 100},
                                            {"testall-bandwidth", 16, 100},
                                            {"persistent-pingpong", 2, 100},
                                            {"self-message", 1, 100},
                                            {"unexpected-in-order", 16, 100},
                                            {"unexpected-reversed", 16, 100},
                                            {"posted-in-order", 16, 100},
                                            {"posted-reversed", 16, 100},
                                            {"put", 1, 100},
                                            {"put-bandwidth", 16, 100},
                                            {"put-bidirectional-bandwidth", 16, 200},
                                            {"put-rate", 16, 100},
                                            {"get", 1, 100},
                                            {"get-bandwidth", 16, 100},
                                            {"get-bidirectional-bandwidth", 16, 200},
                                            {"get-rate", 16, 100},
                                            {"one-put-all", 1, 100},
                                            {"one-get-all", 1, 100},
                                            {"all-put-all", 1, 100},
                                            {"all-get-all", 1, 100},
                                            {"exchange-put", 1, 400},
                                            {"exchange-get", 1, 400},
                                            {"accumulate", 1, 100},
                                            {"accumulate-bandwidth", 16, 100},
                                            {"accumulate-bidirectional-bandwidth", 16, 200},
                                            {"accumulate-rate", 16, 100},
                                            {"get-accumulate", 1, 100},
                                            {"get-accumulate-bandwidth", 16, 100},
                                            {"get-accumulate-bidirectional-bandwidth", 16, 200},
                                            {"get-accumulate-rate", 16, 100},
                                            {"fetch-and-op", 1, 100},
                                            {"fetch-and-op-bandwidth", 16, 100},
                                            {"fetch-and-op-bidirectional-bandwidth", 16, 200},
                                            {"fetch-and-op-rate", 16, 100},
                                            {"compare-and-swap", 1, 100},
                                            {"compare-and-swap-bandwidth", 16, 100},
                                            {"compare-and-swap-bidirectional-bandwidth", 16, 200},
                                            {"compare-and-swap-rate", 16, 100}};
  CHECK(conventions.size() == catalogue().size());
  const Point point{.bytes = {100}, .ranks = 2, .parameters = {{window_parameter, 16}}};
  for (const auto& [operation, operations, bytes] : conventions) {
    INFO(operation);
    const Volume volume = find_operation(operation).volume(point);
    CHECK(volume.operations == operations);
    CHECK(volume.bytes.value == bytes);
  }
  const Point wide{.bytes = {100}, .ranks = 8, .parameters = {{window_parameter, 16}}};
  CHECK(find_operation("message-rate").volume(wide).bytes.value == 400);
  CHECK(find_operation("get-rate").volume(wide).bytes.value == 400);
  CHECK(find_operation("one-get-all").volume(wide).bytes.value == 700);
  CHECK(find_operation("all-put-all").volume(wide).bytes.value == 700);
  Point fewer = wide;
  fewer.parameters.set(flows_parameter, Flows{2});
  CHECK(find_operation("message-rate").volume(fewer).bytes.value == 200);
  const Point answered{
      .bytes = {100}, .ranks = 2, .parameters = {{completion_parameter, Completion::target}}};
  CHECK(find_operation("put").volume(answered).operations == 2);
}

TEST_CASE("the bytes of the busiest rank are those of nccl-tests where all counts are equal") {
  const auto bus = [](const std::string& operation, int ranks, Distribution counts) {
    const Point point{
        .bytes = {120},
        .ranks = ranks,
        .parameters = {{counts_parameter, counts}, {root_parameter, parse_root("1")}}};
    return find_operation(operation).volume(point).bus_bytes.value();
  };
  CHECK(bus("bcast", 4, Distribution::equal) == 120);
  CHECK(bus("reduce", 4, Distribution::equal) == 120);
  CHECK(bus("allreduce", 4, Distribution::equal) == 180);  // 2 x 3/4 x 120
  for (const char* operation : {"gatherv", "scatterv", "allgatherv", "alltoallv", "alltoall"}) {
    CHECK(bus(operation, 4, Distribution::equal) == 360);  // 3/4 x 4 x 120
  }
  CHECK(bus("reduce-scatter", 4, Distribution::equal) == 90);
  CHECK(bus("reduce-scatter-block", 4, Distribution::equal) == 360);
  CHECK(bus("allreduce", 1, Distribution::equal) == 0);
  // zeros: 240, 0, 240, 0 of 480 bytes. The root, rank 1, has none of them.
  CHECK(bus("gatherv", 4, Distribution::zeros) == 480);
  CHECK(bus("allgatherv", 4, Distribution::zeros) == 480);
  CHECK(bus("alltoallv", 4, Distribution::zeros) == 720);  // 240 from each of three others
  CHECK(bus("reduce-scatter", 4, Distribution::zeros) == 120);
}

}  // namespace
}  // namespace hockney::benchmarks
