#pragma once

#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "report/rows.hpp"

namespace hockney {

/// A point beside what its machine can do without MPI, in the same launches.
struct PathRow {
  Row mpi;
  std::optional<double> line_seconds;         ///< a cache line's way to the other rank
  std::optional<double> memcpy_seconds;       ///< through shared memory
  std::optional<double> process_vm_seconds;   ///< one copy from process to process
  std::vector<double> multiples;              ///< MPI / the floor of its path, one for each launch
  std::optional<double> multiple;             ///< median of these
  std::optional<Interval> multiple_interval;  ///< exact, over launches; needs six
  std::string unproven_because;               ///< in any launch; empty when all are proven
};

/// Rows, parted.
struct PathRows {
  std::vector<Row> alone;         ///< of curves without floors
  std::vector<PathRow> compared;  ///< of the others; floors have become parts of these
};

/// `rows` are of `records`. A row has the floors of its setting, ranks, hop class, pair, cache
/// state and size. The floor of a launch is that of the path proven in it: floor-memcpy for "shm",
/// floor-process-vm for "cma". Multiples are paired by launch.
PathRows path_rows(std::span<const Record> records, const std::vector<Row>& rows,
                   double level = default_level);

/// A table for each curve: bytes, time of one operation [us] with its interval over launches, the
/// path proven at this size, the floors of the machine [us] (a cache line's way, memcpy through
/// shared memory, a raw process_vm_readv), and how many times the floor of its path MPI takes, with
/// an interval over launches. Below it why paths are not proven, and the notes of every table.
void print_path_tables(std::ostream& out, const std::vector<PathRow>& rows);

}  // namespace hockney
