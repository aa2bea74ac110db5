#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "core/provenance.hpp"

namespace hockney {

// Who used the CPUs of a node between two readings of proc(5). Times are in clock ticks.

struct CpuTicks {
  std::int64_t busy = 0;   ///< in any process or interrupt
  std::int64_t steal = 0;  ///< taken by the hypervisor while something wanted to run
};

struct ProcessTicks {
  std::string command;
  int parent = 0;
  int last_cpu = 0;
  std::int64_t busy = 0;  ///< of all threads, without children
};

/// One reading of a node.
struct CpuReading {
  double at_seconds = 0;  ///< CLOCK_MONOTONIC
  std::map<int, CpuTicks> cpus;
  std::map<int, ProcessTicks> processes;
};

/// Reads the node. `proc`: mount point of proc(5). Processes that are not readable are left out.
CpuReading read_cpus(const std::string& proc = "/proc");

/// Which processes and CPUs are the job's.
struct OwnUse {
  std::set<int> processes;  ///< the ranks; their ancestors count as own too
  std::set<int> cpus;       ///< on which the ranks may run; empty: all
};

/// What others used of the job's CPUs between two readings. Busy time of these CPUs less that of
/// the job's processes. The named process used most of it among those seen at the second reading,
/// by the CPU on which it was last. Processes that ended in between have no name.
OtherUse use_by_others(const CpuReading& before, const CpuReading& after, const OwnUse& own);

}  // namespace hockney
