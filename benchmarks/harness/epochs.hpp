#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "benchmarks/harness/buffer_memory.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/point.hpp"

namespace hockney::benchmarks {

/// How window memory, which other ranks access, is allocated (MPI 3.1, section 11.2).
enum class WindowKind {
  created,    ///< the program's own memory, by MPI_Win_create
  allocated,  ///< the library's, by MPI_Win_allocate
  dynamic,    ///< the program's own, attached to a window by MPI_Win_attach
  shared      ///< the library's, shared by ranks of a node, by MPI_Win_allocate_shared
};

constexpr auto words_of(std::type_identity<WindowKind>) {
  return std::to_array<std::string_view>({"created", "allocated", "dynamic", "shared"});
}

inline constexpr Parameter<WindowKind> window_kind_parameter{"window-kind", WindowKind::allocated};
inline WindowKind window_kind_of(const Point& point) {
  return point.parameters[window_kind_parameter];
}

/// Memory of every rank of a communicator that the others access through a window.
class ExposedMemory {
 public:
  /// Allocates `bytes` bytes on every rank, at least one. Construction and destruction are
  /// collective. Calls on the window must be complete before destruction.
  ExposedMemory(MPI_Comm comm, WindowKind kind, std::size_t bytes);
  ExposedMemory(const ExposedMemory&) = delete;
  ExposedMemory& operator=(const ExposedMemory&) = delete;
  ExposedMemory(ExposedMemory&&) = delete;
  ExposedMemory& operator=(ExposedMemory&&) = delete;
  ~ExposedMemory();

  [[nodiscard]] MPI_Win window() const { return window_.get(); }
  /// This rank's memory.
  [[nodiscard]] std::span<std::byte> bytes() const { return {memory_, bytes_}; }
  /// Start of the memory of a rank, as a displacement for calls on the window [B].
  [[nodiscard]] MPI_Aint begin_of(int rank) const {
    return begins_[static_cast<std::size_t>(rank)];
  }

 private:
  void make_window();
  void attach();

  MPI_Comm comm_;
  WindowKind kind_;
  std::size_t bytes_;
  std::vector<MPI_Aint> begins_;
  MappedMemory own_;  ///< outlives the window
  UniqueWin window_;
  std::byte* memory_ = nullptr;
};

/// How calls on a window are started and completed (MPI 3.1, section 11.5).
enum class EpochKind {
  fence,       ///< MPI_Win_fence on all ranks
  pscw,        ///< MPI_Win_post and MPI_Win_wait at the target, MPI_Win_start and MPI_Win_complete
               ///< at the origin
  lock,        ///< MPI_Win_lock (shared) and MPI_Win_unlock around the calls
  lock_all,    ///< MPI_Win_lock_all and MPI_Win_unlock_all around the calls
  flush,       ///< MPI_Win_flush, between one MPI_Win_lock_all and MPI_Win_unlock_all
  flush_local  ///< MPI_Win_flush_local, between one MPI_Win_lock_all and MPI_Win_unlock_all
};

constexpr auto words_of(std::type_identity<EpochKind>) {
  return std::to_array<std::string_view>(
      {"fence", "pscw", "lock", "lock-all", "flush", "flush-local"});
}

/// Which completion of calls on a window ends the timed region.
enum class Completion {
  origin,  ///< the synchronising call has returned on the rank that made the calls
  target   ///< the target has been notified that its memory is up to date
};

constexpr auto words_of(std::type_identity<Completion>) {
  return std::to_array<std::string_view>({"origin", "target"});
}

inline constexpr Parameter<EpochKind> synchronisation_parameter{"synchronisation",
                                                                EpochKind::flush};
inline constexpr Parameter<Completion> completion_parameter{"completion"};
inline EpochKind epoch_kind_of(const Point& point) {
  return point.parameters[synchronisation_parameter];
}
inline Completion completion_of(const Point& point) {
  return point.parameters[completion_parameter];
}

/// Whether the target takes part in the synchronisation.
bool is_active(EpochKind synchronisation);

/// Why no call on a window can be made at the point; nullopt if calls can be made.
std::optional<std::string> epoch_obstacle(const Point& point);

/// Which ranks access whose memory, from the view of one rank. Ranks are those of the communicator
/// and of the window.
struct Partners {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Win window = MPI_WIN_NULL;
  int own = 0;
  std::vector<int> targets{};  ///< ranks whose memory this rank accesses, each once
  std::vector<int> origins{};  ///< ranks that access this rank's memory, each once
};

/// One rank's side of the epochs in which ranks access each other's memory, with the point's
/// synchronisation. If that is passive and completion counts at the target, an empty message
/// notifies each target that its memory is ready. Return codes are not checked in the timed region.
class Epochs {
 public:
  /// Construction and destruction are collective over the window.
  Epochs(Partners partners, const Point& point);
  Epochs(const Epochs&) = delete;
  Epochs& operator=(const Epochs&) = delete;
  Epochs(Epochs&&) = delete;
  Epochs& operator=(Epochs&&) = delete;
  ~Epochs() { calls_.close(state_); }

  /// Enclose this rank's calls on the others' memory.
  void begin() { calls_.begin(state_); }
  void complete() { calls_.complete(state_); }
  /// Enclose the others' calls on this rank's memory.
  void expose() { calls_.expose(state_); }
  void conclude() { calls_.conclude(state_); }
  /// Ends both, if both ranks access each other's memory.
  void complete_both() { calls_.complete_both(state_); }

  /// Waits until this rank's calls are complete at their targets; untimed.
  void settle() { calls_.settle(state_); }
  /// Enclose this rank's own loads and stores in its memory; untimed. No other rank may call on it
  /// meanwhile.
  void begin_own() const { calls_.begin_own(state_); }
  void end_own() const { calls_.end_own(state_); }

  /// The state that a synchronisation uses.
  struct State {
    Partners partners;
    UniqueGroup targets{};  ///< for pscw
    UniqueGroup origins{};
    std::vector<MPI_Request> requests{};  ///< of the notifications to the targets
  };

  /// The functions of a synchronisation for each member function above, construction and
  /// destruction.
  struct Calls {
    void (*open)(State&);
    void (*begin)(State&);
    void (*complete)(State&);
    void (*expose)(State&);
    void (*conclude)(State&);
    void (*complete_both)(State&);
    void (*settle)(State&);
    void (*begin_own)(const State&);
    void (*end_own)(const State&);
    void (*close)(State&);
  };

 private:
  Calls calls_;
  State state_;
};

}  // namespace hockney::benchmarks
