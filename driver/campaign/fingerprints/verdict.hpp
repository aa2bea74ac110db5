#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/algorithm_use.hpp"
#include "core/quantities.hpp"
#include "models/schedules/schedule.hpp"
#include "models/schedules/traffic.hpp"

namespace hockney::campaign {

/// The line in which a library refuses to replace the requested algorithm of this operation;
/// nullopt if there is no such line.
/// Intel MPI 2021.18.1: "BCAST: algo #6 has fallback".
/// MPICH 4.0.2 and 5.0.2: "User set collective algorithm is not usable for the provided arguments".
std::optional<std::string> refusal_in(std::string_view text, std::string_view operation);

/// The last line with text, cut to a sentence's length; but a line about a fallback of any
/// operation comes first.
std::string last_words(std::string_view text);

/// The algorithm and parameters that a setting requests of one operation.
struct RequestedAlgorithm {
  std::string algorithm{library_choice};  ///< name from the setting or the library's list
  std::optional<Bytes> segment;
  std::optional<int> chains;
  std::optional<int> radix;

  [[nodiscard]] bool is_default() const { return algorithm == library_choice; }
};

/// The requested algorithm, from the variables in a verification run and from the launcher's
/// options (SMPI's), which the run does not record. Values like "ignore" and "auto" are the
/// default. Open MPI calls its first algorithm of allgatherv "default"; it is named by its number.
RequestedAlgorithm requested_algorithm(const std::string& operation,
                                       const std::vector<AlgorithmRequest>& settings,
                                       const std::vector<std::string>& launcher_arguments = {});

/// The algorithm that ran at a point of a verification run. It follows from the counted messages,
/// or from the library's refusal to replace it. `log` is the output of the launch that began the
/// point, or should have begun it.
AlgorithmUse judge_algorithm(const VerificationRun& verification, const VerificationPoint& point,
                             const RequestedAlgorithm& requested, const std::string& log);

/// Bytes of one of the two operations of a composition, from the `bytes` of the whole.
enum class Portion {
  all,       ///< bytes
  of_ranks,  ///< bytes of every rank
  of_one     ///< the part of one rank of bytes
};

/// An algorithm of Open MPI that runs two other operations, one after the other. The library
/// chooses the algorithm of each.
struct Composition {
  std::string operation;
  std::string name;
  std::string first;
  Portion first_portion = Portion::all;
  std::string second;
  Portion second_portion = Portion::all;
};

bool is_composition(const std::string& operation, const std::string& algorithm);

/// The work of the two operations; nullopt if the parts of the ranks are unequal.
std::optional<std::pair<schedules::Workload, schedules::Workload>> parts_of(
    const Composition& composition, const schedules::Workload& work);

/// A schedule in which every rank runs its steps of the first, then those of the second.
schedules::Schedule one_after_other(schedules::Schedule first, const schedules::Schedule& second);

/// An algorithm that may have run, and its schedule.
struct PossibleAlgorithm {
  std::string algorithm;
  schedules::Workload workload;  ///< its companions included
  schedules::Schedule schedule;
};

/// Whether two schedules are equal: every rank has the same messages in the same steps. The order
/// within a step does not matter.
bool same_schedule(const schedules::Schedule& a, const schedules::Schedule& b);

/// All known algorithms of the operation that fit the work. Only algorithms of libraries that count
/// their messages are included. Parameters, such as segment sizes, are the requested ones, else
/// each usual value.
std::vector<PossibleAlgorithm> candidates(const VerificationPoint& point,
                                          const RequestedAlgorithm& requested);

/// The algorithms whose traffic equals the counted one.
std::vector<PossibleAlgorithm> matching(std::vector<PossibleAlgorithm> all,
                                        const std::vector<SentTraffic>& sent);

/// The operation whose schedules a point has: "allgather" for "allgatherv" with equal counts; empty
/// when no algorithm of it is known.
std::string scheduled_name(const Point& point);

}  // namespace hockney::campaign
