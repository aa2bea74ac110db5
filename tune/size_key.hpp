#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tune/rules.hpp"
#include "tune/target.hpp"

namespace hockney {

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
struct Unsaid {
  std::string operation;
  std::string why;
};

struct KeyedRules {
  Rules rules;
  std::vector<Unsaid> unsaid;
};

/// The rules by a target's own keys, with the ranks they were measured with. Where sizes do not
/// count, all measured sizes must have one choice, or else the library decides.
KeyedRules keyed(Target target, const Rules& rules);

}  // namespace hockney
