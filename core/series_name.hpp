#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/point.hpp"

namespace hockney {

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
