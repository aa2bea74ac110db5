#pragma once

#include <mpi.h>

#include "benchmarks/harness/block_buffer.hpp"

namespace hockney {

/// The buffers of an allgather: every rank's block, on all ranks. In place a rank's own block is in
/// its place from the start.
class AllgatherData {
 public:
  AllgatherData(const Context& context, const Point& point);

  [[nodiscard]] const void* send() const { return in_place_ ? MPI_IN_PLACE : send_.data(); }
  [[nodiscard]] int send_count() const { return send_.count(); }
  [[nodiscard]] void* receive() const { return receive_.data(); }
  [[nodiscard]] const int* counts() const { return receive_.counts(); }
  [[nodiscard]] const int* displacements() const { return receive_.displacements(); }
  [[nodiscard]] MPI_Datatype type() const { return type_; }

  void refill(std::uint64_t seed);
  [[nodiscard]] bool verify(std::uint64_t seed) const { return receive_.holds(seed); }

 private:
  int rank_;
  bool in_place_;
  MPI_Datatype type_;
  BlockBuffer send_;
  BlockBuffer receive_;
};

/// The buffers of an alltoall: another block for every pair of ranks. Irregular counts are those of
/// the receivers: rank r receives counts[r] elements from every rank. In place the blocks to be
/// sent are where the others' will be received, so that ready() must put them there again.
class AlltoallData {
 public:
  AlltoallData(const Context& context, const Point& point);

  [[nodiscard]] const void* send() const { return in_place_ ? MPI_IN_PLACE : send_.data(); }
  [[nodiscard]] const int* send_counts() const { return send_.counts(); }
  [[nodiscard]] const int* send_displacements() const { return send_.displacements(); }
  [[nodiscard]] void* receive() const { return receive_.data(); }
  [[nodiscard]] const int* counts() const { return receive_.counts(); }
  [[nodiscard]] const int* displacements() const { return receive_.displacements(); }
  [[nodiscard]] MPI_Datatype type() const { return type_; }

  void refill(std::uint64_t seed);
  void ready() {
    if (in_place_) receive_.copy(send_);
  }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return receive_.holds(seed); }

 private:
  bool in_place_;
  MPI_Datatype type_;
  BlockBuffer send_;
  BlockBuffer receive_;
};

}  // namespace hockney
