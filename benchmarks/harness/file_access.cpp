#include "benchmarks/harness/file_access.hpp"

#include <unistd.h>
#include <algorithm>
#include <array>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/message.hpp"
#include "core/quantities.hpp"

namespace hockney::benchmarks {
namespace {

/// The largest divisor of `bytes` that is a power of two and no larger than a page.
std::int64_t piece_of(std::int64_t bytes) {
  constexpr std::int64_t page = 4096;
  std::int64_t piece = 1;
  while (piece < page && bytes % (2 * piece) == 0) piece *= 2;
  return piece;
}

/// Of files that nobody shares.
std::optional<std::string> sharing_obstacle(const FileAccess& access, bool is_collective) {
  if (access.sharing == FileSharing::one) return std::nullopt;
  if (is_collective) return "a file of one rank is no matter of all ranks";
  if (access.pointer == FilePointer::shared) return "a file of one rank has nobody to share with";
  if (access.layout == FileLayout::strided) return "a file of one rank has no strides";
  return std::nullopt;
}

}  // namespace

std::string own_file_prefix() {
  constexpr std::size_t longest_name = 256;
  std::array<char, longest_name> host{};
  ::gethostname(host.data(), host.size() - 1);
  return std::string(file_prefix) + host.data() + "-" + std::to_string(::getpid()) + "-";
}

FileAccess file_access_of(const Point& point) {
  return {.path = point.parameters[file_path_parameter],
          .pointer = point.parameters[file_pointer_parameter],
          .sharing = point.parameters[file_sharing_parameter],
          .layout = point.parameters[file_layout_parameter],
          .cache = point.parameters[file_cache_parameter]};
}

std::int64_t least_file_space(const Point& point) { return point.ranks * point.bytes.value; }

FileShape file_shape_of(const Point& point) {
  const std::int64_t least = std::max<std::int64_t>(1, least_file_space(point));
  return {.ranks = point.ranks,
          .bytes = point.bytes.value,
          .slots = std::clamp<std::int64_t>(point.parameters[file_space_parameter] / least, 1,
                                            most_file_slots),
          .piece = piece_of(point.bytes.value)};
}

std::int64_t place_in_file(const FileShape& shape, const FileAccess& access, int rank,
                           std::int64_t slot, std::int64_t at) {
  const std::int64_t own = slot * shape.bytes + at;  // among what the rank sees of the file
  if (access.sharing == FileSharing::of_each_rank) return own;
  if (access.layout == FileLayout::blocks) return rank * shape.slots * shape.bytes + own;
  const std::int64_t row = own / shape.piece;
  return (row * shape.ranks + rank) * shape.piece + own % shape.piece;
}

std::optional<std::string> file_obstacle(const Point& point, bool is_collective, bool is_reading) {
  const FileAccess access = file_access_of(point);
  if (is_simulated()) return "a simulator has no files";
  if (access.path.empty()) return "it needs a folder: hockney-io --path";
  if (point.parameters[cadence_parameter] == Cadence::streaming)
    return "calls on files are timed one by one";
  if (has_rotating_buffers(point)) return "calls on files have buffers of their own";
  const Datatype& type = datatype_of(point);
  if (type.extent != type.size) return "elements with gaps have none of them in files";
  if (auto reason = sharing_obstacle(access, is_collective)) return reason;
  if (access.pointer == FilePointer::shared && access.layout == FileLayout::strided) {
    return "ranks that share a pointer see the same of the file";
  }
  if (is_reading && access.cache == FileCache::synced) return "reading leaves nothing to be synced";
  if (least_file_space(point) <= point.parameters[file_space_parameter]) return std::nullopt;
  return "it takes " + format_bytes({least_file_space(point)}) + " in files, more than --space";
}

}  // namespace hockney::benchmarks
