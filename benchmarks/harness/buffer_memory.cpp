#include "benchmarks/harness/buffer_memory.hpp"

#include <algorithm>

#include "benchmarks/harness/buffer_ring.hpp"
#include "benchmarks/harness/huge_pages.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "placement/node_memory.hpp"

namespace hockney::benchmarks {
namespace {

std::string size_text(std::size_t bytes) {
  return format_bytes(Bytes{static_cast<std::int64_t>(bytes)});
}

/// The node of a choice, here and now; RunError naming the nodes there are when it is none.
int find_node(const placement::NodeMemory& machine, const Memory& memory) {
  const int cpu = placement::current_cpu();
  const std::string all = "there are: " + join_numbers(machine.nodes(), ", ");
  std::optional<int> node;
  if (memory.choice == NodeChoice::near) node = machine.near(cpu);
  if (memory.choice == NodeChoice::far) node = machine.far(cpu);
  if (memory.choice == NodeChoice::number) {
    if (std::ranges::find(machine.nodes(), memory.node) != machine.nodes().end()) {
      node = memory.node;
    }
  }
  if (node) return *node;
  std::string wanted = "there is no NUMA node " + std::to_string(memory.node);
  if (memory.choice != NodeChoice::number) {
    const std::string how = memory.choice == NodeChoice::near ? "near" : "far from";
    wanted = "there is no NUMA node " + how + " CPU " + std::to_string(cpu);
  }
  throw RunError({wanted, all, ""});
}

}  // namespace

BufferMemory::BufferMemory(const Memory& memory, std::size_t bytes, int local_rank) {
  switch (memory.kind) {
    case MemoryKind::host:
      on_host_ = map_memory(bytes, Pages::touched_now);
      return;
    case MemoryKind::huge:
      take_huge(bytes);
      return;
    case MemoryKind::numa:
      take_on_node(memory, bytes);
      return;
    case MemoryKind::cuda:
    case MemoryKind::rocm:
      take_on_device(memory.kind, bytes, local_rank);
      return;
  }
}

void BufferMemory::take_huge(std::size_t bytes) {
  on_host_ = map_huge_memory(bytes);
  const HugeBytes huge = huge_bytes_of(on_host_.get(), bytes);
  evidence_.is_proven = huge.reserved + huge.transparent >= bytes;
  if (!evidence_.is_proven) {
    evidence_.text = size_text(huge.reserved + huge.transparent) + " of " + size_text(bytes) +
                     " in huge pages (smaps)";
  } else if (huge.reserved > 0) {
    evidence_.text = "reserved huge pages of " + size_text(huge.page) + " (smaps)";
  } else {
    evidence_.text = "transparent huge pages (smaps)";
  }
}

void BufferMemory::take_on_node(const Memory& memory, std::size_t bytes) {
  const placement::NodeMemory machine;
  const int node = find_node(machine, memory);
  on_host_ = map_memory(bytes, Pages::on_touch);
  const std::string refused = machine.bind(on_host_.get(), bytes, node);
  const std::string name = "NUMA node " + std::to_string(node);
  if (!refused.empty()) throw RunError({"no memory can be bound to " + name, refused, ""});
  for (std::size_t at = 0; at < bytes; at += page_bytes) on_host_.get()[at] = std::byte{0};
  const std::vector<int> found = machine.nodes_of(on_host_.get(), bytes);
  evidence_.is_proven = found == std::vector<int>{node};
  evidence_.text = "asked of " + name + ", found on " +
                   (found.empty() ? "no node that the kernel tells" : join_numbers(found, ", ")) +
                   " (move_pages)";
}

void BufferMemory::take_on_device(MemoryKind kind, std::size_t bytes, int local_rank) {
  runtime_ = std::make_shared<const DeviceRuntime>(kind);
  const ChosenDevice device = choose_device(*runtime_, local_rank);
  on_host_ = map_memory(bytes, Pages::touched_now);
  on_device_ = {runtime_->allocate(bytes), FreeOnDevice{runtime_}};
  const std::string bus = device.bus_id.empty() ? "" : " at " + device.bus_id;
  evidence_.text = "device " + std::to_string(device.number) + " of " +
                   std::to_string(device.count) + bus + ", by " + runtime_->library();
  evidence_.device = device.bus_id.empty() ? std::to_string(device.number) : device.bus_id;
}

void BufferMemory::bring_to_device(std::size_t at, std::size_t bytes) const {
  if (!runtime_ || bytes == 0) return;
  runtime_->copy(on_device_.get() + at, on_host_.get() + at, bytes, CopyWay::to_device);
}

void BufferMemory::bring_from_device(std::size_t at, std::size_t bytes) const {
  if (!runtime_ || bytes == 0) return;
  runtime_->copy(on_host_.get() + at, on_device_.get() + at, bytes, CopyWay::from_device);
}

std::string try_memory(const Memory& memory, int local_rank) {
  constexpr std::size_t bytes = 2 * huge_page_bytes;
  constexpr std::uint64_t seed = 5;
  try {
    const BufferMemory tried(memory, bytes, local_rank);
    if (!tried.evidence().is_proven) return tried.evidence().text;
    const std::span<std::byte> image(tried.image(), bytes);
    fill_pattern(image, seed);
    tried.bring_to_device(0, bytes);
    if (is_on_device(memory)) fill_wrong_pattern(image, seed);
    tried.bring_from_device(0, bytes);
    return holds_pattern(image, seed) ? "" : "it does not hold what was written to it";
  } catch (const RunError& error) {
    return error.what();
  }
}

}  // namespace hockney::benchmarks
