#include "report/page/page.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <sstream>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/json_values.hpp"
#include "core/quantities.hpp"
#include "core/record_file.hpp"
#include "core/text.hpp"
#include "report/exports.hpp"
#include "report/page/chart.hpp"
#include "report/page/plot.hpp"
#include "report/table.hpp"

namespace hockney::report {

std::string page_text_at(const View& view, std::size_t row, std::string_view key) {
  const auto heading = std::ranges::find(view.headings, key, &Heading::key);
  const auto place = static_cast<std::size_t>(heading - view.headings.begin());
  return page_text(view.rows.at(row).at(place), heading->unit);
}

std::string id_of(std::string_view words) {
  std::string id;
  for (const char letter : words) {
    const bool is_plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                          (letter >= '0' && letter <= '9');
    id += is_plain ? letter : '-';
  }
  return id;
}

namespace {

/// Sets the keys of a cell: one, or those of the ends of an interval.
void add_value(nlohmann::json& object, const Heading& heading, const Value& value) {
  if (heading.is_interval) {
    const auto* const ends = std::get_if<Interval>(&value);
    const std::vector<std::string> keys = csv_keys(heading);
    object[keys.front()] = ends == nullptr ? nlohmann::json() : exact_value(ends->low);
    object[keys.back()] = ends == nullptr ? nlohmann::json() : exact_value(ends->high);
  } else {
    const auto* const text = std::get_if<std::string>(&value);
    object[heading.key] = text == nullptr ? exact_value(value) : nlohmann::json(inert(*text));
  }
}

}  // namespace

nlohmann::json values_of(const View& table) {
  const std::vector<std::size_t> places = columns_in(table, Form::page);
  nlohmann::json values = nlohmann::json::array();
  for (const auto& row : table.rows) {
    nlohmann::json value = nlohmann::json::object();
    std::vector<std::string> words;
    for (const std::size_t place : places) {
      const Heading& heading = table.headings[place];
      add_value(value, heading, row[place]);
      if (!row[place].is_known()) continue;
      words.push_back(fmt::format("{} {}", heading.title, page_text(row[place], heading.unit)));
    }
    if (value.contains("bytes")) {
      value["drawn_bytes"] = drawn_bytes(Bytes{value["bytes"].get<std::int64_t>()});
    }
    value["says"] = join(words);
    values.push_back(std::move(value));
  }
  return values;
}

void number_ids(std::vector<Picture>& pictures) {
  std::set<std::string> taken;
  for (Picture& picture : pictures) {
    const std::string id = picture.id;
    for (int number = 2; !taken.insert(picture.id).second; ++number) {
      picture.id = fmt::format("{}-{}", id, number);
    }
  }
}

std::string csv_of(const View& table) {
  std::ostringstream out;
  write_csv(out, table, Form::page);
  return out.str();
}

namespace {

constexpr std::size_t most_answer_lines = 24;
constexpr std::size_t answer_columns = 90;

constexpr std::string_view page_head = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-{0}'; style-src 'nonce-{0}'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{1}</title>
<style nonce="{0}">
{2}</style>
</head>
<body>
)";

/// The content of a file as a data: link (RFC 2397).
std::string data_link(std::string_view type, std::string_view content) {
  constexpr std::string_view hexadecimal = "0123456789ABCDEF";
  constexpr std::string_view plain = "-._~,:";
  std::string text = fmt::format("data:{};charset=utf-8,", type);
  for (const char letter : content) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool is_alphanumeric = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
                                 (byte >= 'a' && byte <= 'z');
    if (is_alphanumeric || plain.find(letter) != std::string_view::npos) {
      text += letter;
    } else {
      text += {'%', hexadecimal[byte >> 4U], hexadecimal[byte & 15U]};
    }
  }
  return text;
}

void write_lines(std::ostream& out, std::string_view element, const Lines& lines) {
  for (const std::string& line : lines) {
    out << fmt::format("<{0}>{1}</{0}>\n", element, markup_text(line));
  }
}

