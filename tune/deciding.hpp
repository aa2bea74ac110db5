#pragma once

#include <span>
#include <string>
#include <vector>

#include "tune/evidence.hpp"
#include "tune/rules.hpp"

namespace hockney::tune {

/// A row of a file of predictions: times of an operation that nobody measured.
struct PredictedRow {
  std::string operation;
  int ranks = 0;
  Bytes bytes{};
  Choice choice;  ///< the library's own for the algorithm "default"
  double seconds = 0;
  double low = 0;   ///< of its interval [s]
  double high = 0;  ///< [s]
};

/// Reads CSV with a header that holds operation, ranks, bytes, algorithm, seconds, low and high,
/// and may hold segment and fanout. InputError naming file, line and column.
std::vector<PredictedRow> read_predicted(const std::string& text, const std::string& file,
                                         Target target);

/// Adds predictions as candidates where nothing was measured of the same choice. One is shown to be
/// faster when its whole interval lies below that of the default, measured or itself predicted, and
/// it gains enough; where nothing is known of the default, none is.
void add_predicted(Evidence& evidence, const std::vector<PredictedRow>& rows);

/// One thing that may be chosen at a point.
struct Option {
  const Candidate* candidate = nullptr;  ///< nullptr: the default
  double regret = 0;                     ///< above the best option, as a share of its time
};

/// The default and what is shown to be faster, but what regrets more than `most_regret`.
std::vector<Option> options_at(const TunedPoint& point, double most_regret);

/// For each point of one curve, in order of bytes, an option of it: those that change the fewest
/// times from one point to the next and, of these, regret the least in all (Viterbi 1967).
std::vector<Option> fewest_rules(std::span<const TunedPoint> curve, double most_regret);

/// Whether choices hold where nothing was measured: below the smallest and above the largest size,
/// on fewer and on more ranks.
enum class Beyond { library, extended };

struct DecideOptions {
  double most_regret = 0.01;  ///< that fewer rules may cost at a point, as a share of the best time
  Beyond beyond = Beyond::library;
  Trust trust = Trust::launches;
};

/// What is chosen at one point.
struct Decision {
  std::string operation;
  int ranks = 0;
  Bytes bytes{};
  Choice choice;
  std::string setting;  ///< that measured it; empty for the default
  Basis source = Basis::measured;
  double ratio = 1;                           ///< of its time to the default's
  std::optional<Interval> ratio_interval;     ///< nullopt for the default
  std::optional<Interval> family_interval{};  ///< as of the candidate
  double p_adjusted = 1;
  double regret = 0;  ///< its time above that of the best that may be chosen, as a share of it
  /// Where the default stays: of those that gain enough, the one nearest to be shown.
  std::optional<Candidate> closest{};
};

struct Decisions {
  std::vector<Decision> points;  ///< by operation, ranks and bytes
  Rules rules;                   ///< by hockney's bytes
};

/// At each point the default, or what is shown to be faster. Among those that regret at most
/// `most_regret` the ones that make the fewest rules. Between two sizes with different choices the
/// rule changes where the two choices' times cross, the logarithm of their ratio taken as linear in
/// the logarithm of the size; or, where one lacks a time, at the geometric middle. So it does
/// between two numbers of ranks. Between a size of another choice and one of the default, the
/// default has all that was not measured if the choice is slower, or has no time, at its end: real
/// libraries change by steps. Exact times are trusted to cross.
Decisions decide_all(const Evidence& evidence, const DecideOptions& options);

/// Whether the default, left to the library, is all that is chosen.
bool changes_nothing(const Decisions& decisions);

/// The number at which a rule changes that says one thing at `a` and another at `b` > a: at a share
/// of the way on a logarithmic scale, half of which is the geometric middle; above a and at most b.
std::int64_t boundary(std::int64_t a, std::int64_t b, double share = 0.5);

}  // namespace hockney::tune
