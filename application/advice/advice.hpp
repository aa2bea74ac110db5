#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "application/profile/profile.hpp"
#include "application/projection/projection.hpp"
#include "core/provenance.hpp"
#include "core/text.hpp"
#include "verdicts/compare.hpp"

namespace hockney::advice {

/// A run that is to be made faster, and the models of its machine; all must outlive it.
struct Run {
  const profile::Profile& profile;
  const projection::Projector& projector;
  const projection::Machine& machine;
};

/// Something that can be set otherwise.
struct Change {
  std::string words;                             ///< "eager limit 32712 B in a node"
  std::map<std::string, std::string> variables;  ///< of the environment; empty where none is known
  projection::WhatIf what_if;                    ///< its hosts are where ranks are to go
};

/// Limits that let the messages above the limit in force go without a receive: for each reach the
/// powers of two that some of them need, ascending.
std::vector<std::vector<Change>> eager_changes(const Run& run);

/// The mapping that sends least between nodes; none where that is the one of the run.
std::vector<Change> mapping_changes(const Run& run);

/// Algorithms of the collectives that the program calls, as far as the library can be told to take
/// them: for each operation all that were measured beside the library's own choice, and where the
/// environment forces one, every other.
std::vector<std::vector<Change>> algorithm_changes(const Run& run);

/// The algorithms that the environment of a run forces, by operation, as models name them.
projection::ForcedAlgorithms algorithms_in_force(const profile::Profile& profile);

/// A change, and what the models say of it.
struct Advice {
  Change change;
  projection::Projection projection;
};

/// What is worth changing in a run, and what is not.
struct Findings {
  double seconds = 0;                ///< the run took
  std::vector<Advice> worth;         ///< those that gain most first
  std::vector<Advice> tried;         ///< the others, in the order in which they were tried
  std::vector<std::string> placing;  ///< what is wrong with the processors of ranks, in a sentence
};

/// A change is worth it where even the end of its range that gains least gains this share of the
/// run's time.
inline constexpr double least_gain = 0.01;

/// Tries every change of a run. Of several values of one thing the one that gains most is advised;
/// of eager limits the smallest that gains nearly as much, as buffers take memory. Nothing is worth
/// it where ranks take turns on processors: models know of none that wait for each other so.
Findings find_advice(const Run& run);

/// Ranks that have one processor for several, and nodes with more ranks than processors.
std::vector<std::string> placing_faults(const profile::Profile& profile);

/// A rank file of Open MPI for ranks on these hosts, in order: each has the processors of a rank
/// that was on its host in the run, in the numbers of the operating system
/// (rmaps_rank_file_physical). InputError for a host that had fewer ranks.
std::string rank_file(const std::vector<std::string>& hosts, const profile::Profile& run);

/// The same as a host for each rank: machine file of MPICH and Intel MPI, SLURM_HOSTFILE.
std::string host_list(const std::vector<std::string>& hosts);

/// A launch of the program as it was, or with a change. Blocks hold a launch of each, in random
/// order.
struct TrialLaunch {
  int block = 0;
  std::optional<std::size_t> advice;  ///< which of them; nullopt: as it was
  double seconds = 0;                 ///< from MPI_Init to MPI_Finalize, the longest of any rank
};

/// Whether launches bear a prediction out: the interval of the measured ratio against the range of
/// the predicted one.
enum class Agreement { as_predicted, gains_less, gains_more, cannot_tell };

constexpr auto words_of(std::type_identity<Agreement>) {
  return std::to_array<std::string_view>(
      {"as predicted", "less than predicted", "more than predicted", "cannot tell"});
}

/// What launches say of one advice.
struct Verified {
  verdicts::Comparison comparison;  ///< of the change (B) with the program as it was (A)
  Interval expected_ratio;          ///< B/A by the models; no level
  Agreement agreement = Agreement::cannot_tell;
};

/// One for each advice that was launched, nullopt for others; all are one family of verdicts.
/// `measured`: the time of the run that advice was made for [s].
std::vector<std::optional<Verified>> verify(std::span<const Advice> advice, double measured,
                                            std::span<const TrialLaunch> launches);

/// Whether a change was in force: the words of Proof, and by what it was seen.
struct InForce {
  Proof proof = Proof::unproven;
  std::string evidence;
};

/// `asked`: hosts of ranks in order, against those of the profiles of its launches.
InForce placed_as_asked(const std::vector<std::string>& asked,
                        std::span<const profile::Profile> launches);

/// Of the variables of a change as the library says that they are in force.
InForce set_as_asked(std::span<const RequestedSetting> settings);

}  // namespace hockney::advice
