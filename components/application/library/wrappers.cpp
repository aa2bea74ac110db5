#include <mpi.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "components/application/library/hockney_profile.h"
#include "components/application/library/process.hpp"
#include "components/application/library/real.hpp"
#include "components/application/library/recording.hpp"
#include "components/application/profile/profile.hpp"

// Defines MPI_X and PMPI_X for every function X of components/application/profile/calls.def that
// mpi.h declares; CMake lists these in HOCKNEY_WRAPPED. Each is an alias of the instance of Entry
// with the parameter types of mpi.h. Below follow special functions: begin and end of recording,
// regions and MPI_Pcontrol.
namespace hockney::profile {
namespace {

/// Class that records a call, before and after MPI runs it.
template <Function function, class Tuple>
using Handling = std::conditional_t<completes_one(describe(function).kind) ||
                                        completes_list(describe(function).kind),
                                    Completion<function, Tuple>, Recording<function, Tuple>>;

/// Type in which an argument is passed on: a full register or stack word. In an MPI library of
/// another family, a parameter that is an int here may be a pointer.
template <class Argument>
using Word = std::conditional_t<std::is_same_v<Argument, int>, std::int64_t, Argument>;

/// Records a call of a function and passes it on to MPI.
template <Function function, class Type>
class Wrapper;

template <Function function, class Result, class... Arguments>
class Wrapper<function, Result(Arguments...)> {
 public:
  using Next = Result (*)(Word<Arguments>...);

  /// Serves both names of the function; `next` is the original of one of them.
  __attribute__((noinline)) static Result record(Recorder& recorder, Next next,
                                                 const CallSite& site, Word<Arguments>... words) {
    const Process::Inside inside;
    std::tuple<Arguments...> arguments{static_cast<Arguments>(words)...};
    Handling<function, std::tuple<Arguments...>> handling(recorder, arguments, site);
    {
      const Recorder::RecorderLock lock(recorder);
      handling.before();
    }
    const std::int64_t begin = recorder.read_cpu(Ticks::now());
    recorder.under_way.enters(function, begin);
    const Result result = std::apply(
        [&](const Arguments&... given) { return next(static_cast<Word<Arguments>>(given)...); },
        arguments);
    const std::int64_t end = Ticks::now();
    recorder.under_way.leaves();
    recorder.cpu.add_call(end - begin);
    recorder.read_cpu(end);
    const Recorder::RecorderLock lock(recorder);
    handling.after(result, begin, end - begin);
    return result;
  }
};

/// The replacement of an MPI function, under both names: Fortran and tools call MPI_X or PMPI_X.
/// Calls that the MPI library makes itself are not counted.
template <Function function, class Text, class Type>
class Entry;

template <Function function, class Text, class Result, class... Arguments>
class Entry<function, Text, Result(Arguments...)> {
 public:
  static Result run(Word<Arguments>... words) {
    static constinit Real<std::remove_pointer_t<Next>> real(Text::text);
    const Next next = real.get();
    Recorder* const recorder = Process::recorder();
    if (recorder == nullptr) return next(words...);
    const CallSite site{__builtin_return_address(0),
                        static_cast<const char*>(__builtin_dwarf_cfa())};
    return Wrapper<function, Result(Arguments...)>::record(*recorder, next, site, words...);
  }

 private:
  using Next = typename Wrapper<function, Result(Arguments...)>::Next;
};

// Exports a function of this file under the name that the program calls. C++ cannot define a
// function with a parameter list that is known only as a type, such as decltype(MPI_Send). Indirect
// functions (attribute ifunc) fail: libraries that bind at once call them before this library is
// relocated.
#define HOCKNEY_NAMED(name, function)                                             \
  extern "C" __attribute__((used)) inline void named_##name() {                   \
    asm volatile(".globl " #name "\n\t.type " #name ", %%function\n\t.set " #name \
                 ", %c0" ::"i"(function));                                        \
  }

}  // namespace

}  // namespace hockney::profile

