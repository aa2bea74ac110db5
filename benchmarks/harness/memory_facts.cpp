#include "benchmarks/harness/memory_facts.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <set>
#include <string>
#include <tuple>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks {

void admit_readers() { ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); }

int read_peer(const PeerMemory& from, std::byte* to, std::size_t bytes) {
  // One call copies at most 2 GiB, and may copy less than requested.
  for (std::size_t at = 0; at < bytes;) {
    const iovec local{to + at, bytes - at};
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of another process is a number here.
    const iovec remote{reinterpret_cast<void*>(from.address + at), bytes - at};
    const ssize_t copied = ::process_vm_readv(from.process, &local, 1, &remote, 1, 0);
    if (copied <= 0) return copied == 0 ? EIO : errno;
    at += static_cast<std::size_t>(copied);
  }
  return 0;
}

namespace {

/// A shared-memory object (shm_open), closed at destruction.
class Object {
 public:
  Object(const std::string& name, int flags)
      : descriptor_(::shm_open(name.c_str(), O_RDWR | flags, S_IRUSR | S_IWUSR)) {}
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  Object(Object&&) = delete;
  Object& operator=(Object&&) = delete;
  ~Object() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  [[nodiscard]] bool resize(std::size_t bytes) const {
    return descriptor_ >= 0 && ::ftruncate(descriptor_, static_cast<off_t>(bytes)) == 0;
  }

  /// Null if the system refuses.
  [[nodiscard]] MappedMemory map(std::size_t bytes) const {
    if (descriptor_ < 0) return {};
    void* memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, descriptor_, 0);
    if (memory == MAP_FAILED) return {};
    return {static_cast<std::byte*>(memory), Unmap{bytes}};
  }

 private:
  int descriptor_;
};

std::string new_name() {
  static std::atomic<int> count{0};
  return fmt::format("/hockney.{}.{}", ::getpid(), ++count);
}

MappedMemory make(const std::string& name, std::size_t bytes) {
  const Object object(name, O_CREAT | O_EXCL);
  return object.resize(bytes) ? object.map(bytes) : MappedMemory();
}

constexpr std::size_t line = 64;
constexpr std::uint64_t slots = 8;
constexpr std::size_t chunks_wanted = 4;
constexpr std::size_t smallest_chunk = 1 << 10;
constexpr std::size_t largest_chunk = 16 << 10;

constexpr std::size_t whole_lines(std::size_t bytes) { return (bytes + line - 1) / line * line; }

std::size_t chunk_of(std::size_t message) {
  return std::clamp(whole_lines(message / chunks_wanted), smallest_chunk, largest_chunk);
}

/// Bytes of a slot: its handoff, its data, and a line between it and the next one.
std::size_t slot_of(std::size_t message) { return line + chunk_of(message) + line; }

constexpr std::string_view sharing_words = ", shared by ";

/// Functions of Open MPI and MPICH that report it (mpi-ext.h, mpi.h).
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

/// Why the library is not given such memory; empty if it is.
std::string why_unsendable(const GpuAwareness& awareness, const std::string& name) {
  if (awareness.says.value_or(false)) return "";
  const std::string what =
      awareness.says
          ? fmt::format("the MPI library says that it takes no {} memory ({} is 0)", name,
                        awareness.function)
          : fmt::format("nothing says whether the MPI library takes {} memory (it has no {})", name,
                        awareness.function);
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

/// Number of ranks that use each device of each node.
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

}  // namespace

SharedMemory::SharedMemory(MPI_Comm comm, std::size_t bytes) {
  const std::string name = broadcast_text(comm, new_name());
  const bool is_first = rank_in(comm) == 0;
  if (is_first) memory_ = make(name, bytes);
  mpi_check(MPI_Barrier(comm));
  if (!is_first) memory_ = Object(name, 0).map(bytes);
  int all = memory_ ? 1 : 0;
  mpi_check(MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, comm));
  if (is_first) ::shm_unlink(name.c_str());
  if (all == 1) return;
  throw RunError(
      {fmt::format("the ranks cannot share {} bytes of memory", bytes),
       "shm_open or mmap failed on one of them, as between containers or on a full /dev/shm",
       "leave the floors of the machine out"});
}

std::size_t ChunkChannel::bytes_for(std::size_t message_bytes) {
  return line + slots * slot_of(message_bytes);
}

ChunkChannel::ChunkChannel(std::byte* memory, std::size_t message_bytes)
    : slots_(memory + line),
      drained_(reinterpret_cast<Handoff*>(memory)),
      message_bytes_(message_bytes),
      chunk_bytes_(chunk_of(message_bytes)) {}

ChunkChannel::Chunk ChunkChannel::chunk(std::uint64_t number) const {
  std::byte* slot = slots_ + (number % slots) * slot_of(message_bytes_);
  const bool fits_beside = message_bytes_ + sizeof(Handoff) <= line;
  return {reinterpret_cast<Handoff*>(slot), slot + (fits_beside ? sizeof(Handoff) : line)};
}

void ChunkChannel::send(const std::byte* data) {
  std::size_t at = 0;
  do {
    const std::size_t bytes = std::min(chunk_bytes_, message_bytes_ - at);
    const Chunk next = chunk(++number_);
    // Read only when necessary: the cache line belongs to the receiver.
    if (number_ > seen_drained_ + slots) seen_drained_ = drained_->wait_for(number_ - slots);
    std::copy_n(data + at, bytes, next.data);
    next.filled->raise_to(number_);
    at += bytes;
  } while (at < message_bytes_);
}

void ChunkChannel::receive(std::byte* data) {
  std::size_t at = 0;
  do {
    const std::size_t bytes = std::min(chunk_bytes_, message_bytes_ - at);
    const Chunk next = chunk(++number_);
    next.filled->wait_for(number_);
    std::copy_n(next.data, bytes, data + at);
    drained_->raise_to(number_);
    at += bytes;
  } while (at < message_bytes_);
}

GpuAwareness gpu_awareness(MemoryKind kind) {
  const std::vector<std::string> names = functions_for(kind);
  for (const std::string& name : names) {
    const auto query = reinterpret_cast<int (*)()>(::dlsym(RTLD_DEFAULT, name.c_str()));
    if (query != nullptr) return {.says = query() != 0, .function = name};
  }
  return {.says = std::nullopt, .function = names.front()};
}

std::optional<std::string> MemoryFacts::obstacle(const Memory& memory, const Site& site) const {
  const auto found = refusals.find(memory_name(memory));
  if (found == refusals.end()) return std::nullopt;
  const std::string& reason = found->second.at(static_cast<std::size_t>(site.rank));
  if (reason.empty()) return std::nullopt;
  return fmt::format("{}: rank {} on {}", reason, site.rank, site.host);
}

MemoryFacts find_memory_facts(MPI_Comm comm, const std::vector<MemorySides>& wanted,
                              const std::vector<Site>& sites, bool asserted) {
  MemoryFacts facts{.devices = find_devices(comm, wanted, sites)};
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
        use.evidence += fmt::format("{}{} ranks", sharing_words, device->second);
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
