#pragma once

#include <ostream>
#include <vector>

#include "report/path_rows.hpp"

namespace hockney {

/// A table for each curve: bytes, time of one operation [us] with its interval over launches, the
/// path proven at this size, the floors of the machine [us] (a cache line's way, memcpy through
/// shared memory, a raw process_vm_readv), and how many times the floor of its path MPI takes, with
/// an interval over launches. Below it why paths are not proven, and the notes of every table.
void print_path_tables(std::ostream& out, const std::vector<PathRow>& rows);

}  // namespace hockney
