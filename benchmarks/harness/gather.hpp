#pragma once

#include <mpi.h>

#include <string>
#include <vector>

namespace hockney {

/// Every rank's text, in order of ranks, on every rank. Collective.
std::vector<std::string> gather_texts(MPI_Comm comm, const std::string& text);

/// The text of rank 0, on every rank. Collective.
std::string broadcast_text(MPI_Comm comm, const std::string& text);

/// A list of numbers to `rank`; received by receive_numbers there.
void send_numbers(MPI_Comm comm, int rank, const std::vector<double>& numbers);
std::vector<double> receive_numbers(MPI_Comm comm, int rank);

}  // namespace hockney
