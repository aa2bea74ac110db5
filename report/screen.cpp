#include "report/screen.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/called_name.hpp"
#include "core/json_values.hpp"
#include "core/node_records.hpp"
#include "core/quantities.hpp"
#include "core/record.hpp"
#include "core/text.hpp"
#include "report/table.hpp"
#include "report/view.hpp"

namespace hockney::report {
namespace {

constexpr std::size_t label_width = 13;  // of "reliability" with two blanks

std::string labelled(const std::string& label, const std::string& text) {
  return label + std::string(label_width - label.size(), ' ') + text;
}

/// Prints the label before the first line.
void print_block(std::ostream& out, std::string label, const Lines& lines) {
  for (const std::string& line : lines) out << labelled(std::exchange(label, ""), line) << '\n';
}

void print_answer(std::ostream& out, const Lines& answer, std::size_t room) {
  if (answer.size() <= room) room = answer.size() + 1;
  for (std::size_t i = 0; i + 1 < room; ++i) out << answer[i] << '\n';
  if (room <= answer.size()) {
    out << fmt::format("... {}: --all\n", count_text(answer.size() - room + 1, "more line"));
  }
}

/// Puts purposes beside the commands, or below if they do not fit. Commands are never split.
Lines lines_of(const std::vector<NextStep>& steps, std::size_t width) {
  std::vector<std::vector<std::string>> rows;
  rows.reserve(steps.size());
  for (const NextStep& step : steps) rows.push_back({step.command, step.purpose});
  Lines lines = columns_of(rows);
  const auto fits = [&](const std::string& line) { return line.size() <= width; };
  if (width >= screen_columns - label_width || std::ranges::all_of(lines, fits)) return lines;
  lines.clear();
  for (const NextStep& step : steps) {
    lines.push_back(step.command);
    for (const std::string& line : wrapped(step.purpose, width - 2)) lines.push_back("  " + line);
  }
  return lines;
}

/// "what, where: what to do".
std::string finding_text(const Finding& finding) {
  std::string text = finding.what;
  if (!finding.where.empty()) text += ", " + finding.where;
  if (!finding.advice.empty()) text += ": " + finding.advice;
  return text;
}

/// The parts of a screen, wrapped to the width.
struct ScreenParts {
  Lines top;
  Lines header;
  Lines answer;
  Lines findings;
  Lines reliability;
  Lines next;
};

template <class Item>
std::vector<Item> first_of(const std::vector<Item>& items, std::size_t most) {
  return {items.begin(), items.begin() + static_cast<std::ptrdiff_t>(std::min(most, items.size()))};
}

Lines headers_of(const Screen& screen, std::size_t width) {
  if (width >= screen_columns) return screen.header;
  Lines lines;
  for (const std::string& line : screen.header) {
    std::ranges::move(parts_in_lines(line, width), std::back_inserter(lines));
  }
  return lines;
}

Lines top_of(const Screen& screen) {
  Lines lines = screen.faults;
  std::ranges::copy(screen.warnings, std::back_inserter(lines));
  return lines;
}

ScreenParts parts_of(const Screen& screen, std::size_t width, bool is_whole) {
  const std::size_t inner = width - label_width;
  const auto some = [&](const auto& items, std::size_t most) {
    return first_of(items, is_whole ? items.size() : most);
  };
  return {.top = wrapped_sentences(top_of(screen), width),
          .header = headers_of(screen, width),
          .answer = width < screen_columns ? narrowed(screen.answer, width)
                                           : wrapped_sentences(screen.answer, width),
          .findings = wrapped_sentences(strings_of(screen.findings, finding_text), inner),
          .reliability = wrapped_sentences(some(screen.reliability, most_reliability_lines), inner),
          .next = lines_of(some(screen.next, most_next_steps), inner)};
}

/// Cuts findings, then reliability, to the lines that the answer leaves; each keeps its first.
void cut_remarks(ScreenParts& parts) {
  constexpr std::size_t empty_lines = 2;
  const auto too_many = [&] {
    const std::size_t lines = parts.top.size() + parts.header.size() + parts.answer.size() +
                              parts.findings.size() + parts.reliability.size() + parts.next.size() +
                              empty_lines;
    return lines > screen_lines;
  };
  for (Lines* const remarks : {&parts.findings, &parts.reliability}) {
    while (remarks->size() > 1 && too_many()) remarks->pop_back();
  }
}

void print_verdict(std::ostream& out, const Screen& screen) {
  if (!screen.faults.empty()) {
    out << screen.faults.front() << '\n';
  } else if (screen.verdict.empty() && !screen.answer.empty()) {
    out << screen.answer.front() << '\n';
  } else {
    out << screen.verdict << '\n';
  }
}

void print_above(std::ostream& out, const Lines& lines) {
  for (const std::string& line : lines) out << line << '\n';
  if (!lines.empty()) out << '\n';
}

Screen with_runnable_commands(Screen screen) {
  for (Lines* const lines : {&screen.faults, &screen.answer, &screen.reliability}) {
    std::ranges::transform(*lines, lines->begin(), runnable);
  }
  screen.verdict = runnable(screen.verdict);
  for (NextStep& step : screen.next) step.command = runnable(step.command);
  return screen;
}

std::vector<std::string> words_of(const std::string& name) {
  std::vector<std::string> words = split(name, ' ');
  std::erase(words, "");
  return words;
}

using Words = std::vector<std::string>;

std::vector<Words> words_of_all(const std::vector<std::string>& names) {
  std::vector<Words> all;
  all.reserve(names.size());
  for (const std::string& name : names) all.push_back(words_of(name));
  return all;
}

Words common_of(const std::vector<Words>& names) {
  Words common = names.empty() ? Words() : names.front();
  for (const Words& words : names) {
    std::erase_if(common, [&](const auto& word) { return std::ranges::count(words, word) == 0; });
  }
  return common;
}

/// Whether a setting among the words contains the word: "ranks=4,eager=4K" contains "ranks=4".
bool is_said_by_setting(const std::vector<std::string>& words, const std::string& word) {
  return std::ranges::any_of(words, [&](const std::string& other) {
    constexpr std::string_view key = "setting=";
    const bool has_key = other.starts_with(key);
    const std::vector<std::string> parts = split(has_key ? other.substr(key.size()) : other, ',');
    return (has_key || parts.size() > 1) && std::ranges::count(parts, word) > 0;
  });
}

/// Reduces runs of blanks to one.
std::string squeezed(const std::string& text) {
  std::vector<std::string> words = split(text, ' ');
  std::erase(words, "");
  return join(words, " ");
}

std::string machine_of(const Host& host) {
  std::string text = squeezed(host.cpu_model);
  if (host.cpus > 0)
    text += (text.empty() ? "" : ", ") + count_text(static_cast<std::size_t>(host.cpus), "CPU");
  return text;
}

std::string hosts_of(const Record& record) {
  return join(strings_of(record.provenance.hosts, &Host::name));
}

std::string ranks_text(const std::set<int>& ranks) {
  if (ranks.size() == 1) return count_text(static_cast<std::size_t>(*ranks.begin()), "rank");
  return join_numbers(ranks) + " ranks";
}

/// Facts about the complete launches: common ones, and all different ones.
struct ScreenHeading {
  Names hosts;
  Names machines;
  Names libraries;
  Names campaigns;
  Names operations;
  std::set<int> ranks;
  std::size_t complete = 0;        ///< records
  std::size_t oversubscribed = 0;  ///< number of these
  std::size_t left_out = 0;
  std::map<std::string, double> seconds;  ///< by node; of all other launches by ""
  std::string first_utc;

