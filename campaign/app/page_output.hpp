#pragma once

#include <string>
#include <vector>

#include "core/cli/command_line.hpp"
#include "report/page/page.hpp"

namespace hockney::campaign {

/// A page that a command writes where its user asks for one.
struct PageOutput {
  std::string option;   ///< its name: "--page"
  std::string file;     ///< empty: no page is asked for
  std::string scripts;  ///< folder; empty: those this program was built with

  [[nodiscard]] bool is_wanted() const { return !file.empty(); }
};

/// What the option does, for its help.
inline constexpr const char* page_help =
    "Also write it, with pictures, as one HTML page to this file";

/// The option, whose names are such as "-o,--output", and --scripts.
void add_page_options(CommandLine& app, const std::string& names, const std::string& description,
                      PageOutput& page);

/// --scripts DIR: where the scripts of a page are, if not beside this program.
void add_scripts_option(CommandLine& app, std::string& folder);

/// The scripts of the option, or those this program was built with. InputError for a folder that
/// has not all of them.
report::PageScripts scripts_in(const std::string& folder);

/// The scripts of the page, if it is wanted, to be had before any work. InputError for a name under
/// which nobody looks for a page (devices are taken as they are), for one of the files that it is
/// made of, and for scripts of no page; RunError for a file that cannot be written.
report::PageScripts scripts_for(const PageOutput& page, const std::vector<std::string>& inputs);

/// Puts the page in place as a whole; RunError when it cannot be written.
void save_page(const std::string& file, const report::Page& page,
               const report::PageScripts& scripts);

}  // namespace hockney::campaign
