#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "components/tune/rules.hpp"
#include "core/record.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "verdicts/multiplicity.hpp"

namespace hockney::tune {

/// The source of a candidate's times.
enum class Basis { measured, predicted };

constexpr auto words_of(std::type_identity<Basis>) {
  return std::to_array<std::string_view>({"measured", "predicted"});
}

/// One choice for an operation at one point, compared with the default.
struct Candidate {
  Choice choice;
  std::string setting;  ///< of the campaign, or of the file of predictions
  Basis source = Basis::measured;
  double seconds = 0;                        ///< median over launches
  std::optional<Interval> interval_seconds;  ///< of the median; for a prediction, from the file
  double ratio = 1;  ///< to the default's time: verdicts/compare.hpp, or the quotient
  std::optional<Interval> ratio_interval;  ///< of this comparison alone
  /// Simultaneous interval of the family (max_t); excludes 1 exactly if the difference is
  /// significant.
  std::optional<Interval> family_interval{};
  std::size_t launches = 0;
  double p = 1;                   ///< of a ratio different from 1
  double p_adjusted = 1;          ///< adjusted for the whole family
  double smallest_p = 1;          ///< possible with this number of launches
  bool shown = false;             ///< significantly faster, with more than the least gain
  verdicts::Contrast contrast{};  ///< tested data; empty for a prediction
  /// Launches that would show this ratio with a power of 80 %, if it is not shown (max_t).
  std::optional<std::size_t> launches_needed{};
};

/// An operation with one size and number of ranks.
struct TunedPoint {
  std::string operation;
  int ranks = 0;
  Bytes bytes{};
  Choice base;  ///< of the default setting; usually the library's own
  std::optional<double> base_seconds;
  std::optional<Interval> base_interval_seconds;
  std::vector<Candidate> candidates;
};

/// Points that are no candidates, and the reason.
struct LeftOut {
  std::string setting;
  std::string operation;
  std::string why;
  std::size_t points = 0;

  friend bool operator==(const LeftOut&, const LeftOut&) = default;
};

/// Adds to a list; an entry with the same setting, operation and reason gets the points.
void note(const LeftOut& found, std::vector<LeftOut>& left_out);

/// `launches`: a switch needs a p-value. `exact`: the times are from a simulator without noise, so
/// every difference is real.
enum class Replication { launches, exact };

struct EvidenceOptions {
  std::string base;  ///< the default setting; empty: the one with all axes at "default"
  double alpha = 0.05;
  double least_gain = 0.02;  ///< share of the default's time
  verdicts::Correction correction = verdicts::Correction::max_t;
  Replication replication = Replication::launches;
  std::map<std::string, std::string> parameters;  ///< only points with these
};

struct Evidence {
  EvidenceOptions options;
  std::string library;
  std::vector<std::string> campaigns;
  std::string base;                ///< the default setting
  std::vector<TunedPoint> points;  ///< by operation, ranks and bytes
  std::vector<LeftOut> left_out;
  std::size_t family = 0;  ///< tests
  /// Launches of each setting needed for a significant test; nullopt if there are enough.
  std::optional<std::size_t> launches_needed;
};

/// The point of an operation, ranks and bytes. If it is missing, appends a new one without times.
TunedPoint& point_at(Evidence& evidence, const std::string& operation, int ranks, Bytes bytes);

/// Sorts the points by operation, ranks and bytes.
void sort_points(Evidence& evidence);

/// Compares each setting of each campaign with its default. A series flagged for another algorithm
/// than the requested one, or for wrong data, is no candidate. InputError without a default
/// setting, for several MPI libraries, or if two campaigns have one choice at one point. InputError
/// also if points differ in more than operation, ranks and bytes.
Evidence gather_evidence(std::vector<Record> records, const EvidenceOptions& options);

/// The algorithm that a launch's setting forces on an operation; nullopt if it forces none. It is
/// from the variables of its environment (`OMPI_MCA_coll_tuned_*`, `I_MPI_ADJUST_*`,
/// `MPIR_CVAR_*`), with the effective numbers and fan-out that the library reports.
std::optional<Choice> forced_choice(const Record& launch, const std::string& operation);

/// Differences between a setting and the default beyond the algorithms of operations, which no
/// selection rule can express. They are variables, or axes that no variable explains.
std::vector<std::string> other_differences(const Record& launch, const Record& base);

}  // namespace hockney::tune
