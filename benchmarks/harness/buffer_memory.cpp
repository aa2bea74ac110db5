#include "benchmarks/harness/buffer_memory.hpp"

#include <sys/mman.h>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <span>
#include <sstream>
#include <string>
#include <string_view>

#include "benchmarks/harness/buffer_ring.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "placement/machine.hpp"

namespace hockney::benchmarks {
namespace {

/// Finaliser of splitmix64 (Steele, Lea, Flood 2014): neighbouring seeds give unrelated words.
std::uint64_t mix(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9U;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBU;
  return value ^ (value >> 31);
}

struct Progression {
  explicit Progression(std::uint64_t seed) : word(mix(seed)), step(mix(seed + 1) | 1U) {}
  std::uint64_t next() { return word += step; }

  std::uint64_t word;
  std::uint64_t step;
};

void fill(std::span<std::byte> data, std::uint64_t seed, std::uint64_t flip) {
  Progression words(seed);
  for (std::size_t at = 0; at < data.size(); at += sizeof(std::uint64_t)) {
    const std::uint64_t word = words.next() ^ flip;
    std::memcpy(&data[at], &word, std::min(sizeof word, data.size() - at));
  }
}

constexpr std::string_view node_prefix = "numa:";
constexpr std::string_view between_sides = "-to-";

std::string node_name(const Memory& memory) {
  if (memory.choice == NodeChoice::near) return "near";
  return memory.choice == NodeChoice::far ? "far" : std::to_string(memory.node);
}

constexpr std::array makers{MemoryKind::cuda, MemoryKind::rocm};

/// "cuda-managed"; memory on the device has the maker's name alone.
std::string place_name(MemoryKind kind, DevicePlace place) {
  if (place == DevicePlace::device) return std::string(word(kind));
  return fmt::format("{}-{}", word(kind), word(place));
}

std::optional<Memory> parse_place(const std::string& name) {
  for (const MemoryKind kind : makers) {
    for (const DevicePlace place : {DevicePlace::managed, DevicePlace::pinned}) {
      if (name == place_name(kind, place)) return Memory{.kind = kind, .place = place};
    }
  }
  return std::nullopt;
}

Memory parse_side(const std::string& name) {
  const auto kind = find_word<MemoryKind>(name);
  if (kind && *kind != MemoryKind::numa) return {.kind = *kind};
  if (const auto memory = parse_place(name)) return *memory;
  if (!name.starts_with(node_prefix)) {
    throw InputError({fmt::format("unknown memory '{}'", name), "no memory has this name",
                      suggest(name, memory_names())});
  }
  const std::string node = name.substr(node_prefix.size());
  if (node == "near") return {.kind = MemoryKind::numa, .choice = NodeChoice::near};
  if (node == "far") return {.kind = MemoryKind::numa, .choice = NodeChoice::far};
  return {.kind = MemoryKind::numa, .node = parse_count<int>("--memory numa", node, 0)};
}

std::string size_text(std::size_t bytes) {
  return format_bytes(Bytes{static_cast<std::int64_t>(bytes)});
}

/// The node of a choice for the current CPU; RunError with the existing nodes if there is none.
int find_node(const placement::NodeMemory& machine, const Memory& memory) {
  const int cpu = placement::current_cpu();
  std::optional<int> node;
  if (memory.choice == NodeChoice::near) node = machine.near(cpu);
  if (memory.choice == NodeChoice::far) node = machine.far(cpu);
  if (memory.choice == NodeChoice::number) {
    if (std::ranges::find(machine.nodes(), memory.node) != machine.nodes().end()) {
      node = memory.node;
    }
  }
  if (node) return *node;
  std::string problem = fmt::format("there is no NUMA node {}", memory.node);
  if (memory.choice == NodeChoice::near) {
    problem = fmt::format("there is no NUMA node near CPU {}", cpu);
  } else if (memory.choice == NodeChoice::far) {
    problem = fmt::format("there is no NUMA node far from CPU {}", cpu);
  }
  throw RunError({problem, "there are: " + join_numbers(machine.nodes(), ", "), ""});
}

constexpr std::size_t smaps_unit = 1024;  // "kB" [B]

/// One mapping of /proc/self/smaps.
struct MemoryMapping {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  std::size_t page = 0;         ///< size of one page [B]
  std::size_t transparent = 0;  ///< bytes in transparent huge pages
};

/// Adds this mapping's contribution to memory from `begin` to `end`.
void add(HugeBytes& sum, const MemoryMapping& mapping, std::uintptr_t begin, std::uintptr_t end) {
  const std::uintptr_t first = std::max(begin, mapping.begin);
  const std::uintptr_t last = std::min(end, mapping.end);
  if (first >= last) return;
  const std::size_t held = last - first;
  if (mapping.page > page_bytes) {
    sum.reserved += held;
    sum.page = mapping.page;
    return;
  }
  const std::size_t small = mapping.end - mapping.begin - mapping.transparent;
  sum.transparent += held - std::min(held, small);
}

/// Whether the line begins a mapping: "7f00-7f20 rw-p ...". All others have a colon after one word.
bool begins_mapping(const std::string& line) {
  const std::size_t end_of_word = line.find_first_of(" :");
  return line.substr(0, end_of_word).find('-') != std::string::npos;
}

void* map_reserved(std::size_t bytes) {
  return ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | MAP_POPULATE, -1, 0);
}

/// Starts at a huge page; the mapping before and after it is released.
MappedMemory map_aligned(std::size_t bytes) {
  MappedMemory room = map_memory(bytes + huge_page_bytes, Pages::huge_on_touch);
  std::byte* const mapped = room.release();
  const std::size_t past = reinterpret_cast<std::uintptr_t>(mapped) % huge_page_bytes;
  const std::size_t before = past == 0 ? 0 : huge_page_bytes - past;
  if (before > 0) ::munmap(mapped, before);
  ::munmap(mapped + before + bytes, huge_page_bytes - before);
  return {mapped + before, Unmap{bytes}};
}

/// New memory, touched, in huge pages: reserved ones if there are enough, else transparent ones as
/// far as the kernel provides them. A whole number of huge pages. RunError if the system refuses.
MappedMemory map_huge_memory(std::size_t bytes) {
  const std::size_t whole = (bytes + huge_page_bytes - 1) / huge_page_bytes * huge_page_bytes;
  void* const reserved = map_reserved(whole);
  if (reserved != MAP_FAILED) return {static_cast<std::byte*>(reserved), Unmap{whole}};
  MappedMemory memory = map_aligned(whole);
  ::madvise(memory.get(), whole, MADV_HUGEPAGE);  // the result is read back
  for (std::size_t at = 0; at < whole; at += page_bytes) memory.get()[at] = std::byte{0};
  return memory;
}

}  // namespace

