#include "benchmarks/harness/chunk_channel.hpp"

#include <algorithm>

namespace hockney {
namespace {

constexpr std::size_t line = 64;
constexpr std::uint64_t slots = 8;
constexpr std::size_t chunks_wanted = 4;
constexpr std::size_t smallest_chunk = 1 << 10;
constexpr std::size_t largest_chunk = 16 << 10;

constexpr std::size_t whole_lines(std::size_t bytes) { return (bytes + line - 1) / line * line; }

std::size_t chunk_of(std::size_t message) {
  return std::clamp(whole_lines(message / chunks_wanted), smallest_chunk, largest_chunk);
}

/// The handoff of a slot, its data and a line between it and the next one.
std::size_t slot_of(std::size_t message) { return line + chunk_of(message) + line; }

}  // namespace

std::size_t ChunkChannel::bytes_for(std::size_t message_bytes) {
  return line + slots * slot_of(message_bytes);
}

ChunkChannel::ChunkChannel(std::byte* memory, std::size_t message_bytes)
    : slots_(memory + line),
      drained_(reinterpret_cast<Handoff*>(memory)),
      message_bytes_(message_bytes),
      chunk_bytes_(chunk_of(message_bytes)) {}

ChunkChannel::Chunk ChunkChannel::chunk(std::uint64_t number) const {
  std::byte* slot = slots_ + (number % slots) * slot_of(message_bytes_);
  const bool fits_beside = message_bytes_ + sizeof(Handoff) <= line;
  return {reinterpret_cast<Handoff*>(slot), slot + (fits_beside ? sizeof(Handoff) : line)};
}

void ChunkChannel::send(const std::byte* data) {
  std::size_t at = 0;
  do {
    const std::size_t bytes = std::min(chunk_bytes_, message_bytes_ - at);
    const Chunk next = chunk(++number_);
    // Looked at only when it must be: the line is the receiver's.
    if (number_ > seen_drained_ + slots) seen_drained_ = drained_->wait_for(number_ - slots);
    std::copy_n(data + at, bytes, next.data);
    next.filled->raise_to(number_);
    at += bytes;
  } while (at < message_bytes_);
}

void ChunkChannel::receive(std::byte* data) {
  std::size_t at = 0;
  do {
    const std::size_t bytes = std::min(chunk_bytes_, message_bytes_ - at);
    const Chunk next = chunk(++number_);
    next.filled->wait_for(number_);
    std::copy_n(next.data, bytes, data + at);
    drained_->raise_to(number_);
    at += bytes;
  } while (at < message_bytes_);
}

}  // namespace hockney