// NOLINTBEGIN(bugprone-macro-parentheses,cppcoreguidelines-macro-usage)
#define HOCKNEY_WRAP_NAME(function, name, type)                                       \
  namespace hockney::profile {                                                        \
  struct Text##name {                                                                 \
    static constexpr const char* text = #name;                                        \
  };                                                                                  \
  }                                                                                   \
  HOCKNEY_NAMED(name, (&hockney::profile::Entry<hockney::profile::Function::function, \
                                                hockney::profile::Text##name, type>::run))

#define HOCKNEY_WRAP(function, name)                            \
  HOCKNEY_WRAP_NAME(function, MPI_##name, decltype(MPI_##name)) \
  HOCKNEY_WRAP_NAME(function, PMPI_##name, decltype(MPI_##name))

// MPI 4 functions that an older mpi.h does not declare; the loaded library may have them.
#define HOCKNEY_WRAP_TYPED(function, type)          \
  HOCKNEY_WRAP_NAME(function, MPI_##function, type) \
  HOCKNEY_WRAP_NAME(function, PMPI_##function, type)
#define HOCKNEY_WRAP_PERSISTENT(function, nonblocking) \
  HOCKNEY_WRAP_TYPED(function, hockney::profile::PersistentType<decltype(MPI_##nonblocking)>::Type)
#define HOCKNEY_WRAP_PARTITIONED(function) HOCKNEY_WRAP_TYPED(function, hockney::profile::function)
// NOLINTEND(bugprone-macro-parentheses,cppcoreguidelines-macro-usage)

namespace hockney::profile {
namespace {

/// Type of a persistent collective, from that of the nonblocking one: it has an additional MPI_Info
/// before the request.
template <class Nonblocking, class... Before>
struct PersistentType;
template <class... Before>
struct PersistentType<int(MPI_Request*), Before...> {
  using Type = int(Before..., MPI_Info, MPI_Request*);
};
template <class First, class... Rest, class... Before>
struct PersistentType<int(First, Rest...), Before...> {
  using Type = typename PersistentType<int(Rest...), Before..., First>::Type;
};

using Psend_init = int(const void*, int, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Info,
                       MPI_Request*);
using Precv_init = int(void*, int, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Info,
                       MPI_Request*);
using Pready = int(int, MPI_Request);
using Pready_range = int(int, int, MPI_Request);
using Pready_list = int(int, const int*, MPI_Request);
using Parrived = int(MPI_Request, int, int*);

}  // namespace
}  // namespace hockney::profile

#include HOCKNEY_WRAPPED

namespace hockney::profile {
namespace {

int began(int code) {
  if (code == MPI_SUCCESS) Process::begin();
  return code;
}

/// Room for the longest name and a few bytes more, which show the recorder that a name is longer.
using NameRoom = std::array<char, Regions::longest_name + 5>;

/// Text at an address that may be invalid; empty if it cannot be read.
std::string_view text_at(const void* address, NameRoom& letters) {
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

/// MPI_Pcontrol as in IPM: (1, "region") enters a region, (-1, "region") leaves it. 0 and 1 switch
/// recording off and on, as the standard suggests. `argument` is not read while recording is off,
/// nor at other levels: it may not have been passed.
void control(int level, const void* argument) {
  Recorder* const recorder = Process::recorder();
  if (level == 0 || (level == 1 && recorder == nullptr)) return Process::pause(level == 0);
  if (recorder == nullptr || (level != 1 && level != -1)) return;
  NameRoom letters{};
  const std::string_view name = text_at(argument, letters);
  if (name.empty()) return;
  const Recorder::RecorderLock lock(*recorder);
  level == 1 ? recorder->enter(name) : recorder->leave(name);
}

}  // namespace
}  // namespace hockney::profile

// NOLINTBEGIN(cppcoreguidelines-macro-usage)
#define HOCKNEY_NEXT(name) static constinit hockney::profile::Real<decltype(name)> next(#name)

#define HOCKNEY_BEGINS(name)                                                            \
  extern "C" __attribute__((visibility("default"))) int name(int* argc, char*** argv) { \
    HOCKNEY_NEXT(name);                                                                 \
    hockney::profile::Process::list_threads();                                          \
    return hockney::profile::began(next(argc, argv));                                   \
  }

#define HOCKNEY_BEGINS_THREADED(name)                                                       \
  extern "C" __attribute__((visibility("default"))) int name(int* argc, char*** argv,       \
                                                             int required, int* provided) { \
    HOCKNEY_NEXT(name);                                                                     \
    hockney::profile::Process::list_threads();                                              \
    return hockney::profile::began(next(argc, argv, required, provided));                   \
  }

#define HOCKNEY_ENDS(name)                                       \
  extern "C" __attribute__((visibility("default"))) int name() { \
    HOCKNEY_NEXT(name);                                          \
    hockney::profile::Process::finish();                         \
    return next();                                               \
  }

// The communicator is passed as a word: it may be that of another family (Word).
#define HOCKNEY_ABORTS(name)                                                    \
  static int abort_by_##name(hockney::profile::Word<MPI_Comm> comm, int code) { \
    using Next = int(hockney::profile::Word<MPI_Comm>, int);                    \
    static constinit hockney::profile::Real<Next> next(#name);                  \
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
  const hockney::profile::Recorder::RecorderLock lock(*recorder);
  recorder->enter(name);
}

extern "C" void hockney_region_end(const char* name) {
  hockney::profile::Recorder* const recorder = hockney::profile::Process::recorder();
  if (recorder == nullptr || name == nullptr) return;
  const hockney::profile::Recorder::RecorderLock lock(*recorder);
  recorder->leave(name);
}
