#pragma once

#include <string>

#include "core/cli/command_line.hpp"
#include "report/page/html.hpp"

namespace hockney::campaign {

/// --scripts DIR: where the scripts of a page are, if not beside this program.
void add_scripts_option(CLI::App& app, std::string& folder);

/// The scripts of the option, or those this program was built with. InputError for a folder that
/// has not all of them.
report::PageScripts scripts_in(const std::string& folder);

/// InputError for a name under which nobody looks for a page (devices are taken as they are), and
/// for scripts of no page.
void check_page(const std::string& option, const std::string& file, const std::string& scripts);

/// Puts the page in place as a whole; RunError when it cannot be written.
void save_page(const std::string& file, const report::Page& page,
               const report::PageScripts& scripts);

}  // namespace hockney::campaign