  void add(const Record& record) {
    if (record.status != LaunchStatus::complete) {
      ++left_out;
      return;
    }
    ++complete;
    oversubscribed +=
        std::ranges::find(record.flags, oversubscribed_flag) == record.flags.end() ? 0U : 1U;
    for (const Host& host : record.provenance.hosts) {
      hosts.add(host.name);
      if (const std::string machine = machine_of(host); !machine.empty()) machines.add(machine);
    }
    libraries.add(library_name(record.provenance.mpi.library));
    if (record.campaign) campaigns.add(record.campaign->name);
    for (const PlannedPoint& planned : record.points) {
      operations.add(planned.point.operation);
      ranks.insert(planned.point.ranks);
    }
    seconds[is_of_each_node(record) ? hosts_of(record) : ""] += record.elapsed_seconds;
    if (first_utc.empty() || record.started_utc < first_utc) first_utc = record.started_utc;
  }
};

/// The time of all launches. Nodes that measure themselves do it at the same time.
Seconds time_of(const std::map<std::string, double>& seconds) {
  double of_nodes = 0;
  double of_others = 0;
  for (const auto& [node, one] : seconds) {
    if (node.empty()) {
      of_others = one;
    } else {
      of_nodes = std::max(of_nodes, one);
    }
  }
  return Seconds{of_nodes + of_others};
}

/// "2026-11-22 20:25 UTC" of "2026-11-22T20:25:07Z".
std::string minute_text(const std::string& moment) {
  constexpr std::size_t to_minute = 16;
  if (moment.size() < to_minute) return escaped(moment);
  return escaped(fmt::format("{} {} UTC", moment.substr(0, 10), moment.substr(11, 5)));
}

constexpr std::size_t blanks_between = 2;  // columns of a table, at least
constexpr std::size_t narrowest = 20;      // narrowest first column to print

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

/// Number of UTF-8 characters, each one column wide.
std::size_t shown_width(const std::string& text) {
  return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, continues_character));
}

