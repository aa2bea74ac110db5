#include "components/application/library/stack_table.hpp"

#include <algorithm>
#include <bit>

namespace hockney::profile {
namespace {

/// Slots that are searched for a stack. Fuller tables lose samples instead of time.
constexpr std::size_t most_probes = 32;

std::uint64_t hash_of(std::span<const std::uint64_t> frames, std::uint16_t function) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U;
  std::uint64_t hash = (function + 1U) * odd;
  for (const std::uint64_t frame : frames) {
    hash = (hash ^ frame) * odd;
    hash ^= hash >> 32U;
  }
  return hash == 0 ? 1 : hash;  // 0 is a free slot
}

}  // namespace

StackTable::StackTable(Budget& budget) : budget_(budget) {
  constexpr std::size_t part = 16;  // of the memory
  constexpr std::size_t most_slots = 1U << 16U;
  constexpr std::size_t frames_of_slot = 8;
  constexpr std::size_t bytes_of_slot = sizeof(StackRow) + frames_of_slot * sizeof(*frames_);
  const std::size_t slots =
      std::bit_floor(std::clamp<std::size_t>(budget.left() / part / bytes_of_slot, 1, most_slots));
  slots_ = static_cast<StackRow*>(budget.take(slots * sizeof(StackRow)));
  frames_ = static_cast<std::uint64_t*>(budget.take(slots * frames_of_slot * sizeof(*frames_)));
  if (slots_ != nullptr) slot_count_ = slots;
  if (frames_ != nullptr) frame_count_ = slots * frames_of_slot;
}

StackTable::~StackTable() {
  budget_.give_back(slots_, slot_count_ * sizeof(StackRow));
  budget_.give_back(frames_, frame_count_ * sizeof(*frames_));
}

StackRow* StackTable::find_or_claim(std::uint64_t hash, bool& is_new) {
  for (std::size_t i = 0; i < std::min(most_probes, slot_count_); ++i) {
    StackRow& row = slots_[(hash + i) & (slot_count_ - 1)];
    std::uint64_t found = 0;
    is_new = std::atomic_ref(row.hash).compare_exchange_strong(found, hash);
    if (is_new || found == hash) return &row;
  }
  return nullptr;
}

void StackTable::add(std::span<const std::uint64_t> frames, std::uint16_t function,
                     std::int64_t count) {
  bool is_new = false;
  StackRow* const row = find_or_claim(hash_of(frames, function), is_new);
  if (row == nullptr) {
    lost_.fetch_add(count, std::memory_order_relaxed);
    return;
  }
  std::atomic_ref(row->count).fetch_add(count, std::memory_order_relaxed);
  if (!is_new) return;
  row->function = function;
  const std::size_t first = frames_used_.fetch_add(frames.size(), std::memory_order_relaxed);
  if (first + frames.size() > frame_count_) return;
  std::copy(frames.begin(), frames.end(), frames_ + first);
  row->first = static_cast<std::uint32_t>(first);
  // A part that is written meanwhile has the row without frames or with all of them.
  std::atomic_ref(row->frames)
      .store(static_cast<std::uint16_t>(frames.size()), std::memory_order_release);
}

bool StackTable::retire(const AddressRange& code, std::uint64_t shift) {
  bool has_any = false;
  for (StackRow& row : std::span(slots_, slot_count_)) {
    const std::size_t size = std::atomic_ref(row.frames).load(std::memory_order_acquire);
    bool is_changed = false;
    for (std::uint64_t& frame : std::span(frames_ + row.first, size)) {
      if (!code.has(frame)) continue;
      std::atomic_ref(frame).store(frame + shift, std::memory_order_relaxed);
      is_changed = true;
    }
    // No stack has this hash again, but for one in 2^64.
    if (is_changed) std::atomic_ref(row.hash).fetch_xor(shift | 1U, std::memory_order_relaxed);
    has_any = has_any || is_changed;
  }
  return has_any;
}

void StackTable::close() {
  StackRow* const end = slots_ + slot_count_;
  used_ = static_cast<std::size_t>(
      std::remove_if(slots_, end, [](const StackRow& row) { return row.hash == 0; }) - slots_);
}

std::span<const std::uint64_t> StackTable::frames() const {
  return {frames_, used_ == 0 ? 0 : std::min(frames_used_.load(), frame_count_)};
}

}  // namespace hockney::profile
