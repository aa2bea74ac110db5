#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "report/page/page.hpp"

namespace hockney::report {

/// What draws the plots of a page: Vega, Vega-Lite and Vega-Embed.
struct PageScripts {
  std::vector<std::string> texts;  ///< in the order in which they run; none where any is missing
  std::string missing;             ///< why there are none, and what helps; empty with texts
};

/// The scripts in a folder, each by the name it has in its npm package. InputError when the folder
/// has not all of them, or one of them cannot be embedded.
PageScripts load_page_scripts(const std::string& folder);

/// The same of the first of `folders` that is there; none of them is not an error.
PageScripts find_page_scripts(const std::vector<std::string>& folders);

/// A document as the content of a script element, which nothing in it can end.
std::string html_json(const nlohmann::json& document);

// The files page.css and page.js, which CMake puts into the program.
extern const std::string_view page_style;
extern const std::string_view page_script;

/// The page in one HTML file that asks for nothing else: its content security policy forbids all
/// but its own scripts and style. Without scripts it has all but the plots, and says so.
void write_page(std::ostream& out, const Page& page, const PageScripts& scripts);

}  // namespace hockney::report
