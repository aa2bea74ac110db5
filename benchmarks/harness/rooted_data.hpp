#pragma once

#include <mpi.h>

#include "benchmarks/harness/block_buffer.hpp"
#include "benchmarks/harness/roots.hpp"

namespace hockney {

/// The buffers of a gather: every rank sends its block, and the root receives all of them. In place
/// the root's own block is in its place from the start.
class GatherData {
 public:
  GatherData(const Context& context, const Point& point);

  /// The root of the next call, which is then over.
  int next_root() { return roots_.next(); }
  [[nodiscard]] const void* send(int root) const {
    return in_place_ && root == rank_ ? MPI_IN_PLACE : send_.data();
  }
  [[nodiscard]] int send_count() const { return send_.count(); }
  [[nodiscard]] void* receive() const { return receive_.data(); }
  [[nodiscard]] const int* counts() const { return receive_.counts(); }
  [[nodiscard]] const int* displacements() const { return receive_.displacements(); }
  [[nodiscard]] MPI_Datatype type() const { return type_; }

  void refill(std::uint64_t seed);
  [[nodiscard]] bool verify(std::uint64_t seed) const;

 private:
  Roots roots_;
  int rank_;
  bool in_place_;
  MPI_Datatype type_;
  BlockBuffer send_;
  BlockBuffer receive_;
};

/// The buffers of a scatter: the root sends every rank its block, which is the same whoever is the
/// root. In place the root's own block stays where it is.
class ScatterData {
 public:
  ScatterData(const Context& context, const Point& point);

  /// The root of the next call, which is then over.
  int next_root() { return roots_.next(); }
  [[nodiscard]] const void* send() const { return send_.data(); }
  [[nodiscard]] const int* counts() const { return send_.counts(); }
  [[nodiscard]] const int* displacements() const { return send_.displacements(); }
  [[nodiscard]] void* receive(int root) const {
    return in_place_ && root == rank_ ? MPI_IN_PLACE : receive_.data();
  }
  [[nodiscard]] int receive_count() const { return receive_.count(); }
  [[nodiscard]] MPI_Datatype type() const { return type_; }

  void refill(std::uint64_t seed);
  [[nodiscard]] bool verify(std::uint64_t seed) const;

 private:
  Roots roots_;
  int rank_;
  bool in_place_;
  MPI_Datatype type_;
  BlockBuffer send_;
  BlockBuffer receive_;
};

}  // namespace hockney