/// The first `count` characters.
std::string first_characters(const std::string& text, std::size_t count) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if (continues_character(text[at])) continue;
    if (count-- == 0) break;
  }
  return text.substr(0, at);
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// Whether the line has two cells, ignoring leading blanks.
bool has_columns(const std::string& line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first != std::string::npos && line.find("  ", first) != std::string::npos;
}

/// Positions that are blank in all lines.
std::vector<bool> common_blanks(std::span<const std::string> lines, std::size_t width) {
  std::vector<bool> blank(width, true);
  for (const std::string& line : lines) {
    std::size_t place = 0;
    for (const char byte : line) {
      if (continues_character(byte)) continue;
      if (place < width && byte != ' ') blank[place] = false;
      ++place;
    }
  }
  return blank;
}

/// End of the last table column that fits into `width`; nullopt if the first does not fit.
std::optional<std::size_t> last_whole_column(std::span<const std::string> lines,
                                             std::size_t width) {
  const std::vector<bool> blank = common_blanks(lines, width + blanks_between);
  for (std::size_t end = width; end >= narrowest; --end) {
    if (blank[end] && blank[end + 1] && !blank[end - 1]) return end;
  }
  return std::nullopt;
}

/// Column names in the cut part of a header: "model, time by size".
std::string headers_in(const std::string& rest) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < rest.size();) {
    const std::size_t end = std::min(rest.find("  ", at), rest.size());
    if (std::string name = trimmed(rest.substr(at, end - at)); !name.empty()) {
      names.push_back(std::move(name));
    }
    at = end + 1;
  }
  return join(names);
}

/// Wraps the cells of each row, if no two columns fit.
Lines rows_in_parts(std::span<const std::string> table, std::size_t width) {
  Lines lines;
  for (const std::string& row : table) {
    std::ranges::move(parts_in_lines(row, width), std::back_inserter(lines));
  }
  return lines;
}

