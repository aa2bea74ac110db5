#pragma once

#include <mpi.h>

#include "benchmarks/harness/message.hpp"
#include "benchmarks/harness/operation.hpp"
#include "benchmarks/harness/roots.hpp"

namespace hockney {

/// The buffer of a broadcast. All roots send the same message: after the first call everybody has
/// it.
class BcastData {
 public:
  BcastData(const Context& context, const Point& point)
      : rank_(context.rank),
        roots_(context, point),
        message_(message_of(point)),
        data_(context.buffers.draw({message_.extent()}).front()) {}

  /// The root of the next call, which is then over.
  int next_root() { return roots_.next(); }
  [[nodiscard]] void* message() const { return data_.data(); }
  [[nodiscard]] int count() const { return message_.count; }  ///< [elements]
  [[nodiscard]] MPI_Datatype type() const { return message_.type->handle; }

  void refill(std::uint64_t seed);
  [[nodiscard]] bool verify(std::uint64_t seed) const;

 private:
  int rank_;
  Roots roots_;
  MessageShape message_;
  Buffer data_;
};

}  // namespace hockney
