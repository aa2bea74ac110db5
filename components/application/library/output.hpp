#pragma once

#include <string>

#include "components/application/library/recorder.hpp"

namespace hockney::profile {

/// MPI_Get_library_version, all lines. This function has equal arguments in every MPI library.
std::string library_version();

/// HOCKNEY_PROFILE_LOG: true unless it is unset, empty or 0.
bool is_log_requested();

/// Facts that all ranks of a world share.
struct WorldOutput {
  std::string file;  ///< of the profile, absolute
  std::string identity;
  std::string begun_utc;
};

/// Path of the profile: HOCKNEY_PROFILE_OUT, else hockney-profile-<UTC time>.json in rank 0's
/// current folder. If another world or run has the name, takes the next free one. Rank 0 claims the
/// name: it creates the file of its unfinished part. Collective over all ranks.
WorldOutput agree_on_output();

/// Fills in the facts of this rank, its host and its MPI library.
void describe(Recorder& recorder, const WorldOutput& output);

/// Collective over all ranks; rank 0 writes the file. On failure prints one line on stderr and
/// returns: the program continues. False if rank 0 has no memory for it: then each rank is to save
/// its part.
bool write_profile(Recorder& recorder);

}  // namespace hockney::profile
