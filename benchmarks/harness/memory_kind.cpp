#include "benchmarks/harness/memory_kind.hpp"

#include "core/error.hpp"
#include "core/named_values.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks {
namespace {

constexpr NamedValues<MemoryKind, 4> whole_kinds{{{MemoryKind::host, "host"},
                                                  {MemoryKind::huge, "huge"},
                                                  {MemoryKind::cuda, "cuda"},
                                                  {MemoryKind::rocm, "rocm"}}};
constexpr std::string_view node_prefix = "numa:";
constexpr std::string_view between_sides = "-to-";

std::string node_name(const Memory& memory) {
  if (memory.choice == NodeChoice::near) return "near";
  return memory.choice == NodeChoice::far ? "far" : std::to_string(memory.node);
}

Memory parse_side(const std::string& name) {
  if (const auto kind = find_in(whole_kinds, name)) return {.kind = *kind};
  if (!name.starts_with(node_prefix)) {
    throw InputError({"unknown memory '" + name + "'", "no memory has this name",
                      suggest(name, memory_names())});
  }
  const std::string node = name.substr(node_prefix.size());
  if (node == "near") return {.kind = MemoryKind::numa, .choice = NodeChoice::near};
  if (node == "far") return {.kind = MemoryKind::numa, .choice = NodeChoice::far};
  return {.kind = MemoryKind::numa, .node = parse_count<int>("--memory numa", node, 0)};
}

}  // namespace

std::string memory_name(const Memory& memory) {
  if (memory.kind != MemoryKind::numa) return name_in(whole_kinds, memory.kind);
  return std::string(node_prefix) + node_name(memory);
}

std::string memory_name(const MemorySides& sides) {
  if (sides.first == sides.second) return memory_name(sides.first);
  return memory_name(sides.first) + std::string(between_sides) + memory_name(sides.second);
}

const std::vector<std::string>& memory_names() {
  static const std::vector<std::string> names{"host",     "huge", "numa:near",
                                              "numa:far", "cuda", "rocm"};
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

}  // namespace hockney::benchmarks
