#include "benchmarks/harness/buffers.hpp"

#include <sys/mman.h>

#include <numeric>

#include "core/error.hpp"

namespace hockney {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t places = 4;  // the pool is this many times larger than what one visit needs

std::size_t whole_pages(std::size_t bytes) { return (bytes / page + 1) * page; }

}  // namespace

void Unmap::operator()(std::byte* memory) const { ::munmap(memory, bytes); }

void BufferPool::grow(std::size_t bytes) {
  memory_.reset();
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (memory == MAP_FAILED) {
    throw RunError({"no memory for message buffers", std::to_string(bytes) + " bytes were refused",
                    "measure smaller messages"});
  }
  memory_ = std::unique_ptr<std::byte, Unmap>(static_cast<std::byte*>(memory), Unmap{bytes});
  capacity_ = bytes;
}

std::vector<std::span<std::byte>> BufferPool::draw(const std::vector<std::size_t>& sizes) {
  const std::size_t total =
      std::accumulate(sizes.begin(), sizes.end(), std::size_t{0},
                      [](std::size_t sum, std::size_t bytes) { return sum + whole_pages(bytes); });
  if (total * places > capacity_) grow(total * places);
  const std::size_t choices = (capacity_ - total) / page + 1;
  std::byte* next = memory_.get() + (draw_() % choices) * page;
  std::vector<std::span<std::byte>> buffers;
  for (const std::size_t bytes : sizes) {
    buffers.emplace_back(next, bytes);
    next += whole_pages(bytes);
  }
  return buffers;
}

}  // namespace hockney
