#pragma once

#include <mpi.h>
#include <cstdint>
#include <string>
#include <vector>

#include "core/transport.hpp"

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
  std::vector<std::string> devices;  ///< names of silent devices (core/transport.hpp), once each

  friend bool operator==(const Mappings&, const Mappings&) = default;
};

/// From the text of /proc/PID/maps.
Mappings parse_mappings(const std::string& maps);

/// Those of this process now, with the silent devices it has open.
Mappings read_mappings();

/// Copies from or to the memory of other processes.
struct CopyCalls {
  std::int64_t calls = 0;  ///< of process_vm_readv and process_vm_writev
  std::int64_t bytes = 0;  ///< they copied [B]

  friend bool operator==(const CopyCalls&, const CopyCalls&) = default;
};

/// Counts those of this process while it lives, by whichever library. The program is linked with
/// functions of the same names as libc's, which the dynamic linker finds first for everybody: they
/// pass the call on to libc, and count it while anybody asks. Libraries that go round libc are not
/// seen.
class CopyCounting {
 public:
  CopyCounting();
  ~CopyCounting();
  CopyCounting(const CopyCounting&) = delete;
  CopyCounting& operator=(const CopyCounting&) = delete;
  CopyCounting(CopyCounting&&) = delete;
  CopyCounting& operator=(CopyCounting&&) = delete;

  /// Since it was made.
  [[nodiscard]] CopyCalls calls() const;

 private:
  CopyCalls before_;
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
