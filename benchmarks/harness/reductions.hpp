#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "benchmarks/harness/datatypes.hpp"
#include "benchmarks/harness/operators.hpp"

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

}  // namespace hockney
