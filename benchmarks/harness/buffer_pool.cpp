#include "benchmarks/harness/buffer_pool.hpp"

#include <algorithm>
#include <array>

#include "benchmarks/harness/buffer_ring.hpp"

namespace hockney::benchmarks {
namespace {

constexpr std::size_t ring_choices = 256;  // pages at which a ring can begin

std::size_t whole_pages(std::size_t bytes) {
  return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

}  // namespace

DrawnMemory BufferPool::draw(Room& room, std::size_t bytes, std::size_t least,
                             const Memory& memory) {
  if (least > room.capacity) {
    room.memory = {};
    room.memory = BufferMemory(memory, least, local_rank_);
    room.capacity = least;
    note(memory, room.memory.evidence());
  }
  const std::size_t choices = (room.capacity - whole_pages(bytes)) / page_bytes + 1;
  return {.memory = &room.memory, .at = (draw_() % choices) * page_bytes, .bytes = bytes};
}

DrawnMemory BufferPool::draw(std::size_t bytes, const Memory& memory) {
  return draw(small_[memory], bytes, whole_pages(bytes) * pool_places, memory);
}

DrawnMemory BufferPool::draw_ring(std::size_t bytes, const Memory& memory) {
  return draw(rings_[memory], bytes, whole_pages(bytes) + ring_choices * page_bytes, memory);
}

std::span<std::byte> BufferPool::keep(std::size_t bytes) {
  const std::size_t wanted = whole_pages(std::max<std::size_t>(1, bytes));
  if (kept_.get_deleter().bytes < wanted) {
    kept_.reset();
    kept_ = map_memory(wanted, Pages::touched_now);
  }
  return {kept_.get(), bytes};
}

bool BufferPool::is_proven(const Memory& memory) const {
  return std::ranges::all_of(std::array{&small_, &rings_}, [&](const auto* rooms) {
    const auto room = rooms->find(memory);
    return room == rooms->end() || room->second.memory.evidence().is_proven;
  });
}

void BufferPool::note(const Memory& memory, const MemoryEvidence& found) {
  if (memory.kind == MemoryKind::host) return;
  std::vector<MemoryEvidence>& all = evidence_[memory];
  const auto is_known = [&](const MemoryEvidence& known) { return known.text == found.text; };
  if (std::ranges::none_of(all, is_known)) all.push_back(found);
}

}  // namespace hockney::benchmarks
