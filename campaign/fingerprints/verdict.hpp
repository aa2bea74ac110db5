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

/// The line by which a library refuses to run another algorithm than the one that was asked for of
/// this operation: "BCAST: algo #6 has fallback" (Intel MPI 2021.18.1), "User set collective
/// algorithm is not usable for the provided arguments" (MPICH 4.0.2 and 5.0.2). nullopt where there
/// is none.
std::optional<std::string> refusal_in(std::string_view text, std::string_view operation);

/// The last line that says something, cut to a sentence's length; a line about any operation that
/// fell back comes first.
std::string last_words(std::string_view text);

/// What a setting asks of one operation.
struct RequestedAlgorithm {
  std::string algorithm{library_choice};  ///< as the setting or the library's own list names it
  std::optional<Bytes> segment;
  std::optional<int> chains;
  std::optional<int> radix;

  [[nodiscard]] bool is_default() const { return algorithm == library_choice; }
};

/// Of the variables a verification run saw, and of the launcher's options that it could not see
/// (SMPI's). Values by which a library goes its own way ("ignore", "auto") are the default; an
/// algorithm that a library calls "default" (Open MPI's first one of allgatherv) is named by its
/// number.
RequestedAlgorithm requested_algorithm(const std::string& operation,
                                       const std::vector<AskedAlgorithm>& settings,
                                       const std::vector<std::string>& launcher_arguments = {});

/// Which algorithm ran at a point of a verification run, by the messages where they were counted,
/// or by the library's own word where it refuses to substitute. `log` is what the launch printed
/// that began the point, or was to begin it.
AlgorithmUse judge_algorithm(const VerificationRun& verification, const VerificationPoint& point,
                             const RequestedAlgorithm& requested, const std::string& log);

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
