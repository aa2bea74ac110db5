#pragma once

#include <string>

#include "profile/library/recorder.hpp"

namespace hockney::profile {

/// What MPI says of itself, all lines. Its arguments are the same in every MPI library.
std::string library_version();

/// The rank that the launcher has told this process, 0 where it has told none; without MPI.
int rank_of_launcher();

/// Fills in what is known of this rank, its host and its MPI library.
void describe(Recorder& recorder);

/// The file that the profile goes to, absolute: HOCKNEY_PROFILE_OUT, else
/// hockney-profile-<UTC time>.json in the current folder of rank 0. All ranks call it.
std::string output_file();

/// All ranks call it; rank 0 writes the file. Says in one line what went wrong, and does nothing
/// else: the program goes on.
void write_profile(Recorder& recorder);

}  // namespace hockney::profile
