#include "report/screens/screen.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "core/cpu_sharing.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

constexpr std::size_t label_width = 11;  // of "trust" and "next" with the blanks behind them

std::string labelled(const std::string& label, const std::string& text) {
  return label + std::string(label_width - label.size(), ' ') + text;
}

/// The label stands before the first line.
void print_block(std::ostream& out, std::string label, const Lines& lines) {
  for (const std::string& line : lines) out << labelled(std::exchange(label, ""), line) << '\n';
}

void print_answer(std::ostream& out, const Lines& answer, std::size_t room) {
  if (answer.size() <= room) room = answer.size() + 1;
  for (std::size_t i = 0; i + 1 < room; ++i) out << answer[i] << '\n';
  if (room <= answer.size()) {
    out << "... " << count_text(answer.size() - room + 1, "more line") << ": --all\n";
  }
}

/// Purposes beside the commands, or below them where one does not fit. Commands are never parted.
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

namespace {

/// What a screen prints of each part, broken to the width.
struct Parts {
  Lines faults;
  Lines header;
  Lines answer;
  Lines trust;
  Lines next;
};

Lines headers_of(const Screen& screen, std::size_t width) {
  if (width >= screen_columns) return screen.header;
  Lines lines;
  for (const std::string& line : screen.header) {
    std::ranges::move(parts_in_lines(line, width), std::back_inserter(lines));
  }
  return lines;
}

Parts parts_of(const Screen& screen, std::size_t width) {
  return {.faults = wrapped_sentences(screen.faults, width),
          .header = headers_of(screen, width),
          .answer = width < screen_columns ? narrowed(screen.answer, width)
                                           : wrapped_sentences(screen.answer, width),
          .trust = wrapped_sentences(screen.trust, width - label_width),
          .next = lines_of(screen.next, width - label_width)};
}

/// Lines for the answer. A narrow screen shows the worst cases even where what follows is long.
std::size_t room_for_answer(const Parts& parts, std::size_t width) {
  constexpr std::size_t empty_lines = 2;
  const std::size_t fewest = width < screen_columns ? 10 : 4;
  const std::size_t others = parts.faults.size() + parts.header.size() + parts.trust.size() +
                             parts.next.size() + empty_lines;
  return std::max(fewest, screen_lines - std::min(screen_lines, others));
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

}  // namespace

void print_screen(std::ostream& out, const Screen& screen, ScreenSize size,
                  std::optional<std::size_t> columns) {
  if (size == ScreenSize::verdict) return print_verdict(out, screen);
  constexpr std::size_t fewest_columns = 40;
  const std::size_t width =
      std::clamp(columns.value_or(screen_columns), fewest_columns, screen_columns);
  const Parts parts = parts_of(screen, width);
  print_above(out, parts.faults);
  print_above(out, parts.header);
  print_answer(out, parts.answer,
               size == ScreenSize::whole ? parts.answer.size() : room_for_answer(parts, width));
  if (!parts.trust.empty() || !parts.next.empty()) out << '\n';
  print_block(out, "trust", parts.trust);
  print_block(out, "next", parts.next);
}

void Names::add(const std::string& name) {
  if (std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
}

std::string Names::text(std::size_t most) const {
  if (names_.size() <= most) return inert(join(names_));
  const Lines first(names_.begin(), names_.begin() + static_cast<std::ptrdiff_t>(most));
  return inert(join(first)) + " and " + std::to_string(names_.size() - most) + " more";
}

namespace {

std::vector<std::string> words_of(const std::string& name) {
  std::vector<std::string> words = split(name, ' ');
  std::erase(words, "");
  return words;
}

/// Whether a setting among the words has the word among its own, as "ranks=4,eager=4K" has
/// "ranks=4".
bool is_said_by_setting(const std::vector<std::string>& words, const std::string& word) {
  return std::ranges::any_of(words, [&](const std::string& other) {
    const std::vector<std::string> parts = split(other, ',');
    return parts.size() > 1 && std::ranges::count(parts, word) > 0;
  });
}

}  // namespace

std::vector<std::string> labels_of(const std::vector<std::string>& names) {
  std::vector<std::vector<std::string>> words;
  words.reserve(names.size());
  for (const std::string& name : names) {
    const std::vector<std::string> all = words_of(name);
    std::vector<std::string>& kept = words.emplace_back(all);
    std::erase_if(kept, [&](const std::string& word) { return is_said_by_setting(all, word); });
  }
  const std::vector<std::string> first = names.empty() ? names : words.front();
  for (const std::string& word : first) {
    const auto has_word = [&](const auto& some) { return std::ranges::count(some, word) > 0; };
    if (names.size() < 2 || !std::ranges::all_of(words, has_word)) continue;
    for (auto& some : words) std::erase(some, word);
  }
  return strings_of(words, [](const auto& some) { return join(some, " "); });
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

namespace {

/// With single blanks.
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

std::string ranks_text(const std::set<int>& ranks) {
  if (ranks.size() == 1) return count_text(static_cast<std::size_t>(*ranks.begin()), "rank");
  return join_numbers(ranks) + " ranks";
}

/// What the complete launches have in common, and what not.
struct Heading {
  Names hosts;
  Names machines;
  Names libraries;
  Names campaigns;
  Names operations;
  std::set<int> ranks;
  std::size_t launches = 0;
  std::size_t oversubscribed = 0;  ///< of the launches
  std::size_t left_out = 0;
  Seconds time;
  std::string first_utc;

  void add(const Record& record) {
    if (record.status != LaunchStatus::complete) {
      ++left_out;
      return;
    }
    ++launches;
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
    time = time + Seconds{record.elapsed_seconds};
    if (first_utc.empty() || record.started_utc < first_utc) first_utc = record.started_utc;
  }
};

/// "2026-11-22 20:25 UTC" of "2026-11-22T20:25:07Z".
std::string minute_text(const std::string& moment) {
  constexpr std::size_t to_minute = 16;
  if (moment.size() < to_minute) return inert(moment);
  return inert(moment.substr(0, 10) + " " + moment.substr(11, 5)) + " UTC";
}

}  // namespace

std::string library_name(const std::string& library) {
  return squeezed(split(library, ',').front());
}

Lines header_of(std::span<const Record> records) {
  Heading heading;
  for (const Record& record : records) heading.add(record);
  if (heading.launches == 0) return {};
  std::vector<std::string> where{heading.hosts.text(), heading.machines.text(2),
                                 heading.libraries.text()};
  std::erase(where, "");
  std::string what = heading.campaigns.empty() ? "" : heading.campaigns.text() + ": ";
  what += heading.operations.text();
  if (!heading.ranks.empty()) what += "  " + ranks_text(heading.ranks);
  if (heading.oversubscribed == heading.launches) what += ", oversubscribed";
  what += "  " + count_text(heading.launches, "launch");
  if (heading.time.value > 0) what += " in " + format_duration(heading.time);
  if (heading.left_out > 0) what += " (" + std::to_string(heading.left_out) + " failed, left out)";
  if (!heading.first_utc.empty()) what += "  " + minute_text(heading.first_utc);
  return where.empty() ? Lines{what} : Lines{join(where, "  "), what};
}

}  // namespace hockney::report
