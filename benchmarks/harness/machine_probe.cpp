#include "benchmarks/harness/machine_probe.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <map>
#include <utility>

#include "benchmarks/engine/prepared.hpp"
#include "benchmarks/harness/communicators.hpp"
#include "benchmarks/harness/environment.hpp"
#include "core/error.hpp"

namespace hockney::benchmarks {
namespace {

constexpr std::size_t most_pairs = 16;        // of one host
constexpr std::size_t line_pair_bytes = 128;  // prefetchers fetch pairs of cache lines
constexpr std::size_t copied_bytes = std::size_t{1} << 20U;
constexpr std::size_t numbers_of_rank = 2;  // noise probe and rate of the copy

const Site& site_of(std::span<const Site> sites, int rank) {
  return sites[static_cast<std::size_t>(rank)];
}

bool have_own_cpus(const Site& a, const Site& b) {
  return !a.pu || !b.pu || a.pu->os_cpu != b.pu->os_cpu;
}

Handoff& handoff_at(const SharedMemory& memory, std::size_t line) {
  return *reinterpret_cast<Handoff*>(memory.data() + line * line_pair_bytes);
}

/// The shorter of two times above 0; 0 if neither is.
double shorter_time(double one, double other) {
  if (one <= 0 || other <= 0) return std::max({one, other, 0.0});
  return std::min(one, other);
}

}  // namespace

std::vector<ProbedPair> probed_pairs(std::span<const ProbedPair> wanted,
                                     std::span<const Site> sites) {
  std::map<int, std::size_t> of_node;
  std::vector<ProbedPair> pairs;
  for (ProbedPair pair : wanted) {
    if (pair.size() != 2 || pair[0] == pair[1]) continue;
    std::ranges::sort(pair);
    const Site& first = site_of(sites, pair[0]);
    const Site& second = site_of(sites, pair[1]);
    const bool is_known = std::ranges::find(pairs, pair) != pairs.end();
    if (is_known || first.node != second.node || !have_own_cpus(first, second)) continue;
    if (++of_node[first.node] <= most_pairs) pairs.push_back(std::move(pair));
  }
  return pairs;
}

MachineProber::MachineProber(MPI_Comm comm, std::span<const Site> sites,
                             std::vector<ProbedPair> pairs, TickClock& clock)
    : comm_(comm),
      rank_(rank_in(comm)),
      pairs_(std::move(pairs)),
      clock_(clock),
      from_(copied_bytes, std::byte{1}),
      to_(copied_bytes, std::byte{2}) {
  const int node = site_of(sites, rank_).node;
  mpi_check(MPI_Comm_split(comm, node, rank_, host_.out()));
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    if (site_of(sites, pairs_[i].front()).node == node) host_pairs_.push_back(i);
  }
  if (host_pairs_.empty()) return;
  // Lines: the turns of the pairs, then of each pair its own line and the first rank's commands.
  try {
    shared_ =
        std::make_unique<SharedMemory>(host_.get(), line_pair_bytes * (2 * host_pairs_.size() + 1));
  } catch (const RunError&) {
    host_pairs_.clear();  // on all ranks of the host
    return;
  }
  for (std::size_t place = 0; place < host_pairs_.size(); ++place) {
    const bool is_first = pairs_[host_pairs_[place]].front() == rank_;
    trips_.emplace_back(handoff_at(*shared_, 2 * place + 1), is_first, Handoff::long_patience);
  }
}

double MachineProber::batch_seconds(LineTrip& trip) {
  constexpr int trips = 16;
  constexpr double halves = 2;
  const std::int64_t before = clock_.now();
  const std::int64_t start = clock_.now();
  for (int i = 0; i < trips; ++i) trip.run();
  const std::int64_t reading = start - before;
  const auto ticks = static_cast<double>(clock_.now() - start - reading);
  return ticks * clock_.seconds_per_tick() / (halves * trips);
}

