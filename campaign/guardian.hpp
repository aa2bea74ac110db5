#pragma once

#include <sys/types.h>
#include <string>
#include <vector>

#include "campaign/signal_watch.hpp"
#include "core/units.hpp"

namespace hockney::campaign {

/// The processes below `ancestor`, itself excluded, zombies included, as /proc shows them now.
std::vector<pid_t> descendants(pid_t ancestor);

/// Reaps everything below the calling process, and kills (SIGKILL) what is there after `patience`,
/// until nothing is left, or `limit` has passed because a process hangs in the kernel. The caller
/// must be a child subreaper (PR_SET_CHILD_SUBREAPER), or processes whose parent died have escaped
/// already. Returns how many processes had to be killed.
int kill_descendants(Seconds limit, Seconds patience);

/// How the launcher ended, told by its guardian.
struct GuardianReport {
  int wait_status = 0;  ///< of the launcher, as waitpid(2) gives it
  int strays = 0;       ///< processes that outlived the launcher and were killed
};

/// What a guardian needs to know.
struct Guarded {
  char* const* arguments = nullptr;    ///< of the launcher, null-terminated; [0] is its path
  char* const* environment = nullptr;  ///< null-terminated NAME=value
  int log = -1;                        ///< takes the launcher's stdout and stderr
  int report = -1;                     ///< pipe end that takes one GuardianReport
  Seconds grace{5};                    ///< from SIGTERM to SIGKILL
};

/// The life of the process that stands between the driver and a launcher: it becomes leader of its
/// own session, adopts whatever loses its parent below it, starts the launcher, and once that has
/// ended kills every process still there, in whatever process group (Open MPI gives each rank its
/// own). SIGTERM makes it end the launcher: SIGTERM to its group, SIGKILL to everything after the
/// grace, or at once on a second SIGTERM. It does so by itself when the driver dies, however that
/// happens; the end of the driver's thread that called fork(2) is not enough. Called in a fresh
/// child of the driver, with the signals of `signals` blocked.
[[noreturn]] void guard(const Guarded& launch, pid_t driver, SignalWatch& signals);

/// What the keeper of a scratch folder needs to know.
struct KeptFolder {
  std::string pattern;  ///< its path, as mkdtemp(3) takes it
  int path = -1;        ///< pipe end that takes the path
  int owners = -1;      ///< pipe end that ends when the owner and its guardians have
};

/// The life of the process that makes a scratch folder and removes it when its owners have ended,
/// however that happens: SIGKILL leaves no folder behind. It is leader of its own session and
/// ignores the signals that end a job. Exits with the errno of a folder that cannot be made. Called
/// in a fresh child of the owner.
[[noreturn]] void keep_folder(KeptFolder folder) noexcept;

}  // namespace hockney::campaign
