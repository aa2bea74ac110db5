#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "benchmarks/harness/message.hpp"
#include "benchmarks/harness/operation.hpp"

namespace hockney {

/// The message buffers of one rank: one to send from and one to receive into for every message that
/// can be under way at once, each with the rank whose data it must hold afterwards.
class Traffic {
 public:
  /// Messages of the point's size and datatype. `sources` are ranks of the context, one for every
  /// receive buffer; repeats are welcome.
  Traffic(const Context& context, const Point& point, const std::vector<int>& sources);

  [[nodiscard]] void* send() const { return send_.data(); }
  [[nodiscard]] void* receive(std::size_t index = 0) const { return inboxes_[index].data.data(); }
  [[nodiscard]] int count() const { return message_.count; }  ///< [elements]
  [[nodiscard]] MPI_Datatype type() const { return message_.type->handle; }

  void refill(std::uint64_t seed);
  [[nodiscard]] bool verify(std::uint64_t seed) const;

 private:
  struct Inbox {
    Buffer data;
    int source = 0;
  };

  int rank_;
  MessageShape message_;
  Buffer send_;
  std::vector<Inbox> inboxes_;
};

}  // namespace hockney
