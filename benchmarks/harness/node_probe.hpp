#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "benchmarks/harness/device_runtime.hpp"
#include "core/machine.hpp"

namespace hockney::benchmarks {

/// Bytes of the three arrays of one core for memory_bandwidth(): six times the core's share of the
/// last-level caches, at least 8 MiB and at most 64 MiB, and together at most an eighth of the free
/// memory. 64 MiB without known caches.
std::size_t bytes_for_core(std::size_t cores, std::size_t cache_bytes, std::size_t free_bytes);

/// Bandwidth of this host's memory [B/s]: a thread on each of the CPUs computes a[i] = b[i] + s *
/// c[i] in arrays of its own, which it touched first, together of `core_bytes`. All begin at the
/// same time; counted are the three numbers of every element, over the time until the last thread
/// has finished. The shortest of some passes, which take about 0.1 s. nullopt if a thread cannot be
/// started or bound, if memory is short, or if a result is wrong. The calling thread waits, and
/// stays where it is bound.
std::optional<double> memory_bandwidth(std::span<const int> cpus, std::size_t core_bytes);

/// Copies of 64 MiB between pinned memory of this host and each GPU, one after the other; the
/// shortest of four. GPUs that refuse are left out. The devices' contexts remain until the process
/// ends; the first call makes them and takes about a second for each device.
class DeviceProber {
 public:
  /// Without a runtime of CUDA or HIP that has a device, there is nothing to probe.
  DeviceProber();

  /// `rank` is that of the results.
  [[nodiscard]] std::vector<DeviceProbe> probe(int rank) const;

 private:
  std::optional<DeviceRuntime> runtime_;
  int devices_ = 0;
};

}  // namespace hockney::benchmarks