/// A table without the columns that do not fit, and a line with their names.
Lines without_last_columns(std::span<const std::string> table, std::size_t width) {
  const std::size_t end = last_whole_column(table, width).value_or(0);
  Lines lines;
  for (const std::string& line : table) {
    const std::string kept = first_characters(line, end);
    lines.push_back(kept.substr(0, kept.find_last_not_of(' ') + 1));
  }
  if (std::ranges::none_of(lines, has_columns)) return rows_in_parts(table, width);
  const std::string names =
      headers_in(table.front().substr(first_characters(table.front(), end).size()));
  const std::string note = names.empty() ? "(a wider terminal shows more columns)"
                                         : fmt::format("(a wider terminal also shows: {})", names);
  std::ranges::move(wrapped(note, width), std::back_inserter(lines));
  return lines;
}

}  // namespace

Lines wrapped_sentences(const Lines& lines, std::size_t width) {
  Lines all;
  for (const std::string& line : lines) {
    const bool is_row = line.find("  ") != std::string::npos;  // of a table
    if (is_row || line.size() <= width) {
      all.push_back(line);
    } else {
      std::ranges::move(wrapped(line, width), std::back_inserter(all));
    }
  }
  return all;
}

void print_screen(std::ostream& out, const Screen& described, ScreenSize size,
                  std::optional<std::size_t> columns) {
  const Screen screen = with_runnable_commands(described);
  if (size == ScreenSize::verdict) return print_verdict(out, screen);
  constexpr std::size_t fewest_columns = 40;
  const std::size_t width =
      std::clamp(columns.value_or(screen_columns), fewest_columns, screen_columns);
  const bool is_whole = size == ScreenSize::whole;
  ScreenParts parts = parts_of(screen, width, is_whole);
  if (!is_whole) cut_remarks(parts);
  print_above(out, parts.top);
  print_above(out, parts.header);
  print_answer(out, parts.answer, is_whole ? parts.answer.size() : most_result_lines);
  const bool has_remarks =
      !parts.findings.empty() || !parts.reliability.empty() || !parts.next.empty();
  if (has_remarks) out << '\n';
  print_block(out, "findings", parts.findings);
  print_block(out, "reliability", parts.reliability);
  print_block(out, "next", parts.next);
}

nlohmann::json to_json(const Screen& screen) {
  const auto objects = [](const auto& items, auto object_of) {
    nlohmann::json array = nlohmann::json::array();
    for (const auto& item : items) array.push_back(object_of(item));
    return array;
  };
  const auto ends = [](const Interval& interval) {
    return nlohmann::json::array({interval.low, interval.high});
  };
  Lines reliability = screen.warnings;
  std::ranges::copy(screen.reliability, std::back_inserter(reliability));
  return {{"head", screen.header},
          {"faults", screen.faults},
          {"rows", objects(screen.rows,
                           [&](const SummaryRow& row) {
                             return nlohmann::json{{"label", row.label},
                                                   {"value", row.value},
                                                   {"interval", row.interval ? ends(*row.interval)
                                                                             : nlohmann::json()},
                                                   {"unit", row.unit},
                                                   {"mark", row.mark}};
                           })},
          {"lines", screen.answer},
          {"findings", objects(screen.findings,
                               [&](const Finding& one) {
                                 return nlohmann::json{{"what", one.what},
                                                       {"share", one.share},
                                                       {"where", one.where},
                                                       {"advice", one.advice}};
                               })},
          {"reliability", reliability},
          {"next", objects(screen.next, [](const NextStep& step) {
             return nlohmann::json{{"command", step.command}, {"purpose", step.purpose}};
           })}};
}

