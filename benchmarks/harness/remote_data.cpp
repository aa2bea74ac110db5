#include "benchmarks/harness/remote_data.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>

#include "benchmarks/harness/buffer_memory.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/epochs.hpp"
#include "benchmarks/harness/reductions.hpp"
#include "placement/rank_pairs.hpp"

namespace hockney::benchmarks {
namespace {

constexpr std::uint64_t least_summand = 4;
constexpr std::uint64_t most_summand = 7;    // see most_accumulated
constexpr std::uint64_t most_factor = 1000;  // largest first content of the memory

template <class T>
T given_integer(Combine combine, std::uint64_t word) {
  if (combine == Combine::prod) return static_cast<T>(word | 1U);  // odd, so that no bit is lost
  const bool is_truth =
      combine == Combine::land || combine == Combine::lor || combine == Combine::lxor;
  return static_cast<T>(is_truth ? word >> 63 : word);
}

template <class T>
T given_number(Combine combine, std::uint64_t word) {
  constexpr std::uint64_t summands = most_summand - least_summand + 1;
  if (combine == Combine::sum) return with_sign<T>(least_summand - 1 + up_to(summands, word), word);
  if (combine == Combine::prod) return with_sign<T>(1, word);
  return extreme<T>(word);
}

/// Contribution of a call to one element.
template <class T>
T given(Combine combine, std::uint64_t word) {
  if constexpr (is_pair<T>) {
    T pair{};
    pair.value = static_cast<decltype(T::value)>(static_cast<int>(word % 9) - 4);
    pair.place = static_cast<int>(word >> 40);
    return pair;
  } else if constexpr (is_complex<T>) {
    using Part = typename T::value_type;
    if (combine == Combine::prod) return {with_sign<Part>(1, word), Part{0}};
    return {given_number<Part>(combine, word), given_number<Part>(combine, std::rotl(word, 31))};
  } else if constexpr (std::is_same_v<T, bool>) {
    return (word >> 63) != 0;
  } else if constexpr (std::is_integral_v<T>) {
    return given_integer<T>(combine, word);
  } else {
    return given_number<T>(combine, word);
  }
}

template <class T>
T first_integer(Combine combine, std::uint64_t word) {
  switch (combine) {
    case Combine::land:
      return T{1};
    case Combine::band:
      return static_cast<T>(~std::uint64_t{0});
    case Combine::lor:
    case Combine::lxor:
    case Combine::bor:
      return T{0};
    case Combine::max:
      return std::numeric_limits<T>::lowest();
    case Combine::min:
      return std::numeric_limits<T>::max();
    default:
      return given_integer<T>(combine, std::rotl(word, 17));
  }
}

/// For a sum: smaller than the summand and of the other sign. The sum is then no larger than the
/// summand, so that none of its bits is rounded away.
template <class T>
T first_number(Combine combine, std::uint64_t word) {
  if (combine == Combine::sum) return with_sign<T>(up_to(least_summand - 1, word), ~word);
  if (combine == Combine::prod) return with_sign<T>(up_to(most_factor, word), word);
  return combine == Combine::max ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();
}

/// The first content of an element, from the random word of its contribution.
template <class T>
T first(Combine combine, std::uint64_t word) {
  if constexpr (is_pair<T>) {
    using Value = decltype(T::value);
    T pair{};
    const bool is_max = combine == Combine::maxloc;
    pair.value = is_max ? std::numeric_limits<Value>::lowest() : std::numeric_limits<Value>::max();
    return pair;
  } else if constexpr (is_complex<T>) {
    using Part = typename T::value_type;
    return {first_number<Part>(combine, word), first_number<Part>(combine, std::rotl(word, 31))};
  } else if constexpr (std::is_same_v<T, bool>) {
    return combine == Combine::land;
  } else if constexpr (std::is_integral_v<T>) {
    return first_integer<T>(combine, word);
  } else {
    return first_number<T>(combine, word);
  }
}

/// `all` combined `times` times with `once`; by squaring, since every operator is associative.
template <class T>
T combined_times(Combine combine, T all, T once, std::uint64_t times) {
  for (; times > 0; times /= 2) {
    if (times % 2 == 1) all = combined<T>(combine, all, once);
    if (times > 1) once = combined<T>(combine, once, once);
  }
  return all;
}

/// A random word for each element.
std::uint64_t word_of(std::uint64_t seed, std::size_t element) {
  return pattern_seed(seed + element * 0x9E3779B97F4A7C15U, 0);
}

/// Slots begin on separate cache lines.
std::size_t room_for_slot(std::size_t bytes) {
  constexpr std::size_t cache_line = 64;
  return (bytes + cache_line - 1) / cache_line * cache_line;
}

/// Whether Open MPI writes past its own buffer, which lacks room for gaps between elements. Seen
/// with 4.1.4 and 5.0.11, also in a program of ten lines (docs/reference/mpi-libraries.md).
bool writes_past_its_buffer(const Datatype& type, WindowKind kind) {
  const bool is_found = kind == WindowKind::created || kind == WindowKind::dynamic;
  return is_found && type.extent != type.size && mpi_library().starts_with("Open MPI");
}

/// Why a point does not have exactly one element; nullopt if it has.
std::optional<std::string> element_obstacle(const Point& point) {
  if (point.bytes.value == static_cast<std::int64_t>(datatype_of(point).size)) return std::nullopt;
  return "it works on one element";
}

/// Seen with 4.1.4 between ranks of a node, also in a program of ten lines
/// (docs/reference/mpi-libraries.md). Between nodes the window has another component.
bool crashes_when_swapping(const Point& point) {
  const bool on_one_node = !point.hop || std::ranges::any_of(placement::node_hops, [&](auto hop) {
    return placement::hop_name(hop) == *point.hop;
  });
  return on_one_node && window_kind_of(point) == WindowKind::allocated &&
         mpi_library().find("Open MPI v4") != std::string::npos;
}

/// The first or second of the two values that a rank's calls swap.
void fill_value(const Pattern& pattern, std::span<std::byte> element, std::uint64_t seed, int giver,
                std::uint64_t which) {
  if (pattern.type->kind == DatatypeKind::logical) {
    std::ranges::fill(element, static_cast<std::byte>(which));
  } else if (which == 0) {
    pattern.fill(element, seed, giver);
  } else {
    pattern.poison(element, seed, giver);
  }
}

bool holds_value(const Pattern& pattern, std::span<const std::byte> element, std::uint64_t seed,
                 int giver, std::uint64_t which) {
  std::vector<std::byte> right(element.size());
  fill_value(pattern, right, seed, giver, which);
  return std::ranges::equal(element, right);
}

}  // namespace

Accumulated::Accumulated(const Datatype& type, const Operator& op, std::uint64_t seed, int giver)
    : type_(&type), combine_(op.combine), seed_(pattern_seed(seed, giver)) {
  if (!is_defined(op, type)) {
    throw std::logic_error(fmt::format("{} is not defined for {}", op.name, type.name));
  }
}

void Accumulated::fill_contribution(std::span<std::byte> data) const {
  fill_elements(*type_, data, [&]<class T>(std::type_identity<T>, std::size_t i) {
    return given<T>(combine_, word_of(seed_, i));
  });
}

template <class T>
T Accumulated::result(std::size_t element, std::uint64_t calls) const {
  const std::uint64_t word = word_of(seed_, element);
  return combined_times<T>(combine_, first<T>(combine_, word), given<T>(combine_, word), calls);
}

void Accumulated::fill_result(std::span<std::byte> data, std::uint64_t calls) const {
  fill_elements(*type_, data,
                [&]<class T>(std::type_identity<T>, std::size_t i) { return result<T>(i, calls); });
}

bool Accumulated::holds_result(std::span<const std::byte> data, std::uint64_t calls) const {
  return holds_elements(*type_, data, [&]<class T>(std::type_identity<T>, std::size_t i) {
    return result<T>(i, calls);
  });
}

Slots::Slots(const Point& point, std::size_t count)
    : count_(count), extent_(message_of(point).extent()), stride_(room_for_slot(extent_)) {}

std::vector<int> Links::targets() const {
  std::set<int> ranks;
  for (const RemoteSlot& call : calls) ranks.insert(call.rank);
  return {ranks.begin(), ranks.end()};
}

std::vector<int> Links::sources() const {
  const std::set<int> ranks(origins.begin(), origins.end());
  return {ranks.begin(), ranks.end()};
}

Links pair_links(int own, int other, int slots, const Parts& parts) {
  Links made{.own = own,
             .slots = slots,
             .calls = {},
             .origins = std::vector<int>(static_cast<std::size_t>(slots), other),
             .gives = parts.gives,
             .takes = parts.takes};
  for (std::size_t slot = 0; slot < made.origins.size(); ++slot) {
    made.calls.push_back({.rank = other, .there = slot, .here = slot});
  }
  return made;
}

Links OneToAll::links(int rank, int ranks) {
  Links made{.own = rank, .slots = ranks - 1, .calls = {}, .origins = {}};
  if (rank > 0) {
    made.origins = {0};
    return made;
  }
  for (int target = 1; target < ranks; ++target) {
    made.calls.push_back(
        {.rank = target, .there = 0, .here = static_cast<std::size_t>(target - 1)});
  }
  return made;
}

Links AllToAll::links(int rank, int ranks) {
  Links made{.own = rank, .slots = ranks - 1, .calls = {}, .origins = {}};
  // A rank has a slot for every other rank, in order of ranks.
  const auto slot_of = [](int of, int at) { return static_cast<std::size_t>(of - (of > at)); };
  for (int step = 1; step < ranks; ++step) {
    const int target = (rank + step) % ranks;
    made.calls.push_back(
        {.rank = target, .there = slot_of(rank, target), .here = slot_of(target, rank)});
  }
  for (int origin = 0; origin < ranks; ++origin) {
    if (origin != rank) made.origins.push_back(origin);
  }
  return made;
}

Links BothNeighbours::links(int rank, int ranks) {
  const int left = (rank + ranks - 1) % ranks;
  const int right = (rank + 1) % ranks;
  return {.own = rank,
          .slots = 2,
          .calls = {{.rank = left, .there = 1, .here = 0}, {.rank = right, .there = 0, .here = 1}},
          .origins = {left, right}};
}

RemoteData::RemoteData(const Context& context, const Point& point, const Slots& slots,
                       std::size_t sources, bool has_results)
    : slots_(slots), message_(message_of(point)) {
  std::vector<std::size_t> sizes(has_results ? slots.count() + 1 : 1, message_.extent());
  sizes.front() *= sources;
  const auto buffers = context.buffers.draw(sizes);
  source_ = buffers.front();
  results_.assign(buffers.begin() + 1, buffers.end());
}

/// A sum that overflows may wrap round or stay at the largest number: Open MPI 4 does the latter up
/// to 16 bits. Larger types wrap in all libraries.
std::optional<std::string> AccumulateRule::obstacle(const Point& point) {
  const Operator& op = operator_of(point);
  if (op.is_user) return "MPI_Accumulate and its like take operators of MPI only";
  const Datatype& type = datatype_of(point);
  const bool is_many = point.bytes.value > static_cast<std::int64_t>(type.size);
  if (is_many && writes_past_its_buffer(type, window_kind_of(point))) {
    return "Open MPI writes past a buffer of its own when elements with gaps are accumulated; use "
           "--window-kind allocated";
  }
  const bool overflows = op.combine == Combine::sum && type.size < sizeof(std::int32_t) &&
                         type.kind == DatatypeKind::integer;
  if (!overflows) return std::nullopt;
  return "a sum of so few bits overflows after a few calls";
}

AccumulateRule::AccumulateRule(const Point& point)
    : type(&datatype_of(point)), op(&operator_of(point)) {}

void AccumulateRule::give(std::span<std::byte> data, const Side& side, std::size_t) const {
  Accumulated(*type, *op, side.seed, side.own).fill_contribution(data);
}

void AccumulateRule::lay(std::span<std::byte> slot, const Side& side) const {
  if (side.other != no_rank) Accumulated(*type, *op, side.seed, side.other).fill_result(slot, 0);
}

bool AccumulateRule::is_left(std::span<const std::byte> slot, const Side& side,
                             std::uint64_t times) const {
  return Accumulated(*type, *op, side.seed, side.other).holds_result(slot, times);
}

void FetchRule::prepare(std::span<std::byte> result, const Side& side) const {
  Accumulated(*type, *op, side.seed, side.own).fill_contribution(result);
  std::ranges::transform(result, result.begin(), [](std::byte given) { return ~given; });
}

bool FetchRule::is_fetched(std::span<const std::byte> result, const Side& side,
                           std::uint64_t times) const {
  return Accumulated(*type, *op, side.seed, side.own).holds_result(result, times - 1);
}

std::optional<std::string> FetchElementRule::obstacle(const Point& point) {
  if (auto reason = element_obstacle(point)) return reason;
  return AccumulateRule::obstacle(point);
}

/// MPI 3.1, section 11.3.4.
std::optional<std::string> SwapRule::obstacle(const Point& point) {
  if (auto reason = element_obstacle(point)) return reason;
  if (crashes_when_swapping(point)) {
    return "Open MPI 4 crashes in MPI_Compare_and_swap in memory of MPI_Win_allocate; use "
           "--window-kind created";
  }
  switch (datatype_of(point).kind) {
    case DatatypeKind::byte:
    case DatatypeKind::integer:
    case DatatypeKind::address:
    case DatatypeKind::logical:
      return std::nullopt;
    default:
      return "MPI_Compare_and_swap takes whole numbers, truth values and bytes only";
  }
}

void SwapRule::give(std::span<std::byte> data, const Side& side, std::size_t which) const {
  fill_value(pattern, data, side.seed, side.own, which);
}

void SwapRule::lay(std::span<std::byte> slot, const Side& side) const {
  if (side.other != no_rank) fill_value(pattern, slot, side.seed, side.other, 0);
}

bool SwapRule::is_left(std::span<const std::byte> slot, const Side& side,
                       std::uint64_t times) const {
  return holds_value(pattern, slot, side.seed, side.other, times % 2);
}

void SwapRule::prepare(std::span<std::byte> result, const Side& side) const {
  fill_value(pattern, result, side.seed, side.own, 1);
}

bool SwapRule::is_fetched(std::span<const std::byte> result, const Side& side,
                          std::uint64_t times) const {
  return holds_value(pattern, result, side.seed, side.own, (times - 1) % 2);
}

}  // namespace hockney::benchmarks
