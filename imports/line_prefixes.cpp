#include "imports/line_prefixes.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <utility>
#include <vector>

#include "core/text.hpp"

namespace hockney::imports {
namespace {

/// Begins of the lines with which outputs of the suites begin.
constexpr std::array<std::string_view, 9> titles{"# OSU ",
                                                 "# OMB-Py ",
                                                 "#    Intel(R) MPI Bench",
                                                 "#    Intel (R) MPI Bench",
                                                 "# Benchmarking ",
                                                 "# nThread ",
                                                 "# nccl-tests version",
                                                 "# Collective test starting",
                                                 "# Number of Sender threads"};

/// Where a title begins in a line; npos: it holds none.
std::size_t title_in(std::string_view line) {
  for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1)) {
    const std::string_view rest = line.substr(at);
    if (std::ranges::any_of(titles, [&](auto title) { return rest.starts_with(title); })) return at;
  }
  return std::string_view::npos;
}

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

/// Matches "9" against digits, "a" against letters, "_" against a digit or blank and other
/// characters against themselves.
bool is_like(std::string_view text, std::string_view pattern) {
  if (text.size() < pattern.size()) return false;
  return std::ranges::equal(pattern, text.substr(0, pattern.size()), [](char wanted, char found) {
    if (wanted == '9') return is_digit(found);
    if (wanted == '_') return is_digit(found) || found == ' ';
    if (wanted == 'a') return std::isalpha(static_cast<unsigned char>(found)) != 0;
    return wanted == found;
  });
}

std::size_t digits_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end - at;
}

/// The length of ".123", "Z" and "+01:00" behind a clock time.
std::size_t behind_clock(std::string_view text) {
  std::size_t length = 0;
  if (!text.empty() && (text[0] == '.' || text[0] == ',')) {
    const std::size_t digits = digits_at(text, 1);
    if (digits > 0) length = 1 + digits;
  }
  const std::string_view zone = text.substr(length);
  if (zone.starts_with('Z')) return length + 1;
  for (const std::string_view pattern : {"+99:99", "-99:99", "+9999", "-9999"}) {
    if (is_like(zone, pattern)) return length + pattern.size();
  }
  return length;
}

/// "1732630536.123": at least three digits behind the point, so that no address is one.
std::size_t seconds_length(std::string_view text) {
  const std::size_t whole = digits_at(text, 0);
  if (whole == 0 || whole >= text.size() || text[whole] != '.') return 0;
  const std::size_t end = whole + 1 + digits_at(text, whole + 1);
  constexpr std::size_t fewest = 3;
  const bool goes_on = end < text.size() && text[end] == '.';
  return end - whole - 1 < fewest || goes_on ? 0 : end;
}

/// Whether a text begins with a number, and the next line with the next one. That of another rank,
/// behind its number, is a title again.
bool counts_up(std::string_view text, std::string_view next_line) {
  const auto own = as_number<int>(std::string(text.substr(0, digits_at(text, 0))));
  const auto next = as_number<int>(std::string(next_line.substr(0, digits_at(next_line, 0))));
  const bool is_title = title_in(next_line) != std::string_view::npos;
  return own && next && *next == *own + 1 && !is_title;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::size_t time_stamp_length(std::string_view text) {
  constexpr std::string_view clock = "99:99:99";
  for (const std::string_view pattern :
       {"aaa aaa _9 99:99:99 9999", "9999-99-99T99:99:99", "9999-99-99 99:99:99",
        "9999/99/99 99:99:99", "aaa _9 99:99:99", "99:99:99"}) {
    if (!is_like(text, pattern)) continue;
    const std::size_t length = pattern.size();
    return pattern.ends_with(clock) ? length + behind_clock(text.substr(length)) : length;
  }
  return seconds_length(text);
}

LinePrefixes::Prefix LinePrefixes::prefix_of(std::string_view text, std::string_view next_line) {
  Prefix prefix{.text = std::string(text), .parts = {""}};
  std::size_t begin = 0;
  if (counts_up(text, next_line)) {
    prefix.counts = true;
    prefix.parts.emplace_back();
    begin = digits_at(text, 0);
  }
  for (std::size_t at = begin; at < text.size();) {
    const bool within_word = at > 0 && std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0;
    const std::size_t length = within_word ? 0 : time_stamp_length(text.substr(at));
    if (length > 0) {
      prefix.parts.emplace_back();
    } else {
      prefix.parts.back() += text[at];
    }
    at += std::max<std::size_t>(length, 1);
  }
  return prefix;
}

std::optional<std::string_view> LinePrefixes::rest_of(std::string_view line, const Prefix& prefix) {
  for (std::size_t part = 0; part < prefix.parts.size(); ++part) {
    if (part > 0) {
      const bool is_number = prefix.counts && part == 1;
      const std::size_t length = is_number ? digits_at(line, 0) : time_stamp_length(line);
      if (length == 0) return std::nullopt;
      line.remove_prefix(length);
    }
    if (!line.starts_with(prefix.parts[part])) return std::nullopt;
    line.remove_prefix(prefix.parts[part].size());
  }
  return trimmed(line);
}

LinePrefixes LinePrefixes::of(std::string_view text) {
  constexpr std::size_t longest = 200;
  constexpr std::size_t most = 256;
  LinePrefixes found;
  while (!text.empty() && found.prefixes_.size() < most) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t title = title_in(line.substr(0, 2 * longest));
    if (title == std::string_view::npos || title == 0 || title > longest) continue;
    // Blank lines of the output end with the prefix, without the blank behind it.
    const std::string_view next = trimmed(text.substr(0, text.find('\n')));
    Prefix prefix = prefix_of(trimmed(line.substr(0, title)), next);
    if (std::ranges::find(found.prefixes_, prefix.parts, &Prefix::parts) == found.prefixes_.end()) {
      found.prefixes_.push_back(std::move(prefix));
    }
  }
  return found;
}

std::size_t LinePrefixes::take_source(std::string_view& line) const {
  std::size_t source = 0;
  std::string_view rest = line;
  for (std::size_t i = 0; i < prefixes_.size(); ++i) {
    const auto own = rest_of(line, prefixes_[i]);
    if (!own || (source > 0 && own->size() >= rest.size())) continue;
    source = i + 1;  // of several, the longest
    rest = *own;
  }
  line = rest;
  return source;
}

std::string_view LinePrefixes::text(std::size_t source) const {
  return source == 0 ? std::string_view() : std::string_view(prefixes_[source - 1].text);
}

}  // namespace hockney::imports
