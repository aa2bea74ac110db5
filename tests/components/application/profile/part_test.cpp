#include <malloc.h>

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstring>
#include <limits>

#include "components/application/profile/merge.hpp"
#include "components/application/profile/part.hpp"
#include "core/error.hpp"
#include "tests/components/application/profile/example_part.hpp"
#include "tests/support/synthetic_part.hpp"

namespace hockney::profile {
namespace {

std::string part(int rank, PartHeader header = {}) {
  return example_part(rank, header, std::string(synthetic_facts));
}

std::size_t heap_bytes() {
  const struct mallinfo2 heap = ::mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

}  // namespace

TEST_CASE("parts of ranks become one profile") {
  const std::string bytes = part(1) + part(0);
  const Profile profile = merge(read_parts(bytes, "x"));
  CHECK(profile.seconds == 1);
  REQUIRE(profile.ranks.size() == 2);
  CHECK(profile.ranks[0].mpi_seconds == Approx(0.3));
  REQUIRE(profile.calls.size() == 1);
  const Calls& calls = profile.calls[0];
  CHECK(calls.call == "MPI_Send");
  CHECK(calls.count == 6);
  CHECK(calls.bytes == 48);
  CHECK(calls.ranks == 2);
  CHECK(calls.seconds == Approx(0.6));
  CHECK(calls.min_seconds == Approx(0.05));
  CHECK(calls.max_seconds == Approx(0.15));
  REQUIRE(profile.messages.size() == 2);
  CHECK(profile.messages[0].from == 0);
  CHECK(profile.messages[0].to == 1);
  REQUIRE(profile.sites.size() == 1);
  CHECK(profile.sites[0].module == "/bin/app");
  CHECK(profile.sites[0].function == "main");
  REQUIRE(profile.regions.size() == 1);
  CHECK(profile.regions[0].seconds == 1);
  CHECK(profile.communicators[0].name == "MPI_COMM_WORLD");
  CHECK(profile.notes.empty());
}

TEST_CASE("the slowest rank is the one that spent the most, the lowest of several") {
  const std::vector<std::int64_t> ticks{500, 900, 900, 100};
  for (const std::vector<int>& order : {std::vector{0, 1, 2, 3}, std::vector{3, 2, 1, 0}}) {
    Merger merger;
    for (const int rank : order) {
      const std::string bytes =
          bytes_of({.rank = rank, .ranks = 4, .ticks = ticks[static_cast<std::size_t>(rank)]});
      merger.add(read_parts(bytes, "x").at(0));
    }
    const Calls calls = merger.take().calls.at(0);
    CHECK(calls.ranks == 4);
    CHECK(calls.slowest_rank == 1);
    CHECK(calls.slowest_seconds == Approx(900e-9));
    CHECK(calls.seconds == Approx(2400e-9));
  }
}

TEST_CASE("merging takes memory for each rank, not for each call site of each rank") {
  constexpr int ranks = 220;
  constexpr int first = 20;
  Merger merger;
  const auto add = [&](int rank) {
    const std::string bytes = bytes_of({.rank = rank, .ranks = ranks, .sites = 1000});
    merger.add(read_parts(bytes, "x").at(0));
  };
  for (int rank = 0; rank < first; ++rank) add(rank);
  const std::size_t before = heap_bytes();
  for (int rank = first; rank < ranks; ++rank) add(rank);
  constexpr std::size_t bytes_of_rank = 2000;  // of 72 000 that its part has
  CHECK(heap_bytes() < before + (ranks - first) * bytes_of_rank);
  const Profile profile = merger.take();
  CHECK(profile.calls.size() == 1000);
  CHECK(profile.calls.at(0).ranks == ranks);
}

TEST_CASE("a profile says how often something had no memory for its name") {
  PartHeader header;
  header.places_lost = 3;
  const std::string bytes = part(0, header) + part(1, header);
  const Profile profile = merge(read_parts(bytes, "x"));
  REQUIRE(profile.notes.size() == 1);
  CHECK(profile.notes[0].starts_with("6 times a region, call site or communicator"));
  header.places_lost = 1;
  const std::string other = part(0, header) + part(1);
  CHECK(merge(read_parts(other, "x")).notes.at(0).starts_with("1 time a region, "));
}

TEST_CASE("a rank without a part, and a call that never returned, are said") {
  PartHeader header;
  header.end = static_cast<int>(End::signalled);
  header.signal = 15;
  header.in_function = 1;
  header.in_since = 2000;
  const std::string bytes = part(0, header);
  const Profile profile = merge(read_parts(bytes, "x"));
  CHECK(profile.ranks.at(0).mpi_seconds == Approx(0.3 + 0.5));
  CHECK(profile.notes.at(0).find("nothing is known of 1 of 2 ranks (1)") == 0);
  CHECK(profile.notes.at(1).find("rank 0 ended by signal 15, after 0.5 s in MPI_Send") == 0);
}

TEST_CASE(
    "parts with numbers that no recording gives are refused, sums too large are the largest") {
  const auto refused = [](auto change) {
    PartHeader header;
    change(header);
    CHECK_THROWS_AS(read_parts(part(0, header), "x"), InputError);
  };
  refused([](PartHeader& header) { header.io_ticks = -1; });
  refused([](PartHeader& header) { header.in_since = -1; });
  refused([](PartHeader& header) { header.folded_calls = -1; });
  refused([](PartHeader& header) { header.places_lost = -1; });
  std::string many = part(0);
  const int ranks = most_ranks + 1;
  std::memcpy(many.data() + offsetof(PartHeader, world_ranks), &ranks, sizeof ranks);
  CHECK_THROWS_AS(read_parts(many, "x"), InputError);
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  PartHeader header;
  header.events = most;
  const std::string bytes = part(0, header) + part(1, header);
  CHECK(merge(read_parts(bytes, "x")).log.value().events == most);
}

TEST_CASE("damaged facts of a rank are refused in words of this program, and add nothing") {
  std::string damaged = part(1);
  damaged.replace(damaged.find("\"n1\""), 4, "[}{]");
  Merger merger;
  const std::string whole = part(0);
  merger.add(read_parts(whole, "x").at(0));
  CHECK_THROWS_WITH(merger.add(read_parts(damaged, "x").at(0)),
                    "what rank 1 says of itself is damaged (it is not the JSON that ranks of this "
                    "version write) remove its part");
  CHECK(merger.take().ranks.size() == 1);
}

TEST_CASE("what is no part is refused, wherever it ends") {
  const std::string whole = part(0);
  for (std::size_t length = 1; length < whole.size(); length += 7) {
    CHECK_THROWS_AS(read_parts(whole.substr(0, length), "x"), InputError);
  }
  std::string wrong = whole;
  wrong[0] = 'X';
  CHECK_THROWS_AS(read_parts(wrong, "x"), InputError);
  CHECK_THROWS_AS(merge({}), InputError);
}

TEST_CASE("CPU times of a rank and of its regions come from the rows of its part") {
  constexpr std::int64_t second = 1'000'000'000;
  const std::vector<CpuRow> rows{
      {.region = 0, .inside = 0, .ticks = 500, .cpu_ns = second / 5, .queue_ns = second / 20},
      {.region = 0, .inside = 1, .ticks = 500, .cpu_ns = second / 10, .queue_ns = second / 5},
      {.region = 1, .inside = 1, .ticks = 1000, .cpu_ns = second / 4, .queue_ns = second / 4}};
  PartHeader header;
  header.cpu = {.is_known = 1,
                .user_ns = second / 2,
                .system_ns = second / 10,
                .involuntary = 7,
                .voluntary = 3,
                .minor_faults = 11,
                .major_faults = 1,
                .queue_ns = second / 2,
                .other_queue_ns = -1,
                .throttled_ns = second / 4,
                .readings = 10,
                .reading_ns = 5000};
  const Profile profile =
      merge(read_parts(example_part(0, header, std::string(synthetic_facts), rows) + part(1), "x"));
  REQUIRE(profile.ranks[0].cpu);
  const CpuUse& use = *profile.ranks[0].cpu;
  CHECK(use.user_seconds == Approx(0.5));
  CHECK(use.system_seconds == Approx(0.1));
  CHECK(use.involuntary_switches == 7);
  CHECK(use.voluntary_switches == 3);
  CHECK(use.minor_faults == 11);
  CHECK(use.major_faults == 1);
  CHECK(*use.waiting_seconds == Approx(0.5));
  CHECK(*use.mpi_waiting_seconds == Approx(0.45));
  CHECK(use.mpi_cpu_seconds == Approx(0.35));
  CHECK_FALSE(use.other_waiting_seconds);
  CHECK_FALSE(use.computing_cpu_seconds);  // one thread at a time is in MPI
  // With several: 0.2 s of the first thread outside of MPI, at most 0.05 s of the others.
  header.thread_level = 3;
  const auto computing = [&] {
    const Profile threads =
        merge(read_parts(example_part(0, header, std::string(synthetic_facts), rows), "x"));
    return threads.ranks[0].cpu->computing_cpu_seconds.value_or(-1);
  };
  CHECK(computing() == Approx(0.2));
  header.parallel_tool = static_cast<std::int64_t>(ParallelTool::recording);
  header.cpu.user_ns = 9 * second;  // threads of OpenMP that spin
  CHECK(computing() == Approx(0.2));
  CHECK(*use.throttled_seconds == Approx(0.25));
  CHECK(use.reading_seconds == Approx(50e-6));
  CHECK_FALSE(profile.ranks[1].cpu);
  REQUIRE(profile.regions.size() == 1);
  CHECK(*profile.regions[0].cpu_seconds == Approx(0.25));
  CHECK(*profile.regions[0].waiting_seconds == Approx(0.25));
}

TEST_CASE("parts of the version without CPU times are read, those of others are not") {
  const std::string now = part(0);
  PartHeader header;
  std::memcpy(static_cast<void*>(&header), now.data(), sizeof header);
  header.version = oldest_part_version;
  header.header_bytes = static_cast<std::uint32_t>(header_bytes_of(oldest_part_version));
  const std::string old =
      std::string(reinterpret_cast<const char*>(&header), header_bytes_of(oldest_part_version)) +
      now.substr(sizeof header);
  const Profile profile = merge(read_parts(old, "x"));
  CHECK(profile.calls == merge(read_parts(now, "x")).calls);
  CHECK_FALSE(profile.ranks[0].cpu);
  header.version = oldest_part_version - 1;
  std::string older = old;
  std::memcpy(older.data(), &header, header_bytes_of(oldest_part_version));
  CHECK_THROWS_AS(read_parts(older, "x"), InputError);
  header.version = part_version;  // with the header of the old one
  std::memcpy(older.data(), &header, header_bytes_of(oldest_part_version));
  CHECK_THROWS_AS(read_parts(older, "x"), InputError);
}

}  // namespace hockney::profile
