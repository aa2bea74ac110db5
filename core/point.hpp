#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/quantities.hpp"

namespace hockney {

/// One parameter combination of an operation; nullopt means unknown.
struct Point {
  std::string operation;
  Bytes bytes{};                         ///< message size [B]
  int ranks = 0;                         ///< ranks that take part
  std::optional<std::string> hop;        ///< hop class of the ranks: smt, l2, l3, ... cross-node
  std::optional<std::string> path;       ///< proven transport path (core/record.hpp)
  std::optional<std::string> algorithm;  ///< proven algorithm
  std::vector<int> pair;  ///< world ranks of the pair; empty when all ranks take part
  std::map<std::string, std::string> parameters;  ///< further axes, such as window
  std::vector<std::string> automatic{};           ///< parameters whose values follow from the size

  friend bool operator==(const Point&, const Point&) = default;
};

/// Whether points without this parameter have this value: hot caches, as in records of versions
/// without cache states, and host memory, which is recorded only if requested.
bool is_unsaid(std::string_view key, std::string_view value);

/// Whether the value is that of the plain call with which others are compared: host memory, hot
/// caches, not in place, equal counts, ranks in order and so on.
bool is_plain_value(std::string_view key, std::string_view value);

/// Identity of a curve over sizes, the point without its size: "pingpong hop=l3 ranks=2". It lacks
/// the path, which is a result and may change with the size or the launch, and automatic
/// parameters.
std::string curve_name(const Point& point);

inline constexpr const char* window_parameter = "window";

/// The window of bandwidth without --window: 64 messages, or as many as are 32 MiB.
int default_window(Bytes bytes);

bool is_automatic(const Point& point, std::string_view parameter);

/// Resets the path of `pooled` unless `other`, which is pooled with it, has the same.
void keep_common_path(Point& pooled, const Point& other);

/// Key of the parameter that names another suite, "osu" or "imb", whose way of timing a point uses.
/// Points without it are timed in hockney's own way.
inline constexpr const char* timing_parameter = "timing";

/// Whether the point is timed as another suite times it.
inline bool is_of_other_suite(const Point& point) {
  return point.parameters.contains(timing_parameter);
}

/// Parameter of nonblocking operations: the computation beside the call. "none"; "alone", the same
/// work without a call; "during", both.
inline constexpr const char* work_parameter = "work";

/// Number of MPI_Test calls during that computation.
inline constexpr const char* tests_parameter = "tests";

/// Name of a figure that is tracked over nights: "operation/point/figure", such as
/// "pingpong/ranks=2 hop=l3 bytes=8 setting=nightly/seconds". Equal points of equal settings have
/// equal names on every night.
struct SeriesName {
  std::string operation;
  std::map<std::string, std::string> keys;  ///< of the point: ranks, hop, bytes, setting, ...
  std::string figure;

  /// Keys in the order ranks, hop, bytes, then the others alphabetically. A slash or blank in a
  /// value becomes '+', so that the parts can be separated again.
  [[nodiscard]] std::string text() const;
  /// The value of a key; empty if the point lacks it.
  [[nodiscard]] std::string at(const std::string& key) const;
};

/// Splits a name into its parts. A text of another form is an operation without keys and figure.
SeriesName parse_series_name(std::string_view text);

/// Whether `name` matches `pattern`; each * matches any text.
bool matches(std::string_view name, std::string_view pattern);

/// The keys of a point: ranks, hop and parameters, and the pair if it has no hop class. Bytes are
/// left out. So are path and algorithm, which are results: if the library chooses another
/// algorithm, the same series changes.
std::map<std::string, std::string> series_keys(const Point& point);

}  // namespace hockney
