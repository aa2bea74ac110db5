#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hockney {

/// At most `most` characters of a text, without control characters and repeated blanks.
std::string tidied(std::string_view text, std::size_t most);

/// Messages of an MPI library about settings that it refused, at most a few. Equal messages of
/// several ranks count once.
std::vector<std::string> complaints_in(std::string_view log);

/// Faults that an MPI library reports about itself, each once, without control characters.
struct LibraryReport {
  std::vector<std::string> messages;
  bool lost_shared_memory = false;  ///< messages then take a slower path than the usual one

  friend bool operator==(const LibraryReport&, const LibraryReport&) = default;
};

/// The library's reports in the log of a launch. Lines of hockney's own programs are ignored.
LibraryReport library_report(std::string_view log);

}  // namespace hockney
