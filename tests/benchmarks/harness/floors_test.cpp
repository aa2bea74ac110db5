#include <catch2/catch.hpp>
#include <cstring>
#include <thread>
#include <vector>

#include "benchmarks/harness/buffer_memory.hpp"
#include "benchmarks/harness/collectives.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/memory_facts.hpp"

namespace hockney::benchmarks {
namespace {

TEST_CASE("memory that ranks share begins as zeros and shows everybody what one wrote") {
  const SharedMemory memory(MPI_COMM_WORLD, 10'000);
  CHECK(memory.data()[9'999] == std::byte{0});
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank_in(MPI_COMM_WORLD) == 0) memory.data()[9'999] = std::byte{42};
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(memory.data()[9'999] == std::byte{42});
}

TEST_CASE("a channel of chunks delivers messages of every size, one after the other") {
  for (const std::size_t bytes : {0U, 1U, 56U, 57U, 1024U, 1025U, 65'537U, 1'000'000U}) {
    INFO(bytes);
    std::vector<std::uint64_t> memory(ChunkChannel::bytes_for(bytes) / sizeof(std::uint64_t) + 16);
    void* start = memory.data();
    std::size_t space = memory.size() * sizeof(std::uint64_t);
    auto* const aligned = static_cast<std::byte*>(std::align(64, 1, start, space));
    std::thread sender([&] {
      ChunkChannel channel(aligned, bytes);
      std::vector<std::byte> message(bytes);
      for (std::uint64_t round = 0; round < 5; ++round) {
        fill_pattern(message, round);
        channel.send(message.data());
      }
    });
    ChunkChannel channel(aligned, bytes);
    std::vector<std::byte> message(bytes);
    int good = 0;
    for (std::uint64_t round = 0; round < 5; ++round) {
      channel.receive(message.data());
      good += holds_pattern(message, round) ? 1 : 0;
    }
    sender.join();
    CHECK(good == 5);
  }
}

TEST_CASE("what stands in the way of shared memory stands in the way of a peer's memory") {
  const FloorObstacles shared{.shared_memory = "no page"};
  CHECK(shared.of(Carrier::shared_memory) == "no page");
  CHECK(shared.of(Carrier::peer_memory) == "no page");
  const FloorObstacles peer{.peer_memory = "not permitted"};
  CHECK_FALSE(peer.of(Carrier::shared_memory));
  CHECK(peer.of(Carrier::peer_memory) == "not permitted");
  CHECK_FALSE(peer.of(Carrier::mpi));
  CHECK_FALSE(peer.of(Carrier::none));
  CHECK(FloorObstacles{.work = "no time"}.of(Carrier::none) == "no time");
}

TEST_CASE("ranks of one node are tried, and all hear the same") {
  const FloorObstacles found = find_floor_obstacles(MPI_COMM_WORLD);
  CHECK_FALSE(found.shared_memory);
  // Where the kernel forbids it, the reason is told.
  if (found.peer_memory) CHECK_THAT(*found.peer_memory, Catch::Contains("process_vm_readv"));
}

}  // namespace
}  // namespace hockney::benchmarks