void fill_pattern(std::span<std::byte> data, std::uint64_t seed) { fill(data, seed, 0); }

void fill_wrong_pattern(std::span<std::byte> data, std::uint64_t seed) {
  fill(data, seed, ~std::uint64_t{0});
}

bool holds_pattern(std::span<const std::byte> data, std::uint64_t seed) {
  Progression words(seed);
  for (std::size_t at = 0; at < data.size(); at += sizeof(std::uint64_t)) {
    const std::uint64_t word = words.next();
    if (std::memcmp(&data[at], &word, std::min(sizeof word, data.size() - at)) != 0) return false;
  }
  return true;
}

std::uint64_t pattern_seed(std::uint64_t block_seed, int rank) {
  return mix(block_seed + static_cast<std::uint64_t>(rank) * 2U);
}

void Unmap::operator()(std::byte* memory) const { ::munmap(memory, bytes); }

MappedMemory map_memory(std::size_t bytes, Pages pages) {
  const int populate = pages == Pages::touched_now ? MAP_POPULATE : 0;
  void* memory =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | populate, -1, 0);
  if (memory == MAP_FAILED) {
    throw RunError({"no memory for message buffers", fmt::format("{} bytes were refused", bytes),
                    "measure smaller messages"});
  }
  MappedMemory mapped(static_cast<std::byte*>(memory), Unmap{bytes});
  // Kernels without huge pages refuse the advice and do not need it.
  if (pages == Pages::on_touch) ::madvise(memory, bytes, MADV_NOHUGEPAGE);
  return mapped;
}

std::string memory_name(const Memory& memory) {
  if (maker_of(memory)) return place_name(memory.kind, memory.place);
  if (memory.kind != MemoryKind::numa) return std::string(word(memory.kind));
  return fmt::format("{}{}", node_prefix, node_name(memory));
}

std::string memory_name(const MemorySides& sides) {
  if (sides.first == sides.second) return memory_name(sides.first);
  return fmt::format("{}{}{}", memory_name(sides.first), between_sides, memory_name(sides.second));
}

const std::vector<std::string>& memory_names() {
  static const std::vector<std::string> names{
      "host", "huge",         "numa:near",   "numa:far",     "cuda",
      "rocm", "cuda-managed", "cuda-pinned", "rocm-managed", "rocm-pinned"};
  return names;
}

MemorySides parse_memory(const std::string& name) {
  const std::size_t between = name.find(between_sides);
  if (between == std::string::npos) return {.first = parse_side(name), .second = parse_side(name)};
  return {.first = parse_side(name.substr(0, between)),
          .second = parse_side(name.substr(between + between_sides.size()))};
}

