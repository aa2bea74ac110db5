#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "benchmarks/harness/placement.hpp"

namespace hockney::benchmarks {
namespace {

const std::string rollup =
    "55e05f2c4000-7ffd2b1f2000 ---p 00000000 00:00 0                          [rollup]\n"
    "Rss:               15408 kB\n"
    "Pss:                6530 kB\n"
    "Pss_Dirty:          1234 kB\n";
const std::string status = "Name:\thockney\nVmRSS:\t   15408 kB\nRssShmem:\t      72 kB\n";

}  // namespace

TEST_CASE("memory is read from what the kernel says") {
  const auto use = parse_memory_use(rollup, status);
  REQUIRE(use);
  CHECK(use->rss_bytes == 15408 * 1024);
  CHECK(use->pss_bytes == 6530 * 1024);
  CHECK(use->shared_bytes == 72 * 1024);
}

TEST_CASE("memory that the kernel does not tell is not known") {
  CHECK_FALSE(parse_memory_use("", status));
  CHECK_FALSE(parse_memory_use(rollup, "Name:\thockney\n"));
  CHECK_FALSE(parse_memory_use("Rss: many kB\nPss: 1 kB\n", status));
}

TEST_CASE("memory that is used shows") {
  const auto before = read_memory_use();
  REQUIRE(before);
  constexpr std::size_t bytes = 64 << 20;
  const std::vector<char> memory(bytes, 1);
  const auto after = read_memory_use();
  REQUIRE(after);
  CHECK(memory.back() == 1);
  CHECK(after->rss_bytes - before->rss_bytes > std::int64_t{bytes} / 2);
}

}  // namespace hockney::benchmarks
