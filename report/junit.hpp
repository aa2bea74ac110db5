#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace hockney {

/// One thing that was judged. Passed when it neither failed nor was skipped.
struct JUnitCase {
  std::string classname;  ///< what it belongs to
  std::string name;
  std::optional<std::string> failure{};  ///< what is wrong
  std::optional<std::string> skipped{};  ///< why there is no verdict
};

struct JUnitSuite {
  std::string name;
  std::vector<JUnitCase> cases;
};

/// The suites as JUnit XML, in the common part of what Jenkins, GitLab and GitHub read. Any text
/// may be in them: what XML 1.0 cannot hold, control characters and what is not UTF-8, becomes "?".
void print_junit(std::ostream& out, const std::vector<JUnitSuite>& suites);

}  // namespace hockney
