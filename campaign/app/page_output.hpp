#pragma once

#include <string>
#include <vector>

#include "core/cli/command_line.hpp"
#include "report/page/page.hpp"

namespace hockney::campaign {

/// A page that a command writes on request.
struct PageOutput {
  std::string option;   ///< its name: "--page"
  std::string file;     ///< empty: no page
  std::string scripts;  ///< folder; empty: the scripts built in

  [[nodiscard]] bool is_wanted() const { return !file.empty(); }
};

/// Help text of the option.
inline constexpr const char* page_help =
    "Also write it, with pictures, as one HTML page to this file";

/// Adds the option, with `names` such as "-o,--output", and --scripts.
void add_page_options(CommandLine& app, const std::string& names, const std::string& description,
                      PageOutput& page);

/// Adds --scripts DIR: folder of a page's scripts, if not beside this program.
void add_scripts_option(CommandLine& app, std::string& folder);

/// The scripts in `folder`, or those built in. InputError if one is missing.
report::PageScripts scripts_in(const std::string& folder);

/// Checks a wanted page before any work and returns its scripts. InputError for --scripts without a
/// page, for a file name without .html (except devices), for one of `inputs`, and for missing
/// scripts. RunError for a file that cannot be written.
report::PageScripts scripts_for(const PageOutput& page, const std::vector<std::string>& inputs);

/// Writes the page atomically; RunError if it cannot be written.
void save_page(const std::string& file, const report::Page& page,
               const report::PageScripts& scripts);

}  // namespace hockney::campaign
