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

// A page: what people look at. First the answer in words and how far to trust it, then pictures,
// each with its table, its CSV, its launches and the command that made it.

/// What a table says in one place: for people, and exactly for other programs.
struct PageCell {
  std::string text;      ///< inert
  nlohmann::json value;  ///< a number, a text as it is, or null

  PageCell(const std::string& words);  ///< a text, the same for both; not inert yet
  PageCell(const char* words) : PageCell(std::string(words)) {}
  PageCell(std::string shown, nlohmann::json exact)
      : text(std::move(shown)), value(std::move(exact)) {}
};

/// A time [s], shown in the unit that suits it; "-" and null where there is none.
PageCell time_on_page(const std::optional<double>& seconds);
/// A number that is shown with so many digits; "-" and null where there is none.
PageCell number_on_page(const std::optional<double>& number, int digits = 4);
/// An end of an interval; nullopt without one.
std::optional<double> end_of(const std::optional<Interval>& interval, double Interval::*end);
/// A whole number.
PageCell count_on_page(std::size_t count);
/// A size [B], shown as "64K".
PageCell size_on_page(Bytes bytes);

struct PageColumn {
  std::string title;  ///< for people: "median"
  std::string key;    ///< for programs, with the unit: "median_seconds"
};

struct PageTable {
  std::vector<PageColumn> columns;
  std::vector<std::vector<PageCell>> rows;  ///< as long as `columns`
};

/// The columns of a result that stand on a page.
PageTable page_table(const View& view);

/// What a row says in the column of that key, which there is.
const PageCell& cell_at(const PageTable& table, std::size_t row, std::string_view key);

/// The rows as the objects that a plot draws, texts inert; each with `says`, what a reader hears
/// and sees of it: "curve l3, bytes 8, median 0.331 us". Rows with `bytes` have `drawn_bytes`,
/// their place on an axis of sizes.
nlohmann::json values_of(const PageTable& table);

/// The rows with a line of keys, RFC 4180, as report/exports.hpp writes cells.
std::string csv_of(const PageTable& table);

/// A plot. Its layer "rows" draws a mark for each row of the table.
struct Picture {
  std::string id;       ///< as id_of() makes them; unique on a page
  std::string title;    ///< the answer, inert
  std::string caption;  ///< what is drawn, and what was put together for it
  PageTable table;
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
