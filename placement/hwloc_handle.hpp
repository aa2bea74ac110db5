#pragma once

// The only header that knows hwloc; read_topology.cpp, binding.cpp and node_memory.cpp alone
// include it.

#include <hwloc.h>

#include <memory>
#include <new>
#include <vector>

namespace hockney::placement::detail {

struct DestroyTopology {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using HwlocTopology = std::unique_ptr<hwloc_topology, DestroyTopology>;

struct FreeBitmap {
  void operator()(hwloc_bitmap_t bitmap) const { hwloc_bitmap_free(bitmap); }
};
using HwlocBitmap = std::unique_ptr<hwloc_bitmap_s, FreeBitmap>;

/// A topology that is not loaded yet and will hold CPUs this process may not use, too.
inline HwlocTopology new_topology() {
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) throw std::bad_alloc();
  HwlocTopology owned(topology);
  hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  return owned;
}

inline HwlocBitmap new_bitmap() {
  HwlocBitmap bitmap(hwloc_bitmap_alloc());
  if (!bitmap) throw std::bad_alloc();
  return bitmap;
}

/// The set bits, ascending; of an infinite bitmap only the finite part.
inline std::vector<int> members(hwloc_const_bitmap_t bitmap) {
  std::vector<int> numbers;
  const int last = hwloc_bitmap_last(bitmap);
  for (int bit = hwloc_bitmap_first(bitmap); bit >= 0 && bit <= last;
       bit = hwloc_bitmap_next(bitmap, bit)) {
    numbers.push_back(bit);
  }
  return numbers;
}

}  // namespace hockney::placement::detail
