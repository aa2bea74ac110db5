#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/epochs.hpp"
#include "benchmarks/harness/payload.hpp"
#include "benchmarks/harness/traffic.hpp"
#include "core/collectives.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
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
    std::int64_t operations;  // in one iteration
    std::int64_t bytes;       // that count for a message of 100 B between 2 ranks
    std::string names;
  };
  const std::vector<Convention> conventions{
      {1, 0,
       "barrier ibarrier persistent-barrier comm-dup comm-dup-free comm-idup "
       "comm-split comm-split-free comm-split-type comm-split-type-free "
       "comm-create-group comm-create-group-free cart-create cart-create-free "
       "dist-graph-create-adjacent dist-graph-create-adjacent-free file-open-close"},
      {1, 100,
       "pingping cut fan-in fan-out bcast allreduce reduce floor-host-to-device "
       "floor-device-to-host floor-device-to-device floor-pinned-to-device "
       "floor-device-to-pinned reduce-scatter scan exscan ibcast iallreduce ireduce "
       "ireduce-scatter persistent-bcast persistent-reduce persistent-allreduce "
       "persistent-reduce-scatter neighbor-allgather neighbor-alltoall "
       "neighbor-allgatherv neighbor-alltoallv neighbor-alltoallw ineighbor-allgather "
       "ineighbor-allgatherv ineighbor-alltoall ineighbor-alltoallv "
       "ineighbor-alltoallw anysource-pingping reduce-local self-message put get "
       "one-put-all one-get-all all-put-all all-get-all accumulate get-accumulate "
       "fetch-and-op compare-and-swap"},
      {1, 200,
       "sendrecv gather gatherv scatter scatterv allgather allgatherv alltoall "
       "alltoallv alltoallw reduce-scatter-block iallgather iallgatherv ialltoall "
       "ialltoallv igather iscatter ireduce-scatter-block ialltoallw igatherv "
       "iscatterv persistent-allgather persistent-alltoall persistent-allgatherv "
       "persistent-alltoallv persistent-alltoallw persistent-gather persistent-gatherv "
       "persistent-scatter persistent-scatterv persistent-reduce-scatter-block "
       "file-write file-write-all file-iwrite file-iwrite-all file-read file-read-all "
       "file-iread file-iread-all sendrecv-replace"},
      {1, 400, "exchange exchange-put exchange-get"},
      {2, 0, "floor-cacheline"},
      {2, 100,
       "pingpong ssend-pingpong victim floor-memcpy floor-process-vm "
       "anysource-pingpong probe-pingpong mprobe-pingpong derived-pingpong "
       "pack-pingpong copy-pingpong persistent-pingpong"},
      {16, 0, "waitall-completed waitany-completed waitsome-completed testall-completed"},
      {16, 100,
       "bandwidth message-rate persistent-bandwidth random-pairs waitany-bandwidth "
       "waitsome-bandwidth testall-bandwidth unexpected-in-order unexpected-reversed "
       "posted-in-order posted-reversed put-bandwidth put-rate get-bandwidth get-rate "
       "accumulate-bandwidth accumulate-rate get-accumulate-bandwidth "
       "get-accumulate-rate fetch-and-op-bandwidth fetch-and-op-rate "
       "compare-and-swap-bandwidth compare-and-swap-rate"},
      {16, 200,
       "bidirectional-bandwidth persistent-bidirectional-bandwidth "
       "random-pairs-both-ways put-bidirectional-bandwidth get-bidirectional-bandwidth "
       "accumulate-bidirectional-bandwidth get-accumulate-bidirectional-bandwidth "
       "fetch-and-op-bidirectional-bandwidth compare-and-swap-bidirectional-bandwidth"}};
  const Point point{.bytes = {100}, .ranks = 2, .parameters = {{window_parameter, 16}}};
  std::set<std::string> named;
  for (const auto& [operations, bytes, names] : conventions) {
    for (const std::string& operation : split(names, ' ')) {
      INFO(operation);
      const Volume volume = find_operation(operation).volume(point);
      CHECK(volume.operations == operations);
      CHECK(volume.bytes.value == bytes);
      named.insert(operation);
    }
  }
  CHECK(named.size() == catalogue().size());
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
