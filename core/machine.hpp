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

/// Memory bandwidth of a host: one thread on each of its cores, all at the same time.
struct MemoryProbe {
  int rank = 0;                 ///< that started the threads, the first of its host
  int cores = 0;                ///< of the host that the job may use
  double bytes_per_second = 0;  ///< of a[i] = b[i] + s * c[i], two arrays read and one written

  friend bool operator==(const MemoryProbe&, const MemoryProbe&) = default;
};

/// Copies between pinned memory of a host and one of its GPUs, the others at rest.
struct DeviceProbe {
  int rank = 0;    ///< that copied, the first of its host
  int device = 0;  ///< as the runtime numbers it
  double to_device_bytes_per_second = 0;
  double from_device_bytes_per_second = 0;

  friend bool operator==(const DeviceProbe&, const DeviceProbe&) = default;
};

/// The machine beside MPI at one moment of a launch.
struct MachineProbe {
  ProbeMoment moment = ProbeMoment::begin;
  double at_seconds = 0;         ///< since measuring began, as the starts of blocks [s]
  std::vector<LineProbe> lines;  ///< of a few pairs
  std::vector<RankProbe> ranks;
  std::vector<MemoryProbe> memory{};   ///< of each host, if every node measures itself
  std::vector<DeviceProbe> devices{};  ///< of each GPU, likewise

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
