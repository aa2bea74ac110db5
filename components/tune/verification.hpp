#pragma once

#include <compare>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "components/tune/evidence.hpp"
#include "core/record.hpp"
#include "verdicts/compare.hpp"

namespace hockney::tune {

/// Traffic from one rank to another.
struct Flow {
  int from = 0;
  int to = 0;

  friend auto operator<=>(const Flow&, const Flow&) = default;
};

/// The shares of a launch's bytes between pairs of ranks. In a launch with one large operation they
/// show the tree of its algorithm, for any number of calls.
using TrafficFractions = std::map<Flow, double>;

/// From the output of Open MPI's pml_monitoring, one file per rank.
TrafficFractions traffic_fractions(const std::vector<std::string>& profiles);

/// The largest difference of any share.
double largest_difference(const TrafficFractions& a, const TrafficFractions& b);

inline constexpr std::string_view verification_schema = "hockney.tune-verify/1";
/// File name in the folder of the verifying campaign.
inline constexpr std::string_view verification_file = "verification.json";

/// Sizes at the geometric middle between measured sizes of any operation, in whole elements of
/// eight bytes. The measured sizes if there are none between. Ascending.
std::vector<Bytes> held_out_sizes(std::span<const TunedPoint> points);

/// Launches of settings in shared rounds: the default, the file, and forced algorithms.
struct VerifyingLaunches {
  std::vector<Record> base;
  std::vector<Record> tuned;
  std::map<std::string, std::vector<Record>> forced;  ///< by setting
};

/// The file's result at one point.
struct VerifiedPoint {
  verdicts::Comparison comparison;          ///< of the file (B) with the default (A)
  bool slower = false;                      ///< significantly slower than the default
  std::optional<std::string> best;          ///< the fastest of the default and the forced settings
  std::optional<double> regret;             ///< excess of the file's time, as a share of the best
  std::optional<Interval> regret_interval;  ///< of this comparison alone
};

struct Verification {
  EvidenceOptions options;
  std::vector<VerifiedPoint> points;
  std::vector<verdicts::LonePoint> missing;  ///< points of only one side
  std::optional<double> mean_gain;           ///< share of the default's time saved, over points
  std::optional<double> mean_regret;         ///< over points with a regret
  std::optional<double> largest_regret;
  std::size_t slower = 0;        ///< points
  std::string oversubscribed{};  ///< launches whose ranks share CPUs; empty: none
};

/// Whether the file is shown to be faster than the default; for exact times, by more than 0.5 %.
bool is_faster(const VerifiedPoint& point, Replication replication);

/// Compares the launches point by point, for any algorithms. The file is slower if the comparison
/// is significant for the family of all points; with exact times, by more than 0.5 %. RunError if
/// no point has times of both sides.
Verification verify(VerifyingLaunches launches, const EvidenceOptions& options);

/// Whether the file was effective, with the evidence.
struct Effect {
  Proof proof = Proof::unproven;
  std::vector<std::string> evidence;
};

/// The effect by the variables in the file's launches: proven if the library reports every variable
/// with its value.
Effect effect_of(const std::vector<Record>& tuned,
                 const std::map<std::string, std::string>& variables);

/// A size at which an effective selection file was slower than the default.
struct SlowerSize {
  std::string operation;
  int ranks = 0;
  Bytes bytes{};
  std::string file;  ///< of the verification

  friend bool operator==(const SlowerSize&, const SlowerSize&) = default;
};

/// Reads a document hockney.tune-verify/1; empty if the file was nowhere slower. InputError for
/// another document.
std::vector<SlowerSize> read_slower_sizes(std::string_view text, const std::string& file);

/// Leaves these sizes to the default: their points have no candidate shown to be faster. Sizes that
/// no campaign measured become new points, so that no rule spans them. InputError for an operation
/// or number of ranks that no campaign has.
void leave_to_default(Evidence& evidence, std::span<const SlowerSize> slower);

}  // namespace hockney::tune
