#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/record.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "tune/rules.hpp"
#include "verdicts/multiplicity.hpp"

namespace hockney::tune {

/// Where times of a candidate come from.
enum class Basis { measured, predicted };

constexpr auto words_of(std::type_identity<Basis>) {
  return std::to_array<std::string_view>({"measured", "predicted"});
}

/// One way to do an operation at one point, against the default.
struct Candidate {
  Choice choice;
  std::string setting;  ///< of the campaign, or of the file of predictions
  Basis source = Basis::measured;
  double seconds = 0;                        ///< median over launches
  std::optional<Interval> interval_seconds;  ///< of it; of a prediction, as the file says
  double ratio = 1;  ///< to the default's time: verdicts/compare.hpp, or the quotient
  std::optional<Interval> ratio_interval;  ///< by itself
  /// Of max_t, with all of the family: below 1 exactly where the candidate is shown to be faster.
  std::optional<Interval> family_interval{};
  std::size_t launches = 0;
  double p = 1;                   ///< of its being another one than 1
  double p_adjusted = 1;          ///< for the whole family
  double smallest_p = 1;          ///< that so many launches can give
  bool shown = false;             ///< to be faster by more than the least gain
  verdicts::Contrast contrast{};  ///< what is tested; empty where nothing is measured
  /// Launches that would show such a ratio four times of five, where it is not shown (max_t).
  std::optional<std::size_t> launches_needed{};
};

/// An operation of one size on so many ranks.
struct TunedPoint {
  std::string operation;
  int ranks = 0;
  Bytes bytes{};
  Choice base;  ///< of the default setting; the library's own, as a rule
  std::optional<double> base_seconds;
  std::optional<Interval> base_interval_seconds;
  std::vector<Candidate> candidates;
};

/// What is no candidate, and why.
struct LeftOut {
  std::string setting;
  std::string operation;
  std::string why;
  std::size_t points = 0;

  friend bool operator==(const LeftOut&, const LeftOut&) = default;
};

/// Adds to a list; what is there for the same reason has its points counted together.
void note(const LeftOut& found, std::vector<LeftOut>& left_out);

/// `launches`: a switch needs a p-value. `exact`: the times are those of a simulator without noise,
/// where every difference is one.
enum class Trust { launches, exact };

struct EvidenceOptions {
  std::string base;  ///< the default setting; empty: the one whose axes are all at "default"
  double alpha = 0.05;
  double least_gain = 0.02;  ///< share of the default's time
  verdicts::Correction correction = verdicts::Correction::max_t;
  Trust trust = Trust::launches;
  std::map<std::string, std::string> parameters;  ///< only points that have these
};

struct Evidence {
  EvidenceOptions options;
  std::string library;
  std::vector<std::string> campaigns;
  std::string base;                ///< the default setting
  std::vector<TunedPoint> points;  ///< by operation, ranks and bytes
  std::vector<LeftOut> left_out;
  std::size_t family = 0;  ///< tests
  /// Launches of each setting from which on one test of the family could show anything; nullopt
  /// when there are as many.
  std::optional<std::size_t> launches_needed;
};

/// The point of an operation, ranks and bytes; a new one, without times, at the end of the points
/// where there is none.
TunedPoint& point_at(Evidence& evidence, const std::string& operation, int ranks, Bytes bytes);

/// Puts the points into their order: by operation, ranks and bytes.
void sort_points(Evidence& evidence);

/// Judges each setting of each campaign against its default. A series that is flagged with another
/// algorithm than asked for, or with wrong data, is no candidate. InputError when there is no
/// default setting, when launches are of several MPI libraries, when two campaigns hold one choice
/// at one point, or when points differ in more than operation, ranks and bytes.
Evidence gather_evidence(std::vector<Record> records, const EvidenceOptions& options);

/// The algorithm that a launch's setting forces on an operation: by the variables of its
/// environment (`OMPI_MCA_coll_tuned_*`, `I_MPI_ADJUST_*`, `MPIR_CVAR_*`), with numbers and fan-out
/// as the library says that they are in force; under SimGrid by the value on the axis `algorithm`
/// or on the one named like the operation. nullopt where it forces none.
std::optional<Choice> forced_choice(const Record& launch, const std::string& operation);

/// In what else than the algorithms of operations a setting differs from the default one, so that
/// no selection rule could stand for it: variables, or axes that no variable explains.
std::vector<std::string> other_differences(const Record& launch, const Record& base,
                                           const std::string& operation);

}  // namespace hockney::tune
