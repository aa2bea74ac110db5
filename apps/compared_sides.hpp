#pragma once

#include <string>
#include <vector>

#include "core/record.hpp"
#include "verdicts/compare.hpp"

namespace hockney {

/// What the user named: records, and which setting of them.
struct Side {
  std::string name;
  std::string path;
  std::string setting;  ///< empty where all records have the same
  std::vector<Record> records;
};

/// The records of PATH or PATH:SETTING; what exists is a path, whatever is in its name. InputError
/// where they hold several settings, campaigns or MPI libraries, or no complete launch.
Side load_side(const std::string& name);

/// InputError where both sides hold a launch: it would be compared with itself.
void require_disjoint(const Side& a, const Side& b);

/// Settings of one folder took turns in its blocks.
Origin origin_of(const Side& a, const Side& b);

}  // namespace hockney
