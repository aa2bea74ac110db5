#pragma once

#include <mpi.h>
#include <cstddef>
#include <cstdint>
#include <span>

#include "benchmarks/harness/operators.hpp"
#include "benchmarks/harness/payload.hpp"
#include "benchmarks/harness/rooted_data.hpp"

namespace hockney::benchmarks {

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

 private:
  const Datatype* type_;
  Combine combine_;
  int ranks_;
};

/// The content of what a rank receives: a part of the result, whoever it is from.
struct ReductionResult {
  ReductionData data;
  ReductionPart part;

  void spoil(std::span<std::byte> result, std::uint64_t seed, int) const {
    data.spoil(result, seed, part);
  }
  [[nodiscard]] bool holds(std::span<const std::byte> result, std::uint64_t seed, int) const {
    return data.holds(result, seed, part);
  }
};

/// What a rank gives to a reduction and gets from it.
struct ReductionShape {
  int contributed = 0;  ///< [elements]
  int received = 0;     ///< [elements]
  int room = 0;         ///< most elements that any rank receives
  ReductionPart part;   ///< what is received
};

/// The buffers of one rank in a reduction, by the point's parameters "datatype", "operator" and
/// "in-place". Every rank contributes the point's bytes, and receives as many that all ranks were
/// combined to. In place the contribution is where the result will be, so that ready() must put it
/// there again.
class Reduction : public CollectiveData<ReductionData, ReductionResult> {
 public:
  static constexpr Descriptor calls{.reduces = true, .in_place = InPlace::consumed};
  /// The message once, of which 2 (p - 1) / p passes the busiest rank: allreduce.
  static Volume volume(const Point& point) {
    return message_volume(point, 2.0 * (point.ranks - 1) / point.ranks);
  }

  Reduction(const Context& context, const Point& point);

  /// Of ranks that do not receive.
  [[nodiscard]] const void* contribution() const { return send_.data(); }
  [[nodiscard]] int count() const { return send_.count(); }        ///< [elements]
  [[nodiscard]] int received() const { return receive_.count(); }  ///< [elements]
  [[nodiscard]] MPI_Op op() const { return op_; }

  void refill(std::uint64_t seed) {
    CollectiveData::refill(seed);
    ready();
  }
  void ready() { put_in_place(); }

 protected:
  Reduction(const Context& context, const Point& point, const ReductionShape& shape);

 private:
  Reduction(const Context& context, const Point& point, const ReductionShape& shape,
            const Operator& op);

  UniqueOp user_op_;
  MPI_Op op_;
};

/// The same with a root, which alone receives.
class RootedReduction : public Reduction {
 public:
  static constexpr Descriptor calls{.reduces = true, .rooted = true, .in_place = InPlace::consumed};
  /// The message once.
  static Volume volume(const Point& point) { return BcastData::volume(point); }

  RootedReduction(const Context& context, const Point& point)
      : Reduction(context, point), roots_(context, point) {}

  /// The root of the next call, which is then over.
  int next_root() { return roots_.next(); }
  [[nodiscard]] const void* send(int root) const {
    return root == rank_ ? Reduction::send() : contribution();
  }
  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return !roots_.was_last() || Reduction::verify(seed);
  }

 private:
  Roots roots_;
};

/// Every rank receives what the ranks up to it contribute.
class ScanReduction : public Reduction {
 public:
  /// The message once.
  static Volume volume(const Point& point) { return BcastData::volume(point); }
  ScanReduction(const Context& context, const Point& point);
};

/// Every rank receives what the ranks before it contribute, so that the first one receives nothing.
class ExscanReduction : public Reduction {
 public:
  static Volume volume(const Point& point) { return ScanReduction::volume(point); }
  ExscanReduction(const Context& context, const Point& point);
};

/// Every rank contributes a block of the point's bytes for each rank, and receives its own one.
class BlockReduction : public Reduction {
 public:
  static constexpr Descriptor calls{.reduces = true, .blocks = true, .in_place = InPlace::consumed};
  /// All blocks, of which every rank sends all but its own.
  static Volume volume(const Point& point) { return AllgatherData::volume(point); }
  BlockReduction(const Context& context, const Point& point);
};

/// Every rank contributes the point's bytes, divided by the point's distribution, and receives its
/// own part.
class ScatteredReduction : public Reduction {
 public:
  static constexpr Descriptor calls{
      .reduces = true, .divides = true, .in_place = InPlace::consumed};
  /// The whole vector, of which every rank sends all but its own part.
  static Volume volume(const Point& point);
  ScatteredReduction(const Context& context, const Point& point);

  [[nodiscard]] const int* counts() const { return parts_.counts.data(); }

 private:
  Division parts_;
};

}  // namespace hockney::benchmarks
