#pragma once

#include <sys/mman.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

namespace hockney::profile {

/// Memory of one rank for what it records [B], taken from the system in whole pages, never from the
/// program's own allocator. Nothing is given once the limit is reached.
class Budget {
 public:
  explicit Budget(std::size_t limit) : left_(limit) {}

  [[nodiscard]] std::size_t left() const { return left_; }

  /// nullptr when the limit is reached; else filled with 0.
  void* take(std::size_t bytes) {
    if (bytes > left_) return nullptr;
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    left_ -= bytes;
    return memory;
  }
  void give_back(void* memory, std::size_t bytes) {
    if (memory == nullptr) return;
    munmap(memory, bytes);
    left_ += bytes;
  }

 private:
  std::size_t left_;
};

/// Plain rows one behind the other, which a signal handler may read at any time: what they are is
/// changed by one store.
template <class Row>
class RowList {
 public:
  explicit RowList(Budget& budget) : budget_(budget) {}
  RowList(const RowList&) = delete;
  RowList& operator=(const RowList&) = delete;
  RowList(RowList&&) = delete;
  RowList& operator=(RowList&&) = delete;
  ~RowList() { budget_.give_back(rows_, capacity_ * sizeof(Row)); }

  /// nullptr when there is no memory left.
  Row* add(const Row& row) {
    if (size_ == capacity_ && !grow()) return nullptr;
    Row* added = rows_ + size_;
    *added = row;
    std::atomic_signal_fence(std::memory_order_release);
    ++size_;
    return added;
  }
  /// All of these and one more behind them; none, and false, when there is no memory left.
  bool append(std::span<const Row> rows, const Row& last) {
    while (capacity_ - size_ <= rows.size()) {
      if (!grow()) return false;
    }
    *std::copy(rows.begin(), rows.end(), rows_ + size_) = last;
    std::atomic_signal_fence(std::memory_order_release);
    size_ += rows.size() + 1;
    return true;
  }
  [[nodiscard]] std::span<Row> rows() { return {rows_, size_}; }
  [[nodiscard]] std::span<const Row> rows() const { return {rows_, size_}; }
  [[nodiscard]] std::size_t size() const { return size_; }
  Row& operator[](std::size_t index) { return rows_[index]; }
  const Row& operator[](std::size_t index) const { return rows_[index]; }

  /// Room for so many rows, 0 in all; false when there is no memory left.
  bool resize(std::size_t rows) {
    while (capacity_ < rows) {
      if (!grow()) return false;
    }
    size_ = rows;
    return true;
  }

 private:
  static constexpr std::size_t first_bytes = 4096;

  bool grow() {
    const std::size_t capacity = capacity_ == 0 ? (first_bytes / sizeof(Row)) + 1 : 2 * capacity_;
    Row* larger = static_cast<Row*>(budget_.take(capacity * sizeof(Row)));
    if (larger == nullptr) return false;
    if (size_ > 0) std::memcpy(static_cast<void*>(larger), rows_, size_ * sizeof(Row));
    Row* smaller = std::exchange(rows_, larger);
    std::atomic_signal_fence(std::memory_order_release);
    budget_.give_back(smaller, capacity_ * sizeof(Row));
    capacity_ = capacity;
    return true;
  }

  Budget& budget_;
  Row* rows_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

/// Mixes the bits of a key of whole words.
template <class Key>
std::uint64_t mixed(const Key& key) {
  static_assert(sizeof(Key) % sizeof(std::uint64_t) == 0);
  std::array<std::uint64_t, sizeof(Key) / sizeof(std::uint64_t)> words{};
  std::memcpy(words.data(), &key, sizeof(Key));
  std::uint64_t hash = 0;
  for (const std::uint64_t word : words) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 32U;
  }
  return hash;
}

/// Finds elements of a list by a hash of each; at least half of its slots are empty.
class Slots {
 public:
  explicit Slots(Budget& budget) : slots_(budget) {}

  [[nodiscard]] bool empty() const { return slots_.size() == 0; }
  /// Whether there is a slot for one more than so many elements.
  [[nodiscard]] bool has_room(std::size_t elements) const {
    return 2 * (elements + 1) <= slots_.size();
  }
  /// Twice as many slots, all of them empty; false, and nothing changes, when there is no memory.
  bool enlarge() {
    const std::size_t size = empty() ? first_slots : 2 * slots_.size();
    if (!slots_.resize(size)) return false;
    std::memset(slots_.rows().data(), 0, size * sizeof(std::uint32_t));
    return true;
  }
  /// The slot of the element with this hash for which `is_it(index)` holds: index + 1, or 0 where
  /// it is to be put.
  template <class IsIt>
  std::uint32_t& of(std::uint64_t hash, IsIt&& is_it) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t place = hash & mask;
    while (slots_[place] != 0 && !is_it(slots_[place] - 1)) place = (place + 1) & mask;
    return slots_[place];
  }

 private:
  static constexpr std::size_t first_slots = 256;

  RowList<std::uint32_t> slots_;
};

/// Rows that are found by their key.
template <class Row>
class RowTable {
 public:
  using Key = typename Row::Key;

  explicit RowTable(Budget& budget) : rows_(budget), slots_(budget) {}

  /// The row of a key, made where there was none; nullptr when there is no memory left.
  Row* find_or_add(const Key& key) {
    if (!slots_.has_room(rows_.size()) && !rehash()) return find(key);
    std::uint32_t& slot = slot_of(key);
    if (slot != 0) return &rows_[slot - 1];
    Row row;
    row.key = key;
    Row* added = rows_.add(row);
    if (added != nullptr) slot = static_cast<std::uint32_t>(rows_.size());
    return added;
  }
  /// nullptr where there is none.
  Row* find(const Key& key) {
    if (slots_.empty()) return nullptr;
    const std::uint32_t slot = slot_of(key);
    return slot == 0 ? nullptr : &rows_[slot - 1];
  }

  [[nodiscard]] std::span<const Row> rows() const { return rows_.rows(); }

 private:
  std::uint32_t& slot_of(const Key& key) {
    return slots_.of(mixed(key), [&](std::uint32_t index) { return rows_[index].key == key; });
  }

  bool rehash() {
    if (!slots_.enlarge()) return false;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      slot_of(rows_[i].key) = static_cast<std::uint32_t>(i + 1);
    }
    return true;
  }

  RowList<Row> rows_;
  Slots slots_;
};

}  // namespace hockney::profile
