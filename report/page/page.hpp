#pragma once

#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "report/screen.hpp"

namespace hockney::report {

// A page for people: documents of --json, and the modules *.js beside this file, which draw them in
// a browser. kit.js says what a kind of document adds to a page.

/// A document of --json inside the page.
struct PageDocument {
  std::string name;  ///< letters, digits and '-': "fit"
  nlohmann::json document;
};

/// Numbers of a picture with too many of them for JSON. binaryOf() of kit.js returns them.
struct PageBinary {
  std::string name;  ///< letters, digits and '-'
  std::string bytes;
};

struct Page {
  std::string title;
  std::string made_by;                  ///< the command that writes this page, escaped
  std::vector<PageDocument> documents;  ///< the first is what the page is about
  std::vector<PageBinary> binaries{};
};

/// The document with the first screen as its key `summary`.
nlohmann::json with_summary(nlohmann::json document, const Screen& screen);

/// The libraries that draw plots: Vega, Vega-Lite and Vega-Embed.
struct PageScripts {
  std::vector<std::string> texts;  ///< in the order in which they run; empty if one is missing
  std::string missing;             ///< why there are none, and how to get them; empty with texts
};

/// Reads the scripts of a folder, under the names of their npm packages. Throws InputError if one
/// is missing or cannot be embedded.
PageScripts load_page_scripts(const std::string& folder);

/// Reads the scripts of the first of `folders` that exists. Without one, sets `missing`.
PageScripts find_page_scripts(const std::vector<std::string>& folders);

/// A document as the content of a script element. No text in it can end the element. Lists of
/// objects with equal keys are packed: {"$keys": [...], "$same": {...}, "$rows": [[...], ...]},
/// where $same has the members that all have in common. kit.js unpacks them.
std::string html_json(const nlohmann::json& document);

// page.css, and all modules *.js as one script. CMake compiles them in.
extern const std::string_view page_style;
extern const std::string_view page_script;

/// Writes the page as one HTML file that loads nothing else: its content security policy allows
/// only its own scripts and style. Without scripts it has no plots, and a line that explains it.
void write_page(std::ostream& out, const Page& page, const PageScripts& scripts);

}  // namespace hockney::report
