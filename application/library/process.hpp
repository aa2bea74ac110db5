#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <string>

#include "application/library/recorder.hpp"

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
    Inside(Inside&&) = delete;
    Inside& operator=(Inside&&) = delete;
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
  /// For a program that installs a handler for the signal of the sampler: ends the sampling first.
  static void takes_signal(int signal);
  /// The sampler, if threads that begin now are the program's and sampled. Else nullptr: no
  /// sampling is asked for, MPI makes the thread, or this is a forked child.
  static Sampler* sampler_of_new_thread();
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
  static inline std::array<char, 4096> part_file_{};
  static inline std::array<char, 4096> part_temporary_{};
  // NOLINTEND(*-avoid-non-const-global-variables,readability-identifier-naming)
};

/// From now on a signal that ends the process saves its records first. Signals with a handler of
/// the program or of MPI are left alone. Crash signals are the exception: this handler runs first,
/// then the earlier one.
void watch_signals();

}  // namespace hockney::profile
