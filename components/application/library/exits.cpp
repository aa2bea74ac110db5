#include <sys/syscall.h>
#include <unistd.h>

#include "components/application/library/process.hpp"
#include "components/application/library/real.hpp"

// Ends of the process without MPI_Finalize, except by signals.
namespace hockney::profile {
namespace {

/// Forked children have another number.
const pid_t loaded_in = ::getpid();

/// Saves the records of a process that ends without MPI_Finalize.
void save_at_end() {
  const int signal = ending_signal();
  Process::save_part(signal == 0 ? End::exited : End::signalled, signal);
}

/// For processes that end by exit() or by returning from main().
__attribute__((destructor)) void save_at_exit() {
  save_at_end();
  if (loaded_in == ::getpid()) Process::report_absence();
}

}  // namespace
}  // namespace hockney::profile

// MPI libraries end a program with these functions after a fatal error. Forked children call them,
// too; they write nothing.
// NOLINTBEGIN(cppcoreguidelines-macro-usage)
#define HOCKNEY_EXITS(name)                                      \
  HOCKNEY_EXPORT __attribute__((noreturn)) void name(int code) { \
    hockney::profile::save_at_end();                             \
    ::syscall(SYS_exit_group, code);                             \
    __builtin_unreachable();                                     \
  }
// NOLINTEND(cppcoreguidelines-macro-usage)

HOCKNEY_EXITS(_exit)
HOCKNEY_EXITS(_Exit)
