#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/point.hpp"
#include "core/quantities.hpp"

namespace hockney {

/// Points by their name: an operation, some words of its curve's name (curve_name), a size, and why
/// they are chosen. "allreduce memory=cuda at 8 bytes: SIGSEGV", "bcast from 4096 bytes".
struct PointChoice {
  std::string operation;
  std::vector<std::string> words{};  ///< "key=value"; empty: all curves of the operation
  std::optional<Bytes> bytes{};      ///< nullopt: all sizes
  bool and_larger = false;           ///< larger sizes, too
  std::string reason{};              ///< empty: none is given

  /// Without the reason; parse_point_choice reads it.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool names(const Point& point) const;

  friend bool operator==(const PointChoice&, const PointChoice&) = default;
};

/// InputError for a text without an operation, and for a word that is no "key=value". What follows
/// ": " is the reason.
PointChoice parse_point_choice(std::string_view text);

/// Choices between semicolons, as --leave-out takes them. InputError as for one.
std::vector<PointChoice> parse_point_choices(std::string_view text);

/// The text for parse_point_choices, with reasons.
std::string text_of(const std::vector<PointChoice>& choices);

/// The choice of this point alone.
PointChoice choice_of(const Point& point);

}  // namespace hockney
