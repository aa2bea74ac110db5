#pragma once

#include <string>
#include <vector>

namespace hockney {

/// Documents that may be records of one campaign.
struct RecordFolder {
  std::string folder;              ///< absolute
  std::vector<std::string> files;  ///< *.json and *.cbor in it, absolute, sorted
  bool named = false;              ///< the user named the file, so it must be a record
};

/// The folders with documents in and below the paths, in order of their names; what campaigns keep
/// of launches that did not complete, and of their witnesses, is left out. InputError for a path
/// that does not exist, or when there is no document at all.
std::vector<RecordFolder> record_folders(const std::vector<std::string>& paths);

}  // namespace hockney
