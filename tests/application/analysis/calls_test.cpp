#include "application/analysis/calls.hpp"

#include <catch2/catch.hpp>

#include "tests/support/synthetic_program.hpp"

namespace hockney::applications {
namespace {

SyntheticProgram mixed_calls() {
  return SyntheticProgram(4)
      .every_time(9, 1)
      .calls("MPI_Send", 10, 100, 0.5)
      .calls("MPI_Send", 30, 5000, 1)
      .calls("MPI_Barrier", 4, 0, 2)
      .calls("MPI_Waitall", 6, 0, 0.25);
}

}  // namespace

TEST_CASE("calls have the class of what they do") {
  for (const char* call : {"MPI_Send", "MPI_Isend", "MPI_Sendrecv", "MPI_Bsend", "MPI_Put",
                           "MPI_Start", "MPI_Sendrecv_replace"}) {
    CAPTURE(call);
    CHECK(class_of(call) == CallClass::send);
  }
  for (const char* call :
       {"MPI_Recv", "MPI_Irecv", "MPI_Mrecv", "MPI_Iprobe", "MPI_Probe", "MPI_Improbe"}) {
    CAPTURE(call);
    CHECK(class_of(call) == CallClass::receive);
  }
  for (const char* call : {"MPI_Wait", "MPI_Waitall", "MPI_Testany", "MPI_Test"}) {
    CAPTURE(call);
    CHECK(class_of(call) == CallClass::completion);
  }
  for (const char* call :
       {"MPI_Bcast", "MPI_Win_wait", "MPI_File_write", "MPI_Barrier", "MPI_Recv_init", "unknown"}) {
    CAPTURE(call);
    CHECK(class_of(call) == CallClass::other);
  }
}

TEST_CASE("calls of a function are added up, those of most time first") {
  const std::vector<FunctionCalls> calls = by_function(mixed_calls().profile());
  REQUIRE(calls.size() == 3);
  CHECK(calls[0].call == "MPI_Barrier");
  CHECK(calls[1].call == "MPI_Send");
  CHECK(calls[1].sums.volume == Volume{40, 151000, 100, 5000});
  CHECK(calls[1].sums.seconds == 1.5);
  CHECK(calls[1].sums.min_seconds == Approx(1.0 / 30));
  CHECK(calls[1].sums.max_seconds == Approx(0.05));
  CHECK(calls[2].call == "MPI_Waitall");
}

TEST_CASE("calls are added up by the place in the code and by region, too") {
  const profile::Profile profile =
      mixed_calls()
          .with([](profile::Profile& all) {
            all.sites.push_back({.module = "/opt/app/poisson", .offset = 0x99, .function = ""});
            all.regions = {{.name = "solve", .entered = 4, .seconds = 8}};
            all.calls[1].site = 1;
            all.calls[1].region = 0;
            all.calls[3].site = std::nullopt;
          })
          .profile();
  const std::vector<SiteCalls> sites = by_site(profile);
  REQUIRE(sites.size() == 4);
  CHECK(sites[1].call == "MPI_Send");
  CHECK(sites[1].site == 1);
  CHECK(sites[1].sums.volume.count == 30);
  CHECK_FALSE(sites[3].site);
  const std::vector<RegionCalls> regions = by_region(profile);
  REQUIRE(regions.size() == 2);
  CHECK_FALSE(regions[0].region);
  CHECK(regions[1].region == 0);
  CHECK(regions[1].sums.seconds == 1);
}

TEST_CASE("the slowest rank is the one of whose time rows tell the most") {
  const auto slow = [](int rank, double seconds) {
    return profile::Calls{.call = "MPI_Recv",
                          .count = 1,
                          .seconds = seconds,
                          .slowest_rank = rank,
                          .slowest_seconds = seconds};
  };
  profile::Profile profile;
  profile.calls = {slow(1, 2), slow(2, 3), slow(1, 2)};
  const CallSums sums = by_function(profile).at(0).sums;
  CHECK(sums.slowest_rank == 1);
  CHECK(sums.slowest_seconds == 4);
}

TEST_CASE("sizes are classes by powers of two") {
  SyntheticProgram program(2);
  for (const std::int64_t bytes : {0, 1, 2, 3, 4, 1023, 1024, 1025}) {
    program.calls("MPI_Send", 1, bytes, 1);
  }
  program.calls("MPI_Bcast", 1, 1024, 1);
  const std::vector<SizeClass> sends = by_size(program.profile(), "MPI_Send");
  std::vector<std::vector<std::int64_t>> found;
  for (const SizeClass& one : sends) {
    found.push_back({one.from_bytes, one.to_bytes, one.volume.count, one.volume.bytes});
  }
  CHECK(found == std::vector<std::vector<std::int64_t>>{{0, 0, 1, 0},
                                                        {1, 1, 1, 1},
                                                        {2, 3, 2, 5},
                                                        {4, 7, 1, 4},
                                                        {512, 1023, 1, 1023},
                                                        {1024, 2047, 2, 2049}});
  // Of all functions, those that carry data.
  const std::vector<SizeClass> all = by_size(program.profile());
  CHECK(all.front().from_bytes == 1);
  CHECK(all.back().volume.count == 3);
}

TEST_CASE("the price is calls x price of their class, in parts of the time of all ranks") {
  const auto with_prices = [](profile::Profile& all) {
    all.price = {.send_seconds = 1e-3,
                 .receive_seconds = 1,
                 .completion_seconds = 1e-2,
                 .other_seconds = 0.1};
  };
  const auto price = recording_price(mixed_calls().with(with_prices).profile());
  REQUIRE(price);
  CHECK(price->seconds == Approx(40 * 1e-3 + 4 * 0.1 + 6 * 1e-2));
  CHECK(price->seconds_per_call == Approx(price->seconds / 50));
  CHECK(*price->fraction == Approx(price->seconds / 40));

  // Ranks made 10 calls more than rows tell of.
  const auto more =
      recording_price(mixed_calls()
                          .with(with_prices)
                          .with([](profile::Profile& all) { all.ranks[0].calls = 60; })
                          .profile());
  CHECK(more->seconds == Approx(price->seconds + 10 * 0.1));
  CHECK_FALSE(recording_price(SyntheticProgram(2).profile()));
}

}  // namespace hockney::applications
