#pragma once

#include <ostream>
#include <vector>

#include "report/overlap_rows.hpp"

namespace hockney {

/// A table for each curve of a nonblocking operation: bytes, calls of MPI_Test, the times of the
/// operation, of the work and of both at once [us], and the share of the operation that the work
/// hides, with its interval over launches; "-" for what is not known.
void print_overlap_tables(std::ostream& out, const std::vector<OverlapRow>& rows);

}  // namespace hockney
