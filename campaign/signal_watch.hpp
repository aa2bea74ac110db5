#pragma once

#include <csignal>
#include <optional>

#include "core/units.hpp"

namespace hockney::campaign {

/// While it lives, SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2 and SIGCHLD do not strike but wait to
/// be asked for, so no handler and no global is needed. All but the last ask the program to end,
/// also those that batch systems are told to send some time before a job's (sbatch
/// --signal=USR1@60). A SIGHUP the caller ignores (nohup) stays ignored. One at a time, in a
/// program of one thread.
class SignalWatch {
 public:
  SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;
  SignalWatch(SignalWatch&&) = delete;
  SignalWatch& operator=(SignalWatch&&) = delete;
  ~SignalWatch();

  /// Waits for the next of the signals; nullopt when `limit` passes first. A signal that asks the
  /// program to end is remembered.
  std::optional<int> wait(Seconds limit);

  /// Whether the signal that came last is from the terminal, which sends it to all processes of its
  /// foreground group.
  [[nodiscard]] bool came_from_terminal() const { return came_from_terminal_; }

  /// The signal that asked the program to end, if one did; never waits.
  std::optional<int> end_requested();

  /// The mask and the disposition as they were before, for a child about to run another program.
  void restore_for_child() const;

 private:
  sigset_t watched_{};
  sigset_t mask_before_{};
  struct sigaction child_before_ {};
  std::optional<int> end_requested_;
  bool came_from_terminal_ = false;
};

}  // namespace hockney::campaign
