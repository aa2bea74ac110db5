#include "benchmarks/harness/buffers.hpp"

#include <sys/mman.h>

#include <string>

#include "benchmarks/harness/layout.hpp"
#include "core/error.hpp"

namespace hockney {
namespace {

constexpr std::size_t ring_choices = 256;  // pages at which a ring can begin

std::size_t whole_pages(std::size_t bytes) {
  return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

}  // namespace

void Unmap::operator()(std::byte* memory) const { ::munmap(memory, bytes); }

MappedMemory map_memory(std::size_t bytes, Pages pages) {
  const int populate = pages == Pages::touched_now ? MAP_POPULATE : 0;
  void* memory =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | populate, -1, 0);
  if (memory == MAP_FAILED) {
    throw RunError({"no memory for message buffers", std::to_string(bytes) + " bytes were refused",
                    "measure smaller messages"});
  }
  MappedMemory mapped(static_cast<std::byte*>(memory), Unmap{bytes});
  // A kernel without huge pages refuses the advice, which it does not need then.
  if (pages == Pages::on_touch) ::madvise(memory, bytes, MADV_NOHUGEPAGE);
  return mapped;
}

std::span<std::byte> BufferPool::draw(Room& room, std::size_t bytes, std::size_t least) {
  if (least > room.capacity) {
    room.memory.reset();
    room.memory = map_memory(least, Pages::touched_now);
    room.capacity = least;
  }
  const std::size_t choices = (room.capacity - whole_pages(bytes)) / page_bytes + 1;
  return {room.memory.get() + (draw_() % choices) * page_bytes, bytes};
}

std::span<std::byte> BufferPool::draw(std::size_t bytes) {
  return draw(small_, bytes, whole_pages(bytes) * pool_places);
}

std::span<std::byte> BufferPool::draw_ring(std::size_t bytes) {
  return draw(rings_, bytes, whole_pages(bytes) + ring_choices * page_bytes);
}

}  // namespace hockney
