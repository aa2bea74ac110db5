#include "benchmarks/harness/node_probe.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <new>
#include <system_error>
#include <thread>

#include "benchmarks/engine/thread_team.hpp"
#include "core/error.hpp"
#include "placement/machine.hpp"

namespace hockney::benchmarks {
namespace {

using SteadyClock = std::chrono::steady_clock;

double seconds_between(SteadyClock::time_point begin, SteadyClock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

constexpr std::size_t arrays = 3;
constexpr double factor = 3;
constexpr double b_value = 1;
constexpr double c_value = 2;

/// The arrays of one thread, as in STREAM's triad (McCalpin 1995).
class Triad {
 public:
  /// Touches the arrays from the calling thread.
  explicit Triad(std::size_t bytes)
      : size_(bytes / (arrays * sizeof(double))),
        a_(new double[size_]),
        b_(new double[size_]),
        c_(new double[size_]) {
    std::fill_n(a_.get(), size_, 0.0);
    std::fill_n(b_.get(), size_, b_value);
    std::fill_n(c_.get(), size_, c_value);
  }

  void run() {
    double* __restrict a = a_.get();
    const double* __restrict b = b_.get();
    const double* __restrict c = c_.get();
    for (std::size_t i = 0; i < size_; ++i) a[i] = b[i] + factor * c[i];
    __asm__ volatile("" : : "r"(a) : "memory");
  }

  [[nodiscard]] double bytes() const {
    return static_cast<double>(arrays * sizeof(double) * size_);
  }
  [[nodiscard]] bool is_right() const {
    return std::ranges::all_of(std::span(a_.get(), size_),
                               [](double value) { return value == b_value + factor * c_value; });
  }

 private:
  std::size_t size_;
  std::unique_ptr<double[]> a_;
  std::unique_ptr<double[]> b_;
  std::unique_ptr<double[]> c_;
};

/// Passes of all threads until 0.1 s are over, at least two and at most eight; the shortest [s].
double shortest_pass(ThreadTeam& team, const ThreadTeam::Task& pass) {
  constexpr int most_passes = 8;
  constexpr int fewest_passes = 2;
  constexpr double enough_seconds = 0.1;
  double shortest = std::numeric_limits<double>::max();
  double total = 0;
  for (int i = 0; i < most_passes && (i < fewest_passes || total < enough_seconds); ++i) {
    team.get_set();
    const SteadyClock::time_point begin = SteadyClock::now();
    team.run(pass);
    const double seconds = seconds_between(begin, SteadyClock::now());
    shortest = std::min(shortest, seconds);
    total += seconds;
  }
  return shortest;
}

/// memory_bandwidth(), on a thread that may be bound elsewhere.
std::optional<double> measure_bandwidth(std::span<const int> cpus, std::size_t core_bytes) {
  const ThreadTeam::Task bind = [&](int thread) {
    placement::bind_this_thread(cpus[static_cast<std::size_t>(thread)], "a memory thread");
  };
  bind(0);
  ThreadTeam team(static_cast<int>(cpus.size()), Waiting::spinning, bind);
  std::vector<std::unique_ptr<Triad>> triads(cpus.size());
  const auto of = [&](int thread) -> std::unique_ptr<Triad>& {
    return triads[static_cast<std::size_t>(thread)];
  };
  team.run([&](int thread) {
    try {
      of(thread) = std::make_unique<Triad>(core_bytes);
      of(thread)->run();
    } catch (const std::bad_alloc&) {
      of(thread).reset();
    }
  });
  const auto is_missing = [](const auto& triad) { return triad == nullptr; };
  if (std::ranges::any_of(triads, is_missing)) return std::nullopt;
  const double seconds = shortest_pass(team, [&](int thread) { of(thread)->run(); });
  double bytes = 0;
  for (const auto& triad : triads) {
    if (!triad->is_right()) return std::nullopt;
    bytes += triad->bytes();
  }
  return seconds > 0 ? std::optional(bytes / seconds) : std::nullopt;
}

constexpr std::size_t device_bytes = std::size_t{64} << 20U;

/// Memory of a runtime.
struct DeviceMemory {
  DeviceMemory(const DeviceRuntime& its_runtime, DevicePlace its_place)
      : runtime(its_runtime),
        place(its_place),
        data(its_runtime.allocate(device_bytes, its_place)) {}
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  DeviceMemory(DeviceMemory&&) = delete;
  DeviceMemory& operator=(DeviceMemory&&) = delete;
  ~DeviceMemory() { runtime.release(data, place); }

  const DeviceRuntime& runtime;
  DevicePlace place;
  std::byte* data;
};

/// [B/s]; nullopt if a copy fails.
std::optional<double> copy_rate(const CopyStream& stream, const DeviceMemory& to,
                                const DeviceMemory& from, CopyWay way) {
  constexpr int copies = 5;  // the first one is not counted
  double shortest = std::numeric_limits<double>::max();
  for (int i = 0; i < copies; ++i) {
    const SteadyClock::time_point begin = SteadyClock::now();
    if (stream.try_copy(to.data, from.data, device_bytes, way) != 0) return std::nullopt;
    if (i > 0) shortest = std::min(shortest, seconds_between(begin, SteadyClock::now()));
  }
  return shortest > 0 ? std::optional(static_cast<double>(device_bytes) / shortest) : std::nullopt;
}

/// RunError if the device refuses.
std::optional<DeviceProbe> probe_device(const DeviceRuntime& runtime, int device) {
  runtime.select(device);
  const DeviceMemory on_device(runtime, DevicePlace::device);
  const DeviceMemory pinned(runtime, DevicePlace::pinned);
  const CopyStream stream(runtime);
  const auto to = copy_rate(stream, on_device, pinned, CopyWay::to_device);
  const auto from = copy_rate(stream, pinned, on_device, CopyWay::from_device);
  if (!to || !from) return std::nullopt;
  return DeviceProbe{
      .device = device, .to_device_bytes_per_second = *to, .from_device_bytes_per_second = *from};
}

}  // namespace

std::size_t bytes_for_core(std::size_t cores, std::size_t cache_bytes, std::size_t free_bytes) {
  constexpr std::size_t least = std::size_t{8} << 20U;
  constexpr std::size_t most = std::size_t{64} << 20U;
  constexpr std::size_t times_caches = 6;
  constexpr std::size_t share_of_free = 8;
  const std::size_t wanted =
      cache_bytes == 0 ? most : std::clamp(times_caches * cache_bytes / cores, least, most);
  const std::size_t free = free_bytes == 0 ? wanted : free_bytes / (share_of_free * cores);
  return std::min(wanted, free);
}

std::optional<double> memory_bandwidth(std::span<const int> cpus, std::size_t core_bytes) {
  if (cpus.empty() || core_bytes < arrays * sizeof(double)) return std::nullopt;
  std::optional<double> rate;
  try {
    std::jthread([&] {
      try {
        rate = measure_bandwidth(cpus, core_bytes);
      } catch (const Error&) {
        rate.reset();
      } catch (const std::system_error&) {
        rate.reset();
      }
    }).join();
  } catch (const std::system_error&) {
    return std::nullopt;
  }
  return rate;
}

DeviceProber::DeviceProber() {
  for (const DeviceMaker maker : {DeviceMaker::cuda, DeviceMaker::rocm}) {
    try {
      runtime_.emplace(maker);
      devices_ = runtime_->devices();
      if (devices_ > 0) return;
    } catch (const RunError&) {
      devices_ = 0;
    }
    runtime_.reset();
  }
}

std::vector<DeviceProbe> DeviceProber::probe(int rank) const {
  std::vector<DeviceProbe> probes;
  if (!runtime_) return probes;
  // The device of a thread is that of its last call; the caller's stays.
  std::jthread([&] {
    for (int device = 0; device < devices_; ++device) {
      try {
        if (auto probe = probe_device(*runtime_, device)) {
          probe->rank = rank;
          probes.push_back(*probe);
        }
      } catch (const RunError&) {
        continue;
      }
    }
  }).join();
  return probes;
}

}  // namespace hockney::benchmarks
