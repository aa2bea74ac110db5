#include "benchmarks/harness/reductions.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "benchmarks/harness/buffers.hpp"
#include "benchmarks/harness/contributions.hpp"

namespace hockney::benchmarks {
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

/// What the first `ranks` ranks contribute to an element, combined.
template <class T>
T result(Combine combine, const Draws& draws, std::uint64_t element, int ranks) {
  const std::uint64_t common = draws.common(element);
  T all = contribution<T>(combine, draws.draw(0, element, common));
  for (int rank = 1; rank < ranks; ++rank) {
    const Draw draw = draws.draw(static_cast<std::uint64_t>(rank), element, common);
    all = combined<T>(combine, all, contribution<T>(combine, draw));
  }
  return all;
}

}  // namespace

ReductionData::ReductionData(const Datatype& type, const Operator& op, int ranks)
    : type_(&type), combine_(op.combine), ranks_(ranks) {
  if (!is_defined(op, type)) {
    throw std::logic_error(std::string(op.name) + " is not defined for " + std::string(type.name));
  }
}

void ReductionData::fill(std::span<std::byte> data, std::uint64_t seed, int rank) const {
  const Draws draws(seed, ranks_);
  visit_type(type_->handle, [&]<class T>(std::type_identity<T>) {
    for (std::size_t i = 0; i < data.size() / sizeof(T); ++i) {
      const Draw draw = draws.draw(static_cast<std::uint64_t>(rank), i, draws.common(i));
      const T mine = contribution<T>(combine_, draw);
      std::memcpy(&data[i * sizeof(T)], &mine, sizeof(T));
    }
  });
}

template <class Visit>
bool ReductionData::all_of_result(std::size_t bytes, std::uint64_t seed, const ReductionPart& part,
                                  Visit visit) const {
  const Draws draws(seed, ranks_);
  bool is_true = true;
  visit_type(type_->handle, [&]<class T>(std::type_identity<T>) {
    std::array<std::byte, sizeof(T)> element{};
    for (std::size_t i = 0; i < bytes / sizeof(T) && is_true; ++i) {
      const T all = result<T>(combine_, draws, part.first + i, part.ranks);
      std::memcpy(element.data(), &all, sizeof(T));
      is_true = visit(i * sizeof(T), std::span<const std::byte>(element));
    }
  });
  return is_true;
}

void ReductionData::spoil(std::span<std::byte> data, std::uint64_t seed,
                          const ReductionPart& part) const {
  all_of_result(data.size(), seed, part, [&](std::size_t at, std::span<const std::byte> right) {
    std::ranges::transform(right, &data[at], [](std::byte b) { return ~b; });
    return true;
  });
}

bool ReductionData::holds(std::span<const std::byte> data, std::uint64_t seed,
                          const ReductionPart& part) const {
  return all_of_result(
      data.size(), seed, part, [&](std::size_t at, std::span<const std::byte> right) {
        return std::ranges::all_of(type_->significant, [&](const ByteRange& range) {
          return std::memcmp(&data[at + range.offset], &right[range.offset], range.bytes) == 0;
        });
      });
}

namespace {

ReductionShape whole_shape(const Context& context, const Point& point) {
  const int count = message_of(point).count;
  return {.contributed = count,
          .received = count,
          .room = count,
          .part = {.first = 0, .ranks = context.size}};
}

ReductionShape scan_shape(const Context& context, const Point& point) {
  ReductionShape shape = whole_shape(context, point);
  shape.part.ranks = context.rank + 1;
  return shape;
}

ReductionShape exscan_shape(const Context& context, const Point& point) {
  ReductionShape shape = whole_shape(context, point);
  if (context.rank == 0) shape.received = 0;
  shape.part.ranks = std::max(1, context.rank);
  return shape;
}

ReductionShape block_shape(const Context& context, const Point& point) {
  ReductionShape shape = whole_shape(context, point);
  shape.contributed *= context.size;
  shape.part.first = static_cast<std::size_t>(context.rank) * static_cast<std::size_t>(shape.room);
  return shape;
}

Division parts_of(const Point& point, int ranks) {
  return divide(message_of(point).count, ranks, distribution_of(point));
}

ReductionShape scattered_shape(const Context& context, const Point& point) {
  const Division parts = parts_of(point, context.size);
  const auto own = static_cast<std::size_t>(context.rank);
  ReductionShape shape = whole_shape(context, point);
  shape.received = parts.counts[own];
  shape.room = parts.largest();
  shape.part.first = static_cast<std::size_t>(parts.displacements[own]);
  return shape;
}

}  // namespace

Reduction::Reduction(const Context& context, const Point& point)
    : Reduction(context, point, whole_shape(context, point)) {}

Reduction::Reduction(const Context& context, const Point& point, const ReductionShape& shape)
    : Reduction(context, point, shape, find_operator(point.parameters.at("operator"))) {}

Reduction::Reduction(const Context& context, const Point& point, const ReductionShape& shape,
                     const Operator& op)
    : rank_(context.rank),
      in_place_(is_in_place(point)),
      shape_(shape),
      type_(message_of(point).type),
      user_op_(make_user_operator(op)),
      op_(user_op_ ? user_op_.get() : op.handle),
      data_(*type_, op, context.size) {
  const int room = in_place_ ? std::max(shape.room, shape.contributed) : shape.room;
  const auto buffers = context.buffers.draw({bytes(shape.contributed), bytes(room)});
  send_ = buffers[0];
  receive_ = buffers[1];
}

void Reduction::refill(std::uint64_t seed) {
  data_.fill(send_.bytes(), seed, rank_);
  const auto spoilt = receive_.to_spoil();
  data_.spoil(spoilt.first(std::min(bytes(shape_.received), spoilt.size())), seed, shape_.part);
  ready();
}

void Reduction::ready() {
  if (!in_place_) return;
  std::ranges::copy(send_.bytes(), receive_.bytes().begin());
  receive_.bring_to_device();
}

bool Reduction::verify(std::uint64_t seed) const {
  return data_.holds(receive_.bytes().first(bytes(shape_.received)), seed, shape_.part);
}

ScanReduction::ScanReduction(const Context& context, const Point& point)
    : Reduction(context, point, scan_shape(context, point)) {}

ExscanReduction::ExscanReduction(const Context& context, const Point& point)
    : Reduction(context, point, exscan_shape(context, point)) {}

BlockReduction::BlockReduction(const Context& context, const Point& point)
    : Reduction(context, point, block_shape(context, point)) {}

Volume ScatteredReduction::volume(const Point& point) {
  const MessageShape message = message_of(point);
  const int smallest = parts_of(point, point.ranks).smallest();
  return {.operations = 1,
          .bytes = point.bytes,
          .bus_bytes = static_cast<double>(message.type->size) *
                       static_cast<double>(message.count - smallest)};
}

ScatteredReduction::ScatteredReduction(const Context& context, const Point& point)
    : Reduction(context, point, scattered_shape(context, point)),
      parts_(parts_of(point, context.size)) {}

}  // namespace hockney::benchmarks
