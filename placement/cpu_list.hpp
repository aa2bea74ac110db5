#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "placement/topology.hpp"

namespace hockney {

/// The largest number Linux gives a CPU (NR_CPUS is at most 8192).
inline constexpr int largest_cpu = 8191;

/// {0,1,2,5} to "0-2,5", the kernel's spelling; the numbers are sorted first, "none" for no number.
std::string format_cpus(std::vector<int> cpus);

/// "4,0-2" to {4,0,1,2}, in the order written. InputError for anything else, for a descending range
/// and for numbers above largest_cpu.
std::vector<int> parse_cpus(std::string_view text);

/// What to say about a CPU the node does not have.
Message unknown_cpu(const Topology& topology, int os_cpu);

}  // namespace hockney
