#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/statistics.hpp"

namespace hockney {

// The one form of an answer (docs/reference/json-documents.md, key `summary`). Every command fills
// it; a terminal, a page and --json show it.

/// One figure.
struct SummaryRow {
  std::string label;
  std::optional<double> value;       ///< in `unit`
  std::optional<Interval> interval;  ///< of the value; level 1: the range of all launches
  std::string unit;
  std::string mark;  ///< a word beside it: "at 512K", "2 launches"
};

/// Something to know beside the figures.
struct Finding {
  std::string what;
  std::optional<double> share{};  ///< of the figures or the run that it concerns
  std::string where{};
  std::string advice{};  ///< what to do
};

/// A command for further work, and its purpose.
struct NextStep {
  std::string command;
  std::string purpose;
};

/// Most lines of each part on a first screen.
inline constexpr std::size_t most_reliability_lines = 3;
inline constexpr std::size_t most_next_steps = 2;

}  // namespace hockney
