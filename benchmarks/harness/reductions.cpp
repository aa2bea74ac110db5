#include "benchmarks/harness/reductions.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "benchmarks/harness/buffer_memory.hpp"

namespace hockney::benchmarks {
namespace {

/// The random words of all ranks, for each element. A rank's words are an arithmetic progression
/// whose terms are scrambled by a multiplication. They are needed for every rank and element of a
/// result.
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
  std::vector<std::uint64_t> starts_;  ///< of every rank, and of the common word
};

/// The combined contributions of the first `ranks` ranks to an element.
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
    throw std::logic_error(fmt::format("{} is not defined for {}", op.name, type.name));
  }
}

void ReductionData::fill(std::span<std::byte> data, std::uint64_t seed, int rank) const {
  const Draws draws(seed, ranks_);
  fill_elements(*type_, data, [&]<class T>(std::type_identity<T>, std::size_t i) {
    const Draw draw = draws.draw(static_cast<std::uint64_t>(rank), i, draws.common(i));
    return contribution<T>(combine_, draw);
  });
}

void ReductionData::write(std::span<std::byte> data, std::uint64_t seed,
                          const ReductionPart& part) const {
  const Draws draws(seed, ranks_);
  fill_elements(*type_, data, [&]<class T>(std::type_identity<T>, std::size_t i) {
    return result<T>(combine_, draws, part.first + i, part.ranks);
  });
}

#ifdef SMPI_H

// Simulated ranks share one process, and most of them expect the same result. Computing it takes
// time in proportion to their number, so it is computed once for all of them.
namespace {

struct KnownResult {
  const Datatype* type = nullptr;
  Combine combine{};
  int ranks = 0;
  std::uint64_t seed = 0;
  ReductionPart part;
  std::vector<std::byte> data;
};

/// Ranks that are ahead already expect the next one.
using KnownResults = std::array<KnownResult, 2>;

KnownResults& known_results() {
  static KnownResults latest;
  return latest;
}

}  // namespace

std::span<const std::byte> ReductionData::known(std::size_t bytes, std::uint64_t seed,
                                                const ReductionPart& part) const {
  KnownResults& latest = known_results();
  const auto found = std::ranges::find_if(latest, [&](const KnownResult& known) {
    return known.type == type_ && known.combine == combine_ && known.ranks == ranks_ &&
           known.seed == seed && known.part == part && known.data.size() == bytes;
  });
  if (found != latest.end()) return found->data;
  std::ranges::rotate(latest, latest.begin() + 1);
  KnownResult& known = latest.back();
  known = {type_, combine_, ranks_, seed, part, std::vector<std::byte>(bytes)};
  write(known.data, seed, part);
  return known.data;
}

void ReductionData::poison(std::span<std::byte> data, std::uint64_t seed,
                           const ReductionPart& part) const {
  std::ranges::transform(known(data.size(), seed, part), data.begin(),
                         [](std::byte right) { return ~right; });
}

bool ReductionData::holds(std::span<const std::byte> data, std::uint64_t seed,
                          const ReductionPart& part) const {
  return is_same_message(data, known(data.size(), seed, part), *type_);
}

#else

void ReductionData::poison(std::span<std::byte> data, std::uint64_t seed,
                           const ReductionPart& part) const {
  write(data, seed, part);
  std::ranges::transform(data, data.begin(), [](std::byte right) { return ~right; });
}

bool ReductionData::holds(std::span<const std::byte> data, std::uint64_t seed,
                          const ReductionPart& part) const {
  const Draws draws(seed, ranks_);
  return holds_elements(*type_, data, [&]<class T>(std::type_identity<T>, std::size_t i) {
    return result<T>(combine_, draws, part.first + i, part.ranks);
  });
}

#endif

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
  return divide(message_of(point).count, ranks, point.parameters[counts_parameter]);
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

Payload<ReductionData> given_data(const Context& context, const Point& point,
                                  const ReductionShape& shape, const Operator& op) {
  const Datatype& type = datatype_of(point);
  return {context, type, one_block(shape.contributed, context.rank), {type, op, context.size}};
}

Payload<ReductionResult> result_data(const Context& context, const Point& point,
                                     const ReductionShape& shape, const Operator& op) {
  const Datatype& type = datatype_of(point);
  Blocks blocks = one_block(shape.received, context.rank);
  blocks.room = is_in_place(point) ? std::max(shape.room, shape.contributed) : shape.room;
  return {context, type, std::move(blocks), {{type, op, context.size}, shape.part}};
}

}  // namespace

Reduction::Reduction(const Context& context, const Point& point)
    : Reduction(context, point, whole_shape(context, point)) {}

Reduction::Reduction(const Context& context, const Point& point, const ReductionShape& shape)
    : Reduction(context, point, shape, operator_of(point)) {}

Reduction::Reduction(const Context& context, const Point& point, const ReductionShape& shape,
                     const Operator& op)
    : CollectiveData{context, point, given_data(context, point, shape, op),
                     result_data(context, point, shape, op)},
      user_op_(make_user_operator(op)),
      op_(user_op_ ? user_op_.get() : op.handle) {}

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
