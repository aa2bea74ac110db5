#pragma once

#include <algorithm>

#include "algorithms/division.hpp"
#include "algorithms/workload.hpp"
#include "models/collectives/costs.hpp"

namespace hockney::forms {

/// One message of `bytes`.
inline Costs message(double bytes) { return {1, bytes, 0}; }

/// One message of `bytes`, then its reduction.
inline Costs combined(double bytes) { return {1, bytes, bytes}; }

inline double bytes(const Workload& work) { return static_cast<double>(work.bytes.value); }

inline double ranks(const Workload& work) { return work.ranks; }

/// ceil(log_base p).
inline int rounds(int ranks, int base = 2) {
  int count = 0;
  for (std::int64_t reached = 1; reached < ranks; reached *= base) ++count;
  return count;
}

/// Largest power of two ranks.
inline int power(const Workload& work) { return power_below(work.ranks); }

/// 1 where some ranks stand aside because p is no power of two, 0 otherwise.
inline double folds(const Workload& work) { return is_power_of_two(work.ranks) ? 0 : 1; }

/// n (q-1)/q: what a scatter among q ranks leaves of n bytes.
inline double all_but_one_part(double bytes, int parts) { return bytes * (parts - 1) / parts; }

inline double segments(const Workload& work) {
  return static_cast<double>(segments_of(work).size());
}

/// Bytes of the largest segment.
inline double segment(const Workload& work) {
  return static_cast<double>(segments_of(work).front().count * work.element_bytes);
}

inline int fanout(const Workload& work, int usual) { return work.fanout > 0 ? work.fanout : usual; }

}  // namespace hockney::forms
