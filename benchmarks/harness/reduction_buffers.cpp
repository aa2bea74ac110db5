#include "benchmarks/harness/reduction_buffers.hpp"

#include <algorithm>

namespace hockney {

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
