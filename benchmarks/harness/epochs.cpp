#include "benchmarks/harness/epochs.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <utility>

#include "benchmarks/harness/datatypes.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/rank_work.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks {

ExposedMemory::ExposedMemory(MPI_Comm comm, WindowKind kind, std::size_t bytes)
    : comm_(comm),
      kind_(kind),
      bytes_(std::max<std::size_t>(1, bytes)),
      begins_(static_cast<std::size_t>(size_of(comm)), 0) {
  if (kind == WindowKind::created || kind == WindowKind::dynamic) {
    own_ = map_memory(bytes_, Pages::touched_now);
    memory_ = own_.get();
  }
  make_window();
  take_mpi_errors(window());
}

void ExposedMemory::make_window() {
  const auto size = static_cast<MPI_Aint>(bytes_);
  switch (kind_) {
    case WindowKind::created:
      return mpi_check(MPI_Win_create(memory_, size, 1, MPI_INFO_NULL, comm_, window_.out()));
    case WindowKind::allocated:
      return mpi_check(MPI_Win_allocate(size, 1, MPI_INFO_NULL, comm_, &memory_, window_.out()));
    case WindowKind::shared:
      return mpi_check(
          MPI_Win_allocate_shared(size, 1, MPI_INFO_NULL, comm_, &memory_, window_.out()));
    case WindowKind::dynamic:
      return attach();
  }
}

/// Calls on a dynamic window need the address of the memory, which its owner sends.
void ExposedMemory::attach() {
  mpi_check(MPI_Win_create_dynamic(MPI_INFO_NULL, comm_, window_.out()));
  mpi_check(MPI_Win_attach(window(), memory_, static_cast<MPI_Aint>(bytes_)));
  MPI_Aint begin = 0;
  mpi_check(MPI_Get_address(memory_, &begin));
  mpi_check(MPI_Allgather(&begin, 1, MPI_AINT, begins_.data(), 1, MPI_AINT, comm_));
}

ExposedMemory::~ExposedMemory() {
  if (kind_ != WindowKind::dynamic) return;  // MPI_Win_free itself waits for all ranks
  MPI_Barrier(comm_);
  MPI_Win_detach(window(), memory_);
}

bool is_active(EpochKind synchronisation) {
  return synchronisation == EpochKind::fence || synchronisation == EpochKind::pscw;
}

std::optional<std::string> epoch_obstacle(const Point& point) {
  const EpochKind synchronisation = epoch_kind_of(point);
  const bool at_target = completion_of(point) == Completion::target;
  if (at_target && synchronisation == EpochKind::flush_local) {
    return "what is flushed locally need not have reached its target";
  }
  if (point.parameters[work_parameter] == Work::none) return std::nullopt;
  if (is_active(synchronisation))
    return fmt::format("a target that computes takes no part in a {}", word(synchronisation));
  if (at_target) return "a target that computes does not read its memory";
  return std::nullopt;
}

namespace {

using State = Epochs::State;

/// Each synchronisation is a struct of the functions it needs; the others do nothing. is_open is
/// true if its epoch stays open between calls.
struct Nothing {
  static constexpr bool is_open = false;

  static void open(State&) {}
  static void begin(State&) {}
  static void complete(State&) {}
  static void expose(State&) {}
  static void conclude(State&) {}
  static void settle(State&) {}
  static void begin_own(const State&) {}
  static void end_own(const State&) {}
  static void close(State&) {}
};

/// A fence ends the epoch before it, and begins the next one.
struct Fence : Nothing {
  static void fence(const State& state) { MPI_Win_fence(0, state.partners.window); }

  static void open(State& state) { fence(state); }
  static void complete(State& state) { fence(state); }
  static void conclude(State& state) { fence(state); }
  static void complete_both(State& state) { fence(state); }
  static void begin_own(const State& state) { fence(state); }
  static void end_own(const State& state) { fence(state); }
  static void close(State& state) { MPI_Win_fence(MPI_MODE_NOSUCCEED, state.partners.window); }
};

/// Access to a rank's own memory for synchronisations whose epoch ends with the calls.
struct BetweenEpochs : Nothing {
  static void begin_own(const State& state) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, state.partners.own, 0, state.partners.window);
  }
  static void end_own(const State& state) {
    MPI_Win_unlock(state.partners.own, state.partners.window);
  }
};

struct Pscw : BetweenEpochs {
  static void open(State& state) {
    UniqueGroup all;
    mpi_check(MPI_Comm_group(state.partners.comm, all.out()));
    include(state.partners.targets, all, state.targets);
    include(state.partners.origins, all, state.origins);
  }
  static void begin(State& state) { MPI_Win_start(state.targets.get(), 0, state.partners.window); }
  static void complete(State& state) { MPI_Win_complete(state.partners.window); }
  static void expose(State& state) { MPI_Win_post(state.origins.get(), 0, state.partners.window); }
  static void conclude(State& state) { MPI_Win_wait(state.partners.window); }

