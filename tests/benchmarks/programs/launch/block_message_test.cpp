#include "benchmarks/programs/launch/block_message.hpp"

#include <catch2/catch.hpp>

#include "core/error.hpp"
#include "core/record.hpp"

namespace hockney::benchmarks::programs {

TEST_CASE("a measurement block arrives as it was sent") {
  const MeasurementBlock whole{.point = 3,
                               .batch = 7,
                               .samples_seconds = {1e-6, 2e-6},
                               .started_seconds = 0.25,
                               .skew_seconds = 0.0,
                               .locals_seconds = {3e-6, 4e-6, 5e-6},
                               .late_starts = 2,
                               .noise_probe_seconds = 5e-6,
                               .page_faults = 33.5,
                               .transport = Transport{.messages = 10,
                                                      .payload_bytes = 20,
                                                      .copy_calls = 3,
                                                      .copied_bytes = 4'000'000'000'000,
                                                      .tcp_bytes = 5,
                                                      .shares_memory = true,
                                                      .devices = {"knem", "nvidia", "cma"}},
                               .deliveries_checked = 151,
                               .is_check = true,
                               .flags = {std::string(corrupt_flag), "oversubscribed"}};
  CHECK(unpack_block(3, pack(whole)) == whole);
  const MeasurementBlock bare{.point = 1, .batch = 1, .samples_seconds = {}};
  CHECK(unpack_block(1, pack(bare)) == bare);
}

TEST_CASE("a block that lost its end on the way, or is none, is an error of the run") {
  const std::vector<std::byte> whole = pack({.samples_seconds = {1, 2, 3}});
  for (const std::size_t length : {std::size_t{0}, std::size_t{8}, whole.size() - 1}) {
    const std::vector<std::byte> cut(whole.begin(),
                                     whole.begin() + static_cast<std::ptrdiff_t>(length));
    CHECK_THROWS_AS(unpack_block(0, cut), RunError);
  }
}

}  // namespace hockney::benchmarks::programs
