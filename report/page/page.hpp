#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "report/screens/screen.hpp"
#include "report/view.hpp"

namespace hockney::report {

// A page: what people look at. First the summary in words and its reliability, then pictures,
// each with its table, its CSV, its launches and the command that made it.

/// The text of a row in the column of `key`, which must exist.
std::string page_text_at(const View& view, std::size_t row, std::string_view key);

/// The rows as the objects that a plot draws, texts inert; each with `says`, what a reader hears
/// and sees of it: "curve l3, bytes 8, median 0.331 us". Rows with `bytes` have `drawn_bytes`,
/// their place on an axis of sizes.
nlohmann::json values_of(const View& table);

/// The rows with a line of keys, RFC 4180, as report/exports.hpp writes cells.
std::string csv_of(const View& table);

/// A plot. Its layer "rows" draws a mark for each row of the table.
struct Picture {
  std::string id;            ///< as id_of() makes them; unique on a page
  std::string title;         ///< the answer, inert
  std::string caption = {};  ///< what the marks are, and which values they combine
  View table;                ///< its columns with Form::page
  std::string launches;      ///< whose numbers it shows
  std::string command;       ///< that prints them
  nlohmann::json plot = {};  ///< Vega-Lite
};

/// Words as an id: "latency-l3".
std::string id_of(std::string_view words);

/// No id stands for two of them.
void number_ids(std::vector<Picture>& pictures);

/// A document of --json that the page holds.
struct PageDocument {
  std::string name;  ///< of letters, digits and '-': "fit"
  nlohmann::json document;
};

struct Page {
  std::string title;
  Screen screen;
  std::vector<Picture> pictures;
  std::vector<PageDocument> documents;
  std::string made_by;  ///< the command that makes it again
};

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
