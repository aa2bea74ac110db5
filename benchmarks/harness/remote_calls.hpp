#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/epochs.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/remote_data.hpp"

namespace hockney::benchmarks {

/// A call's descriptions.
struct RemoteCallWords {
  std::string_view name;
  std::string_view function;  ///< of MPI
  std::string_view counts;    ///< of one call
};

/// A slot of another rank's memory, as an argument of calls on its window.
struct Place {
  MPI_Win window;
  int rank;
  MPI_Aint displacement;
  std::size_t slot;
};

/// Why a call on a window cannot be measured at the point; nullopt if it can.
inline std::optional<std::string> window_obstacle(const Point& point) {
  if (has_rotating_buffers(point)) return "the memory of a window stays in one place";
  return epoch_obstacle(point);
}

/// The common part of the forms: memory, data and epochs of one rank.
template <class Call>
class RemoteCalls {
 public:
  using Data = typename Call::Data;

  static std::optional<std::string> obstacle(const Point& point) {
    if (auto reason = window_obstacle(point)) return reason;
    if (!Data::calls.changes_target && completion_of(point) == Completion::target) {
      return "it changes nothing at its target";
    }
    return Data::obstacle(point);
  }

  void refill(std::uint64_t seed) {
    epochs_.begin_own();
    data_.refill(seed, memory_.bytes());
    epochs_.end_own();
    calls_ = 0;
    mpi_check(MPI_Barrier(comm_));  // no call may come before the memory is laid out
  }
  void settle() {
    epochs_.settle();
    mpi_check(MPI_Barrier(comm_));
  }
  [[nodiscard]] bool verify(std::uint64_t seed) const {
    epochs_.begin_own();
    const bool is_good = data_.verify(seed, memory_.bytes(), calls_);
    epochs_.end_own();
    mpi_check(MPI_Barrier(comm_));  // no next call may come before all ranks have checked their
                                    // memory
    return is_good;
  }

 protected:
  RemoteCalls(const Context& context, const Point& point, const Links& links)
      : comm_(context.comm),
        slots_(point, static_cast<std::size_t>(links.slots)),
        memory_(comm_, window_kind_of(point), slots_.bytes()),
        data_(context, point, links, slots_),
        epochs_({.comm = comm_,
                 .window = memory_.window(),
                 .own = context.rank,
                 .targets = links.targets(),
                 .origins = links.sources()},
                point) {
    for (const RemoteSlot& call : links.calls) {
      const auto offset = static_cast<MPI_Aint>(slots_.begin_of(call.there));
      places_.push_back(
          {memory_.window(), call.rank, memory_.begin_of(call.rank) + offset, call.here});
    }
  }

  /// This rank's calls, until they are complete.
  void give() {
    epochs_.begin();
    make_calls();
    epochs_.complete();
  }
  /// This rank's part in the other ranks' calls.
  void take() {
    epochs_.expose();
    epochs_.conclude();
  }
  void give_and_take() {
    epochs_.expose();
    epochs_.begin();
    make_calls();
    epochs_.complete_both();
  }
  /// Counts one call on each slot, made by either rank.
  void count() {
    ++calls_;
    if constexpr (requires { data_.advance(); }) data_.advance();
  }

 private:
  void make_calls() {
    for (const Place& place : places_) Call::make(data_, place);
  }

  MPI_Comm comm_;
  Slots slots_;
  ExposedMemory memory_;
  Data data_;
  Epochs epochs_;
  std::vector<Place> places_;
  std::uint64_t calls_ = 0;  ///< number of calls on each slot since refill
};

}  // namespace hockney::benchmarks
