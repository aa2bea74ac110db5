#include "benchmarks/harness/memory_kind.hpp"

#include <catch2/catch.hpp>

#include "core/error.hpp"

namespace hockney::benchmarks {

TEST_CASE("every memory is read as it is written") {
  for (const std::string name :
       {"host", "huge", "numa:0", "numa:12", "numa:near", "numa:far", "cuda", "rocm",
        "cuda-to-host", "host-to-cuda", "numa:0-to-numa:1", "numa:near-to-huge"}) {
    CHECK(memory_name(parse_memory(name)) == name);
  }
  CHECK(memory_name(parse_memory("cuda-to-cuda")) == "cuda");
}

TEST_CASE("what is no memory is refused, with the nearest that is one") {
  for (const std::string name :
       {"", "hots", "cuda-to-", "-to-cuda", "numa", "numa:", "numa:-1", "numa:x", "cuda,host"}) {
    CHECK_THROWS_AS(parse_memory(name), InputError);
  }
  CHECK_THROWS_WITH(parse_memory("cudo"), Catch::Contains("did you mean 'cuda'?"));
}

TEST_CASE("the first side is the first rank of a pair, or the first half of the ranks") {
  const Point pair{.ranks = 2, .parameters = {{memory_parameter, parse_memory("cuda-to-host")}}};
  CHECK(memory_at(pair, 0) == Memory{.kind = MemoryKind::cuda});
  CHECK(memory_at(pair, 1) == Memory{});
  const Point four{.ranks = 4, .parameters = {{memory_parameter, parse_memory("huge-to-numa:3")}}};
  CHECK(memory_at(four, 1).kind == MemoryKind::huge);
  CHECK(memory_at(four, 2) == Memory{.kind = MemoryKind::numa, .node = 3});
  CHECK(memory_at({.ranks = 1, .parameters = {{memory_parameter, parse_memory("huge")}}}, 0).kind ==
        MemoryKind::huge);
  CHECK(memory_at({.ranks = 2}, 1) == Memory{});
}

}  // namespace hockney::benchmarks
