#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_node.hpp"
#include "core/point.hpp"

namespace hockney {

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
