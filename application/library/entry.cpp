// The functions of MPI that are more than calls: where recording begins and ends, and what a
// program says to it.

#include <mpi.h>
#include <array>
#include <cstdint>

#include <sys/uio.h>
#include <unistd.h>
#include <algorithm>
#include <cctype>
#include <string_view>

#include "application/library/hockney_profile.h"
#include "application/library/process.hpp"
#include "application/library/real.hpp"
#include "application/library/wrapper.hpp"

namespace hockney::profile {
namespace {

int began(int code) {
  if (code == MPI_SUCCESS) Process::begin();
  return code;
}

/// Room for a region's name and so much more that the recorder sees that it is longer.
using NameRoom = std::array<char, Regions::longest_name + 5>;

/// The text at an address that may be anything; empty where there is none.
std::string_view text_at(const void* address, NameRoom& letters) {
  constexpr std::size_t page = 4096;
  char* const begin = static_cast<char*>(const_cast<void*>(address));
  const std::size_t on_page =
      std::min(letters.size(), page - reinterpret_cast<std::uintptr_t>(address) % page);
  iovec here{letters.data(), letters.size()};
  // The page after that of the address may not be there.
  std::array<iovec, 2> there{{{begin, on_page}, {begin + on_page, letters.size() - on_page}}};
  const ssize_t length = process_vm_readv(::getpid(), &here, 1, there.data(), there.size(), 0);
  if (length <= 0) return {};
  const std::string_view read(letters.data(), static_cast<std::size_t>(length));
  const std::string_view text = read.substr(0, read.find('\0'));
  const bool is_whole = text.size() < read.size() || read.size() == letters.size();
  const bool is_text = std::ranges::all_of(
      text, [](unsigned char letter) { return letter >= ' ' || std::isspace(letter) != 0; });
  return is_whole && is_text ? text : std::string_view();
}

/// MPI_Pcontrol(1, "region") and (-1, "region") as IPM has them; 0 and 1 switch recording off and
/// on, as the standard suggests. While it is off, and at other levels, nothing is read from
/// `argument`: whether there is one is not known.
void control(int level, const void* argument) {
  Recorder* const recorder = Process::recorder();
  if (level == 0 || (level == 1 && recorder == nullptr)) return Process::pause(level == 0);
  if (recorder == nullptr || (level != 1 && level != -1)) return;
  NameRoom letters{};
  const std::string_view name = text_at(argument, letters);
  if (name.empty()) return;
  const Recorder::Turn turn(*recorder);
  level == 1 ? recorder->enter(name) : recorder->leave(name);
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

// C has no way to hand on arguments whose number is not known. Those of the first words and numbers
// of floating point lie in registers (x86-64, AArch64), which are handed on as they are.
#define HOCKNEY_CONTROLS(name)                                                                  \
  static int control_by_##name(std::int64_t level, const void* a, const void* b, const void* c, \
                               const void* d, const void* e, double f, double g, double h,      \
                               double i, double j, double k, double l, double m) {              \
    using Next = int(std::int64_t, ...);                                                        \
    static constinit hockney::profile::Real<Next> next(#name);                                  \
    hockney::profile::control(static_cast<int>(level), a);                                      \
    const hockney::profile::Process::Inside inside; /* a tool may call the other name of it */  \
    return next(level, a, b, c, d, e, f, g, h, i, j, k, l, m);                                  \
  }                                                                                             \
  HOCKNEY_NAMED(name, &control_by_##name)
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
