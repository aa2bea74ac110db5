#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/words.hpp"
#include "application/analysis/volume.hpp"
#include "application/profile/profile.hpp"

namespace hockney::applications {

/// What a call does, as far as its price depends on it.
enum class CallClass { send, receive, completion, other };

constexpr auto words_of(std::type_identity<CallClass>) {
  return std::to_array<std::string_view>({"send", "receive", "completion", "other"});
}

CallClass class_of(std::string_view call);

/// Whether a function is MPI_File_*.
bool is_file_call(std::string_view call);

/// Some calls together.
struct CallSums {
  Volume volume;
  double seconds = 0;      ///< inside all of them, summed over ranks
  double min_seconds = 0;  ///< of one call
  double max_seconds = 0;
  int ranks = 0;               ///< that made them: at least so many
  int slowest_rank = 0;        ///< that spent the most in them, as far as the profile tells
  double slowest_seconds = 0;  ///< of that rank: at least

  void add(const profile::Calls& calls);
};

/// The calls of one function.
struct FunctionCalls {
  std::string call;
  CallSums sums;
};

/// Those of one function from one place in the code.
struct SiteCalls {
  std::string call;
  std::optional<int> site;  ///< index into the profile's
  CallSums sums;
};

/// Those inside of a region.
struct RegionCalls {
  std::optional<int> region;  ///< index into the profile's; nullopt: outside of all
  CallSums sums;
};

/// Calls with so many bytes each.
struct SizeClass {
  std::int64_t from_bytes = 0;
  std::int64_t to_bytes = 0;  ///< inclusive
  Volume volume;
  double seconds = 0;
};

/// Of every function, those of most time first.
std::vector<FunctionCalls> by_function(const profile::Profile& profile);
std::vector<SiteCalls> by_site(const profile::Profile& profile);
std::vector<RegionCalls> by_region(const profile::Profile& profile);

/// By size: 0, 1, 2 to 3, 4 to 7, ... bytes; classes without calls are not listed. Of all functions
/// that carry data, or of one.
std::vector<SizeClass> by_size(const profile::Profile& profile, std::string_view call = {});

/// What recording cost.
struct RecordingPrice {
  double seconds_per_call = 0;     ///< mean
  double seconds = 0;              ///< of all ranks
  std::optional<double> fraction;  ///< of the time that all ranks ran
};

/// Calls x price of their class / time of all ranks. Calls that no row tells of cost what others
/// do. nullopt where there are no calls.
std::optional<RecordingPrice> recording_price(const profile::Profile& profile);

}  // namespace hockney::applications