/// The first rank decides after each batch whether another one follows. On busy CPUs a batch can
/// take some milliseconds.
double MachineProber::shortest_batch(std::size_t place, bool is_first) {
  constexpr std::uint64_t most_batches = 24;
  constexpr std::uint64_t fewest_batches = 4;
  constexpr double longest_seconds = 20e-3;
  constexpr double longest_line = 10e-6;  // beyond, a rank waited for its CPU in all batches
  Handoff& commands = handoff_at(*shared_, 2 * place + 2);
  const std::uint64_t base = 2 * (most_batches + 1) * probes_;
  const std::int64_t start = clock_.now();
  double shortest = 0;
  for (std::uint64_t batch = 1;; ++batch) {
    const std::uint64_t go = base + 2 * batch;  // one more: end
    if (is_first) {
      const double elapsed = static_cast<double>(clock_.now() - start) * clock_.seconds_per_tick();
      const bool is_over =
          batch > most_batches || (batch > fewest_batches && elapsed > longest_seconds);
      commands.raise_to(is_over ? go + 1 : go);
      if (is_over) break;
    } else if (commands.wait_for(go, Handoff::long_patience) > go) {
      break;
    }
    const double seconds = batch_seconds(trips_[place]);
    shortest = shorter_time(shortest, seconds);
  }
  return is_first && shortest < longest_line ? shortest : 0;
}

/// One pair after the other; those that wait for their turn sleep.
void MachineProber::probe_lines(std::vector<double>& seconds) {
  using namespace std::chrono_literals;
  const std::size_t count = host_pairs_.size();
  for (std::size_t place = 0; place < count; ++place) {
    const std::size_t index = host_pairs_[place];
    const ProbedPair& pair = pairs_[index];
    if (std::ranges::find(pair, rank_) == pair.end()) continue;
    const std::uint64_t turn = probes_ * count + place;
    Handoff& turns = handoff_at(*shared_, 0);
    while (!turns.has_reached(turn)) sleep_for(10us);
    const bool is_first = pair.front() == rank_;
    seconds[index] = shortest_batch(place, is_first);
    if (is_first) turns.raise_to(turn + 1);
  }
  ++probes_;
}

double MachineProber::noise_seconds() const {
  constexpr int probes = 16;
  double shortest = 0;
  for (int i = 0; i < probes; ++i) {
    const double seconds = time_noise_probe(clock_);
    shortest = shorter_time(shortest, seconds);
  }
  return shortest;
}

double MachineProber::copy_rate() {
  constexpr int copies = 4;  // the first one brings the data into the caches
  double shortest = 0;
  for (int i = 0; i < copies; ++i) {
    const std::int64_t start = clock_.now();
    std::memcpy(to_.data(), from_.data(), copied_bytes);
    __asm__ volatile("" : : "r"(to_.data()) : "memory");
    const double seconds = static_cast<double>(clock_.now() - start) * clock_.seconds_per_tick();
    shortest = shorter_time(shortest, seconds);
  }
  return shortest > 0 ? static_cast<double>(copied_bytes) / shortest : 0;
}

std::optional<MachineProbe> MachineProber::probe(ProbeMoment moment, double at_seconds) {
  std::vector<double> own_lines(pairs_.size());
  quiet_barrier(comm_);
  probe_lines(own_lines);
  quiet_barrier(host_.get());
  mpi_check(MPI_Barrier(host_.get()));
  const double noise = noise_seconds();
  const std::array<double, numbers_of_rank> own{noise, copy_rate()};
  std::vector<double> lines(pairs_.size());
  mpi_check(MPI_Reduce(own_lines.data(), lines.data(), static_cast<int>(lines.size()), MPI_DOUBLE,
                       MPI_MAX, 0, comm_));
  std::vector<double> all(rank_ == 0 ? numbers_of_rank * static_cast<std::size_t>(size_of(comm_))
                                     : 0);
  mpi_check(
      MPI_Gather(own.data(), own.size(), MPI_DOUBLE, all.data(), own.size(), MPI_DOUBLE, 0, comm_));
  if (rank_ != 0) return std::nullopt;
  MachineProbe probe{.moment = moment, .at_seconds = at_seconds, .lines = {}, .ranks = {}};
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    if (lines[i] > 0) probe.lines.push_back({.pair = pairs_[i], .seconds = lines[i]});
  }
  for (std::size_t i = 0; i < all.size(); i += numbers_of_rank) {
    RankProbe of_rank{.rank = static_cast<int>(i / numbers_of_rank), .noise_probe_seconds = all[i]};
    if (all[i + 1] > 0) of_rank.copy_bytes_per_second = all[i + 1];
    probe.ranks.push_back(of_rank);
  }
  return probe;
}

}  // namespace hockney::benchmarks
