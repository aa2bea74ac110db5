#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

#include "benchmarks/harness/buffer_memory.hpp"
#include "benchmarks/harness/buffer_ring.hpp"
#include "benchmarks/harness/memory_facts.hpp"
#include "core/error.hpp"
#include "tests/benchmarks/harness/residency.hpp"

namespace hockney::benchmarks {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

// As Linux 6.1 writes it; two mappings, the first of 4 MiB with one huge page.
const std::string small_pages =
    "7f0000000000-7f0000400000 rw-p 00000000 00:00 0 \n"
    "Size:               4096 kB\n"
    "KernelPageSize:        4 kB\n"
    "AnonHugePages:      2048 kB\n"
    "VmFlags: rd wr mr mw me ac sd \n"
    "7f0000400000-7f0000800000 rw-p 00000000 00:00 0                    [anon: a-b]\n"
    "KernelPageSize:        4 kB\n"
    "AnonHugePages:      4096 kB\n";

TEST_CASE("of a mapping that is in huge pages, all parts are") {
  CHECK(huge_bytes(small_pages, 0x7f0000400000, 4 * mebibyte).transparent == 4 * mebibyte);
  CHECK(huge_bytes(small_pages, 0x7f0000600000, mebibyte).transparent == mebibyte);
  CHECK(huge_bytes(small_pages, 0x7f0000800000, mebibyte) == HugeBytes{});
}

TEST_CASE("of a mapping that is partly in huge pages, no more is claimed than must be") {
  // 2 MiB of the 4 are small: all of them may be in this part.
  CHECK(huge_bytes(small_pages, 0x7f0000000000, 2 * mebibyte).transparent == 0);
  CHECK(huge_bytes(small_pages, 0x7f0000000000, 3 * mebibyte).transparent == mebibyte);
  CHECK(huge_bytes(small_pages, 0x7f0000000000, 8 * mebibyte).transparent == 6 * mebibyte);
}

TEST_CASE("reserved huge pages are told by the size of a page") {
  const std::string reserved =
      "7f0000000000-7f0000400000 rw-p 00000000 00:0f 1 /anon_hugepage (deleted)\n"
      "KernelPageSize:     2048 kB\n"
      "AnonHugePages:         0 kB\n"
      "Private_Hugetlb:    4096 kB\n";
  CHECK(huge_bytes(reserved, 0x7f0000000000, mebibyte) ==
        HugeBytes{.reserved = mebibyte, .transparent = 0, .page = 2 * mebibyte});
}

TEST_CASE("memory asked of a kind is that kind, or says that it is not") {
  for (const std::string name : {"huge", "numa:0", "numa:near"}) {
    const Memory memory = parse_memory(name).first;
    const std::string reason = try_memory(memory, 0);
    INFO(name << ": " << reason);
    if (!reason.empty()) continue;  // a kernel without huge pages, or a container that binds none
    const BufferMemory taken(memory, 3 * mebibyte, 0);
    CHECK(taken.evidence().is_proven);
    CHECK_FALSE(taken.evidence().text.empty());
    CHECK(taken.data() == taken.image());
    CHECK(taken.runtime() == nullptr);
    if (name == "huge") {
      const HugeBytes huge = huge_bytes_of(taken.data(), 3 * mebibyte);
      CHECK(huge.reserved + huge.transparent >= 3 * mebibyte);
    }
  }
}

TEST_CASE("ordinary memory is not taken for huge pages") {
  const MappedMemory memory = map_memory(3 * mebibyte, Pages::on_touch);
  for (std::size_t at = 0; at < 3 * mebibyte; at += page_bytes) memory.get()[at] = std::byte{1};
  const HugeBytes huge = huge_bytes_of(memory.get(), 3 * mebibyte);
  CHECK(huge.reserved + huge.transparent < 3 * mebibyte);
}

TEST_CASE("a NUMA node that is not there is refused by name") {
  const std::string reason = try_memory({.kind = MemoryKind::numa, .node = 4000}, 0);
  CHECK_THAT(reason, Catch::StartsWith("there is no NUMA node 4000 (there are: "));
}

TEST_CASE("a pool has memory of its own for each kind, and says what it was") {
  BufferPool pool(1);
  const Memory near = parse_memory("numa:near").first;
  if (!try_memory(near, 0).empty()) return;
  const DrawnMemory host = pool.draw(100);
  const DrawnMemory bound = pool.draw(100, near);
  CHECK(host.memory != bound.memory);
  CHECK(pool.is_proven(near));
  REQUIRE(pool.evidence().size() == 1);
  CHECK(pool.evidence().begin()->first == near);
  pool.draw(100'000, near);
  CHECK(pool.evidence().at(near).size() == 1);  // found to be the same again
}

TEST_CASE("ranks with the same evidence are told together, and those that share a device") {
  const std::vector<Site> sites{{.rank = 0, .host = "a", .node = 0},
                                {.rank = 1, .host = "a", .node = 0},
                                {.rank = 2, .host = "b", .node = 1}};
  const std::string device = "cuda\t1\t0000:01:00.0\tdevice 0 of 1";
  const auto uses = merge_evidence({device, device + "\nhuge\t0\t\t1M of 4M", device}, sites);
  REQUIRE(uses.size() == 3);
  CHECK(uses[0].evidence == "device 0 of 1, shared by 2 ranks");
  CHECK(uses[0].ranks == std::vector<int>{0, 1});
  CHECK(uses[1].memory == "huge");
  CHECK_FALSE(uses[1].is_proven);
  CHECK(uses[2].ranks == std::vector<int>{2});
  CHECK(shares_device(uses));
  CHECK_FALSE(shares_device(merge_evidence({device, "", device}, sites)));
}

std::uintptr_t address(const DrawnMemory& buffer) {
  return reinterpret_cast<std::uintptr_t>(buffer.data());
}

TEST_CASE("buffers are page-aligned and writable") {
  BufferPool pool(1);
  for (const std::size_t bytes : std::vector<std::size_t>{1, 4096, 5000, 1 << 20}) {
    for (int visit = 0; visit < 50; ++visit) {
      const auto buffer = pool.draw(bytes);
      CHECK(buffer.size() == bytes);
      CHECK(address(buffer) % 4096 == 0);
      std::memset(buffer.data(), visit, bytes);
    }
  }
}

TEST_CASE("visits get different places, and the same ones from the same seed") {
  BufferPool pool(5);
  BufferPool twin(5);
  std::set<std::uintptr_t> offsets;
  const std::uintptr_t base = address(pool.draw(100'000));
  const std::uintptr_t twin_base = address(twin.draw(100'000));
  for (int visit = 0; visit < 50; ++visit) {
    const std::uintptr_t offset = address(pool.draw(100'000)) - base;
    CHECK(offset == address(twin.draw(100'000)) - twin_base);
    offsets.insert(offset);
  }
  CHECK(offsets.size() > 10);
}

TEST_CASE("rings have memory of their own, a little more than the largest one") {
  BufferPool pool(5);
  constexpr std::size_t large = std::size_t{8} << 20;
  const std::uintptr_t first = address(pool.draw_ring(large));
  std::set<std::uintptr_t> starts{first};
  for (int visit = 0; visit < 50; ++visit) {
    const std::uintptr_t next = address(pool.draw_ring(large));
    CHECK((next > first ? next - first : first - next) <= std::size_t{256} * 4096);
    starts.insert(next);
  }
  CHECK(starts.size() > 10);
  const std::uintptr_t small = address(pool.draw(100));
  // Beside every place of the ring; its mapping and the other one may touch.
  CHECK((small + 100 <= *starts.begin() || small >= *starts.rbegin() + large));
}

TEST_CASE("pages come into being at once, or one by one") {
  const MappedMemory now = map_memory(64 * page_bytes, Pages::touched_now);
  CHECK(resident_pages({now.get(), 64 * page_bytes}) == 64);
  const MappedMemory later = map_memory(64 * page_bytes, Pages::on_touch);
  CHECK(resident_pages({later.get(), 64 * page_bytes}) == 0);
  later.get()[5 * page_bytes] = std::byte{1};
  CHECK(resident_pages({later.get(), 64 * page_bytes}) == 1);
}

TEST_CASE("memory that nobody has is an error in one line") {
  CHECK_THROWS_AS(map_memory(std::size_t{1} << 60, Pages::on_touch), RunError);
}

}  // namespace

TEST_CASE("every memory is read as it is written") {
  for (const std::string name :
       {"host", "huge", "numa:0", "numa:12", "numa:near", "numa:far", "cuda", "rocm",
        "cuda-to-host", "host-to-cuda", "numa:0-to-numa:1", "numa:near-to-huge", "cuda-managed",
        "rocm-pinned", "cuda-managed-to-cuda", "host-to-cuda-pinned"}) {
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
