#pragma once

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "components/tune/deciding.hpp"
#include "components/tune/rules.hpp"

namespace hockney::tune {

/// The end of open ranges of I_MPI_ADJUST_*, whose ranges are closed.
inline constexpr int intel_no_end = std::numeric_limits<int>::max();

/// I_MPI_ADJUST_<operation> with presets for ranges of sizes and ranks, "8:0-4095@2-16;...".
/// Outside all conditions Intel MPI decides. Every choice has a number.
std::map<std::string, std::string> intel_adjust(const Rules& keyed);

/// The rules of such variables; skips others. InputError for conditions that overlap, and for
/// values that Intel MPI would ignore with a warning.
Rules read_intel_adjust(const std::map<std::string, std::string>& environment);

/// Lines `export NAME='value'` for a shell to source, after the comments. A final comment has the
/// same variables as `environment` of a campaign.
std::string shell_file(const std::map<std::string, std::string>& environment,
                       const std::vector<std::string>& comments);

/// The variables of such a file. InputError with file and line for any other line.
std::map<std::string, std::string> read_shell_file(const std::string& text,
                                                   const std::string& file);

struct MpichVariables {
  std::map<std::string, std::string> environment;
  std::vector<Inexpressible> inexpressible;
};

/// MPIR_CVAR_<operation>_INTRA_ALGORITHM, which apply to every size and number of ranks. So only
/// operations with one choice at all measured points have one. The device's own collectives, which
/// would override them within a node, are turned off.
MpichVariables mpich_variables(const Decisions& decisions);

/// A selection tree of MPICH: that of `base` with the rules inserted. The base must be complete,
/// such as maint/tuning/coll/mpir/generic.json of the same version: MPICH aborts in MPI_Init if a
/// collective is missing. The base still decides where the rules leave it to the library. It also
/// decides where a chosen algorithm is not applicable: non-commutative or user-defined operators,
/// in-place calls, fewer elements than ranks. InputError if the base is no such tree or lacks an
/// operation.
std::string mpich_json(const std::string& base, const std::string& base_file, const Rules& keyed);

}  // namespace hockney::tune
