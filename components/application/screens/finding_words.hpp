#pragma once

#include <string>

#include "components/application/analysis/findings.hpp"
#include "components/application/screens/profile_report.hpp"
#include "report/screen.hpp"
#include "report/view.hpp"

namespace hockney::report {

// Words for the causes of a run's time (components/application/analysis/findings.hpp), for all
// outputs.

/// "late sender".
std::string name_of(applications::FindingKind kind);

/// The cause with its number: "Rank 1 computes 2.7 times as long as the median rank ...".
std::string sentence_of(const ProfileView& view, const applications::Finding& finding);

/// What would help, and by how much.
std::string help_of(const ProfileView& view, const applications::Finding& finding);

/// Begin of the summary: the worst cause, what would help, and the next causes. One sentence if no
/// cause has a part of the run worth naming.
Lines causes_of(const ProfileView& view);

/// One row per finding, worst first.
View view_of_findings(const ProfileView& view);

}  // namespace hockney::report
