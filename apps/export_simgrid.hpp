#pragma once

#include <string>

namespace hockney::apps {

/// What `hockney export simgrid` writes.
struct SimGridExport {
  std::string profile;  ///< with a log of events beside it
  std::string folder;   ///< that is made
  double flops_per_second = 1e9;
};

/// Into the folder: the actions of each rank (rank-0.txt), the list of them (ranks), a host for
/// each rank (hosts). InputError for a folder that is there, and for a log that is not whole.
void export_simgrid(const SimGridExport& request);

}  // namespace hockney::apps
