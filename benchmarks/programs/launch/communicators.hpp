#pragma once

#include <optional>
#include <string>
#include <vector>

#include "benchmarks/harness/placement.hpp"
#include "benchmarks/programs/launch/options.hpp"
#include "benchmarks/programs/launch/workload.hpp"

namespace hockney::benchmarks::programs {

/// InputError naming the nearest one when there is none called `name`.
Communicator parse_communicator(const std::string& name);

/// Those whose groups an operation is measured with; none: all ranks. Where they are pairs only
/// `world` and `across` have a meaning. Where ranks have neighbours they are those of the hop
/// classes, unless others are asked for.
std::vector<Communicator> communicators_of(const Descriptor& descriptor,
                                           const LaunchOptions& options);

/// Why ranks of a group are no neighbours of each other: two have one CPU, or nobody knows where
/// they are. nullopt when they are, and for operations without neighbours.
std::optional<std::string> neighbour_obstacle(const Descriptor& descriptor, const JobPlacement& job,
                                              const GroupPlan& group);

/// The word of the one distance between any two of these ranks; nullopt when there are several.
std::optional<std::string> common_hop(const JobPlacement& job, const std::vector<int>& ranks);

/// Who works with whom across a cut: the ranks of one place with those of the other, in their
/// order; or the first of one place with all of the other, as fans have it.
enum class CutUse { halves, hub };

CutUse cut_use(const Descriptor& descriptor);

/// Why no messages of an operation meet at a cut; nullopt where they do, and for all other groups.
std::optional<std::string> meeting_obstacle(const Descriptor& descriptor, const GroupPlan& group);

/// The groups of a communicator, those of one round at work at the same time. world: all ranks;
/// node: the ranks of each node; leaders: the first rank of each node; hops: for each hop class,
/// nearest first, ranks that are no farther apart than it; half: the first half of the ranks;
/// several: both halves; across: for each hop class the ranks on both sides of its widest cut
///. Their points have the parameter "communicator", and "team" where there are
/// several. Empty where no group has two ranks, and where nothing is known of the hops.
std::vector<GroupRound> split_ranks(Communicator communicator, const JobPlacement& job,
                                    CutUse use = CutUse::halves);

/// Why split_ranks is empty.
std::string split_obstacle(Communicator communicator);

/// InputError when the job has fewer, which `operation` needs.
void require_two_ranks(const JobPlacement& job, const std::string& operation);

/// InputError when a message would be to nobody (a collective with itself takes a time), and when a
/// root is no rank of the job.
void check_ranks(const LaunchOptions& options, const JobPlacement& job);

/// The pairs of ranks that the options ask for, all or representatives. InputError when none is of
/// a wanted hop class.
std::vector<placement::RankPair> wanted_pairs(const LaunchOptions& options,
                                              const JobPlacement& job);

/// What may be measured at the same time: the tournament of the wanted or listed pairs, or a sparse
/// one of the first ranks of all nodes, of all ranks where there is but one node; with all its
/// rounds where there are no more. Errors as wanted_pairs, tournament and sparse_tournament.
std::vector<placement::Round> wanted_rounds(const LaunchOptions& options, const JobPlacement& job);

}  // namespace hockney::benchmarks::programs
