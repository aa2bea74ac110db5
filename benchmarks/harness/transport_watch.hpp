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

/// What this process has open now; empty where there is no /proc.
std::vector<OpenFile> open_files();

/// What a process maps, as far as it can carry messages.
struct Mappings {
  std::vector<std::string>
      shared;  ///< "dev:inode" of what is mapped shared and writable, once each
  std::vector<std::string> devices;  ///< names of silent devices (core/record.hpp), once each

  friend bool operator==(const Mappings&, const Mappings&) = default;
};

/// From the text of /proc/PID/maps.
Mappings parse_mappings(const std::string& maps);

/// Those of this process now, with the silent devices it has open.
Mappings read_mappings();

/// Starts the program anew, in the same process, with libhockney-transport-watch.so before its
/// libraries; does nothing where it has been, and where the library cannot be loaded, such as in a
/// static program. To be called before MPI begins.
void preload_transport_watch();

/// Stands among the devices that leave no count (core/record.hpp) where the library is not
/// loaded.
inline constexpr const char* uncounted_copies = "cma";

/// Counts copies of this process between its memory and others', by whichever library.
class CopyCounting {
 public:
  CopyCounting();

  /// Since it was made; nullopt where the library that counts is not loaded.
  [[nodiscard]] std::optional<CopyCalls> calls() const;

 private:
  std::optional<CopyCalls> before_;
};

/// What this process has sent so far over TCP, repetitions with it, by all sockets that are open
/// now [B]. The kernel counts, whichever library sends.
std::int64_t tcp_bytes_sent();

/// Messages that a pair of ranks exchanges.
struct Exchanged {
  std::int64_t messages = 0;
  std::int64_t message_bytes = 0;
};

/// Watches what carries the messages of a pair of ranks, from its construction to the end. What it
/// does itself with MPI lies outside.
class TransportWatch {
 public:
  TransportWatch();

  /// Of both ranks, on both. Collective over `pair`.
  [[nodiscard]] Transport end(MPI_Comm pair, const Exchanged& exchanged) const;

 private:
  CopyCounting copies_;
  std::int64_t tcp_bytes_;
};

}  // namespace hockney::benchmarks
