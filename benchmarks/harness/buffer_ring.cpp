#include "benchmarks/harness/buffer_ring.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace hockney::benchmarks {
namespace {

constexpr std::size_t ring_choices = 256;  // pages at which a ring may begin

std::size_t whole_pages(std::size_t bytes) {
  return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

std::size_t rounded_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

constexpr std::size_t fewest_places = 2;  // for an untimed iteration, and one sample

/// Step between consecutive places. It is near the golden section, which leaves the widest gaps. It
/// has no common divisor with `places`, so that all places are used before the first one again.
std::size_t stride(std::size_t places) {
  if (places < 3) return 1;
  std::size_t step = places * 618 / 1000;
  while (std::gcd(step, places) != 1) ++step;
  return step;
}

std::byte* aligned(std::byte* memory, std::size_t alignment) {
  const auto past = reinterpret_cast<std::uintptr_t>(memory) % alignment;
  return memory + (past == 0 ? 0 : alignment - past);
}

}  // namespace

DrawnMemory BufferPool::draw(Room& room, std::size_t bytes, std::size_t least,
                             const Memory& memory) {
  if (least > room.capacity) {
    room.memory = {};
    room.memory = BufferMemory(memory, least, local_rank_);
    room.capacity = least;
    note(memory, room.memory.evidence());
  }
  const std::size_t choices = (room.capacity - whole_pages(bytes)) / page_bytes + 1;
  return {.memory = &room.memory, .at = (draw_() % choices) * page_bytes, .bytes = bytes};
}

DrawnMemory BufferPool::draw(std::size_t bytes, const Memory& memory) {
  return draw(small_[memory], bytes, whole_pages(bytes) * pool_places, memory);
}

DrawnMemory BufferPool::draw_ring(std::size_t bytes, const Memory& memory) {
  return draw(rings_[memory], bytes, whole_pages(bytes) + ring_choices * page_bytes, memory);
}

std::span<std::byte> BufferPool::keep(std::size_t bytes) {
  const std::size_t wanted = whole_pages(std::max<std::size_t>(1, bytes));
  if (kept_.get_deleter().bytes < wanted) {
    kept_.reset();
    kept_ = map_memory(wanted, Pages::touched_now);
  }
  return {kept_.get(), bytes};
}

bool BufferPool::is_proven(const Memory& memory) const {
  return std::ranges::all_of(std::array{&small_, &rings_}, [&](const auto* rooms) {
    const auto room = rooms->find(memory);
    return room == rooms->end() || room->second.memory.evidence().is_proven;
  });
}

void BufferPool::note(const Memory& memory, const MemoryEvidence& found) {
  if (memory.kind == MemoryKind::host) return;
  std::vector<MemoryEvidence>& all = evidence_[memory];
  const auto is_known = [&](const MemoryEvidence& known) { return known.text == found.text; };
  if (std::ranges::none_of(all, is_known)) all.push_back(found);
}

std::size_t Layout::unit_for(std::size_t bytes) const {
  switch (plan_.state) {
    case CacheState::cold:
      return bytes < page_bytes ? 2 * plan_.line_bytes : page_bytes;
    case CacheState::fresh:
      return bytes < huge_page_bytes ? page_bytes : huge_page_bytes;
    default:
      return page_bytes;
  }
}

std::size_t Layout::add(std::size_t bytes) {
  const std::size_t held = std::max<std::size_t>(1, bytes);
  const std::size_t unit = unit_for(bytes);
  alignment_ = std::max(alignment_, unit);
  const std::size_t begin = rounded_up(end_, unit);
  const bool is_hot = plan_.state == CacheState::hot;
  end_ = begin + rounded_up(is_hot ? bytes + 1 : held, unit);
  touched_ += rounded_up(held, plan_.line_bytes);
  return begin;
}

std::size_t Layout::place_bytes() const {
  const std::size_t units = rounded_up(std::max<std::size_t>(1, end_), alignment_) / alignment_;
  const bool must_be_odd = plan_.state == CacheState::cold && units % 2 == 0;
  return (units + (must_be_odd ? 1 : 0)) * alignment_;
}

std::vector<Buffer> BufferRing::draw(const std::vector<std::size_t>& sizes) {
  std::vector<Buffer> buffers;
  buffers.reserve(sizes.size());
  for (const std::size_t bytes : sizes) buffers.emplace_back(*this, layout_.add(bytes), bytes);
  return buffers;
}

std::optional<std::int64_t> BufferRing::most_iterations() const {
  if (plan_.state == CacheState::hot) return std::nullopt;
  if (plan_.state == CacheState::cold) return std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(std::max(fewest_places, plan_.bytes / layout_.place_bytes()));
}

void BufferRing::take(std::int64_t iterations) {
  const auto wanted = static_cast<std::size_t>(
      std::clamp<std::int64_t>(iterations, 1, most_iterations().value_or(1)));
  rest_ = {};
  switch (plan_.state) {
    case CacheState::cold:
      return take_cold(wanted);
    case CacheState::fresh:
      return take_fresh(wanted);
    default:
      return take_hot();
  }
}

void BufferRing::take_hot() {
  drawn_ = pool_.draw(layout_.place_bytes(), memory_kind_);
  const bool is_elsewhere = drawn_.memory->image() != drawn_.memory->data();
  image_ = is_elsewhere ? drawn_.memory->image() + drawn_.at : nullptr;
  use(drawn_.data(), 1);
}

void BufferRing::bring_to_device() const {
  if (image_ != nullptr) drawn_.memory->bring_to_device(drawn_.at, drawn_.bytes);
}

void BufferRing::bring_from_device() const {
  if (image_ != nullptr) drawn_.memory->bring_from_device(drawn_.at, drawn_.bytes);
}

void Buffer::bring_to_device() const {
  if (ring_->image_ == nullptr) return;
  ring_->drawn_.memory->bring_to_device(ring_->drawn_.at + offset_, bytes_);
}

void BufferRing::take_cold(std::size_t wanted) {
  const std::size_t touched = std::max<std::size_t>(1, layout_.touched_bytes());
  const std::size_t places = std::max(fewest_places, (plan_.bytes + touched - 1) / touched);
  const std::size_t slack = layout_.alignment();
  const DrawnMemory drawn = pool_.draw_ring(places * layout_.place_bytes() + slack, memory_kind_);
  use(aligned(drawn.data(), layout_.alignment()), std::min(wanted, places));
  rest_ = {memory_ + length_, places * layout_.place_bytes() - length_};
}

void BufferRing::take_fresh(std::size_t wanted) {
  fresh_.reset();
  memory_ = place_ = nullptr;
  const bool huge = layout_.alignment() == huge_page_bytes;
  const std::size_t slack = layout_.alignment();
  fresh_ = map_memory(wanted * layout_.place_bytes() + slack,
                      huge ? Pages::huge_on_touch : Pages::on_touch);
  use(aligned(fresh_.get(), layout_.alignment()), wanted);
}

void BufferRing::use(std::byte* memory, std::size_t places) {
  memory_ = memory;
  length_ = places * layout_.place_bytes();
  step_ = stride(places) * layout_.place_bytes();
  go_to(0);
}

void BufferRing::evict() {
  // Written, not read: victim caches need not take in clean lines.
  for (std::size_t at = 0; at < rest_.size(); at += plan_.line_bytes) {
    static_cast<volatile std::byte*>(rest_.data())[at] = std::byte{1};
  }
}

}  // namespace hockney::benchmarks
