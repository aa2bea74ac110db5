#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_node.hpp"
#include "core/point.hpp"
#include "core/provenance.hpp"
#include "core/quantities.hpp"

namespace hockney {

/// Which algorithm an MPI library ran for a collective operation, as another launch with the same
/// environment told (docs/how-to/sweep-and-tune.md).
struct AlgorithmUse {
  std::string operation;
  Bytes bytes{};
  int ranks = 0;
  std::string requested;           ///< as the setting names it; "default" where the library chose
  std::optional<std::string> ran;  ///< proven; nullopt where it could not be told
  /// Proven: what was asked for ran, or it is known what the library chose. Ignored: something else
  /// ran than what was asked for. Unproven: it could not be told.
  Proof proof = Proof::unproven;
  std::string evidence;                           ///< one sentence
  std::map<std::string, std::string> parameters;  ///< of the point, those that may choose

  friend bool operator==(const AlgorithmUse&, const AlgorithmUse&) = default;
};

inline constexpr std::string_view library_choice = "default";

/// Of a series: another algorithm ran than the one that was asked for.
inline constexpr std::string_view algorithm_substituted_flag = "algorithm-substituted";
/// Of a series: it could not be told which algorithm ran.
inline constexpr std::string_view algorithm_unproven_flag = "algorithm-unproven";

/// The parameters of a point that may matter to what the library chooses: all but those that say
/// where buffers are and how time is taken.
std::map<std::string, std::string> choosing_parameters(const Point& point);

/// The use that tells of a point; nullptr when none does.
const AlgorithmUse* use_of(const Point& point, const std::vector<AlgorithmUse>& uses);

struct Record;

/// Puts what is known of algorithms into a record: into its key, the points and the series they
/// tell of, and their flags. To do it again changes nothing.
void inscribe(Record& record, const std::vector<AlgorithmUse>& uses);

/// What one rank sent to another during one call.
struct SentTraffic {
  int from = 0;
  int to = 0;
  std::int64_t messages = 0;
  std::int64_t bytes = 0;

  friend auto operator<=>(const SentTraffic&, const SentTraffic&) = default;
};

/// A variable of the environment that asks for an algorithm, with its value and the name that the
/// library's own list has for it; nullopt where there is no list, or it lacks the value.
struct AskedAlgorithm {
  std::string variable;
  std::string value;
  std::optional<std::string> name;

  friend bool operator==(const AskedAlgorithm&, const AskedAlgorithm&) = default;
};

/// How far the one call of an operation came.
enum class VerificationStage { not_begun, begun, done };

struct VerificationPoint {
  Point point;
  int root = 0;
  std::int64_t element_bytes = 1;  ///< of its datatype [B]
  VerificationStage stage = VerificationStage::not_begun;
  std::string error;  ///< what MPI returned instead of success
  std::vector<SentTraffic> traffic;

  friend bool operator==(const VerificationPoint&, const VerificationPoint&) = default;
};

/// What a launch of hockney-algorithms tells: document `hockney.verification run/1`, one JSON
/// object a line, so that a launch which the library ends in the middle has told what it came to.
struct VerificationRun {
  std::string library;
  std::string counting;   ///< what counted the messages; empty when nobody did
  std::string no_counts;  ///< why nobody did
  std::string check;      ///< by which the library refuses to substitute; empty when there is none
  std::string no_check;   ///< why nothing follows when it does not refuse; empty when it does
  std::vector<AskedAlgorithm> requested;
  std::vector<VerificationPoint> points;  ///< the whole plan

  friend bool operator==(const VerificationRun&, const VerificationRun&) = default;
};

inline constexpr std::string_view verification_run_schema = "hockney.witness/1";

/// The first line of the document: all but what became of the points.
std::string verification_header(const VerificationRun& verification);
/// The line that says that a point is begun.
std::string verification_begun(std::size_t point);
/// The line that says that it is done, and how.
std::string verification_done(std::size_t point, const std::string& error,
                              const std::vector<SentTraffic>& traffic);

/// Reads such a document, whose last line may be broken off. InputError when it is none.
VerificationRun read_verification(const std::string& text, const std::string& file);

}  // namespace hockney
