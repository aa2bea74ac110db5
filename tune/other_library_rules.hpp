#pragma once

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "tune/deciding.hpp"
#include "tune/rules.hpp"

namespace hockney::tune {

/// The ranges of I_MPI_ADJUST_* are closed; this is the end of those that have none.
inline constexpr int intel_no_end = std::numeric_limits<int>::max();

/// I_MPI_ADJUST_<operation> with presets for ranges of sizes and ranks, "8:0-4095@2-16;..."; what
/// no condition meets Intel MPI decides by itself. Every choice has a number.
std::map<std::string, std::string> intel_adjust(const Rules& keyed);

/// The rules of such variables; others are passed over. InputError for what Intel MPI would print
/// a complaint about and ignore, and for conditions that meet.
Rules read_intel_adjust(const std::map<std::string, std::string>& environment);

/// Lines `export NAME='value'` for a shell to source, after the comments; the last of these is the
/// same as the `environment` of a campaign.
std::string shell_file(const std::map<std::string, std::string>& environment,
                       const std::vector<std::string>& comments);

/// The variables of such a file. InputError naming file and line for any other line.
std::map<std::string, std::string> read_shell_file(const std::string& text,
                                                   const std::string& file);

struct MpichVariables {
  std::map<std::string, std::string> environment;
  std::vector<Inexpressible> inexpressible;
};

/// MPIR_CVAR_<operation>_INTRA_ALGORITHM, which hold for every size and number of ranks: of the
/// operations for which one choice was made at all points that were measured. The device's own
/// collectives, which would overrule them within a node, are turned off.
MpichVariables mpich_variables(const Decisions& decisions);

/// A selection tree of MPICH with the rules put into that of `base`: a complete one, such as
/// maint/tuning/coll/mpir/generic.json of the very version, for MPICH ends in MPI_Init when one of
/// its collectives is missing. The base goes on to decide where the rules leave it to the library,
/// and for messages and operators that a chosen algorithm is not for: not commutative, the user's
/// own, in place, of fewer elements than ranks. InputError when the base is no such tree or lacks
/// an operation.
std::string mpich_json(const std::string& base, const std::string& base_file, const Rules& keyed);

/// A list for SimGrid, which takes one algorithm of an operation for a whole run: a line for each
/// range of ranks and sizes, with the option of smpirun that it wants, or - for its own decision.
std::string smpi_list(const Rules& rules, const std::vector<std::string>& comments);

/// The rules of such a list. InputError naming file and line.
Rules read_smpi_list(const std::string& text, const std::string& file);

/// "--cfg=smpi/bcast:binomial_tree"; empty for SimGrid's own decision.
std::string smpi_option(const std::string& operation, const Choice& choice);

}  // namespace hockney::tune
