#include "benchmarks/harness/accounts.hpp"

#include <algorithm>

#include "benchmarks/harness/block_buffer.hpp"
#include "benchmarks/harness/roots.hpp"

namespace hockney {
namespace {

/// Blocks in bytes.
struct Blocks {
  explicit Blocks(const Point& point)
      : division(blocks_of(point, point.ranks)), all(point.bytes * point.ranks) {
    element = static_cast<double>(message_of(point).type->size);
  }

  [[nodiscard]] Account account(double busiest_elements) const {
    return {.operations = 1, .bytes = all, .bus_bytes = busiest_elements * element};
  }

  Division division;
  Bytes all;
  double element;
};

}  // namespace

Account message_account(const Point& point, double bus_share) {
  return {.operations = 1,
          .bytes = point.bytes,
          .bus_bytes = bus_share * static_cast<double>(point.bytes.value)};
}

Account rooted_account(const Point& point) {
  const Blocks blocks(point);
  const double total = blocks.division.total();
  const auto root = static_cast<std::size_t>(std::min(root_of(point), point.ranks - 1));
  const double own = root_rotates(point) ? total / point.ranks : blocks.division.counts[root];
  return blocks.account(total - own);
}

Account allgather_account(const Point& point) {
  const Blocks blocks(point);
  return blocks.account(blocks.division.total() - blocks.division.smallest());
}

Account alltoall_account(const Point& point) {
  const Blocks blocks(point);
  const double sent = blocks.division.total() - blocks.division.smallest();
  const double received = static_cast<double>(point.ranks - 1) * blocks.division.largest();
  return blocks.account(std::max(sent, received));
}

Account reduce_scatter_account(const Point& point) {
  const MessageShape message = message_of(point);
  const Division parts = divide(message.count, point.ranks, distribution_of(point));
  return {.operations = 1,
          .bytes = point.bytes,
          .bus_bytes = static_cast<double>(message.type->size) *
                       static_cast<double>(message.count - parts.smallest())};
}

}  // namespace hockney
