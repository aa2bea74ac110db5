#pragma once

#include <string>
#include <vector>

namespace hockney {

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

}  // namespace hockney
