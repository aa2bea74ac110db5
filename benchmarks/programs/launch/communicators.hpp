#pragma once

#include <optional>
#include <string>
#include <vector>

#include "benchmarks/harness/device_places.hpp"
#include "benchmarks/harness/placement.hpp"
#include "benchmarks/programs/launch/options.hpp"
#include "benchmarks/programs/launch/workload.hpp"

namespace hockney::benchmarks::programs {

/// InputError that names the nearest communicator if none is called `name`.
Communicator parse_communicator(const std::string& name);

/// The communicators of an operation; empty: all ranks. Pairs use only `world` and `across`.
/// Operations with neighbours use those of the hop classes unless others are requested.
std::vector<Communicator> communicators_of(const Descriptor& descriptor,
                                           const LaunchOptions& options);

/// Why ranks of a group are not neighbours: two have the same CPU, or their CPUs are unknown.
/// nullopt if they are, and for operations without neighbours.
std::optional<std::string> neighbour_obstacle(const Descriptor& descriptor, const JobPlacement& job,
                                              const GroupPlan& group);

/// The class of the distance between any two of these ranks; nullopt if there are several.
std::optional<std::string> common_hop(const JobPlacement& job, const std::vector<int>& ranks);

/// Which ranks communicate across a cut: those of one place with those of the other, in order; or
/// the first rank of one place with all of the other, as in fans.
enum class CutUse { halves, hub };

CutUse cut_use(const Descriptor& descriptor);

/// Why no messages of an operation compete at a cut; nullopt if they do, and for all other groups.
std::optional<std::string> meeting_obstacle(const Descriptor& descriptor, const GroupPlan& group);

/// The groups of a communicator; those of one round work at the same time.
/// - world: all ranks
/// - node: the ranks of each node
/// - leaders: the first rank of each node
/// - hops: for each hop class, nearest first, ranks that are no farther apart
/// - half: the first half of the ranks
/// - several: both halves
/// - across: for each hop class, the ranks on both sides of its widest cut
///
/// Their points have the parameter "communicator", and "team" if there are several groups. Empty if
/// no group has two ranks, or if the hops are unknown.
std::vector<GroupRound> split_ranks(Communicator communicator, const JobPlacement& job,
                                    CutUse use = CutUse::halves);

/// Why split_ranks is empty.
std::string split_obstacle(Communicator communicator);

/// InputError if the job has fewer than two ranks, which `operation` needs.
void require_two_ranks(const JobPlacement& job, const std::string& operation);

/// InputError if a message has no receiver, or if a root is no rank of the job. A collective with
/// one rank is allowed.
void check_ranks(const LaunchOptions& options, const JobPlacement& job);

/// The pairs of ranks that the options request, all or representatives. InputError if none has a
/// wanted hop class.
std::vector<placement::RankPair> wanted_pairs(const LaunchOptions& options,
                                              const JobPlacement& job);

/// Rounds of pairs that may be measured at the same time: the tournament of the wanted or listed
/// pairs, or a sparse one. The sparse one has the first ranks of all nodes; on one node, all ranks.
/// If it cannot be sparser, it has all rounds. Errors as in wanted_pairs, tournament and
/// sparse_tournament.
std::vector<placement::Round> wanted_rounds(const LaunchOptions& options, const JobPlacement& job);

/// Pairs with a wanted hop class whose devices are connected in a way that no representative pair
/// has. Empty unless representatives are wanted.
std::vector<placement::RankPair> more_pairs_of_devices(const LaunchOptions& options,
                                                       const JobPlacement& job,
                                                       const DevicePlaces& devices);

}  // namespace hockney::benchmarks::programs
