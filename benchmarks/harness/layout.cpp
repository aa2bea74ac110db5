#include "benchmarks/harness/layout.hpp"

#include <algorithm>

namespace hockney {
namespace {

std::size_t rounded_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace

std::size_t Layout::unit_for(std::size_t bytes) const {
  switch (plan_.state) {
    case CacheState::cold:
      return bytes < page_bytes ? 2 * plan_.line_bytes : page_bytes;
    case CacheState::fresh:
      return bytes < huge_page_bytes ? page_bytes : huge_page_bytes;
    default:
      return page_bytes;
  }
}

std::size_t Layout::add(std::size_t bytes) {
  const std::size_t held = std::max<std::size_t>(1, bytes);
  const std::size_t unit = unit_for(bytes);
  alignment_ = std::max(alignment_, unit);
  const std::size_t begin = rounded_up(end_, unit);
  const bool is_hot = plan_.state == CacheState::hot;
  end_ = begin + rounded_up(is_hot ? bytes + 1 : held, unit);
  touched_ += rounded_up(held, plan_.line_bytes);
  return begin;
}

std::size_t Layout::place_bytes() const {
  const std::size_t units = rounded_up(std::max<std::size_t>(1, end_), alignment_) / alignment_;
  const bool must_be_odd = plan_.state == CacheState::cold && units % 2 == 0;
  return (units + (must_be_odd ? 1 : 0)) * alignment_;
}

}  // namespace hockney
