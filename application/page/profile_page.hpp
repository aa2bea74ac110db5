#pragma once

#include <string>

#include "application/analysis/comparison.hpp"
#include "report/page/page.hpp"
#include "application/screens/mapping_report.hpp"
#include "application/screens/profile_report.hpp"
#include "application/screens/projection_report.hpp"
#include "application/screens/scaling_report.hpp"

namespace hockney::report {

// What commands on programs say first, with pictures. `command` is the one that prints the same,
// inert and without options of output: "hockney profile show p.json". The document of its --json is
// in the page, but where that is larger than most_document_bytes, which the page says.

inline constexpr std::size_t most_document_bytes = std::size_t{1} << 20U;

/// Time by rank, messages by rank and node, calls by time, bytes, size and call site.
Page page_of(const ProfileView& view, const std::string& command);

/// Speed-up, efficiencies, where the time goes and in which calls, run by run.
Page page_of(const applications::Comparison& comparison, const std::string& command);

/// Time and efficiency against ranks with the law through them; then the same as of runs compared.
Page page_of(const ScalingView& view, const std::string& command);

/// Each question with the range of its answer.
Page page_of(const ProjectionView& view, const std::string& command);

/// What goes between nodes as it was, and with every mapping that was tried; node by node before
/// and after. The view knows its command.
Page page_of(const MappingView& view);

}  // namespace hockney::report
