#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "components/application/profile/profile.hpp"
#include "components/application/projection/projection.hpp"
#include "core/provenance.hpp"
#include "core/text.hpp"
#include "verdicts/compare.hpp"

namespace hockney::advice {

/// A run to be made faster, and the models of its machine; all references must outlive it.
struct Run {
  const profile::Profile& profile;
  const projection::Projector& projector;
  const projection::Machine& machine;
};

/// One possible change of a setting.
struct Change {
  std::string words;                             ///< "eager limit 32712 B in a node"
  std::map<std::string, std::string> variables;  ///< environment variables; empty if none is known
  projection::WhatIf what_if;                    ///< its `hosts`: new hosts of the ranks
};

/// Algorithms that a run's environment forces, by operation, named as in the models.
projection::ForcedAlgorithms algorithms_in_force(const profile::Profile& profile);

/// A change and its projection.
struct Advice {
  Change change;
  projection::Projection projection;
};

/// Changes of a run that are worthwhile, and those that are not.
struct Findings {
  double seconds = 0;                ///< time of the run
  std::vector<Advice> worth;         ///< largest gain first
  std::vector<Advice> tried;         ///< the others, in the order of their trial
  std::vector<std::string> placing;  ///< faults of the ranks' CPU binding, a sentence each
};

/// A change is worthwhile if even the slower end of its range gains this share of the run's time.
inline constexpr double least_gain = 0.01;

/// Tries every change of a run. Of several values for one setting, advises the first that gains
/// nearly as much as the best: the smallest eager limit, as buffers take memory. No change is
/// worthwhile if ranks share processors: the models lack such waits.
Findings find_advice(const Run& run);

/// Ranks that share their only processor, and nodes with more ranks than processors.
std::vector<std::string> placing_faults(const profile::Profile& profile);

/// Rank file of Open MPI for ranks on these hosts, in order. Each rank gets the processors of a
/// rank of the run on that host, by operating-system numbers (rmaps_rank_file_physical). InputError
/// if the run had fewer ranks on a host.
std::string rank_file(const std::vector<std::string>& hosts, const profile::Profile& run);

/// One host per rank, in order: machine file of MPICH and Intel MPI, SLURM_HOSTFILE.
std::string host_list(const std::vector<std::string>& hosts);

/// A launch of the program, unchanged or with one change. A block has one launch of each, in random
/// order.
struct TrialLaunch {
  int block = 0;
  std::optional<std::size_t> advice;  ///< index of the advice; nullopt: unchanged
  double seconds = 0;                 ///< from MPI_Init to MPI_Finalize, of the longest rank
};

/// Agreement of launches with a projection: interval of the measured ratio against the range of the
/// projected one.
enum class Agreement { as_predicted, gains_less, gains_more, no_prediction };

constexpr auto words_of(std::type_identity<Agreement>) {
  return std::to_array<std::string_view>(
      {"as predicted", "less than predicted", "more than predicted", "cannot tell"});
}

/// Result of the launches for one advice.
struct Verified {
  verdicts::Comparison comparison;  ///< of the changed program (B) with the unchanged one (A)
  Interval expected_ratio;          ///< B/A by the models, without a confidence level
  Agreement agreement = Agreement::no_prediction;
};

/// One result for each advice that was launched; nullopt for the others. All are one family of
/// verdicts. `measured`: time of the run for which the advice was made [s].
std::vector<std::optional<Verified>> verify(std::span<const Advice> advice, double measured,
                                            std::span<const TrialLaunch> launches);

/// Whether a change was effective, and the evidence.
struct InForce {
  Proof proof = Proof::unproven;
  std::string evidence;
};

/// Compares the requested hosts of ranks, in order, with the profiles of the launches.
InForce placed_as_requested(const std::vector<std::string>& requested,
                            std::span<const profile::Profile> launches);

/// Compares the variables of a change with the settings that the library reports.
InForce set_as_requested(std::span<const RequestedSetting> settings);

}  // namespace hockney::advice
