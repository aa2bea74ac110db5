#include "benchmarks/harness/catalogue.hpp"

#include <algorithm>
#include <stdexcept>

#include "benchmarks/harness/block_buffer.hpp"
#include "benchmarks/harness/rooted_data.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney {

OperationKind kind_of(const Descriptor& descriptor) {
  const bool pair = descriptor.shape == TeamShape::pair;
  if (descriptor.windowed) {
    return pair ? OperationKind::windowed_pair : OperationKind::windowed_pairs;
  }
  if (descriptor.single) {
    return descriptor.sized ? OperationKind::collective : OperationKind::barrier;
  }
  return pair ? OperationKind::pair : OperationKind::ring;
}

namespace {

std::string_view name_of(const CatalogueEntry& entry) { return entry.descriptor.name; }

/// A function's static, because registrations run before main in any order of files.
std::vector<CatalogueEntry>& entries() {
  static std::vector<CatalogueEntry> all;
  return all;
}

}  // namespace

const std::vector<CatalogueEntry>& catalogue() { return entries(); }

void add_to_catalogue(const CatalogueEntry& entry) {
  auto& all = entries();
  const auto place = std::ranges::lower_bound(all, name_of(entry), {}, name_of);
  if (place != all.end() && name_of(*place) == name_of(entry)) {
    throw std::logic_error("two operations are called " + std::string(name_of(entry)));
  }
  all.insert(place, entry);
}

const CatalogueEntry& find_operation(const std::string& name) {
  const auto& all = catalogue();
  const auto found = std::ranges::find(all, name, name_of);
  if (found != all.end()) return *found;
  std::vector<std::string> names;
  std::ranges::transform(all, std::back_inserter(names),
                         [](const CatalogueEntry& entry) { return std::string(name_of(entry)); });
  throw InputError(
      {"unknown operation '" + name + "'", "the catalogue does not hold it", suggest(name, names)});
}

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
