#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <limits>
#include <vector>

#include "components/application/library/recorder.hpp"

namespace hockney::profile {

/// This process from MPI_Init to MPI_Finalize. All variables of the library are here.
class Process {
 public:
  /// nullptr while nothing is recorded: before MPI_Init, after MPI_Finalize, and after
  /// MPI_Pcontrol(0). Also nullptr in calls that MPI or this library makes itself, and if this
  /// library does not fit the MPI library.
  static Recorder* recorder() {
    return depth_ == 0 ? recording_.load(std::memory_order_acquire) : nullptr;
  }

  /// While one exists, calls of this thread count as MPI's own.
  class Inside {
   public:
    Inside() { ++depth_; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    ~Inside() { --depth_; }
  };

  /// Call after MPI_Init. If the MPI library is not the one this was built for, prints one line and
  /// records nothing.
  static void begin();
  /// Call before MPI_Finalize: writes the records of all ranks to one file.
  static void finish();
  /// Writes this rank's records to its own file, once, if MPI_Finalize will not be called. Writes
  /// them without the log first, since the log may be long. Safe in signal handlers.
  static void save_part(End end, int signal);
  /// The sampler of this process; nullptr if there is none, and in forked children.
  static Sampler* sampler();
  /// The same, if threads that begin now are the program's. Else MPI makes them.
  static Sampler* sampler_of_new_thread() { return depth_ == 0 ? sampler() : nullptr; }
  /// Call before MPI_Init: the threads that exist now are the program's.
  static void list_threads();
  /// The program has an alternate stack for handlers [B].
  static void has_alternate_stack(std::size_t bytes);
  /// While one exists, code may be unloaded: its places have names before, and no others after.
  class Unloading {
   public:
    Unloading();
    Unloading(const Unloading&) = delete;
    Unloading& operator=(const Unloading&) = delete;
    ~Unloading();

   private:
    Recorder* recorder_;
  };
  /// Prints why nothing was recorded, if MPI was used and no call came through this library.
  static void report_absence();
  /// MPI_Pcontrol(0) and (1).
  static void pause(bool paused) { recording_ = paused ? nullptr : recorder_.load(); }

 private:
  /// Replaces the earlier part atomically. Returns 0, or the errno of the failed call.
  static int write_part(const PartHeader& header, const PartPieces& pieces);
  /// The same, under the name of an unfinished part.
  static int write_temporary(PartHeader header, const PartPieces& pieces);
  /// Handler of the sampler's signal.
  static void take_sample(int signal, siginfo_t* info, void* context);
  /// On rank 0: writes the run and the program into the file that claims the profile's name.
  static void write_claim(const Recorder& recorder);

  // NOLINTBEGIN(*-avoid-non-const-global-variables,readability-identifier-naming): of a process
#if defined(HOCKNEY_SIMULATED_PROFILE)
  static inline int depth_ = 0;  // simulated ranks take turns; each has its own variables
#else
  static inline thread_local int depth_ __attribute__((tls_model("initial-exec"))) = 0;
#endif
  static inline std::atomic<Recorder*> recorder_;   ///< from begin() to finish(); never destroyed
  static inline std::atomic<Recorder*> recording_;  ///< the same, or nullptr while paused
  static inline pid_t process_ = 0;                 ///< forked children write nothing
  static inline std::atomic<Sampler*> sampler_;     ///< of the recorder, also after finish()
  static inline std::atomic<std::size_t> smallest_stack_ = std::numeric_limits<std::size_t>::max();
  static inline std::vector<int> threads_before_;  ///< threads that were there before MPI_Init
  static inline std::array<char, 4096> part_file_{};
  static inline std::array<char, 4096> part_temporary_{};
  // NOLINTEND(*-avoid-non-const-global-variables,readability-identifier-naming)
};

/// From now on a signal that ends the process saves its records first. Handlers of the program and
/// of MPI run as without this library: a fault that they handle is not the end.
void watch_signals();

/// The signal that ends this process: one of a crash, if its handler calls this. Else 0.
int ending_signal();

}  // namespace hockney::profile
