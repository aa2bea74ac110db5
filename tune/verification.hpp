#pragma once

#include <compare>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/record.hpp"
#include "tune/evidence.hpp"
#include "verdicts/compare.hpp"

namespace hockney::tune {

/// From one rank to another.
struct Flow {
  int from = 0;
  int to = 0;

  friend auto operator<=>(const Flow&, const Flow&) = default;
};

/// The share of all bytes of a launch that went from one rank to another. A launch that does
/// little else than one large operation shows by it the tree of its algorithm, however often it was
/// called.
using TrafficFractions = std::map<Flow, double>;

/// Of what Open MPI's pml_monitoring wrote, a file for each rank.
TrafficFractions traffic_fractions(const std::vector<std::string>& profiles);

/// The largest difference of any share.
double largest_difference(const TrafficFractions& a, const TrafficFractions& b);

inline constexpr std::string_view verification_schema = "hockney.tune-verify/1";
/// Its name in the folder of the verifying campaign.
inline constexpr std::string_view verification_file = "verification.json";

/// Sizes between those that were measured of any operation, at the geometric middle, in whole
/// elements of eight bytes; where there is no such size, those that were measured. Ascending.
std::vector<Bytes> held_out_sizes(std::span<const TunedPoint> points);

/// Of settings whose launches took turns: the default, the file, and forced algorithms.
struct VerifyingLaunches {
  std::vector<Record> base;
  std::vector<Record> tuned;
  std::map<std::string, std::vector<Record>> forced;  ///< by setting
};

/// How the file did at one point.
struct VerifiedPoint {
  verdicts::Comparison comparison;          ///< of the file (B) with the default (A)
  bool slower = false;                      ///< than the default, beyond the interval
  std::optional<std::string> best;          ///< of the default and the forced settings, the fastest
  std::optional<double> regret;             ///< the file's time above that, as a share of it
  std::optional<Interval> regret_interval;  ///< by itself
};

struct Verification {
  EvidenceOptions options;
  std::vector<VerifiedPoint> points;
  std::vector<verdicts::LonePoint> missing;  ///< points that only one of both has
  std::optional<double> mean_gain;           ///< share of the default's time saved, over points
  std::optional<double> mean_regret;         ///< over the points that have one
  std::optional<double> largest_regret;
  std::size_t slower = 0;        ///< points
  std::string oversubscribed{};  ///< launches whose ranks share CPUs; empty: none
};

/// Whether the file is shown to be faster than the default; of exact times, by more than 0.5 %.
bool is_faster(const VerifiedPoint& point, Trust trust);

/// Compares the launches point by point, whatever algorithm ran. The file is slower where the
/// comparison says so, for the family of all points; or, with exact times, by more than 0.5 %.
/// RunError when no point has a time on both sides.
Verification verify(VerifyingLaunches launches, const EvidenceOptions& options);

/// What is known of the file having been in force.
struct Effect {
  Proof proof = Proof::unproven;
  std::vector<std::string> evidence;
};

/// By what the launches of the file say of its variables: proven when the library shows every one
/// of them with its value.
Effect effect_of(const std::vector<Record>& tuned,
                 const std::map<std::string, std::string>& variables);

/// The document of `hockney tune --verify --json`.
nlohmann::json to_json(const Verification& verification, const Effect& effect);

/// A size at which a selection file, when it was in force, was slower than the default.
struct SlowerSize {
  std::string operation;
  int ranks = 0;
  Bytes bytes{};
  std::string file;  ///< of the verification that says so

  friend bool operator==(const SlowerSize&, const SlowerSize&) = default;
};

/// Of a document hockney.tune-verify/1; none when the file was nowhere slower. InputError for
/// another document.
std::vector<SlowerSize> read_slower_sizes(std::string_view text, const std::string& file);

/// Leaves these sizes to the default: points without a candidate that is shown to be faster, new
/// ones where the campaigns measured none, so that no rule reaches across them. InputError for an
/// operation or number of ranks that no campaign has.
void leave_to_default(Evidence& evidence, std::span<const SlowerSize> slower);

}  // namespace hockney::tune
