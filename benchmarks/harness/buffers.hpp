#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <vector>

namespace hockney {

/// Unmaps memory of a known size.
struct Unmap {
  std::size_t bytes = 0;
  void operator()(std::byte* memory) const;
};

/// Memory from which every visit draws its buffers at a new random place, page-aligned, so that no
/// point is tied to one lucky or unlucky set of physical pages. Pages are touched before they are
/// handed out; the core that draws first is the one they are near to.
class BufferPool {
 public:
  explicit BufferPool(std::uint64_t seed) : draw_(seed) {}

  /// One buffer for each size [B]. They do not overlap and stay valid until the next call.
  std::vector<std::span<std::byte>> draw(const std::vector<std::size_t>& sizes);

 private:
  void grow(std::size_t bytes);

  std::unique_ptr<std::byte, Unmap> memory_;
  std::size_t capacity_ = 0;
  std::mt19937_64 draw_;
};

}  // namespace hockney
