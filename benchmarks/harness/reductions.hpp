#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "benchmarks/harness/message.hpp"
#include "benchmarks/harness/operation.hpp"
#include "benchmarks/harness/operators.hpp"

namespace hockney {

/// The data of one reduction over `ranks` ranks. Results are exact for every datatype, whatever the
/// order of evaluation and the number of ranks below 2^20, so that they are compared bit by bit.
class ReductionData {
 public:
  /// std::logic_error when the operator is not defined for the datatype.
  ReductionData(const Datatype& type, const Operator& op, int ranks);

  /// What `rank` contributes, in every element of `data`.
  void fill(std::span<std::byte> data, std::uint64_t seed, int rank) const;
  /// Makes every byte of `data` differ from the result.
  void spoil(std::span<std::byte> data, std::uint64_t seed) const;
  /// Whether every significant byte of `data` is the result's.
  [[nodiscard]] bool holds(std::span<const std::byte> data, std::uint64_t seed) const;

  /// The three for one C type.
  struct Functions {
    void (*fill)(const ReductionData&, std::span<std::byte>, std::uint64_t, int) = nullptr;
    void (*spoil)(const ReductionData&, std::span<std::byte>, std::uint64_t) = nullptr;
    bool (*holds)(const ReductionData&, std::span<const std::byte>, std::uint64_t) = nullptr;
  };

  [[nodiscard]] const Datatype& type() const { return *type_; }
  [[nodiscard]] Combine combine() const { return op_->combine; }
  [[nodiscard]] int ranks() const { return ranks_; }

 private:
  const Datatype* type_;
  const Operator* op_;
  int ranks_;
  Functions functions_;
};

/// The buffers of one rank in a reduction, by the point's parameters "datatype" and "operator".
class Reduction {
 public:
  Reduction(const Context& context, const Point& point);

  [[nodiscard]] const void* send() const { return send_.data(); }
  [[nodiscard]] void* receive() const { return receive_.data(); }
  [[nodiscard]] int count() const { return message_.count; }  ///< [elements]
  [[nodiscard]] MPI_Datatype type() const { return message_.type->handle; }
  [[nodiscard]] MPI_Op op() const { return op_; }

  void refill(std::uint64_t seed);
  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return data_.holds(receive_.bytes(), seed);
  }

 private:
  int rank_;
  MessageShape message_;
  MPI_Op op_;
  ReductionData data_;
  Buffer send_;
  Buffer receive_;
};

}  // namespace hockney
