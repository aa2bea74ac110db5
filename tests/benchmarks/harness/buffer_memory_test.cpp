#include "benchmarks/harness/buffer_memory.hpp"

#include <catch2/catch.hpp>

#include "benchmarks/harness/buffer_ring.hpp"
#include "benchmarks/harness/huge_pages.hpp"
#include "benchmarks/harness/memory_facts.hpp"

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

}  // namespace
}  // namespace hockney::benchmarks
