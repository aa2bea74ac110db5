#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/watch/copies.hpp"
#include "core/record.hpp"

namespace hockney::benchmarks {

/// An entry of /proc/self/fd.
struct OpenFile {
  int descriptor = -1;
  std::string target;  ///< "/dev/knem", "socket:[4711]"
};

/// Mappings of a process that can carry messages.
struct Mappings {
  std::vector<std::string> shared;   ///< "dev:inode" of each shared writable mapping, once
  std::vector<std::string> devices;  ///< names of silent devices (core/record.hpp), once each

  friend bool operator==(const Mappings&, const Mappings&) = default;
};

/// Parses the text of /proc/PID/maps.
Mappings parse_mappings(const std::string& maps);

/// Restarts the program in the same process, with libhockney-transport-watch.so before its
/// libraries. No effect if it is loaded already, or cannot be, as in a static program. Call it
/// before MPI_Init.
void preload_transport_watch();

/// Entry among the devices without counters (core/record.hpp) if that library is not loaded.
inline constexpr const char* uncounted_copies = "cma";

/// Counts copies between this process's memory and that of others, by any library.
class CopyCounting {
 public:
  CopyCounting();

  /// Copies since construction; nullopt if the counting library is not loaded.
  [[nodiscard]] std::optional<CopyCalls> calls() const;

 private:
  std::optional<CopyCalls> before_;
};

/// Bytes that this process has sent over TCP on all open sockets, with retransmissions [B]. The
/// kernel counts them for every library.
std::int64_t tcp_bytes_sent();

/// Number of messages that a pair of ranks exchanges.
struct Exchanged {
  std::int64_t messages = 0;
  std::int64_t message_bytes = 0;
};

/// Observes what carries the messages of a pair of ranks, from construction to end(). Its own MPI
/// calls are outside of that interval.
class TransportWatch {
 public:
  TransportWatch();

  /// Counts of both ranks, on both. Collective over `pair`.
  [[nodiscard]] Transport end(MPI_Comm pair, const Exchanged& exchanged) const;

 private:
  CopyCounting copies_;
  std::int64_t tcp_bytes_;
};

}  // namespace hockney::benchmarks
