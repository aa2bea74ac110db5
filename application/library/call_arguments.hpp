#pragma once

#include <mpi.h>
#include <cstddef>
#include <cstdint>
#include <tuple>

#include "application/profile/calls.hpp"
#include "application/library/recorder.hpp"
#include "application/library/volume.hpp"

namespace hockney::profile {

/// One call of a function with its arguments, a tuple that is handed on to MPI afterwards.
template <Function function, class Tuple>
class CallArguments {
 public:
  CallArguments(Recorder& recorder, Tuple& arguments, const CallSite& site)
      : recorder_(recorder), arguments_(arguments), timed_{function, site, 0, 0} {}

 protected:
  static constexpr Kind kind = describe(function).kind;
  static constexpr Arguments at = describe(function).at;

  template <int index>
  auto& argument() {
    return std::get<static_cast<std::size_t>(index)>(arguments_);
  }

  Recorder& recorder() { return recorder_; }
  Tuple& arguments() { return arguments_; }
  Timed& timed() { return timed_; }

  const Group& group() { return recorder_.communicators.of(argument<at.comm>()); }
  std::int64_t bytes() { return bytes_of(argument<at.count>(), argument<at.type>()); }

  void record(std::uint32_t communicator, std::int64_t bytes) {
    recorder_.call(timed_, communicator, bytes);
  }

  /// Gives the call a status where the program wants none.
  void want_status() {
    if (argument<at.status>() == MPI_STATUS_IGNORE) argument<at.status>() = &status_;
  }

  /// From where something came, and what; nothing where the receive was cancelled.
  /// MPICH leaves source and tag of an earlier message in such a status.
  Endpoint endpoint(MPI_Status& status, const std::vector<int>* world) {
    if (is_cancelled(status)) return {nobody, nobody, 0};
    const std::int64_t bytes = came(status);
    const int source = status.MPI_SOURCE;
    const bool is_rank =
        world != nullptr && source >= 0 && static_cast<std::size_t>(source) < world->size();
    if (!is_rank || status.MPI_TAG < 0) return {nobody, nobody, bytes};
    return {(*world)[static_cast<std::size_t>(source)], status.MPI_TAG, bytes};
  }

  /// What came [B]; -1 where MPI does not say.
  std::int64_t came(MPI_Status& status) {
#if defined(HOCKNEY_SIMULATED_PROFILE)  // the simulator has MPI_Get_elements_x, and aborts in it
    int count = 0;
    real::Get_count(&status, handles().byte, &count);
#else
    MPI_Count count = 0;
    real::Get_elements_x(&status, handles().byte, &count);
#endif
    return count == MPI_UNDEFINED ? -1 : static_cast<std::int64_t>(count);
  }

 private:
  bool is_cancelled(MPI_Status& status) {
    if (!recorder_.cancelled_any) return false;
    int cancelled = 0;
    static constinit Real<decltype(PMPI_Test_cancelled)> test_cancelled("PMPI_Test_cancelled");
    test_cancelled(&status, &cancelled);
    return cancelled != 0;
  }

  Recorder& recorder_;
  Tuple& arguments_;
  Timed timed_;
  MPI_Status status_{};
};

}  // namespace hockney::profile
