// The functions of MPI that are more than calls: where recording begins and ends, and what a
// program says to it.

#include <mpi.h>
#include <array>
#include <cstdarg>
#include <cstdint>

#include <sys/uio.h>
#include <unistd.h>
#include <algorithm>
#include <cctype>
#include <string_view>

#include "profile/library/hockney_profile.h"
#include "profile/library/process.hpp"
#include "profile/library/real.hpp"
#include "profile/library/wrapper.hpp"

namespace hockney::profile {
namespace {

int began(int code) {
  if (code == MPI_SUCCESS) Process::begin();
  return code;
}

/// The text at an address that may be anything; empty where there is none.
std::string_view text_at(const void* address, std::array<char, 64>& letters) {
  iovec here{letters.data(), letters.size() - 1};
  iovec there{const_cast<void*>(address), letters.size() - 1};
  ssize_t length = process_vm_readv(::getpid(), &here, 1, &there, 1, 0);
  if (length <= 0) return {};
  const std::string_view text(
      letters.data(),
      static_cast<std::size_t>(std::find(letters.begin(), letters.end(), '\0') - letters.begin()));
  const bool is_name =
      std::all_of(text.begin(), text.end(), [](unsigned char letter) { return letter >= ' '; });
  return is_name ? text : std::string_view();
}

/// MPI_Pcontrol(1, "region") and (-1, "region") as IPM has them; without a name 0 and 1 switch
/// recording off and on, as the standard suggests.
void control(int level, const void* argument) {
  std::array<char, 64> letters{};
  const std::string_view name =
      level == 1 || level == -1 ? text_at(argument, letters) : std::string_view();
  Recorder* const recorder = Process::recorder();
  if (!name.empty()) {
    if (recorder == nullptr) return;
    const Recorder::Turn turn(*recorder);
    level == 1 ? recorder->enter(name) : recorder->leave(name);
  } else if (level == 0 || level == 1) {
    Process::pause(level == 0);
  }
}

}  // namespace
}  // namespace hockney::profile

// NOLINTBEGIN(cppcoreguidelines-macro-usage)
#define HOCKNEY_NEXT(name) static constinit hockney::profile::Real<decltype(name)> next(#name)

#define HOCKNEY_BEGINS(name)                                                            \
  extern "C" __attribute__((visibility("default"))) int name(int* argc, char*** argv) { \
    HOCKNEY_NEXT(name);                                                                 \
    return hockney::profile::began(next(argc, argv));                                   \
  }

#define HOCKNEY_BEGINS_THREADED(name)                                                       \
  extern "C" __attribute__((visibility("default"))) int name(int* argc, char*** argv,       \
                                                             int required, int* provided) { \
    HOCKNEY_NEXT(name);                                                                     \
    return hockney::profile::began(next(argc, argv, required, provided));                   \
  }

#define HOCKNEY_ENDS(name)                                       \
  extern "C" __attribute__((visibility("default"))) int name() { \
    HOCKNEY_NEXT(name);                                          \
    hockney::profile::Process::finish();                         \
    return next();                                               \
  }

// Its communicator is handed on as it is: it may be that of another family (Word, wrapper.hpp).
#define HOCKNEY_ABORTS(name)                                                    \
  static int abort_by_##name(hockney::profile::Word<MPI_Comm> comm, int code) { \
    using Next = int(hockney::profile::Word<MPI_Comm>, int);                    \
    static constinit hockney::profile::Real<Next> next(#name);                  \
    hockney::profile::Process::save_part(hockney::profile::End::aborted, 0);    \
    return next(comm, code);                                                    \
  }                                                                             \
  HOCKNEY_NAMED(name, &abort_by_##name)

#define HOCKNEY_CONTROLS(name)                                                       \
  extern "C" __attribute__((visibility("default"))) int name(const int level, ...) { \
    va_list rest;                                                                    \
    va_start(rest, level);                                                           \
    hockney::profile::control(level, va_arg(rest, const void*));                     \
    va_end(rest);                                                                    \
    HOCKNEY_NEXT(name);                                                              \
    return next(level);                                                              \
  }
// NOLINTEND(cppcoreguidelines-macro-usage)

HOCKNEY_BEGINS(MPI_Init)
HOCKNEY_BEGINS(PMPI_Init)
HOCKNEY_BEGINS_THREADED(MPI_Init_thread)
HOCKNEY_BEGINS_THREADED(PMPI_Init_thread)
HOCKNEY_ENDS(MPI_Finalize)
HOCKNEY_ENDS(PMPI_Finalize)
HOCKNEY_ABORTS(MPI_Abort)
HOCKNEY_ABORTS(PMPI_Abort)
HOCKNEY_CONTROLS(MPI_Pcontrol)
HOCKNEY_CONTROLS(PMPI_Pcontrol)

extern "C" void hockney_region_begin(const char* name) {
  hockney::profile::Recorder* const recorder = hockney::profile::Process::recorder();
  if (recorder == nullptr || name == nullptr) return;
  const hockney::profile::Recorder::Turn turn(*recorder);
  recorder->enter(name);
}

extern "C" void hockney_region_end(const char* name) {
  hockney::profile::Recorder* const recorder = hockney::profile::Process::recorder();
  if (recorder == nullptr || name == nullptr) return;
  const hockney::profile::Recorder::Turn turn(*recorder);
  recorder->leave(name);
}
