#pragma once

#include <mpi.h>
#include <cstddef>
#include <cstdint>
#include <span>

#include "benchmarks/harness/block_buffer.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/datatypes.hpp"
#include "benchmarks/harness/message.hpp"
#include "benchmarks/harness/operators.hpp"
#include "benchmarks/harness/rooted_data.hpp"

namespace hockney {

/// Which part of a reduction a rank receives.
struct ReductionPart {
  std::size_t first = 0;  ///< element of what every rank contributes
  int ranks = 0;          ///< whose contributions are combined: the first ones
};

/// The data of one reduction over `ranks` ranks. Results are exact for every datatype, whatever the
/// order of evaluation and the number of ranks below 2^20, so that they are compared bit by bit.
class ReductionData {
 public:
  /// std::logic_error when the operator is not defined for the datatype.
  ReductionData(const Datatype& type, const Operator& op, int ranks);

  /// What `rank` contributes, in every element of `data`.
  void fill(std::span<std::byte> data, std::uint64_t seed, int rank) const;
  /// Makes every byte of `data` differ from the part of the result.
  void spoil(std::span<std::byte> data, std::uint64_t seed, const ReductionPart& part) const;
  /// Whether every significant byte of `data` is that of the part of the result.
  [[nodiscard]] bool holds(std::span<const std::byte> data, std::uint64_t seed,
                           const ReductionPart& part) const;
  /// The part that is all of it.
  [[nodiscard]] ReductionPart whole() const { return {.first = 0, .ranks = ranks_}; }

  /// The three for one C type.
  struct Functions {
    void (*fill)(const ReductionData&, std::span<std::byte>, std::uint64_t, int) = nullptr;
    void (*spoil)(const ReductionData&, std::span<std::byte>, std::uint64_t,
                  const ReductionPart&) = nullptr;
    bool (*holds)(const ReductionData&, std::span<const std::byte>, std::uint64_t,
                  const ReductionPart&) = nullptr;
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

/// What a rank gives to a reduction and gets from it.
struct ReductionShape {
  int contributed = 0;  ///< [elements]
  int received = 0;     ///< [elements]
  int room = 0;         ///< most elements that any rank receives
  ReductionPart part;   ///< what is received
};

/// Every rank contributes the point's bytes, and receives as many that all ranks were combined to.
ReductionShape whole_reduction(const Context& context, const Point& point);

/// Every rank contributes a block of the point's bytes for each rank, and receives its own one.
ReductionShape block_reduction(const Context& context, const Point& point);

/// Every rank receives what the ranks up to it contribute; before it where it is exclusive, so that
/// the first one receives nothing.
ReductionShape scan_reduction(const Context& context, const Point& point);
ReductionShape exscan_reduction(const Context& context, const Point& point);

/// Every rank contributes the point's bytes, divided by the point's distribution, and receives its
/// own part.
ReductionShape scattered_reduction(const Context& context, const Point& point);

/// The buffers of one rank in a reduction, by the point's parameters "datatype", "operator" and
/// "in-place". In place the contribution is where the result will be, so that ready() must put it
/// there again.
class Reduction {
 public:
  Reduction(const Context& context, const Point& point)
      : Reduction(context, point, whole_reduction(context, point)) {}
  Reduction(const Context& context, const Point& point, const ReductionShape& shape);

  /// For ranks that receive.
  [[nodiscard]] const void* send() const { return in_place_ ? MPI_IN_PLACE : send_.data(); }
  /// For ranks that do not.
  [[nodiscard]] const void* contribution() const { return send_.data(); }
  [[nodiscard]] void* receive() const { return receive_.data(); }
  [[nodiscard]] int count() const { return shape_.contributed; }  ///< [elements]
  [[nodiscard]] int received() const { return shape_.received; }  ///< [elements]
  [[nodiscard]] MPI_Datatype type() const { return type_->handle; }
  [[nodiscard]] MPI_Op op() const { return op_; }

  void refill(std::uint64_t seed);
  void ready();
  [[nodiscard]] bool verify(std::uint64_t seed) const;

 private:
  int rank_;
  bool in_place_;
  ReductionShape shape_;
  const Datatype* type_;
  UniqueOp user_op_;
  MPI_Op op_;
  ReductionData data_;
  Buffer send_;
  Buffer receive_;
};

/// The same where every rank receives a part, whose counts are needed.
class ScatteredReduction : public Reduction {
 public:
  ScatteredReduction(const Context& context, const Point& point)
      : Reduction(context, point, scattered_reduction(context, point)),
        parts_(divide(message_of(point).count, context.size, distribution_of(point))) {}

  [[nodiscard]] const int* counts() const { return parts_.counts.data(); }

 private:
  Division parts_;
};

/// The same with a root, which alone receives.
class RootedReduction {
 public:
  RootedReduction(const Context& context, const Point& point)
      : rank_(context.rank), roots_(context, point), reduction_(context, point) {}

  /// The root of the next call, which is then over.
  int next_root() { return roots_.next(); }
  [[nodiscard]] const void* send(int root) const {
    return root == rank_ ? reduction_.send() : reduction_.contribution();
  }
  [[nodiscard]] const Reduction& data() const { return reduction_; }

  void refill(std::uint64_t seed) { reduction_.refill(seed); }
  void ready() { reduction_.ready(); }
  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return roots_.last() != rank_ || reduction_.verify(seed);
  }

 private:
  int rank_;
  Roots roots_;
  Reduction reduction_;
};

}  // namespace hockney
