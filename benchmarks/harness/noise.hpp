#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "benchmarks/harness/point.hpp"
#include "core/noise.hpp"

namespace hockney::benchmarks {

/// What the other ranks of a group do while the first one works.
enum class NeighbourWork {
  idle,       ///< they sleep
  computing,  ///< arithmetic that keeps a core's issue slots full
  streaming   ///< passes over memory that no cache holds
};

constexpr auto words_of(std::type_identity<NeighbourWork>) {
  return std::to_array<std::string_view>({"idle", "computing", "streaming"});
}

/// On which pages data are.
enum class PageChoice {
  same,   ///< those that it had since the launch began
  moved,  ///< others for every sample, which have been touched
  fresh   ///< others for every pass, which are touched in it for the first time
};

constexpr auto words_of(std::type_identity<PageChoice>) {
  return std::to_array<std::string_view>({"same", "moved", "fresh"});
}

inline constexpr Parameter<NeighbourWork> neighbours_parameter{"neighbours"};
inline constexpr Parameter<PageChoice> pages_parameter{"pages"};

/// Why a point cannot be measured by an operation that has its memory for itself: it would be at
/// another place, of another kind, of elements, or less than a cache line. nullopt when it can.
std::optional<std::string> own_memory_obstacle(const Point& point);

/// Goes over the memory once: adds 1 to the first word of every cache line and returns the sum of
/// these words, so that nothing of the pass can be left out.
std::uint64_t go_over(std::span<std::byte> memory);

/// The sum that go_over returns when every word was 0 before, and it is called for the n-th time.
std::uint64_t sum_after(std::span<const std::byte> memory, std::int64_t passes);

/// Sets the words that go_over counts in to 0.
void clear_counts(std::span<std::byte> memory);

/// Has every rank do the same piece of work again and again for so many seconds, all at the same
/// time, and says on rank 0 what happened to each rank's core meanwhile; nothing elsewhere.
/// Collective.
std::vector<CoreNoise> record_noise(MPI_Comm comm, double seconds);

}  // namespace hockney::benchmarks
