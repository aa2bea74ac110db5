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

/// How memory comes into a window that other ranks reach it through (MPI 3.1, section 11.2).
enum class WindowKind {
  created,    ///< the program's own memory, by MPI_Win_create
  allocated,  ///< the library's, by MPI_Win_allocate
  dynamic,    ///< the program's own, attached to a window by MPI_Win_attach
  shared      ///< the library's, which ranks of a node share, by MPI_Win_allocate_shared
};

constexpr auto words_of(std::type_identity<WindowKind>) {
  return std::to_array<std::string_view>({"created", "allocated", "dynamic", "shared"});
}

inline constexpr Parameter<WindowKind> window_kind_parameter{"window-kind", WindowKind::allocated};
inline WindowKind window_kind_of(const Point& point) {
  return point.parameters[window_kind_parameter];
}

/// Memory of every rank of a communicator that the others reach through a window.
class ExposedMemory {
 public:
  /// So many bytes on every rank, at least one. Collective, as its end is; no call on the window
  /// may be under way then.
  ExposedMemory(MPI_Comm comm, WindowKind kind, std::size_t bytes);
  ExposedMemory(const ExposedMemory&) = delete;
  ExposedMemory& operator=(const ExposedMemory&) = delete;
  ExposedMemory(ExposedMemory&&) = delete;
  ExposedMemory& operator=(ExposedMemory&&) = delete;
  ~ExposedMemory();

  [[nodiscard]] MPI_Win window() const { return window_.get(); }
  /// This rank's own.
  [[nodiscard]] std::span<std::byte> bytes() const { return {memory_, bytes_}; }
  /// Where the memory of a rank begins, as calls on the window say it [B].
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

/// How calls on a window are begun and completed (MPI 3.1, section 11.5).
enum class EpochKind {
  fence,       ///< MPI_Win_fence of all ranks
  pscw,        ///< MPI_Win_post and MPI_Win_wait here, MPI_Win_start and MPI_Win_complete there
  lock,        ///< MPI_Win_lock (shared) and MPI_Win_unlock around the calls
  lock_all,    ///< MPI_Win_lock_all and MPI_Win_unlock_all around the calls
  flush,       ///< MPI_Win_flush, under MPI_Win_lock_all throughout
  flush_local  ///< MPI_Win_flush_local, under MPI_Win_lock_all throughout
};

constexpr auto words_of(std::type_identity<EpochKind>) {
  return std::to_array<std::string_view>(
      {"fence", "pscw", "lock", "lock-all", "flush", "flush-local"});
}

/// Where calls on a window must be complete for the time to end.
enum class Completion {
  origin,  ///< the synchronising call has returned to the rank that made them
  target   ///< the rank whose memory they changed may read it, and knows that it may
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

/// Whether the rank whose memory it is takes part.
bool is_active(EpochKind synchronisation);

/// Why calls cannot be made as the point says, whichever they are; nullopt when they can.
std::optional<std::string> epoch_obstacle(const Point& point);

/// Who works on whose memory, as one rank sees it. Ranks are those of the communicator and of the
/// window.
struct Partners {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Win window = MPI_WIN_NULL;
  int own = 0;
  std::vector<int> targets{};  ///< on whose memory this rank works, each once
  std::vector<int> origins{};  ///< who work on this rank's memory, each once
};

/// One rank's side of the epochs in which ranks work on each other's memory, by the point's
/// synchronisation. Where it is passive and completion is to count at the target, an empty message
/// tells each target that its memory is ready. Calls are unchecked: they run inside the timed
/// region.
class Epochs {
 public:
  /// Collective over the window, as its end is.
  Epochs(Partners partners, const Point& point);
  Epochs(const Epochs&) = delete;
  Epochs& operator=(const Epochs&) = delete;
  Epochs(Epochs&&) = delete;
  Epochs& operator=(Epochs&&) = delete;
  ~Epochs() { calls_.close(state_); }

  /// Around this rank's calls on the other's memory.
  void begin() { calls_.begin(state_); }
  void complete() { calls_.complete(state_); }
  /// Around the other's calls on this rank's memory.
  void expose() { calls_.expose(state_); }
  void conclude() { calls_.conclude(state_); }
  /// The ends of both, where both work on each other's memory.
  void complete_both() { calls_.complete_both(state_); }

  /// Until this rank's calls are complete at their targets; untimed.
  void settle() { calls_.settle(state_); }
  /// Around what this rank itself stores and loads in its memory, untimed, while no other rank
  /// makes calls on it.
  void begin_own() const { calls_.begin_own(state_); }
  void end_own() const { calls_.end_own(state_); }

  /// What the calls of a synchronisation work on.
  struct State {
    Partners partners;
    UniqueGroup targets{};  ///< of pscw
    UniqueGroup origins{};
    std::vector<MPI_Request> requests{};  ///< of the messages that tell the targets
  };

  /// What a synchronisation calls for each of the functions above, when it is made, and at its end.
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