/// The table in a frame that scrolls if the window is narrower.
void write_table(std::ostream& out, const View& table, const std::string& title) {
  const std::vector<std::size_t> places = columns_in(table, Form::page);
  out << fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"Table: {}\">\n<table>\n<thead><tr>",
      markup_text(title));
  for (const std::size_t place : places) {
    out << fmt::format(R"(<th scope="col">{}</th>)", markup_text(table.headings[place].title));
  }
  out << "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    out << "<tr>";
    for (const std::size_t place : places) {
      const bool is_text = std::holds_alternative<std::string>(row[place]);
      out << fmt::format("<td{}>{}</td>", is_text ? "" : R"( class="number")",
                         markup_text(page_text(row[place], table.headings[place].unit)));
    }
    out << "</tr>\n";
  }
  out << "</tbody></table></div>\n";
}

void write_picture(std::ostream& out, const Picture& picture, bool has_plots) {
  const std::size_t rows = picture.table.rows.size();
  out << fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n", picture.id, markup_text(picture.title));
  if (has_plots) {
    out << fmt::format("<div class=\"plot\" data-marks=\"{}\" data-plot=\"plot-{}\"></div>\n", rows,
                       picture.id);
  }
  out << fmt::format("<p class=\"caption\">{}</p>\n<details{}><summary>Table: {}</summary>\n",
                     markup_text(picture.caption), has_plots ? "" : " open",
                     count_text(rows, "row"));
  write_table(out, picture.table, picture.title);
  out << fmt::format(
      "</details>\n<p class=\"source\"><a download=\"{}.csv\" href=\"{}\">CSV</a> &middot; {} "
      "&middot; <code>{}</code></p>\n</section>\n",
      picture.id, data_link("text/csv", csv_of(picture.table)), markup_text(picture.launches),
      markup_text(picture.command));
}

void write_answer(std::ostream& out, const Page& page) {
  const Screen& screen = page.screen;
  out << "<header>\n<h1>" << markup_text(page.title) << "</h1>\n";
  for (const std::string& line : screen.faults) {
    out << fmt::format("<p class=\"verdict\" role=\"alert\">{}</p>\n", markup_text(line));
  }
  write_lines(out, "p", screen.header);
  out << "</header>\n<main id=\"main\">\n<section id=\"summary\">\n<h2>Summary</h2>\n";
  if (!screen.verdict.empty()) {
    out << fmt::format("<p class=\"verdict\">{}</p>\n", markup_text(screen.verdict));
  }
  out << "<pre class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"The summary as a "
         "table\">";
  const bool is_said = !screen.answer.empty() && screen.answer.front() == screen.verdict;
  const Lines below(screen.answer.begin() + (is_said ? 1 : 0), screen.answer.end());
  const Lines answer = wrapped_sentences(below, answer_columns);
  const std::size_t last = std::min(answer.size(), most_answer_lines);
  for (std::size_t i = 0; i < last; ++i) out << markup_text(answer[i]) << '\n';
  if (last < answer.size()) out << "and " << answer.size() - last << " more lines\n";
  out << "</pre>\n</section>\n";
  if (screen.reliability.empty()) return;
  out << "<section id=\"reliability\">\n<h2>Reliability</h2>\n<ul>\n";
  write_lines(out, "li", screen.reliability);
  out << "</ul>\n</section>\n";
}

void write_contents(std::ostream& out, const Page& page) {
  if (page.pictures.size() < 2) return;
  out << "<nav aria-label=\"Pictures\"><ol>\n";
  for (const Picture& picture : page.pictures) {
    out << fmt::format("<li><a href=\"#{}\">{}</a></li>\n", picture.id, markup_text(picture.title));
  }
  out << "</ol></nav>\n";
}

void write_footer(std::ostream& out, const Page& page) {
  out << "</main>\n<footer>\n<p>Made by <code>" << markup_text(page.made_by) << "</code>.";
  if (!page.documents.empty()) {
    out << " Its data, as <code>--json</code> prints them:";
    for (const PageDocument& each : page.documents) {
      out << fmt::format(
          R"( <button type="button" class="save" data-document="data-{}" hidden>{}.json</button>)",
          each.name, markup_text(each.name));
    }
  }
  out << "</p>\n</footer>\n";
}

