#include "benchmarks/harness/memory_facts.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/gather.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks {
namespace {

constexpr std::string_view sharing_words = ", shared by ";

/// Functions that say it, of Open MPI and MPICH (mpi-ext.h, mpi.h).
std::vector<std::string> functions_for(MemoryKind kind) {
  if (kind == MemoryKind::cuda) return {"MPIX_Query_cuda_support"};
  return {"MPIX_Query_rocm_support", "MPIX_Query_hip_support"};
}

std::set<Memory> each_of(const std::vector<MemorySides>& wanted) {
  std::set<Memory> all;
  for (const MemorySides& sides : wanted) all.insert({sides.first, sides.second});
  all.erase(Memory{});
  return all;
}

/// Why the library is not trusted with such memory; empty when it is.
std::string why_unsendable(const GpuAwareness& awareness, const std::string& name) {
  if (awareness.says.value_or(false)) return "";
  const std::string what = awareness.says ? "the MPI library says that it takes no " + name +
                                                " memory (" + awareness.function + " is 0)"
                                          : "nothing says whether the MPI library takes " + name +
                                                " memory (it has no " + awareness.function + ")";
  return what + "; --gpu-aware asserts that it does";
}

/// One piece of evidence of one rank.
struct Piece {
  std::string memory;
  bool is_proven = false;
  std::string device;
  std::string text;
};

std::vector<Piece> unpack_evidence(const std::string& packed) {
  std::vector<Piece> pieces;
  if (packed.empty()) return pieces;
  for (const std::string& fact : hockney::split(packed, '\n')) {
    const std::vector<std::string> parts = hockney::split(fact, '\t');
    pieces.push_back({parts.at(0), parts.at(1) == "1", parts.at(2), parts.at(3)});
  }
  return pieces;
}

using DeviceKey = std::tuple<int, std::string, std::string>;  // node, memory, device

/// How many ranks use each device of each node.
std::map<DeviceKey, int> users_of_devices(const std::vector<std::string>& packed,
                                          const std::vector<Site>& sites) {
  std::map<DeviceKey, int> users;
  for (std::size_t rank = 0; rank < packed.size(); ++rank) {
    std::set<DeviceKey> own;
    for (const Piece& piece : unpack_evidence(packed[rank])) {
      if (!piece.device.empty()) own.insert({sites[rank].node, piece.memory, piece.device});
    }
    for (const DeviceKey& device : own) ++users[device];
  }
  return users;
}

}  // namespace

GpuAwareness gpu_awareness(MemoryKind kind) {
  const std::vector<std::string> names = functions_for(kind);
  for (const std::string& name : names) {
    const auto ask = reinterpret_cast<int (*)()>(::dlsym(RTLD_DEFAULT, name.c_str()));
    if (ask != nullptr) return {.says = ask() != 0, .function = name};
  }
  return {.says = std::nullopt, .function = names.front()};
}

std::optional<std::string> MemoryFacts::obstacle(const Memory& memory, const Site& site) const {
  const auto found = refusals.find(memory_name(memory));
  if (found == refusals.end()) return std::nullopt;
  const std::string& reason = found->second.at(static_cast<std::size_t>(site.rank));
  if (reason.empty()) return std::nullopt;
  return reason + ": rank " + std::to_string(site.rank) + " on " + site.host;
}

MemoryFacts find_memory_facts(MPI_Comm comm, const std::vector<MemorySides>& wanted,
                              const std::vector<Site>& sites, bool asserted) {
  MemoryFacts facts;
  const auto rank = static_cast<std::size_t>(rank_in(comm));
  for (const Memory& memory : each_of(wanted)) {
    const std::string name = memory_name(memory);
    facts.refusals[name] = gather_texts(comm, try_memory(memory, sites[rank].local_rank));
    if (!is_on_device(memory) || asserted) continue;
    const std::string reason =
        broadcast_text(comm, why_unsendable(gpu_awareness(memory.kind), name));
    if (!reason.empty()) facts.unsendable[name] = reason;
  }
  return facts;
}

std::string pack_evidence(const BufferPool& pool) {
  std::vector<std::string> lines;
  for (const auto& [memory, pieces] : pool.evidence()) {
    for (const MemoryEvidence& piece : pieces) {
      lines.push_back(join(
          {memory_name(memory), piece.is_proven ? "1" : "0", piece.device.value_or(""), piece.text},
          "\t"));
    }
  }
  return join(lines, "\n");
}

std::vector<BufferMemoryUse> merge_evidence(const std::vector<std::string>& packed,
                                            const std::vector<Site>& sites) {
  const auto users = users_of_devices(packed, sites);
  std::vector<BufferMemoryUse> all;
  for (std::size_t rank = 0; rank < packed.size(); ++rank) {
    for (const Piece& piece : unpack_evidence(packed[rank])) {
      BufferMemoryUse use{.memory = piece.memory,
                          .ranks = {},
                          .evidence = piece.text,
                          .is_proven = piece.is_proven,
                          .gpu_aware = std::nullopt};
      const auto device = users.find({sites[rank].node, piece.memory, piece.device});
      if (device != users.end() && device->second > 1) {
        use.evidence += std::string(sharing_words) + std::to_string(device->second) + " ranks";
      }
      const auto known = std::ranges::find_if(all, [&](const BufferMemoryUse& other) {
        return other.memory == use.memory && other.evidence == use.evidence &&
               other.is_proven == use.is_proven;
      });
      BufferMemoryUse& kept = known == all.end() ? all.emplace_back(std::move(use)) : *known;
      kept.ranks.push_back(static_cast<int>(rank));
    }
  }
  return all;
}

std::vector<BufferMemoryUse> gather_buffer_memory(MPI_Comm comm, const BufferPool& pool,
                                                  const std::vector<Site>& sites) {
  std::vector<BufferMemoryUse> all = merge_evidence(gather_texts(comm, pack_evidence(pool)), sites);
  for (BufferMemoryUse& use : all) {
    const Memory memory = parse_memory(use.memory).first;
    if (!is_on_device(memory)) continue;
    use.gpu_aware = gpu_awareness(memory.kind).says.value_or(false) ? "library" : "asserted";
  }
  return all;
}

bool shares_device(const std::vector<BufferMemoryUse>& buffers) {
  return std::ranges::any_of(buffers, [](const BufferMemoryUse& use) {
    return use.evidence.find(sharing_words) != std::string::npos;
  });
}

}  // namespace hockney::benchmarks
