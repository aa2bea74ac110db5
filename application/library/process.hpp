#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <string>

#include "application/library/recorder.hpp"

namespace hockney::profile {

/// This process from MPI_Init to MPI_Finalize. It has the only variables of the library.
class Process {
 public:
  /// nullptr where nothing is to be recorded: before MPI_Init, after MPI_Finalize, while the
  /// program has switched recording off, in calls that MPI or the library makes of itself, and
  /// where the library does not fit the MPI library.
  static Recorder* recorder() {
    return depth_ == 0 ? recording_.load(std::memory_order_acquire) : nullptr;
  }

  /// As long as it lives calls are those of MPI itself.
  class Inside {
   public:
    Inside() { ++depth_; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    Inside(Inside&&) = delete;
    Inside& operator=(Inside&&) = delete;
    ~Inside() { --depth_; }
  };

  /// After MPI_Init. Refuses another MPI library than the one that this was built for, in one line.
  static void begin();
  /// Before MPI_Finalize: what all ranks have recorded becomes one file.
  static void finish();
  /// Writes what this rank has recorded to a file of its own, once, when there will be no
  /// MPI_Finalize: first without its log, which may be long. Signal handlers may call it.
  static void save_part(End end, int signal);
  /// MPI_Pcontrol(0) and (1).
  static void pause(bool paused) { recording_ = paused ? nullptr : recorder_.load(); }

 private:
  /// In place of the one before, as a whole. 0, or the errno of what failed.
  static int write_part(const PartHeader& header, const PartPieces& pieces);
  /// The same under the name of an unfinished part.
  static int write_temporary(PartHeader header, const PartPieces& pieces);
  /// Of rank 0, which claims the profile's name: says which run and program have it.
  static void write_claim(const Recorder& recorder);

  // NOLINTBEGIN(*-avoid-non-const-global-variables,readability-identifier-naming): of a process
#if defined(HOCKNEY_SIMULATED_PROFILE)
  static inline int depth_ = 0;  // ranks of a simulator take turns, each with variables of its own
#else
  static inline thread_local int depth_ __attribute__((tls_model("initial-exec"))) = 0;
#endif
  static inline std::atomic<Recorder*> recorder_;   ///< from begin() to finish(); never destroyed
  static inline std::atomic<Recorder*> recording_;  ///< the same, or nullptr while paused
  static inline pid_t process_ = 0;                 ///< children that it forks write nothing
  static inline std::array<char, 4096> part_file_{};
  static inline std::array<char, 4096> part_temporary_{};
  // NOLINTEND(*-avoid-non-const-global-variables,readability-identifier-naming)
};

/// From now on what was recorded is saved when a signal ends the process. Signals that the program,
/// or MPI, has a handler for are left to it, but for those of crashes, whose handler is called
/// afterwards.
void watch_signals();

}  // namespace hockney::profile
