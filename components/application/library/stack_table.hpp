#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "components/application/library/rows.hpp"
#include "components/application/library/stack_walk.hpp"
#include "components/application/profile/part.hpp"

namespace hockney::profile {

/// Counts of distinct stacks, in memory that is taken once. Signal handlers of all threads add to
/// it at the same time: it has no locks and does not allocate.
class StackTable {
 public:
  /// Takes a sixteenth of the memory that is left. Without memory every sample is lost.
  explicit StackTable(Budget& budget);
  StackTable(const StackTable&) = delete;
  StackTable& operator=(const StackTable&) = delete;
  ~StackTable();

  /// Adds samples of one stack. `function`: of StackRow. If the memory for frames is full, keeps
  /// the count without frames.
  void add(std::span<const std::uint64_t> frames, std::uint16_t function, std::int64_t count);

  /// Code of these addresses is gone: adds `shift` to them in all rows. Later samples of these
  /// addresses have rows of their own. False if no row has one.
  bool retire(const AddressRange& code, std::uint64_t shift);

  /// Moves the rows in use to the front of the table. Call once, when no thread adds any more. Safe
  /// in signal handlers.
  void close();

  /// The rows; call close() first.
  [[nodiscard]] std::span<const StackRow> rows() const { return {slots_, used_}; }
  [[nodiscard]] std::span<const std::uint64_t> frames() const;
  /// Samples for which the table had no row.
  [[nodiscard]] std::int64_t lost() const { return lost_; }

 private:
  /// The row of a stack; a new one has no frames yet. nullptr if the table is full.
  StackRow* find_or_claim(std::uint64_t hash, bool& is_new);

  Budget& budget_;
  StackRow* slots_ = nullptr;
  std::size_t slot_count_ = 0;  ///< a power of two
  std::uint64_t* frames_ = nullptr;
  std::size_t frame_count_ = 0;
  std::size_t used_ = 0;  ///< rows after close()
  std::atomic<std::size_t> frames_used_{0};
  std::atomic<std::int64_t> lost_{0};
};

}  // namespace hockney::profile
