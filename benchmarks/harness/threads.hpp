#pragma once

#include <mpi.h>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "benchmarks/engine/thread_team.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/handle.hpp"

namespace hockney::benchmarks {

/// Whether the threads of a rank tell their messages apart by tags or by communicators.
enum class ThreadCommunicators {
  shared,  ///< one communicator for all, and tags of its own for each
  each     ///< a communicator for each
};

constexpr auto words_of(std::type_identity<ThreadCommunicators>) {
  return std::to_array<std::string_view>({"shared", "each"});
}

/// Threads of each rank, at least 1, and their communicators.
inline constexpr Parameter<int> threads_parameter{"threads", 1};
inline constexpr Parameter<ThreadCommunicators> communicators_parameter{"communicators",
                                                                        ThreadCommunicators::each};
inline int threads_of(const Point& point) { return point.parameters[threads_parameter]; }

/// Threads of a rank at most: as many as there are tags for in every MPI (MPI_TAG_UB is at least
/// 32767).
inline constexpr int most_threads = 32767 / tags_of_thread;

/// "MPI_THREAD_SINGLE" and so on.
std::string thread_level_name(int level);

/// Why threads cannot call MPI at the same time in this process; nullopt when they can.
std::optional<std::string> thread_level_obstacle();

/// Why threads cannot run an operation as a point says: they may not call MPI, or its buffers
/// rotate. nullopt when they can.
std::optional<std::string> thread_obstacle(const Point& point);

/// The seed of the data of one thread, so that the message of one is not that of another.
inline std::uint64_t thread_seed(std::uint64_t seed, int thread) {
  return seed + static_cast<std::uint64_t>(thread) * 0xD1B54A32D192ED03U;
}

/// The threads of this rank at a point, each bound to its CPU where the context has some for them.
/// RunError when one cannot be bound. Threads that share CPUs, or whose CPUs are not known, let go
/// of theirs while they wait for each other.
ThreadTeam make_team(const Context& context, int threads);

/// What the threads of a rank work with: the context of an operation for each of them.
class ThreadContexts {
 public:
  /// Collective over the context's communicator, which is duplicated for each thread but the first
  /// where each has one.
  ThreadContexts(const Context& context, const Point& point);

  [[nodiscard]] Context of(int thread) const;

 private:
  Context context_;
  std::vector<UniqueComm> comms_;  ///< of threads 1, 2, ...; none where it is shared
};

}  // namespace hockney::benchmarks
