#include "benchmarks/harness/shared_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <string>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/gather.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "core/error.hpp"

namespace hockney::benchmarks {

void admit_readers() { ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); }

int read_peer(const PeerMemory& from, std::byte* to, std::size_t bytes) {
  // One call copies at most 2 GiB, and may copy less than it is asked for.
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

/// An object of shm_open that is closed at the end.
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

  /// Null where it is refused.
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
  return "/hockney." + std::to_string(::getpid()) + "." + std::to_string(++count);
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

/// The handoff of a slot, its data and a line between it and the next one.
std::size_t slot_of(std::size_t message) { return line + chunk_of(message) + line; }

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
      {"the ranks cannot share " + std::to_string(bytes) + " bytes of memory",
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
    // Looked at only when it must be: the line is the receiver's.
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

}  // namespace hockney::benchmarks
