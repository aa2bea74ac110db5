#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tune/rules.hpp"

namespace hockney::tune {

/// What selection rules are written for. Classic rules of Open MPI (4.1, 5.0) and its JSON (6.0),
/// strings for I_MPI_ADJUST_*, control variables of MPICH (one algorithm for an operation) and its
/// selection tree, and options of SimGrid's smpirun.
enum class Target { openmpi, openmpi6, intel, mpich, mpich_json, smpi };

std::string_view word(Target target);

/// InputError naming the nearest word for anything unknown.
Target parse_target(const std::string& text);

/// The target of the library that describes itself so; InputError for one that takes no rules.
Target target_of_library(const std::string& library);

/// Whether the settings of a campaign of that library name algorithms as the target does.
bool speaks_of(Target target, const std::string& library);

// hockney's bytes of a point are the block of one rank where every rank has one of its own
// (allgather, alltoall, gather, scatter, reduce_scatter_block; of the vector forms the mean), and
// the whole vector otherwise (bcast, reduce, allreduce, scan, exscan, reduce_scatter).

/// What a target looks a size up by, as a multiple of hockney's bytes: the same, times the ranks,
/// or nothing that grows with the message.
enum class SizeKey { bytes, times_ranks, none };

/// Of an operation, by its name in hockney.
SizeKey size_key(Target target, const std::string& operation);

/// The key of a message.
std::int64_t key_of(SizeKey key, int ranks, std::int64_t bytes);

/// Something the rules say that a target cannot.
struct Inexpressible {
  std::string operation;
  std::string why;
};

struct KeyedRules {
  Rules rules;
  std::vector<Inexpressible> inexpressible;
};

/// The rules by a target's own keys, with the ranks they were measured with. Where sizes do not
/// count, all measured sizes must have one choice, or else the library decides.
KeyedRules keyed(Target target, const Rules& rules);

}  // namespace hockney::tune
