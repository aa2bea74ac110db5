#pragma once

#include <numeric>
#include <string>
#include <vector>

#include "components/application/where/command_line.hpp"
#include "components/application/where/rank_bindings.hpp"
#include "placement/machine.hpp"

namespace hockney::where {

/// 2 packages of 2 NUMA nodes of 2 L3 caches of 4 cores of 2 CPUs: 64 CPUs, of which 2c and 2c + 1
/// are on core c, eight in a row under one L3 cache, sixteen in one NUMA node, 32 in one package.
inline constexpr const char* large_machine = "pack:2 numa:2 l3:2 core:4 pu:2";

/// "first" to "first + count - 1".
inline std::vector<int> cpus(int first, int count) {
  std::vector<int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), first);
  return all;
}

/// A command with one program.
inline PlacedCommand command_of(LauncherKind kind, const Words& words, std::size_t program) {
  PlacedCommand command{.words = words, .kind = kind};
  place_programs(command, {program});
  return command;
}

/// A launch whose ranks are put where a test wants them.
class SyntheticLaunch {
 public:
  explicit SyntheticLaunch(const std::string& machine = large_machine)
      : pus_(placement::read_synthetic_topology(machine).pus) {}

  /// On a machine of tests/fixtures/topologies.
  static SyntheticLaunch of_xml(const std::string& name) {
    SyntheticLaunch launch;
    launch.pus_ = placement::read_xml_topology(HOCKNEY_SOURCE_DIR "/tests/fixtures/topologies/" +
                                               name + ".xml")
                      .pus;
    return launch;
  }

  /// The next rank, on a node, one thread for each affinity.
  SyntheticLaunch& rank(const std::vector<std::vector<int>>& affinities,
                        const std::string& host = "node1") {
    RankPlace place{.rank = static_cast<int>(all_.ranks.size()), .host = host};
    if (affinities.size() > 1) place.openmp_runtime = "libgomp.so.1";
    for (const std::vector<int>& affinity : affinities) {
      place.threads.push_back({.allowed_cpus = affinity, .last_cpu = affinity.front()});
    }
    if (ranks_on(all_, host).empty()) all_.nodes.push_back({host, "", pus_});
    all_.ranks.push_back(place);
    return *this;
  }

  /// The next rank, of so many threads that all may go to the same CPUs.
  SyntheticLaunch& rank_of(int threads, const std::vector<int>& affinity,
                           const std::string& host = "node1") {
    return rank(std::vector(static_cast<std::size_t>(threads), affinity), host);
  }

  /// The next rank, each thread of which has the next core, from `core` on, for itself.
  SyntheticLaunch& rank_on_cores(int threads, int core, const std::string& host = "node1") {
    std::vector<std::vector<int>> affinities;
    for (int i = 0; i < threads; ++i) affinities.push_back(cpus(2 * (core + i), 2));
    return rank(affinities, host);
  }

  SyntheticLaunch& empty(const std::string& host) {
    all_.empty_hosts.push_back(host);
    return *this;
  }

  /// The program of the last rank, and a limit of its control group.
  SyntheticLaunch& of_program(int program) {
    all_.ranks.back().program = program;
    return *this;
  }
  SyntheticLaunch& limited(double cpus, std::uint64_t group = 1) {
    all_.ranks.back().limits.push_back({.file = "/g/cpu.max", .group = group, .cpus = cpus});
    return *this;
  }

  /// Memory that a thread touches first.
  SyntheticLaunch& memory(std::size_t rank, std::size_t thread, int node) {
    all_.ranks[rank].threads[thread].memory_node = node;
    return *this;
  }

  [[nodiscard]] const RankBindings& all() const { return all_; }

 private:
  std::vector<placement::Pu> pus_;
  RankBindings all_;
};

}  // namespace hockney::where
