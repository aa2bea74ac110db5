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

#include "components/application/library/spin_lock.hpp"
#include "components/application/profile/event_log.hpp"
#include "components/application/profile/part.hpp"

namespace hockney::profile {

/// Memory of one rank for its records [B]. Takes whole pages from the system, never from the
/// program's allocator. Once the limit is reached, it gives no more.
class Budget {
 public:
  explicit Budget(std::size_t limit) : left_(limit) {}

  [[nodiscard]] std::size_t left() const { return left_.load(std::memory_order_relaxed); }

  /// Zero-filled memory; nullptr once the limit is reached.
  void* take(std::size_t bytes) {
    if (bytes > left()) return nullptr;
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    left_.fetch_sub(bytes, std::memory_order_relaxed);
    return memory;
  }
  void give_back(void* memory, std::size_t bytes) {
    if (memory == nullptr) return;
    munmap(memory, bytes);
    left_.fetch_add(bytes, std::memory_order_relaxed);
  }

 private:
  std::atomic<std::size_t> left_;  ///< threads that unload code take some, too
};

/// Consecutive plain rows that a signal handler may read at any time: a single store publishes each
/// change.
template <class Row>
class RowList {
 public:
  explicit RowList(Budget& budget) : budget_(budget) {}
  RowList(const RowList&) = delete;
  RowList& operator=(const RowList&) = delete;
  ~RowList() { budget_.give_back(rows_, capacity_ * sizeof(Row)); }

  /// nullptr if there is no memory left.
  Row* add(const Row& row) {
    if (size_ == capacity_ && !grow()) return nullptr;
    Row* added = rows_ + size_;
    *added = row;
    std::atomic_signal_fence(std::memory_order_release);
    ++size_;
    return added;
  }
  /// Appends `rows`, then `last`. Appends nothing, and returns false, if there is no memory left.
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

  /// Makes the list `rows` rows long; added rows are zero. False if there is no memory left.
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

/// Hash of a key that consists of whole words.
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

/// Finds elements of a list by a hash of each; at least half of the slots are empty.
class Slots {
 public:
  explicit Slots(Budget& budget) : slots_(budget) {}

  [[nodiscard]] bool empty() const { return slots_.size() == 0; }
  /// Whether there is a slot for one more element after `elements`.
  [[nodiscard]] bool has_room(std::size_t elements) const {
    return 2 * (elements + 1) <= slots_.size();
  }
  /// Doubles the slots and empties them; false, without a change, if there is no memory.
  bool enlarge() {
    const std::size_t size = empty() ? first_slots : 2 * slots_.size();
    if (!slots_.resize(size)) return false;
    std::memset(slots_.rows().data(), 0, size * sizeof(std::uint32_t));
    return true;
  }
  /// The slot of the element with this hash and a true `is_it(index)`. It contains index + 1, or 0
  /// if the element is to be inserted there.
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

/// Rows, found by their key.
template <class Row>
class RowTable {
 public:
  using Key = typename Row::Key;

  explicit RowTable(Budget& budget) : rows_(budget), slots_(budget) {}

  /// The row of a key; adds it if it is new. nullptr if there is no memory left.
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
  /// nullptr if there is no such row.
  Row* find(const Key& key) {
    if (slots_.empty()) return nullptr;
    const std::uint32_t slot = slot_of(key);
    return slot == 0 ? nullptr : &rows_[slot - 1];
  }

  [[nodiscard]] std::span<const Row> rows() const { return rows_.rows(); }
  /// A changed key must be one that no caller searches.
  [[nodiscard]] std::span<Row> rows() { return rows_.rows(); }

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

/// Names of regions, files of code and functions: the letters of a part. Each name is stored once.
/// Threads may add some at the same time.
class Names {
 public:
  explicit Names(Budget& budget);

  /// Offset of a name in the letters; nullopt if there is no memory left for it.
  std::optional<std::uint32_t> add(std::string_view name);
  /// The offset of a name added earlier; nullopt for others.
  std::optional<std::uint32_t> find(std::string_view name);

  [[nodiscard]] std::span<const char> letters() const { return letters_.rows(); }

 private:
  std::uint32_t& slot_of(std::string_view name);
  std::optional<std::uint32_t> known(std::string_view name);
  bool rehash();

  SpinLock lock_;
  RowList<char> letters_;  ///< NUL-terminated names
  Slots slots_;
  std::size_t names_ = 0;
};

/// Regions that the program has named.
class Regions {
 public:
  Regions(Budget& budget, Names& names) : names_(names), rows_(budget), by_name_(budget) {}

  /// Longest name [B]; longer ones are cut between characters.
  static constexpr std::size_t longest_name = 255;

