#include "benchmarks/harness/reductions.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "benchmarks/harness/combining.hpp"
#include "benchmarks/harness/contributions.hpp"
#include "benchmarks/harness/pattern.hpp"

namespace hockney {
namespace {

/// The draws of all ranks, element by element. A rank's words are an arithmetic progression,
/// each term scrambled by a multiplication: they are made for every rank and element of a result.
class Draws {
 public:
  Draws(std::uint64_t seed, int ranks) : ranks_(static_cast<std::uint64_t>(ranks)) {
    for (int rank = 0; rank <= ranks; ++rank) starts_.push_back(pattern_seed(seed, rank));
  }

  [[nodiscard]] std::uint64_t common(std::uint64_t element) const { return word(ranks_, element); }

  [[nodiscard]] Draw draw(std::uint64_t rank, std::uint64_t element, std::uint64_t common) const {
    const std::uint64_t place = rank + ((common >> 32) * ranks_ >> 32);
    return {.own = word(rank, element),
            .common = common,
            .place = place < ranks_ ? place : place - ranks_,
            .ranks = ranks_};
  }

 private:
  [[nodiscard]] std::uint64_t word(std::uint64_t rank, std::uint64_t element) const {
    std::uint64_t word = starts_[rank] + element * 0x9E3779B97F4A7C15U;
    word = (word ^ (word >> 29)) * 0xBF58476D1CE4E5B9U;
    return word ^ (word >> 32);
  }

  std::uint64_t ranks_;
  std::vector<std::uint64_t> starts_;  ///< of every rank, and the common one
};

template <class T>
class Typed {
 public:
  static void fill(const ReductionData& data, std::span<std::byte> bytes, std::uint64_t seed,
                   int rank) {
    const Draws draws(seed, data.ranks());
    for (std::size_t i = 0; i < bytes.size() / sizeof(T); ++i) {
      const Draw draw = draws.draw(static_cast<std::uint64_t>(rank), i, draws.common(i));
      const T mine = contribution<T>(data.combine(), draw);
      std::memcpy(&bytes[i * sizeof(T)], &mine, sizeof(T));
    }
  }

  static void spoil(const ReductionData& data, std::span<std::byte> bytes, std::uint64_t seed,
                    const ReductionPart& part) {
    const Draws draws(seed, data.ranks());
    for (std::size_t i = 0; i < bytes.size() / sizeof(T); ++i) {
      const Bytes wrong = result(data, draws, part.first + i, part.ranks);
      std::ranges::transform(wrong, &bytes[i * sizeof(T)], [](std::byte b) { return ~b; });
    }
  }

  static bool holds(const ReductionData& data, std::span<const std::byte> bytes, std::uint64_t seed,
                    const ReductionPart& part) {
    const Draws draws(seed, data.ranks());
    for (std::size_t i = 0; i < bytes.size() / sizeof(T); ++i) {
      const Bytes right = result(data, draws, part.first + i, part.ranks);
      const std::byte* found = &bytes[i * sizeof(T)];
      for (const auto& [offset, length] : data.type().significant) {
        if (std::memcmp(found + offset, &right[offset], length) != 0) return false;
      }
    }
    return true;
  }

 private:
  using Bytes = std::array<std::byte, sizeof(T)>;

  static Bytes result(const ReductionData& data, const Draws& draws, std::uint64_t element,
                      int ranks) {
    const std::uint64_t common = draws.common(element);
    T all = contribution<T>(data.combine(), draws.draw(0, element, common));
    for (int rank = 1; rank < ranks; ++rank) {
      const Draw draw = draws.draw(static_cast<std::uint64_t>(rank), element, common);
      all = combined<T>(data.combine(), all, contribution<T>(data.combine(), draw));
    }
    Bytes bytes{};
    std::memcpy(bytes.data(), &all, sizeof(T));
    return bytes;
  }
};

ReductionData::Functions functions_for(const Datatype& type) {
  ReductionData::Functions functions;
  visit_predefined(
      [&]<class T>(std::type_identity<T>, const char* name, MPI_Datatype, DatatypeKind) {
        if (type.name == name) functions = {&Typed<T>::fill, &Typed<T>::spoil, &Typed<T>::holds};
      });
  return functions;
}

}  // namespace

ReductionData::ReductionData(const Datatype& type, const Operator& op, int ranks)
    : type_(&type), op_(&op), ranks_(ranks), functions_(functions_for(type)) {
  if (!is_defined(op, type)) {
    throw std::logic_error(std::string(op.name) + " is not defined for " + std::string(type.name));
  }
}

void ReductionData::fill(std::span<std::byte> data, std::uint64_t seed, int rank) const {
  functions_.fill(*this, data, seed, rank);
}

void ReductionData::spoil(std::span<std::byte> data, std::uint64_t seed,
                          const ReductionPart& part) const {
  functions_.spoil(*this, data, seed, part);
}

bool ReductionData::holds(std::span<const std::byte> data, std::uint64_t seed,
                          const ReductionPart& part) const {
  return functions_.holds(*this, data, seed, part);
}

}  // namespace hockney
