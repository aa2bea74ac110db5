#pragma once

#include <string>
#include <vector>

#include "core/cli/command_line.hpp"
#include "report/page/page.hpp"

namespace hockney::campaign {

/// An HTML page that a command writes on request.
struct PageOutput {
  std::string option;   ///< its name: "--page"
  std::string file;     ///< empty if no page is requested
  std::string scripts;  ///< folder; empty for the built-in scripts

  [[nodiscard]] bool is_wanted() const { return !file.empty(); }
};

/// Help text of the option.
inline constexpr const char* page_help =
    "Also write it, with pictures, as one HTML page to this file";

/// Adds --scripts and the option of the page, with `names` such as "-o,--output".
void add_page_options(CommandLine& app, const std::string& names, const std::string& description,
                      PageOutput& page);

/// --scripts DIR: folder of the page's scripts; without it the built-in ones are used.
void add_scripts_option(CommandLine& app, std::string& folder);

/// The scripts in `folder`; the built-in ones if it is empty. InputError if a script is missing.
report::PageScripts scripts_in(const std::string& folder);

/// The scripts of the page if it is requested; call it before any work. InputError if the name does
/// not end in ".html" (devices are accepted), or the page would replace one of the `inputs`.
/// InputError also for scripts without a page. RunError if the file cannot be written.
report::PageScripts scripts_for(const PageOutput& page, const std::vector<std::string>& inputs);

/// Writes the page atomically; RunError if it cannot be written.
void save_page(const std::string& file, const report::Page& page,
               const report::PageScripts& scripts);

}  // namespace hockney::campaign
