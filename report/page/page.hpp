#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "report/screen.hpp"
#include "report/view.hpp"

namespace hockney::report {

// A page for people: the summary and its reliability, then pictures. Each picture has its table,
// its CSV, its launches and the command that prints them.

/// The text of a cell. The column `key` must exist.
std::string page_text_at(const View& view, std::size_t row, std::string_view key);

/// The rows as JSON objects for a plot, with escaped texts and the keys of CSV. `says` is the
/// tooltip and the text for screen readers: "curve l3, bytes 8, median 0.331 us". A row with
/// `bytes` also has `drawn_bytes`, its position on an axis of sizes.
nlohmann::json values_of(const View& table);

/// The table as CSV (RFC 4180) with a line of keys. report/exports.hpp describes the cells.
std::string csv_of(const View& table);

/// A plot and its table. The layer "rows" draws one mark for each row of the table.
struct Picture {
  std::string id;            ///< as id_of() makes them; unique on a page
  std::string title;         ///< the result in words, escaped
  std::string caption = {};  ///< what the marks mean, and which values they combine
  View table;                ///< columns with Form::page are shown
  std::string launches;      ///< the source of its numbers: "10 launches of hops"
  std::string command;       ///< prints the same numbers
  nlohmann::json plot = {};  ///< Vega-Lite
};

/// An id for HTML: "latency-l3" for "latency l3".
std::string id_of(std::string_view words);

/// Makes the ids unique: a repeated one gets "-2", "-3" and so on.
void number_ids(std::vector<Picture>& pictures);

/// A document of --json inside the page.
struct PageDocument {
  std::string name;  ///< letters, digits and '-': "fit"
  nlohmann::json document;
};

struct Page {
  std::string title;
  Screen screen;
  std::vector<Picture> pictures;
  std::vector<PageDocument> documents;
  std::string made_by;  ///< the command that writes this page
};

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

/// A document as the content of a script element. No text in it can end the element.
std::string html_json(const nlohmann::json& document);

// The files page.css and page.js. CMake compiles them in.
extern const std::string_view page_style;
extern const std::string_view page_script;

/// Writes the page as one HTML file that loads nothing else: its content security policy allows
/// only its own scripts and style. Without scripts it has no plots, and a line that explains it.
void write_page(std::ostream& out, const Page& page, const PageScripts& scripts);

}  // namespace hockney::report
