#pragma once

#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/json_node.hpp"
#include "core/text.hpp"

namespace hockney::apps {

// What a page says: below a picture, in its table, and in what it draws.

using Cells = std::map<std::string, std::string>;

inline std::vector<Cells> rows_of_csv(const std::string& csv) {
  const std::vector<std::string> lines = split(csv, '\n');
  const std::vector<std::string> keys = split(lines.front(), ',');
  std::vector<Cells> rows;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> cells = split(lines[i], ',');
    if (cells.size() < keys.size()) continue;
    for (std::size_t j = 0; j < keys.size(); ++j) {
      if (j == 0) rows.emplace_back();
      rows.back()[keys[j]] = cells[j];
    }
  }
  return rows;
}

inline std::string between(const std::string& text, const std::string& begin,
                           const std::string& end) {
  const auto from = text.find(begin);
  INFO(begin);
  REQUIRE(from != std::string::npos);
  const auto first = from + begin.size();
  return text.substr(first, text.find(end, first) - first);
}

/// The CSV that the page links to below a picture.
inline std::vector<Cells> rows_of_link(const std::string& page, const std::string& id) {
  const std::string link =
      between(page, "download=\"" + id + ".csv\" href=\"data:text/csv;charset=utf-8,", "\"");
  std::string csv;
  for (std::size_t i = 0; i < link.size(); ++i) {
    const bool is_escaped = link[i] == '%';
    csv += is_escaped ? static_cast<char>(std::stoi(link.substr(i + 1, 2), nullptr, 16)) : link[i];
    if (is_escaped) i += 2;
  }
  return rows_of_csv(csv);
}

/// What the table of a picture shows people, row by row.
inline std::vector<std::vector<std::string>> rows_of_table(const std::string& page,
                                                           const std::string& id) {
  const std::string body =
      between(between(page, "<section id=\"" + id + "\">", "</section>"), "<tbody>", "</tbody>");
  std::vector<std::vector<std::string>> rows;
  for (auto at = body.find("<td"); at != std::string::npos; at = body.find("<td", at + 1)) {
    const auto row = body.rfind("<tr>", at);
    const bool is_first = body.find("<td", row) == at;
    if (is_first) rows.emplace_back();
    const auto begin = body.find('>', at) + 1;
    rows.back().push_back(body.substr(begin, body.find("</td>", begin) - begin));
  }
  return rows;
}

/// What a picture draws.
inline nlohmann::json values_drawn(const std::string& page, const std::string& id) {
  const std::string text =
      between(page, "<script type=\"application/json\" id=\"plot-" + id + "\">", "</script>");
  return parse_json(text, "plot").json().at("data").at("values");
}

/// The rows of the tables of the console, without what begins with '#'.
inline std::vector<std::vector<std::string>> rows_of_console(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string& line : split(text, '\n')) {
    std::vector<std::string> cells = split(line, ' ');
    std::erase(cells, "");
    if (!cells.empty() && cells.front() != "#") rows.push_back(std::move(cells));
  }
  return rows;
}

}  // namespace hockney::apps
