#include "benchmarks/harness/reductions.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "benchmarks/harness/buffers.hpp"
#include "benchmarks/harness/contributions.hpp"

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

ReductionShape whole_reduction(const Context& context, const Point& point) {
  const int count = message_of(point).count;
  return {.contributed = count,
          .received = count,
          .room = count,
          .part = {.first = 0, .ranks = context.size}};
}

ReductionShape block_reduction(const Context& context, const Point& point) {
  const int count = message_of(point).count;
  const std::size_t first =
      static_cast<std::size_t>(context.rank) * static_cast<std::size_t>(count);
  return {.contributed = count * context.size,
          .received = count,
          .room = count,
          .part = {.first = first, .ranks = context.size}};
}

ReductionShape scan_reduction(const Context& context, const Point& point) {
  ReductionShape shape = whole_reduction(context, point);
  shape.part.ranks = context.rank + 1;
  return shape;
}

ReductionShape exscan_reduction(const Context& context, const Point& point) {
  ReductionShape shape = whole_reduction(context, point);
  if (context.rank == 0) shape.received = 0;
  shape.part.ranks = std::max(1, context.rank);
  return shape;
}

ReductionShape scattered_reduction(const Context& context, const Point& point) {
  const int count = message_of(point).count;
  const Division parts = divide(count, context.size, distribution_of(point));
  const auto own = static_cast<std::size_t>(context.rank);
  return {
      .contributed = count,
      .received = parts.counts[own],
      .room = parts.largest(),
      .part = {.first = static_cast<std::size_t>(parts.displacements[own]), .ranks = context.size}};
}

Reduction::Reduction(const Context& context, const Point& point, const ReductionShape& shape)
    : rank_(context.rank),
      in_place_(is_in_place(point)),
      shape_(shape),
      type_(message_of(point).type),
      user_op_(make_user_operator(find_operator(point.parameters.at("operator")))),
      op_(user_op_ ? user_op_.get() : find_operator(point.parameters.at("operator")).handle),
      data_(*type_, find_operator(point.parameters.at("operator")), context.size) {
  const auto bytes = [&](int count) { return static_cast<std::size_t>(count) * type_->extent; };
  const int room = in_place_ ? std::max(shape.room, shape.contributed) : shape.room;
  const auto buffers = context.buffers.draw({bytes(shape.contributed), bytes(room)});
  send_ = buffers[0];
  receive_ = buffers[1];
}

void Reduction::refill(std::uint64_t seed) {
  data_.fill(send_.bytes(), seed, rank_);
  const std::size_t bytes = static_cast<std::size_t>(shape_.received) * type_->extent;
  const auto spoilt = receive_.to_spoil();
  data_.spoil(spoilt.first(std::min(bytes, spoilt.size())), seed, shape_.part);
  ready();
}

void Reduction::ready() {
  if (in_place_) std::ranges::copy(send_.bytes(), receive_.data());
}

bool Reduction::verify(std::uint64_t seed) const {
  const std::size_t bytes = static_cast<std::size_t>(shape_.received) * type_->extent;
  return data_.holds(receive_.bytes().first(bytes), seed, shape_.part);
}

}  // namespace hockney
