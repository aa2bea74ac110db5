#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/quantities.hpp"

namespace hockney {

/// One parameter combination of an operation. What was not established is nullopt, never a guess.
struct Point {
  std::string operation;
  Bytes bytes{};                         ///< message size [B]
  int ranks = 0;                         ///< ranks that take part
  std::optional<std::string> hop;        ///< hop class of the ranks: smt, l2, l3, ... cross-node
  std::optional<std::string> path;       ///< proven transport path (core/record.hpp)
  std::optional<std::string> algorithm;  ///< proven algorithm
  std::vector<int> pair;  ///< world ranks of the pair; empty when all ranks take part
  std::map<std::string, std::string> parameters;  ///< further axes, such as window

  friend bool operator==(const Point&, const Point&) = default;
};

/// Whether a parameter has the value that points without it have: hot, as in records made before
/// there was another state, and memory of the host, of which nothing is said unless it is asked
/// for.
bool is_unsaid(std::string_view key, std::string_view value);

/// Whether a parameter has the value of the plain call, which others are held against: memory of
/// the host, hot caches, not in place, ranks in order.
bool is_plain_value(std::string_view key, std::string_view value);

/// The point without its size, as the identity of a curve over sizes: "pingpong hop=l3 ranks=2".
/// The path is not part of it: it is what was found, not what was asked, and may be another one at
/// another size, or in another launch.
std::string curve_name(const Point& point);

/// Keeps the path of `pooled` if it is that of `other`, which is pooled with it, too.
void keep_common_path(Point& pooled, const Point& other);

/// The key in a point's parameters under which points that are timed as another suite would time
/// them name that suite: "osu", "imb". Points without it are timed in hockney's own way.
inline constexpr const char* timing_parameter = "timing";

/// Whether the point's number is one that another suite would print.
inline bool is_of_other_suite(const Point& point) {
  return point.parameters.contains(timing_parameter);
}

/// The parameter of a nonblocking operation's point that tells what goes on beside the call:
/// "none", "alone" (the same work without a call) or "during" (both).
inline constexpr const char* work_parameter = "work";

/// How often the operation is tested in work during it.
inline constexpr const char* tests_parameter = "tests";

/// What a figure that is followed over nights is called: "operation/point/figure", such as
/// "pingpong/ranks=2 hop=l3 bytes=8 setting=nightly/seconds". Stable: equal points of equal
/// settings have equal names on every night.
struct SeriesName {
  std::string operation;
  std::map<std::string, std::string> keys;  ///< of the point: ranks, hop, bytes, setting, ...
  std::string figure;

  /// Keys in the order ranks, hop, bytes, then by the alphabet. A slash or a blank in a value is
  /// written as '+', so that the parts stay apart.
  [[nodiscard]] std::string text() const;
  /// The value of a key; empty when the point has none.
  [[nodiscard]] std::string at(const std::string& key) const;
};

/// The parts of a name; a text of another form is an operation without keys and figure.
SeriesName parse_series_name(std::string_view text);

/// Whether `name` is as `pattern` says, in which * stands for any text.
bool matches(std::string_view name, std::string_view pattern);

/// The keys of a point: ranks, hop and parameters, and the pair where it has no hop class. Not its
/// bytes; nor its path and algorithm, which are found and not asked for, so that a library that
/// chooses another one is seen as a change of the same series.
std::map<std::string, std::string> series_keys(const Point& point);

}  // namespace hockney
