#include "benchmarks/harness/huge_pages.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "benchmarks/harness/buffer_ring.hpp"
#include "core/error.hpp"

namespace hockney::benchmarks {
namespace {

constexpr std::size_t smaps_unit = 1024;  // "kB" [B]

/// One mapping of /proc/self/smaps.
struct Mapping {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  std::size_t page = 0;         ///< of one of its pages [B]
  std::size_t transparent = 0;  ///< of it, in transparent huge pages [B]
};

/// Adds what this mapping says of memory from `begin` to `end`.
void add(HugeBytes& sum, const Mapping& mapping, std::uintptr_t begin, std::uintptr_t end) {
  const std::uintptr_t first = std::max(begin, mapping.begin);
  const std::uintptr_t last = std::min(end, mapping.end);
  if (first >= last) return;
  const std::size_t held = last - first;
  if (mapping.page > page_bytes) {
    sum.reserved += held;
    sum.page = mapping.page;
    return;
  }
  const std::size_t small = mapping.end - mapping.begin - mapping.transparent;
  sum.transparent += held - std::min(held, small);
}

/// "7f00-7f20 rw-p ..." begins a mapping; all other lines have a colon behind their first word.
bool begins_mapping(const std::string& line) {
  const std::size_t end_of_word = line.find_first_of(" :");
  return line.substr(0, end_of_word).find('-') != std::string::npos;
}

void* map_reserved(std::size_t bytes) {
  return ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | MAP_POPULATE, -1, 0);
}

/// Begins at a huge page; what was mapped before and behind it is given back.
MappedMemory map_aligned(std::size_t bytes) {
  MappedMemory room = map_memory(bytes + huge_page_bytes, Pages::huge_on_touch);
  std::byte* const mapped = room.release();
  const std::size_t past = reinterpret_cast<std::uintptr_t>(mapped) % huge_page_bytes;
  const std::size_t before = past == 0 ? 0 : huge_page_bytes - past;
  if (before > 0) ::munmap(mapped, before);
  ::munmap(mapped + before + bytes, huge_page_bytes - before);
  return {mapped + before, Unmap{bytes}};
}

}  // namespace

HugeBytes huge_bytes(const std::string& smaps, std::uintptr_t begin, std::size_t bytes) {
  HugeBytes sum;
  Mapping mapping;
  std::istringstream lines(smaps);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    if (begins_mapping(line)) {
      add(sum, mapping, begin, begin + bytes);
      mapping = {};
      char dash = '-';
      words >> std::hex >> mapping.begin >> dash >> mapping.end;
      continue;
    }
    std::string key;
    std::size_t kibibytes = 0;
    if (!(words >> key >> kibibytes)) continue;
    if (key == "KernelPageSize:") mapping.page = kibibytes * smaps_unit;
    if (key == "AnonHugePages:") mapping.transparent = kibibytes * smaps_unit;
  }
  add(sum, mapping, begin, begin + bytes);
  return sum;
}

MappedMemory map_huge_memory(std::size_t bytes) {
  const std::size_t whole = (bytes + huge_page_bytes - 1) / huge_page_bytes * huge_page_bytes;
  void* const reserved = map_reserved(whole);
  if (reserved != MAP_FAILED) return {static_cast<std::byte*>(reserved), Unmap{whole}};
  MappedMemory memory = map_aligned(whole);
  ::madvise(memory.get(), whole, MADV_HUGEPAGE);  // what became of it is read back
  for (std::size_t at = 0; at < whole; at += page_bytes) memory.get()[at] = std::byte{0};
  return memory;
}

HugeBytes huge_bytes_of(const void* memory, std::size_t bytes) {
  std::ostringstream text;
  text << std::ifstream("/proc/self/smaps").rdbuf();
  return huge_bytes(text.str(), reinterpret_cast<std::uintptr_t>(memory), bytes);
}

}  // namespace hockney::benchmarks