 private:
  /// Makes no group for an empty list: the result, MPI_GROUP_EMPTY, must not be freed.
  static void include(const std::vector<int>& ranks, const UniqueGroup& all, UniqueGroup& group) {
    if (ranks.empty()) return;
    mpi_check(MPI_Group_incl(all.get(), static_cast<int>(ranks.size()), ranks.data(), group.out()));
  }
};

/// The target takes no part.
struct Lock : BetweenEpochs {
  static void begin(State& state) {
    for (const int target : state.partners.targets) {
      MPI_Win_lock(MPI_LOCK_SHARED, target, 0, state.partners.window);
    }
  }
  static void complete(State& state) {
    for (const int target : state.partners.targets) MPI_Win_unlock(target, state.partners.window);
  }
};

struct LockAll : BetweenEpochs {
  static void begin(State& state) { MPI_Win_lock_all(0, state.partners.window); }
  static void complete(State& state) { MPI_Win_unlock_all(state.partners.window); }
};

/// One epoch for all calls, which are flushed: by `one` for one target, by `all` for several.
template <auto one, auto all>
struct Flushed : Nothing {
  static constexpr bool is_open = true;

  static void open(State& state) { MPI_Win_lock_all(0, state.partners.window); }
  static void complete(State& state) {
    if (state.partners.targets.size() == 1) {
      one(state.partners.targets.front(), state.partners.window);
    } else {
      all(state.partners.window);
    }
  }
  static void begin_own(const State& state) { MPI_Win_sync(state.partners.window); }
  static void end_own(const State& state) { MPI_Win_sync(state.partners.window); }
  static void close(State& state) { MPI_Win_unlock_all(state.partners.window); }
};

/// MPI_Win_flush completes calls at the target, so settle() does nothing that could hide a fault.
using Flush = Flushed<MPI_Win_flush, MPI_Win_flush_all>;

struct FlushLocal : Flushed<MPI_Win_flush_local, MPI_Win_flush_local_all> {
  static void settle(State& state) { MPI_Win_flush_all(state.partners.window); }
};

/// A passive synchronisation followed by an empty message that notifies the target.
template <class Passive>
struct Reported : Passive {
  static void complete(State& state) {
    Passive::complete(state);
    for (const int target : state.partners.targets) {
      MPI_Send(nullptr, 0, MPI_BYTE, target, tag, state.partners.comm);
    }
  }
  static void conclude(State& state) {
    hear(state);
    see_memory(state);
  }
  static void complete_both(State& state) {
    Passive::complete(state);
    std::vector<MPI_Request>& requests = state.requests;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      MPI_Isend(nullptr, 0, MPI_BYTE, state.partners.targets[i], tag, state.partners.comm,
                &requests[i]);
    }
    hear(state);
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    see_memory(state);
  }

 private:
  static constexpr int tag = 2;

  static void hear(State& state) {
    for (const int origin : state.partners.origins) {
      MPI_Recv(nullptr, 0, MPI_BYTE, origin, tag, state.partners.comm, MPI_STATUS_IGNORE);
    }
  }
  /// MPI_Win_sync is allowed only in a passive epoch. Without one the memory must be unified.
  static void see_memory(State& state) {
    if constexpr (Passive::is_open) MPI_Win_sync(state.partners.window);
  }
};

/// For synchronisations without a combined function.
template <class Kind>
void complete_both(State& state) {
  if constexpr (requires { Kind::complete_both(state); }) {
    Kind::complete_both(state);
  } else {
    Kind::complete(state);
    Kind::conclude(state);
  }
}

template <class Kind>
Epochs::Calls calls_of() {
  return {.open = &Kind::open,
          .begin = &Kind::begin,
          .complete = &Kind::complete,
          .expose = &Kind::expose,
          .conclude = &Kind::conclude,
          .complete_both = &complete_both<Kind>,
          .settle = &Kind::settle,
          .begin_own = &Kind::begin_own,
          .end_own = &Kind::end_own,
          .close = &Kind::close};
}

template <class Passive>
Epochs::Calls calls_of(Completion completion) {
  return completion == Completion::target ? calls_of<Reported<Passive>>() : calls_of<Passive>();
}

Epochs::Calls calls_at(const Point& point) {
  const Completion completion = completion_of(point);
  switch (epoch_kind_of(point)) {
    case EpochKind::fence:
      return calls_of<Fence>();
    case EpochKind::pscw:
      return calls_of<Pscw>();
    case EpochKind::lock:
      return calls_of<Lock>(completion);
    case EpochKind::lock_all:
      return calls_of<LockAll>(completion);
    case EpochKind::flush_local:
      return calls_of<FlushLocal>(completion);
    case EpochKind::flush:
      break;
  }
  return calls_of<Flush>(completion);
}

}  // namespace

Epochs::Epochs(Partners partners, const Point& point)
    : calls_(calls_at(point)), state_{.partners = std::move(partners)} {
  state_.requests.resize(state_.partners.targets.size());
  calls_.open(state_);
}

}  // namespace hockney::benchmarks
