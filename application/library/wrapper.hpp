#pragma once

#include <mpi.h>
#include <cstdint>
#include <tuple>
#include <type_traits>

#include "application/profile/calls.hpp"
#include "application/library/completion.hpp"
#include "application/library/process.hpp"
#include "application/library/real.hpp"
#include "application/library/recording.hpp"

namespace hockney::profile {

/// What is done before and after one call of a function.
template <Function function, class Tuple>
using Handling = std::conditional_t<completes_one(describe(function).kind) ||
                                        completes_list(describe(function).kind),
                                    Completion<function, Tuple>, Recording<function, Tuple>>;

/// How an argument is handed on: whole, as it lies in a register or on the stack. Where the MPI
/// library is of another family, what this one takes for an int may be a pointer.
template <class Argument>
using Word = std::conditional_t<std::is_same_v<Argument, int>, std::int64_t, Argument>;

/// Records a call of a function and hands it on.
template <Function function, class Type>
class Wrapper;

template <Function function, class Result, class... Arguments>
class Wrapper<function, Result(Arguments...)> {
 public:
  using Next = Result (*)(Word<Arguments>...);

  /// For both names of the function, of which one is `next`.
  __attribute__((noinline)) static Result record(Recorder& recorder, Next next,
                                                 const CallSite& site, Word<Arguments>... words) {
    const Process::Inside inside;
    std::tuple<Arguments...> arguments{static_cast<Arguments>(words)...};
    Handling<function, std::tuple<Arguments...>> handling(recorder, arguments, site);
    {
      const Recorder::Turn turn(recorder);
      handling.before();
    }
    const std::int64_t begin = Ticks::now();
    recorder.under_way.enters(function, begin);
    const Result result = std::apply(
        [&](const Arguments&... given) { return next(static_cast<Word<Arguments>>(given)...); },
        arguments);
    const std::int64_t end = Ticks::now();
    recorder.under_way.leaves();
    const Recorder::Turn turn(recorder);
    handling.after(result, begin, end - begin);
    return result;
  }
};

/// The function that stands before one of MPI's. Both names of it, MPI_X and PMPI_X, have one:
/// Fortran and tools come in through either. What the library calls of itself counts no more.
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

// Gives a function of this file's one more name, for all to see: the name that the program calls.
// What is known of its parameters is a type (that of mpi.h), of which C++ defines no function, and
// an indirect function (attribute ifunc) is called before this library is relocated by libraries
// that bind at once.
#define HOCKNEY_NAMED(name, function)                                             \
  extern "C" __attribute__((used)) inline void named_##name() {                   \
    asm volatile(".globl " #name "\n\t.type " #name ", %%function\n\t.set " #name \
                 ", %c0" ::"i"(function));                                        \
  }

}  // namespace hockney::profile
