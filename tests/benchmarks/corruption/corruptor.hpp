#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <vector>

namespace hockney::benchmarks {

/// What is done to data that MPI delivers.
enum class Corruption {
  none,
  first_bit,            ///< lowest bit of the first byte
  middle_bit,           ///< a bit of the middle element
  last_bit,             ///< highest bit of the last byte
  last_byte,            ///< all bits of it
  element,              ///< all bits of the middle element
  block,                ///< the middle half is zero, as if it had never come
  swapped_blocks,       ///< the two halves have changed places
  swapped_ranks,        ///< two ranks have what the other should have; see swap_between
  wrong_contributions,  ///< the halves change places before a reduction takes them
  everything,           ///< all bits of every byte
  zeroes,               ///< every byte is zero
  stale,                ///< what the delivery before, of as many bytes, brought
  no_restart,           ///< a persistent request moves something at its first start only
  late,                 ///< what is put is not there yet when a call has completed it
  missing_rank,         ///< a communicator is made that some rank is not in
  other_order,          ///< or with its ranks in reverse order
  no_topology,          ///< or without the topology that was asked for
  unlocked,             ///< a lock is said to be taken, and is not
  gaps                  ///< only bytes without meaning: not an error
};

/// Elements that MPI wrote into a buffer.
struct Delivery {
  void* buffer;
  int count;
  MPI_Datatype type;
};

/// Which deliveries are corrupted: all that nothing here excludes.
struct Target {
  std::optional<std::size_t> delivery{};  ///< this one alone, counted from 0
  MPI_Datatype type = MPI_DATATYPE_NULL;  ///< only of this datatype, or made of others
  std::optional<std::size_t> bytes{};     ///< only of so many bytes; others are not counted
  std::size_t least_bytes = 0;            ///< the same of fewer bytes
  std::size_t after = 0;                  ///< not the first ones
  std::size_t every = 1;                  ///< the last of so many
  double probability = 1;                 ///< each by itself
  std::uint64_t seed = 0;                 ///< of these draws
};

/// While it lives, what MPI delivers to this rank is watched and corrupted: the program's own MPI
/// functions stand before the library's, through the profiling interface. One at a time.
class Corruptor {
 public:
  Corruptor(Corruption corruption, const Target& target);
  Corruptor(const Corruptor&) = delete;
  Corruptor& operator=(const Corruptor&) = delete;
  Corruptor(Corruptor&&) = delete;
  Corruptor& operator=(Corruptor&&) = delete;
  ~Corruptor();

  [[nodiscard]] std::size_t deliveries() const { return deliveries_; }
  /// Whether any significant byte is now another one.
  [[nodiscard]] bool has_changed() const { return has_changed_; }
  [[nodiscard]] Corruption corruption() const { return corruption_; }
  void note_change() { has_changed_ = true; }
  [[nodiscard]] bool is_late() const { return corruption_ == Corruption::late; }
  [[nodiscard]] bool takes_locks() const { return corruption_ != Corruption::unlocked; }
  [[nodiscard]] bool lets_restart() const { return corruption_ != Corruption::no_restart; }

  /// The last deliveries of this rank and of `other` change places.
  void swap_with(int other, MPI_Comm comm);

  /// What is given to another rank's memory, as it will arrive there; alive as long as this is.
  [[nodiscard]] const void* given(const void* data, int count, MPI_Datatype type);

  /// Called by the wrapped functions.
  void delivered(const Delivery& delivery);
  [[nodiscard]] const void* contribution(const void* send, int count, MPI_Datatype type);
  /// The same where the contribution is in the receive buffer.
  void poison_contribution(const Delivery& given);

 private:
  [[nodiscard]] bool is_target(const Delivery& delivery) const;
  [[nodiscard]] bool is_hit(std::size_t number);
  void bring_stale(const Delivery& plain, bool is_hit);

  Corruption corruption_;
  Target target_;
  std::mt19937_64 draw_;
  std::size_t deliveries_ = 0;
  bool has_changed_ = false;
  std::optional<Delivery> last_;
  std::map<std::size_t, std::vector<std::byte>> earlier_;  ///< deliveries by their bytes
  std::deque<std::vector<std::byte>> given_;
};

/// The one that lives now; null most of the time.
Corruptor* active_corruptor();

}  // namespace hockney::benchmarks
