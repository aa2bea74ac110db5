#include "benchmarks/harness/block_buffer.hpp"

#include <algorithm>
#include <utility>

#include "benchmarks/harness/pattern.hpp"

namespace hockney {

BlockBuffer::BlockBuffer(const Context& context, const Datatype& type, Division blocks,
                         std::vector<int> identities, int room)
    : type_(&type),
      blocks_(std::move(blocks)),
      identities_(std::move(identities)),
      memory_(context.buffers.draw({static_cast<std::size_t>(room) * type.extent}).front()) {}

std::span<std::byte> BlockBuffer::block(std::size_t index) const {
  const auto begin = static_cast<std::size_t>(blocks_.displacements[index]) * type_->extent;
  const auto bytes = static_cast<std::size_t>(blocks_.counts[index]) * type_->extent;
  return memory_.bytes().subspan(begin, bytes);
}

void BlockBuffer::fill(std::uint64_t seed) {
  for (std::size_t i = 0; i < identities_.size(); ++i) fill_block(i, seed);
}

void BlockBuffer::fill_block(std::size_t index, std::uint64_t seed) {
  if (identities_[index] == nobody) return;
  fill_pattern(block(index), pattern_seed(seed, identities_[index]));
}

void BlockBuffer::spoil(std::uint64_t seed) {
  if (memory_.to_spoil().empty()) return;
  for (std::size_t i = 0; i < identities_.size(); ++i) {
    if (identities_[i] == nobody) continue;
    fill_wrong_pattern(block(i), pattern_seed(seed, identities_[i]));
  }
}

bool BlockBuffer::holds(std::uint64_t seed) const {
  for (std::size_t i = 0; i < identities_.size(); ++i) {
    const bool is_somebody = identities_[i] != nobody;
    if (is_somebody && !holds_message(block(i), *type_, pattern_seed(seed, identities_[i]))) {
      return false;
    }
  }
  return true;
}

void BlockBuffer::copy(const BlockBuffer& other) {
  std::ranges::copy(other.memory_.bytes(), memory_.data());
}

Division blocks_of(const Point& point, int ranks) {
  const std::int64_t mean = message_of(point).count;
  return divide(mean * ranks, ranks, distribution_of(point));
}

std::vector<int> identities(int count, int first, int step) {
  std::vector<int> all;
  all.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) all.push_back(first + i * step);
  return all;
}

BlockBuffer own_block(const Context& context, const Point& point) {
  const Division blocks = blocks_of(point, context.size);
  const int count = blocks.counts[static_cast<std::size_t>(context.rank)];
  return {context, *message_of(point).type, divide(count, 1), {context.rank}, blocks.largest()};
}

BlockBuffer all_blocks(const Context& context, const Point& point) {
  const Division blocks = blocks_of(point, context.size);
  return {context, *message_of(point).type, blocks, identities(context.size), blocks.total()};
}

}  // namespace hockney