Memory memory_at(const Point& point, int rank) {
  const MemorySides& sides = point.parameters[memory_parameter];
  return rank < (point.ranks + 1) / 2 ? sides.first : sides.second;
}

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
      take_from_runtime(memory, bytes, local_rank);
      return;
  }
}

void BufferMemory::take_huge(std::size_t bytes) {
  on_host_ = map_huge_memory(bytes);
  const HugeBytes huge = huge_bytes_of(on_host_.get(), bytes);
  evidence_.is_proven = huge.reserved + huge.transparent >= bytes;
  if (!evidence_.is_proven) {
    evidence_.text = fmt::format("{} of {} in huge pages (smaps)",
                                 size_text(huge.reserved + huge.transparent), size_text(bytes));
  } else if (huge.reserved > 0) {
    evidence_.text = fmt::format("reserved huge pages of {} (smaps)", size_text(huge.page));
  } else {
    evidence_.text = "transparent huge pages (smaps)";
  }
}

void BufferMemory::take_on_node(const Memory& memory, std::size_t bytes) {
  const placement::NodeMemory machine;
  const int node = find_node(machine, memory);
  on_host_ = map_memory(bytes, Pages::on_touch);
  const std::string refused = machine.bind(on_host_.get(), bytes, node);
  if (!refused.empty()) {
    throw RunError({fmt::format("no memory can be bound to NUMA node {}", node), refused, ""});
  }
  for (std::size_t at = 0; at < bytes; at += page_bytes) on_host_.get()[at] = std::byte{0};
  const std::vector<int> found = machine.nodes_of(on_host_.get(), bytes);
  evidence_.is_proven = found == std::vector<int>{node};
  evidence_.text =
      fmt::format("asked of NUMA node {}, found on {} (move_pages)", node,
                  found.empty() ? "no node that the kernel reports" : join_numbers(found, ", "));
}

void BufferMemory::take_from_runtime(const Memory& memory, std::size_t bytes, int local_rank) {
  // NOLINTNEXTLINE(bugprone-unchecked-optional-access): value() throws
  runtime_ = std::make_shared<const DeviceRuntime>(maker_of(memory).value());
  const ChosenDevice device = choose_device(*runtime_, local_rank);
  if (is_on_device(memory)) on_host_ = map_memory(bytes, Pages::touched_now);
  of_runtime_ = {runtime_->allocate(bytes, memory.place), ReleaseToRuntime{runtime_, memory.place}};
  if (!on_host_) std::memset(of_runtime_.get(), 0, bytes);
  const auto found = runtime_->place_of(of_runtime_.get());
  evidence_.is_proven = !found || *found == memory.place;
  if (!evidence_.is_proven) {
    evidence_.text =
        fmt::format("asked for {} memory, the runtime says {}: ", word(memory.place), word(*found));
  }
  const std::string bus = device.bus_id.empty() ? "" : " at " + device.bus_id;
  evidence_.text += fmt::format("device {} of {}{}, by {}", device.number, device.count, bus,
                                runtime_->library());
  if (!is_on_device(memory)) return;
  evidence_.device = device.bus_id.empty() ? std::to_string(device.number) : device.bus_id;
}

void BufferMemory::bring_to_device(std::size_t at, std::size_t bytes) const {
  if (!has_image() || bytes == 0) return;
  runtime_->copy(of_runtime_.get() + at, on_host_.get() + at, bytes, CopyWay::to_device);
}

void BufferMemory::bring_from_device(std::size_t at, std::size_t bytes) const {
  if (!has_image() || bytes == 0) return;
  runtime_->copy(on_host_.get() + at, of_runtime_.get() + at, bytes, CopyWay::from_device);
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

HugeBytes huge_bytes(const std::string& smaps, std::uintptr_t begin, std::size_t bytes) {
  HugeBytes sum;
  MemoryMapping mapping;
  std::istringstream lines(smaps);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    if (begins_mapping(line)) {
      add(sum, mapping, begin, begin + bytes);
      mapping = {};
      char dash = '-';
      words >> std::hex >> mapping.begin >> dash >> mapping.end;
      continue;
    }
    std::string key;
    std::size_t kibibytes = 0;
    if (!(words >> key >> kibibytes)) continue;
    if (key == "KernelPageSize:") mapping.page = kibibytes * smaps_unit;
    if (key == "AnonHugePages:") mapping.transparent = kibibytes * smaps_unit;
  }
  add(sum, mapping, begin, begin + bytes);
  return sum;
}

HugeBytes huge_bytes_of(const void* memory, std::size_t bytes) {
  std::ostringstream text;
  text << std::ifstream("/proc/self/smaps").rdbuf();
  return huge_bytes(text.str(), reinterpret_cast<std::uintptr_t>(memory), bytes);
}

}  // namespace hockney::benchmarks
