#include <mpi.h>

#include <cstdint>
#include <tuple>
#include <type_traits>

#include "components/application/library/process.hpp"
#include "components/application/library/real.hpp"
#include "components/application/library/recording.hpp"
#include "components/application/profile/profile.hpp"

// Defines MPI_X and PMPI_X for every function X of components/application/profile/calls.def that
// mpi.h declares; CMake lists these in HOCKNEY_WRAPPED. Each is an alias of the instance of Entry
// with the parameter types of mpi.h.
namespace hockney::profile {
namespace {

/// Class that records a call, before and after MPI runs it.
template <Function function, class Tuple>
using Handling = std::conditional_t<completes_one(describe(function).kind) ||
                                        completes_list(describe(function).kind),
                                    Completion<function, Tuple>, Recording<function, Tuple>>;

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

#include HOCKNEY_WRAPPED