void Names::add(const std::string& name) {
  if (std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
}

std::string Names::text(std::size_t most) const {
  if (names_.size() <= most) return escaped(join(names_));
  const Lines first(names_.begin(), names_.begin() + static_cast<std::ptrdiff_t>(most));
  return fmt::format("{} and {} more", escaped(join(first)), names_.size() - most);
}

std::string common_words(const std::vector<std::string>& names) {
  return join(common_of(words_of_all(names)), " ");
}

std::vector<std::string> labels_of(const std::vector<std::string>& names) {
  std::vector<Words> labels = words_of_all(names);
  for (Words& words : labels) {
    const Words all = words;
    std::erase_if(words, [&](const std::string& word) { return is_said_by_setting(all, word); });
  }
  const Words common = names.size() > 1 ? common_of(labels) : Words();
  return strings_of(labels, [&](Words words) {
    std::erase_if(words, [&](const auto& word) { return std::ranges::count(common, word) > 0; });
    return join(words, " ");
  });
}

Lines columns_of(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  Lines lines;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i] + std::string(widths[i] - row[i].size() + 2, ' ');
    }
    lines.push_back(line.substr(0, line.find_last_not_of(' ') + 1));
  }
  return lines;
}

std::string library_name(const std::string& library) {
  return squeezed(split(library, ',').front());
}

Lines header_of(std::span<const Record> records) {
  ScreenHeading heading;
  for (const Record& record : records) heading.add(record);
  if (heading.complete == 0) return {};
  std::vector<std::string> where{heading.hosts.text(), heading.machines.text(2),
                                 heading.libraries.text()};
  std::erase(where, "");
  const std::string campaigns = heading.campaigns.text();
  std::string what = heading.operations.text();
  if (!heading.campaigns.empty() && campaigns != what) what.insert(0, campaigns + ": ");
  if (!heading.ranks.empty()) what += "  " + ranks_text(heading.ranks);
  if (heading.oversubscribed == heading.complete) what += ", oversubscribed";
  what += "  " + text_of(count_launches(records));
  const Seconds time = time_of(heading.seconds);
  if (time.value > 0) what += " in " + format_duration(time);
  if (heading.left_out > 0) what += fmt::format(" ({} failed, left out)", heading.left_out);
  if (!heading.first_utc.empty()) what += "  " + minute_text(heading.first_utc);
  return where.empty() ? Lines{what} : Lines{join(where, "  "), what};
}

Lines narrowed(const Lines& lines, std::size_t width) {
  Lines all;
  for (auto first = lines.begin(); first != lines.end();) {
    const auto last = std::find(first, lines.end(), "");
    const std::span<const std::string> block(first, last);
    const bool is_table = std::ranges::count_if(block, has_columns) > 1;
    const bool is_too_wide = std::ranges::any_of(
        block, [&](const std::string& line) { return shown_width(line) > width; });
    if (is_table && is_too_wide) {
      const auto begin = std::ranges::find_if(block, has_columns);
      std::copy(block.begin(), begin, std::back_inserter(all));
      std::ranges::move(without_last_columns({begin, block.end()}, width), std::back_inserter(all));
    } else {
      std::ranges::copy(block, std::back_inserter(all));
    }
    if (last != lines.end()) all.emplace_back();
    first = last == lines.end() ? last : last + 1;
  }
  Lines fitting;
  for (const std::string& line : all) {
    std::ranges::move(shown_width(line) <= width ? Lines{line}
                      : has_columns(line)        ? parts_in_lines(line, width)
                                                 : wrapped(line, width),
                      std::back_inserter(fitting));
  }
  return fitting;
}

Lines lines_printed(const std::function<void(std::ostream&)>& print) {
  std::ostringstream whole;
  whole << without_comments;
  print(whole);
  Lines lines = split(whole.str(), '\n');
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  const auto first = std::ranges::find_if_not(lines, &std::string::empty);
  lines.erase(lines.begin(), first);
  return lines;
}

Lines parts_in_lines(const std::string& line, std::size_t width) {
  Lines lines;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = std::min(line.find("  ", at), line.size());
    const std::string part = trimmed(line.substr(at, end - at));
    at = end + 1;
    if (part.empty()) continue;
    const bool fits =
        !lines.empty() && shown_width(lines.back()) + blanks_between + shown_width(part) <= width;
    if (fits) {
      lines.back() += "  " + part;
    } else {
      std::ranges::move(wrapped(part, width), std::back_inserter(lines));
    }
  }
  return lines;
}

}  // namespace hockney::report
