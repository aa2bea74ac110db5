#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

namespace hockney {

/// When a launch probed the machine.
enum class ProbeMoment { begin, middle, end };

constexpr auto words_of(std::type_identity<ProbeMoment>) {
  return std::to_array<std::string_view>({"begin", "middle", "end"});
}

/// Half the round trip of a cache line between two ranks of one host, without MPI: the time of
/// floor-cacheline.
struct LineProbe {
  std::vector<int> pair;  ///< world ranks
  double seconds = 0;

  friend bool operator==(const LineProbe&, const LineProbe&) = default;
};

/// Speed of a rank's CPU and memory while all ranks of its host are probed.
struct RankProbe {
  int rank = 0;
  double noise_probe_seconds = 0;                 ///< shortest of several noise probes [s]
  std::optional<double> copy_bytes_per_second{};  ///< of memcpy in private memory [B/s]

  friend bool operator==(const RankProbe&, const RankProbe&) = default;
};

/// The machine beside MPI at one moment of a launch.
struct MachineProbe {
  ProbeMoment moment = ProbeMoment::begin;
  double at_seconds = 0;         ///< since measuring began, as the starts of blocks [s]
  std::vector<LineProbe> lines;  ///< of a few pairs
  std::vector<RankProbe> ranks;

  friend bool operator==(const MachineProbe&, const MachineProbe&) = default;
};

/// Which blocks of a series count by comparison with the other launches of the campaign
/// (verdicts/disturbance.hpp). No document contains it. By default all count.
struct CampaignJudgement {
  /// Shortest noise probe of this point in the campaign [s]; set if no block of this launch came
  /// near it.
  std::optional<double> quiet_probe_seconds{};

  friend bool operator==(const CampaignJudgement&, const CampaignJudgement&) = default;
};

}  // namespace hockney
