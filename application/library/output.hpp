#pragma once

#include <string>

#include "application/library/recorder.hpp"

namespace hockney::profile {

/// What MPI says of itself, all lines. Its arguments are the same in every MPI library.
std::string library_version();

/// The rank that the launcher has told this process, 0 where it has told none; without MPI.
int rank_of_launcher();

/// HOCKNEY_PROFILE_LOG: anything but nothing and 0.
bool is_log_asked();

/// What all ranks of a world have in common.
struct WorldOutput {
  std::string file;  ///< of the profile, absolute
  std::string identity;
  std::string begun_utc;
};

/// The file is HOCKNEY_PROFILE_OUT, else hockney-profile-<UTC time>.json in the current folder of
/// rank 0; the next free name where another world or run has it. Rank 0 claims it: it makes the
/// file that its unfinished part would have. All ranks call this.
WorldOutput agree_on_output();

/// Fills in what is known of this rank, its host and its MPI library.
void describe(Recorder& recorder, const WorldOutput& output);

/// All ranks call it; rank 0 writes the file. Says in one line what went wrong, and does nothing
/// else: the program goes on.
void write_profile(Recorder& recorder);

}  // namespace hockney::profile
