#pragma once

#include <string>

#include "components/application/screens/comparison_report.hpp"
#include "components/application/screens/profile_report.hpp"
#include "components/application/screens/projection_report.hpp"
#include "components/application/screens/scaling_report.hpp"
#include "components/application/screens/where/where_screen.hpp"
#include "report/page/page.hpp"

namespace hockney::report {

// Pages of commands on programs. `command` prints the same, is escaped and has no options of
// output: "hockney profile show p.json".

Page page_of(const ProfileView& view, const std::string& command);
Page page_of(const applications::Comparison& comparison, const std::string& command);
Page page_of(const ScalingView& view, const std::string& command);
Page page_of(const ProjectionView& view, const std::string& command);
Page page_of(const where::WhereView& view, const std::string& command);
/// The view has its command.
Page page_of(const MappingView& view);

}  // namespace hockney::report
