#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/point.hpp"
#include "core/provenance.hpp"
#include "core/quantities.hpp"

namespace hockney {

/// Which algorithm an MPI library ran for a collective operation. The verification launch, with the
/// same environment, finds it (docs/how-to/sweep-and-tune.md).
struct AlgorithmUse {
  std::string operation;
  Bytes bytes{};
  int ranks = 0;
  std::string requested;           ///< as the setting names it; "default": the library chose
  std::optional<std::string> ran;  ///< nullopt unless proven
  /// Proven: the requested algorithm ran, or the library's own choice is known. Ignored: another
  /// algorithm ran than the requested one. Unproven: the algorithm that ran is not known.
  Proof proof = Proof::unproven;
  std::string evidence;                           ///< one sentence
  std::map<std::string, std::string> parameters;  ///< the point's parameters that may change the
                                                  ///< choice

  friend bool operator==(const AlgorithmUse&, const AlgorithmUse&) = default;
};

inline constexpr std::string_view library_choice = "default";

/// Flag of a series: another algorithm ran than the requested one.
inline constexpr std::string_view algorithm_substituted_flag = "algorithm-substituted";
/// Flag of a series: it is not known which algorithm ran.
inline constexpr std::string_view algorithm_unproven_flag = "algorithm-unproven";

/// The parameters of a point on which the library's choice may depend: all except those of timing,
/// and `memory` unless it names memory of a device.
std::map<std::string, std::string> choosing_parameters(const Point& point);

/// The use with the point's operation, size, ranks and parameters, or nullptr.
const AlgorithmUse* use_of(const Point& point, const std::vector<AlgorithmUse>& uses);

struct Record;

/// Writes the algorithms into a record: its list, its points and series, and their flags.
/// Idempotent.
void add_algorithm_use(Record& record, const std::vector<AlgorithmUse>& uses);

/// What one rank sent to another during one call.
struct SentTraffic {
  int from = 0;
  int to = 0;
  std::int64_t messages = 0;
  std::int64_t bytes = 0;

  friend auto operator<=>(const SentTraffic&, const SentTraffic&) = default;
};

/// An environment variable that requests an algorithm, its value, and the name of that value in the
/// library's own list; nullopt without a list, or if the list lacks the value.
struct AlgorithmRequest {
  std::string variable;
  std::string value;
  std::optional<std::string> name;

  friend bool operator==(const AlgorithmRequest&, const AlgorithmRequest&) = default;
};

/// Progress of the one call of an operation.
enum class VerificationStage { not_begun, begun, done };

struct VerificationPoint {
  Point point;
  int root = 0;
  std::int64_t element_bytes = 1;  ///< of its datatype [B]
  VerificationStage stage = VerificationStage::not_begun;
  std::string error;  ///< the error that MPI returned; empty: success
  std::vector<SentTraffic> traffic;

  friend bool operator==(const VerificationPoint&, const VerificationPoint&) = default;
};

/// The document `hockney.verification/1` of one launch of hockney-algorithms: one JSON object a
/// line. If the library ends the launch early, the lines so far remain valid.
struct VerificationRun {
  std::string library;
  std::string counting;   ///< the counter of messages; empty: none
  std::string no_counts;  ///< why no counter is available; empty: one is
  std::string pml;        ///< Open MPI's list of PMLs, if it leaves out the counter; else empty
  std::string check;      ///< setting that makes the library refuse substitutes; empty: none
  std::string no_check;   ///< why a call that is not refused proves nothing; empty: it does
  std::vector<AlgorithmRequest> requested;
  std::vector<VerificationPoint> points;  ///< the whole plan

  friend bool operator==(const VerificationRun&, const VerificationRun&) = default;
};

inline constexpr std::string_view verification_run_schema = "hockney.verification/1";

/// Open MPI counts messages in the PML component "monitoring". A list of PMLs must contain it.
/// Returns the list with it; nullopt for an empty list, an exclusion ("^cm"), and a list that has
/// it.
std::optional<std::string> pml_with_monitoring(const std::string& list);

/// The first line of the document: everything except the results of the points.
std::string verification_header(const VerificationRun& verification);
/// The line for a point whose call begins.
std::string verification_begun(std::size_t point);
/// The line for a point whose call has returned.
std::string verification_done(std::size_t point, const std::string& error,
                              const std::vector<SentTraffic>& traffic);

/// Reads such a document; its last line may be cut short. InputError for other documents.
VerificationRun read_verification(const std::string& text, const std::string& file);

}  // namespace hockney
