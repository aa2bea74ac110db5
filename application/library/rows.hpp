#pragma once

#include <mpi.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "application/profile/event_log.hpp"
#include "application/profile/part.hpp"

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

/// Names of regions, files of code and functions, each once and whole: the letters of a part.
class Names {
 public:
  explicit Names(Budget& budget);

  /// Where a name begins among the letters; nullopt when there is no memory left for it.
  std::optional<std::uint32_t> add(std::string_view name);
  /// The same of a name that is there; nullopt for others.
  std::optional<std::uint32_t> find(std::string_view name);

  [[nodiscard]] std::span<const char> letters() const { return letters_.rows(); }

 private:
  std::uint32_t& slot_of(std::string_view name);
  bool rehash();

  RowList<char> letters_;  ///< each name ends with NUL
  Slots slots_;
  std::size_t names_ = 0;
};

/// The parts of the program that it names itself.
class Regions {
 public:
  Regions(Budget& budget, Names& names) : names_(names), rows_(budget), by_name_(budget) {}

  /// Of a name [B]; longer ones are cut at a character.
  static constexpr std::size_t longest_name = 255;

  /// False when there is no memory, or no number, left for one more.
  bool enter(std::string_view name);
  /// Nothing where it was not entered.
  void leave(std::string_view name);

  /// Index + 1 of the innermost one, 0 outside of all.
  [[nodiscard]] std::uint16_t innermost() const { return inside_.empty() ? 0 : inside_.back(); }
  [[nodiscard]] std::span<const RegionRow> rows() const { return rows_.rows(); }

 private:
  struct ByName {
    struct Key {
      std::uint64_t name = 0;  ///< where it begins among the letters

      friend bool operator==(const Key&, const Key&) = default;
    };

    Key key;
    std::uint16_t number = 0;  ///< index + 1
  };

  std::uint16_t number_of(std::string_view name);

  Names& names_;
  RowList<RegionRow> rows_;
  RowTable<ByName> by_name_;
  std::vector<std::uint16_t> inside_;  ///< numbers, the innermost at the back
};

/// The calls of one rank in their order, in bounded memory: when that is full, later calls are
/// counted and left out.
class Log {
 public:
  /// Takes at most so much of the budget [B]; pages that it never writes cost nothing.
  Log(Budget& budget, std::size_t bytes, std::int64_t begin_ticks)
      : room_(static_cast<char*>(budget.take(bytes))),
        writer_({room_, room_ == nullptr ? 0 : bytes}, begin_ticks) {}

  /// The event that is being made, empty but for these.
  Event& begin(Function function, std::uint32_t site, std::uint32_t region, std::int64_t begin,
               std::int64_t ticks);
  Event& event() { return event_; }
  /// Writes it.
  void add();
  /// Writes it as a test without success, together with those in a row from the same place.
  void add_unsuccessful();
  /// Writes what add_unsuccessful holds back.
  void flush();
  /// Events are only counted from now on.
  void close() { is_closed_ = true; }

  /// Numbers requests from 1.
  std::uint64_t number_request() { return ++requests_; }

  [[nodiscard]] std::span<const char> bytes() const { return writer_.bytes(); }
  [[nodiscard]] std::int64_t events() const { return events_; }
  [[nodiscard]] std::int64_t not_logged() const { return not_logged_; }

 private:
  void write(const Event& event);

  char* room_;  // as long as the process
  EventWriter writer_;
  Event event_;
  Event tests_;  ///< in a row, not written yet; none while its function is Function::count
  std::uint64_t requests_ = 0;
  bool is_closed_ = false;
  std::int64_t events_ = 0;
  std::int64_t not_logged_ = 0;
};

/// What is known of a request: a receive under way, or a persistent operation; for a log of events,
/// any other operation.
struct Pending {
  enum class What : std::uint8_t {
    receive,          ///< once; gone when it is complete
    planned_send,     ///< persistent
    planned_receive,  ///< persistent; a receive when it was started
    planned_other,    ///< persistent; a collective
    other             ///< once
  };

  What what = What::receive;
  bool active = true;      ///< what comes is counted for the call that started it
  CallRow::Key row{};      ///< of the call that started it
  std::int64_t ticks = 0;  ///< of that call
  std::int32_t to = -1;    ///< world rank that a planned send goes to
  bool to_nobody = false;  ///< MPI_PROC_NULL
  std::int64_t bytes = 0;  ///< of a planned send
  // What only a log of events needs:
  std::uint64_t number = 0;                 ///< of the request in it
  std::uint16_t planned_by = 0;             ///< Function that made a persistent operation
  std::int32_t tag = -1;                    ///< of a planned operation
  std::int32_t root = -1;                   ///< world rank, of a planned collective
  const std::vector<int>* world = nullptr;  ///< Group::world of its communicator

  [[nodiscard]] bool is_receive() const {
    return what == What::receive || (what == What::planned_receive && (active || number != 0));
  }
};

/// Requests by their handle. A library may give one handle to several (those that are complete), so
/// each handle has its requests in the order in which they were made.
class Requests {
 public:
  explicit Requests(Budget& budget) : nodes_(budget), chains_(budget) {}

  [[nodiscard]] bool empty() const { return size_ == 0; }

  /// False when there is no memory left.
  bool add(MPI_Request request, const Pending& pending);
  /// The oldest of that handle, nullptr where nothing is known of it.
  Pending* find(MPI_Request request);
  /// Forgets the oldest of that handle.
  void remove(MPI_Request request);

 private:
  struct Node {
    std::uint64_t handle = 0;
    std::uint32_t next = 0;  ///< index + 1
    Pending pending{};
  };

  /// Nodes, by index + 1; 0 where there are none. The last one is kept since thousands of sends
  /// that Open MPI completes at once have one handle.
  struct Chain {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
  };

  Chain& chain_of(std::uint64_t handle);
  bool rehash();
  void append(std::uint32_t node);

  RowList<Node> nodes_;
  RowList<Chain> chains_;
  std::uint32_t free_ = 0;  ///< of nodes that are not in use
  std::size_t size_ = 0;
};

}  // namespace hockney::profile
