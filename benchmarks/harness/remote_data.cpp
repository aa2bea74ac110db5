#include "benchmarks/harness/remote_data.hpp"

#include <algorithm>

#include "benchmarks/harness/accumulated.hpp"
#include "benchmarks/harness/buffers.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/exposed_memory.hpp"
#include "placement/hop.hpp"

namespace hockney::benchmarks {
namespace {

/// Slots begin on cache lines of their own.
std::size_t room_for_slot(std::size_t bytes) {
  constexpr std::size_t cache_line = 64;
  return (bytes + cache_line - 1) / cache_line * cache_line;
}

}  // namespace

Slots::Slots(const Point& point, std::size_t count)
    : count_(count), extent_(message_of(point).extent()), stride_(room_for_slot(extent_)) {}

RemoteData::RemoteData(const Context& context, const Point& point, const Part& part,
                       const Slots& slots, std::size_t sources, bool has_results)
    : part_(part), slots_(slots), message_(message_of(point)) {
  std::vector<std::size_t> sizes(has_results ? slots.count() + 1 : 1, message_.extent());
  sizes.front() *= sources;
  const auto buffers = context.buffers.draw(sizes);
  source_ = buffers.front();
  results_.assign(buffers.begin() + 1, buffers.end());
}

void PutData::refill(std::uint64_t seed, std::span<std::byte> memory) {
  fill_pattern(source_.bytes(), pattern_seed(seed, part_.own));
  for (std::size_t slot = 0; slot < slots_.count(); ++slot) {
    fill_wrong_pattern(slots_.in(memory, slot), pattern_seed(seed, part_.other));
  }
}

bool PutData::verify(std::uint64_t seed, std::span<std::byte> memory, std::uint64_t) const {
  for (std::size_t slot = 0; part_.takes && slot < slots_.count(); ++slot) {
    const auto found = slots_.in(memory, slot);
    if (!holds_message(found, *message_.type, pattern_seed(seed, part_.other))) return false;
  }
  return true;
}

void GetData::refill(std::uint64_t seed, std::span<std::byte> memory) {
  for (std::size_t slot = 0; slot < slots_.count(); ++slot) {
    fill_pattern(slots_.in(memory, slot), pattern_seed(seed, part_.own));
    fill_wrong_pattern(results_[slot].to_spoil(), pattern_seed(seed, part_.other));
  }
}

bool GetData::verify(std::uint64_t seed, std::span<std::byte>, std::uint64_t) const {
  return !part_.gives || std::ranges::all_of(results_, [&](const Buffer& result) {
    return holds_message(result.bytes(), *message_.type, pattern_seed(seed, part_.other));
  });
}

AccumulateData::AccumulateData(const Context& context, const Point& point, const Part& part,
                               const Slots& slots, bool fetches)
    : RemoteData(context, point, part, slots, 1, fetches),
      op_(find_operator(point.parameters.at("operator"))) {}

namespace {

/// Seen with 4.1.4 and 5.0.11, in a program of ten lines, too (docs/stacks.md): a buffer has room
/// for the elements without their gaps.
bool writes_past_its_buffer(const Datatype& type, WindowKind kind) {
  const bool is_found = kind == WindowKind::created || kind == WindowKind::dynamic;
  return is_found && type.extent != type.size && mpi_library().starts_with("Open MPI");
}

}  // namespace

/// A sum that overflows may wrap round or stay at the largest number, as a library likes: Open MPI
/// 4 does the latter up to 16 bits. Beyond, all wrap.
std::optional<std::string> AccumulateData::obstacle(const Point& point) {
  const Operator& op = find_operator(parameter_of(point, "operator", "sum"));
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

void AccumulateData::refill(std::uint64_t seed, std::span<std::byte> memory) {
  Accumulated(*message_.type, op_, seed, part_.own).fill_contribution(source_.bytes());
  const Accumulated taken(*message_.type, op_, seed, part_.other);
  for (std::size_t slot = 0; slot < slots_.count(); ++slot) {
    taken.fill_result(slots_.in(memory, slot), 0);
  }
  for (const Buffer& result : results_) {
    std::ranges::transform(source_.bytes(), result.data(), [](std::byte b) { return ~b; });
  }
}

bool AccumulateData::verify(std::uint64_t seed, std::span<std::byte> memory,
                            std::uint64_t times) const {
  if (times == 0) return false;
  const Accumulated taken(*message_.type, op_, seed, part_.other);
  for (std::size_t slot = 0; part_.takes && slot < slots_.count(); ++slot) {
    if (!taken.holds_result(slots_.in(memory, slot), times)) return false;
  }
  if (!part_.gives || results_.empty()) return true;
  const Accumulated given(*message_.type, op_, seed, part_.own);
  return std::ranges::all_of(results_, [&](const Buffer& result) {
    return given.holds_result(result.bytes(), times - 1);
  });
}

std::optional<std::string> element_obstacle(const Point& point) {
  if (point.bytes.value == static_cast<std::int64_t>(datatype_of(point).size)) return std::nullopt;
  return "it works on one element";
}

std::optional<std::string> FetchElementData::obstacle(const Point& point) {
  if (auto reason = element_obstacle(point)) return reason;
  return AccumulateData::obstacle(point);
}

namespace {

/// Seen with 4.1.4 between ranks of a node, in a program of ten lines, too (docs/stacks.md).
/// Between nodes another component has the window.
bool crashes_when_swapping(const Point& point) {
  const bool on_one_node = !point.hop || std::ranges::any_of(placement::node_hops, [&](auto hop) {
    return placement::hop_name(hop) == *point.hop;
  });
  return on_one_node && window_kind_of(point) == WindowKind::allocated &&
         mpi_library().find("Open MPI v4") != std::string::npos;
}

}  // namespace

/// MPI 3.1, section 11.3.4.
std::optional<std::string> SwapData::obstacle(const Point& point) {
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

void SwapData::fill_value(std::span<std::byte> element, std::uint64_t seed, int giver,
                          std::uint64_t which) const {
  if (message_.type->kind == DatatypeKind::logical) {
    std::ranges::fill(element, static_cast<std::byte>(which));
  } else if (which == 0) {
    fill_pattern(element, pattern_seed(seed, giver));
  } else {
    fill_wrong_pattern(element, pattern_seed(seed, giver));
  }
}

void SwapData::refill(std::uint64_t seed, std::span<std::byte> memory) {
  turn_ = 0;
  const std::size_t bytes = message_.extent();
  for (std::size_t which = 0; which < 2; ++which) {
    fill_value(source_.bytes().subspan(which * bytes, bytes), seed, part_.own, which);
  }
  for (std::size_t slot = 0; slot < slots_.count(); ++slot) {
    fill_value(slots_.in(memory, slot), seed, part_.other, 0);
    fill_value(results_[slot].bytes(), seed, part_.own, 1);
  }
}

bool SwapData::verify(std::uint64_t seed, std::span<std::byte> memory, std::uint64_t times) const {
  if (times == 0) return false;
  std::vector<std::byte> right(message_.extent());
  fill_value(right, seed, part_.other, times % 2);
  for (std::size_t slot = 0; part_.takes && slot < slots_.count(); ++slot) {
    if (!std::ranges::equal(slots_.in(memory, slot), right)) return false;
  }
  if (!part_.gives) return true;
  fill_value(right, seed, part_.own, (times - 1) % 2);
  return std::ranges::all_of(
      results_, [&](const Buffer& result) { return std::ranges::equal(result.bytes(), right); });
}

}  // namespace hockney::benchmarks
