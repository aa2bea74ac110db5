#include "benchmarks/harness/machine_probe.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "benchmarks/harness/environment.hpp"

namespace hockney::benchmarks {
namespace {

/// Ranks 0, 1, ... of two nodes, in turn, each on the CPU given.
std::vector<Site> sites_on(const std::vector<int>& cpus) {
  std::vector<Site> sites;
  for (std::size_t rank = 0; rank < cpus.size(); ++rank) {
    Site& site = sites.emplace_back();
    site.rank = static_cast<int>(rank);
    site.node = static_cast<int>(rank) % 2;
    site.pu = placement::Pu{};
    site.pu->os_cpu = cpus[rank];
  }
  return sites;
}

}  // namespace

TEST_CASE("pairs are probed once, on one host and on different CPUs") {
  const std::vector<Site> sites = sites_on({0, 0, 1, 0, 1, 2});
  const std::vector<ProbedPair> wanted{{2, 0}, {0, 1}, {0, 2}, {0, 4},   {2, 4},
                                       {1, 3}, {1, 5}, {0, 0}, {0, 2, 4}};
  CHECK(probed_pairs(wanted, sites) == std::vector<ProbedPair>{{0, 2}, {0, 4}, {1, 5}});
}

TEST_CASE("ranks that are not bound are probed, at most sixteen pairs of a host") {
  std::vector<Site> sites = sites_on(std::vector<int>(80, 3));
  for (Site& site : sites) site.pu.reset();
  std::vector<ProbedPair> wanted;
  for (int rank = 0; rank + 2 < 80; ++rank) wanted.push_back({rank, rank + 2});
  const std::vector<ProbedPair> pairs = probed_pairs(wanted, sites);
  CHECK(pairs.size() == 32);
  CHECK(std::ranges::count_if(pairs, [](const ProbedPair& pair) { return pair[0] % 2 == 0; }) ==
        16);
}

TEST_CASE("the machine is probed several times, and rank 0 has cache lines, noise and copies") {
  const std::vector<Site> sites = gather_sites(MPI_COMM_WORLD);
  const auto ranks = static_cast<int>(sites.size());
  const auto clock = make_clock();
  std::vector<ProbedPair> wanted;
  for (int rank = 0; rank + 1 < ranks; ++rank) wanted.push_back({rank, rank + 1});
  // Of more ranks than CPUs a round trip takes a time slice of the scheduler: one pair is enough.
  const bool has_cpus = ranks <= 2;
  std::vector<ProbedPair> pairs = probed_pairs(wanted, sites);
  if (!has_cpus) pairs.clear();
  MachineProber prober(MPI_COMM_WORLD, sites, pairs, *clock);
  // Other processes may take a core during a probe, which then has no time of the pair.
  std::size_t lines = 0;
  const std::vector moments{ProbeMoment::begin, ProbeMoment::middle, ProbeMoment::middle,
                            ProbeMoment::middle, ProbeMoment::end};
  for (const ProbeMoment moment : moments) {
    const std::optional<MachineProbe> probe = prober.probe(moment, 0.5);
    REQUIRE(probe.has_value() == (sites.size() == 1 || rank_in(MPI_COMM_WORLD) == 0));
    if (!probe) continue;
    CHECK(probe->moment == moment);
    CHECK(probe->at_seconds == 0.5);
    CHECK(probe->lines.size() <= pairs.size());
    lines += probe->lines.size();
    for (const LineProbe& line : probe->lines) {
      CHECK(line.seconds > 1e-9);
      CHECK(line.seconds < 1);
    }
    REQUIRE(probe->ranks.size() == sites.size());
    for (const RankProbe& rank : probe->ranks) {
      CHECK(rank.noise_probe_seconds > 1e-7);
      CHECK(rank.copy_bytes_per_second.value_or(0) > 1e6);
    }
  }
  if (rank_in(MPI_COMM_WORLD) == 0 && !pairs.empty()) CHECK(lines > 0);
}

}  // namespace hockney::benchmarks
