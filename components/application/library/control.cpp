#include <mpi.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <string_view>

#include "components/application/library/hockney_profile.h"
#include "components/application/library/process.hpp"
#include "components/application/library/real.hpp"

// Begin and end of recording, regions and MPI_Pcontrol.
namespace hockney::profile {
namespace {

int began(int code) {
  if (code == MPI_SUCCESS) Process::begin();
  return code;
}

/// Space for the longest name and a few bytes more, which show the recorder that a name is longer.
using NameBuffer = std::array<char, Regions::longest_name + 5>;

/// Text at an address that may be invalid; empty if it cannot be read.
std::string_view text_at(const void* address, NameBuffer& letters) {
  constexpr std::size_t page = 4096;
  char* const begin = static_cast<char*>(const_cast<void*>(address));
  const std::size_t on_page =
      std::min(letters.size(), page - reinterpret_cast<std::uintptr_t>(address) % page);
  iovec here{letters.data(), letters.size()};
  // The page after that of the address may be unmapped.
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

/// Enters or leaves a region, if the calls are recorded.
void change_region(void (Recorder::*change)(std::string_view), std::string_view name) {
  Recorder* const recorder = Process::recorder();
  if (recorder == nullptr) return;
  const Recorder::RecorderLock lock(*recorder);
  (recorder->*change)(name);
}

/// MPI_Pcontrol as in IPM: (1, "region") enters a region, (-1, "region") leaves it. 0 and 1 switch
/// recording off and on, as the standard suggests. `argument` is not read while recording is off,
/// nor at other levels: it may not have been passed.
void control(int level, const void* argument) {
  const bool is_on = Process::recorder() != nullptr;
  if (level == 0 || (level == 1 && !is_on)) return Process::pause(level == 0);
  if (!is_on || (level != 1 && level != -1)) return;
  NameBuffer letters{};
  const std::string_view name = text_at(argument, letters);
  if (!name.empty()) change_region(level == 1 ? &Recorder::enter : &Recorder::leave, name);
}

}  // namespace
}  // namespace hockney::profile

// NOLINTBEGIN(cppcoreguidelines-macro-usage)
#define HOCKNEY_BEGINS(name)                          \
  HOCKNEY_EXPORT int name(int* argc, char*** argv) {  \
    HOCKNEY_NEXT(name, decltype(name));               \
    hockney::profile::Process::list_threads();        \
    return hockney::profile::began(next(argc, argv)); \
  }

#define HOCKNEY_BEGINS_THREADED(name)                                             \
  HOCKNEY_EXPORT int name(int* argc, char*** argv, int required, int* provided) { \
    HOCKNEY_NEXT(name, decltype(name));                                           \
    hockney::profile::Process::list_threads();                                    \
    return hockney::profile::began(next(argc, argv, required, provided));         \
  }

#define HOCKNEY_ENDS(name)               \
  HOCKNEY_EXPORT int name() {            \
    HOCKNEY_NEXT(name, decltype(name));  \
    hockney::profile::Process::finish(); \
    return next();                       \
  }

// The communicator is passed as a word: it may be that of another family (Word).
#define HOCKNEY_ABORTS(name)                                                    \
  static int abort_by_##name(hockney::profile::Word<MPI_Comm> comm, int code) { \
    HOCKNEY_NEXT(name, int(hockney::profile::Word<MPI_Comm>, int));             \
    hockney::profile::Process::save_part(hockney::profile::End::aborted, 0);    \
    return next(comm, code);                                                    \
  }                                                                             \
  HOCKNEY_NAMED(name, &abort_by_##name)

// C cannot pass on a variable number of arguments. The first integer and floating-point arguments
// are in registers (x86-64, AArch64), which are passed on unchanged.
#define HOCKNEY_CONTROLS(name)                                                                  \
  static int control_by_##name(std::int64_t level, const void* a, const void* b, const void* c, \
                               const void* d, const void* e, double f, double g, double h,      \
                               double i, double j, double k, double l, double m) {              \
    HOCKNEY_NEXT(name, int(std::int64_t, ...));                                                 \
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
  if (name != nullptr) hockney::profile::change_region(&hockney::profile::Recorder::enter, name);
}

extern "C" void hockney_region_end(const char* name) {
  if (name != nullptr) hockney::profile::change_region(&hockney::profile::Recorder::leave, name);
}
