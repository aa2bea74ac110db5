#pragma once

#include <span>
#include <string>
#include <vector>

#include "components/tune/evidence.hpp"
#include "components/tune/rules.hpp"

namespace hockney::tune {

/// A row of a file of predictions: predicted times of an operation.
struct PredictedRow {
  std::string operation;
  int ranks = 0;
  Bytes bytes{};
  Choice choice;  ///< the library's own if the algorithm is "default"
  double seconds = 0;
  double low = 0;   ///< of its interval [s]
  double high = 0;  ///< [s]
};

/// Reads CSV with a header. Columns are operation, ranks, bytes, algorithm, seconds, low and high,
/// and optionally segment and fanout. InputError with file, line and column.
std::vector<PredictedRow> read_predicted(const std::string& text, const std::string& file,
                                         Target target);

/// Adds predictions as candidates, unless the same choice was measured. A prediction is shown to be
/// faster if its interval is below that of the default (measured or predicted) and it gains enough.
/// Without a time of the default, none is.
void add_predicted(Evidence& evidence, const std::vector<PredictedRow>& rows);

/// An option at a point.
struct Option {
  const Candidate* candidate = nullptr;  ///< nullptr: the default
  double regret = 0;                     ///< excess over the best option, as a share of its time
};

/// Whether choices extend beyond the measured range: below the smallest and above the largest size,
/// on fewer and on more ranks.
enum class Beyond { library, extended };

struct DecideOptions {
  double most_regret = 0.01;  ///< allowed at a point for fewer rules, as a share of the best time
  Beyond beyond = Beyond::library;
  Replication replication = Replication::launches;
};

/// The choice at one point.
struct Decision {
  std::string operation;
  int ranks = 0;
  Bytes bytes{};
  Choice choice;
  std::string setting;  ///< of its measurement; empty for the default
  Basis source = Basis::measured;
  double ratio = 1;                           ///< of its time to the default's
  std::optional<Interval> ratio_interval;     ///< nullopt for the default
  std::optional<Interval> family_interval{};  ///< as of the candidate
  double p_adjusted = 1;
  double regret = 0;  ///< excess over the best option's time, as a share of it
  /// If the default stays: of the candidates that gain enough, the one closest to being shown.
  std::optional<Candidate> closest{};
};

struct Decisions {
  std::vector<Decision> points;  ///< by operation, ranks and bytes
  Rules rules;                   ///< by hockney's bytes
};

/// Decides for the default or a candidate shown to be faster at each point. Among options with a
/// regret of at most `most_regret`, the fewest rules are chosen.
/// Between two sizes with different choices the rule changes where the times of both cross. The
/// logarithm of their ratio is interpolated linearly in the logarithm of the size. If they do not
/// cross, or a time is missing, it changes at the geometric middle. Between two numbers of ranks it
/// always does.
/// Between a default and another choice, the default holds in between if the other is slower, or
/// has no time, at the default's size. Real libraries change by steps. This rule does not apply to
/// exact times.
Decisions decide_all(const Evidence& evidence, const DecideOptions& options);

/// Whether every choice is the library's default.
bool changes_nothing(const Decisions& decisions);

/// The number at which a rule changes between `a` and `b` > a; above a and at most b. `share` is
/// the position on a logarithmic scale; 0.5 is the geometric middle.
std::int64_t boundary(std::int64_t a, std::int64_t b, double share = 0.5);

}  // namespace hockney::tune