void write_data(std::ostream& out, const Page& page, bool has_plots) {
  const auto write = [&](const std::string& id, const nlohmann::json& document) {
    out << fmt::format("<script type=\"application/json\" id=\"{}\">{}</script>\n", id,
                       html_json(document));
  };
  for (const PageDocument& each : page.documents) write("data-" + each.name, each.document);
  if (!has_plots) return;
  for (const Picture& picture : page.pictures) write("plot-" + picture.id, picture.plot);
  write("theme", chart("theme", {}));
}

/// The content of the body element.
std::string body_of(const Page& page, const PageScripts& scripts) {
  const bool has_plots = scripts.missing.empty();
  std::ostringstream out;
  out << "<a class=\"skip\" href=\"#main\">To the summary</a>\n";
  write_answer(out, page);
  if (!has_plots && !page.pictures.empty()) {
    out << "<p class=\"missing\">Without plots: " << markup_text(scripts.missing) << "</p>\n";
  }
  if (has_plots) {
    out << "<noscript><p class=\"missing\">Scripts are turned off: the tables are below each "
           "title, "
           "the plots are not.</p></noscript>\n";
  }
  write_contents(out, page);
  for (const Picture& picture : page.pictures) write_picture(out, picture, has_plots);
  write_footer(out, page);
  write_data(out, page, has_plots);
  return out.str();
}

}  // namespace

std::string html_json(const nlohmann::json& document) {
  std::string text;
  for (const char letter : json_text(document, -1)) {
    if (letter == '<') {
      text += "\\u003c";
    } else if (letter == '>') {
      text += "\\u003e";
    } else {
      text += letter;
    }
  }
  return text;
}

void write_page(std::ostream& out, const Page& page, const PageScripts& scripts) {
  const std::string body = body_of(page, scripts);
  // Texts in the body come from elsewhere. Their authors cannot know the digest of the whole body.
  const std::string nonce = content_digest(body);
  out << fmt::format(page_head, nonce, markup_text(page.title), page_style) << body;
  for (const std::string& text : scripts.texts) {
    out << fmt::format("<script nonce=\"{}\">\n{}\n</script>\n", nonce, text);
  }
  out << fmt::format("<script nonce=\"{}\">\n{}</script>\n</body>\n</html>\n", nonce, page_script);
}

namespace {

namespace fs = std::filesystem;

/// In the order in which they depend on each other.
constexpr std::array<const char*, 3> script_files{"vega.min.js", "vega-lite.min.js",
                                                  "vega-embed.min.js"};

constexpr std::size_t largest_script = std::size_t{4} << 20U;  // [B]

/// Whether the script cannot end its element or hide the end (HTML, 4.12.1.3).
bool is_embeddable(const std::string& script) {
  return script.find("</script") == std::string::npos && script.find("<!--") == std::string::npos;
}

}  // namespace

PageScripts load_page_scripts(const std::string& folder) {
  PageScripts scripts;
  for (const char* const name : script_files) {
    const std::string file = (fs::path(folder) / name).string();
    std::error_code unreachable;
    if (!fs::exists(file, unreachable)) {
      throw InputError({fmt::format("no script '{}'", file),
                        "plots need vega.min.js, vega-lite.min.js and vega-embed.min.js",
                        "docs/how-to/install-without-root.md says where they come from"});
    }
    std::string text = read_file(file, largest_script);
    if (!is_embeddable(text)) {
      throw InputError({fmt::format("'{}' cannot be put into a page", file),
                        "it has '</script' or '<!--' in it", "take the file of its npm package"});
    }
    scripts.texts.push_back(std::move(text));
  }
  return scripts;
}

PageScripts find_page_scripts(const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) {
    std::error_code unreachable;
    if (fs::exists(fs::path(folder) / script_files.front(), unreachable)) {
      return load_page_scripts(folder);
    }
  }
  return {.texts = {},
          .missing =
              "this hockney was built without the scripts that draw them; build the target "
              "page-scripts, or name their folder with --scripts "
              "(docs/how-to/install-without-root.md)"};
}

}  // namespace hockney::report
