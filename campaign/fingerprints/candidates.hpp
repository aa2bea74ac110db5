#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "campaign/fingerprints/verdict.hpp"
#include "core/verification_run.hpp"
#include "models/schedules/schedule.hpp"
#include "models/schedules/traffic.hpp"

namespace hockney::campaign {

/// How much one of the two operations of a composition carries, of `bytes` of the whole.
enum class Portion {
  all,       ///< bytes
  of_ranks,  ///< bytes of every rank
  of_one     ///< the part of one rank of bytes
};

/// An algorithm that is two other operations, one after the other, for each of which the library
/// chooses an algorithm by itself. All are Open MPI's.
struct Composition {
  std::string operation;
  std::string name;
  std::string first;
  Portion first_portion = Portion::all;
  std::string second;
  Portion second_portion = Portion::all;
};

/// Those that may have run: the one asked for, or all where the library chose.
std::vector<const Composition*> compositions_of(const std::string& operation,
                                                const RequestedAlgorithm& requested);

bool is_composition(const std::string& operation, const std::string& algorithm);

/// The work of the two operations; nullopt where it cannot be said, since parts are not equal.
std::optional<std::pair<schedules::Workload, schedules::Workload>> parts_of(
    const Composition& composition, const schedules::Workload& work);

/// What every rank does first, and then what it does in the second.
schedules::Schedule one_after_other(schedules::Schedule first, const schedules::Schedule& second);

/// An algorithm that may have run, and what it does.
struct PossibleAlgorithm {
  std::string algorithm;
  schedules::Workload workload;  ///< its companions included
  schedules::Schedule schedule;
};

/// Whether two schedules do the same: on every rank the same messages in the same steps, those of
/// one step in any order.
bool same_schedule(const schedules::Schedule& a, const schedules::Schedule& b);

/// Every algorithm known for the operation that fits the work and that libraries which count their
/// messages have: with the companions that were asked
/// for, and where none were, with each that libraries choose by themselves.
std::vector<PossibleAlgorithm> candidates(const VerificationPoint& point,
                                          const RequestedAlgorithm& requested);

/// Those that send what was sent.
std::vector<PossibleAlgorithm> matching(std::vector<PossibleAlgorithm> all,
                                        const std::vector<SentTraffic>& sent);

/// The operation whose schedules a point has: "reduce_scatter" for "reduce-scatter", and
/// "allgather" for "allgatherv" with equal counts; empty when no algorithm of it is known.
std::string scheduled_name(const Point& point);

}  // namespace hockney::campaign