  /// False if there is no memory, or no number, left.
  bool enter(std::string_view name);
  /// Ignores a region that was not entered.
  void leave(std::string_view name);

  /// Index + 1 of the innermost region; 0: outside of all.
  [[nodiscard]] std::uint16_t innermost() const { return inside_.empty() ? 0 : inside_.back(); }
  [[nodiscard]] std::span<const RegionRow> rows() const { return rows_.rows(); }

 private:
  struct ByName {
    struct Key {
      std::uint64_t name = 0;  ///< offset in the letters

      friend bool operator==(const Key&, const Key&) = default;
    };

    Key key;
    std::uint16_t number = 0;  ///< index + 1
  };

  std::uint16_t number_of(std::string_view name);

  Names& names_;
  RowList<RegionRow> rows_;
  RowTable<ByName> by_name_;
  std::vector<std::uint16_t> inside_;  ///< numbers; the innermost is last
};

/// Log of one rank's calls, in order and in bounded memory. When the memory is full, later calls
/// are only counted.
class Log {
 public:
  /// Takes at most `bytes` of the budget; pages never written use no memory.
  Log(Budget& budget, std::size_t bytes, std::int64_t begin_ticks)
      : room_(static_cast<char*>(budget.take(bytes))),
        writer_({room_, room_ == nullptr ? 0 : bytes}, begin_ticks) {}

  /// Starts a new event; all fields but the arguments are reset.
  Event& begin(Function function, std::uint32_t site, std::uint32_t region, std::int64_t begin,
               std::int64_t ticks);
  Event& event() { return event_; }
  /// Writes the event.
  void add();
  /// Merges the event, an unsuccessful test, with consecutive ones from the same place.
  void add_unsuccessful();
  /// Writes the tests that add_unsuccessful() has merged.
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

  char* room_;  // never freed
  EventWriter writer_;
  Event event_;
  Event tests_;  ///< consecutive unsuccessful tests, not written yet; none if the function is
                 ///< Function::count
  std::uint64_t requests_ = 0;
  bool is_closed_ = false;
  std::int64_t events_ = 0;
  std::int64_t not_logged_ = 0;
};

/// A tracked request: a posted receive or a persistent operation. With a log of events, any other
/// operation, too.
struct Pending {
  enum class What : std::uint8_t {
    receive,          ///< one-time; removed on completion
    planned_send,     ///< persistent
    planned_receive,  ///< persistent; a receive once it is started
    planned_other,    ///< persistent: a collective
    other             ///< one-time
  };

  What what = What::receive;
  bool active = true;       ///< the received data count for the call that started it
  CallRow::Key row{};       ///< call that started it
  std::int64_t ticks = 0;   ///< time of that call
  std::int32_t to = -1;     ///< receiver of a planned send, as a world rank
  bool to_no_rank = false;  ///< MPI_PROC_NULL
  std::int64_t bytes = 0;   ///< of a planned send
  // Only for a log of events:
  std::uint64_t number = 0;                 ///< number of the request in the log
  std::uint16_t planned_by = 0;             ///< Function that made a persistent operation
  std::int32_t tag = -1;                    ///< of a planned operation
  std::int32_t root = -1;                   ///< world rank, of a planned collective
  const std::vector<int>* world = nullptr;  ///< Group::world of its communicator

  [[nodiscard]] bool is_receive() const {
    return what == What::receive || (what == What::planned_receive && (active || number != 0));
  }
};

/// Requests by handle. A library may use one handle for several completed requests, so each handle
/// has a list in the order of their creation.
class Requests {
 public:
  explicit Requests(Budget& budget) : nodes_(budget), chains_(budget) {}

  [[nodiscard]] bool empty() const { return size_ == 0; }

  /// False if there is no memory left.
  bool add(MPI_Request request, const Pending& pending);
  /// The oldest request of that handle; nullptr if it is not tracked.
  Pending* find(MPI_Request request);
  /// Removes the oldest request of that handle.
  void remove(MPI_Request request);

 private:
  struct Node {
    std::uint64_t handle = 0;
    std::uint32_t next = 0;  ///< index + 1
    Pending pending{};
  };

  /// Nodes by index + 1; 0: none. `last` makes appending fast: Open MPI uses one handle for
  /// thousands of sends that complete at once.
  struct Chain {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
  };

  Chain& chain_of(std::uint64_t handle);
  bool rehash();
  void append(std::uint32_t node);

  RowList<Node> nodes_;
  RowList<Chain> chains_;
  std::uint32_t free_ = 0;  ///< first unused node
  std::size_t size_ = 0;
};

}  // namespace hockney::profile
