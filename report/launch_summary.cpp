#include "report/launch_summary.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/kernel_tables.hpp"
#include "report/library_tables.hpp"
#include "report/record_tables.hpp"
#include "report/row_columns.hpp"
#include "report/rows.hpp"
#include "report/screen.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

/// Sentences of this screen.
namespace words {

constexpr std::string_view paths_differ = "paths differ by operation (--all)";
constexpr std::string_view bytes_are = "bytes are those {}";
constexpr std::string_view point_not_measured = "not measured: {} ({})";
constexpr std::string_view deliveries_checked =
    "data of {} deliveries checked, {} or more at each point";
constexpr std::string_view blocks_left_out = "{} of {} disturbed by other programs and left out";
constexpr std::string_view one_launch =
    "one launch, so no intervals: hockney run repeats launches; --all: every column";

}  // namespace words

constexpr std::size_t size_width = 9;
constexpr std::size_t narrowest_column = 10;
constexpr std::size_t longest_head = 12;  // longer words of a head are split at hyphens
constexpr std::size_t most_named_curves = 3;
constexpr double bytes_in_megabyte = 1e6;

using Curve = std::vector<const Row*>;

/// A curve with the head of its column: "put", "origin".
struct LabelledCurve {
  Curve rows;
  std::string label;
  std::vector<std::string> head;
};

// '#' and a blank before each line.
void print_comment(std::ostream& out, std::string_view text, std::size_t columns) {
  for (const std::string& line : wrapped(text, columns - 2)) out << "# " << line << '\n';
}

std::string size_text(Bytes bytes) {
  const std::string text = format_bytes(bytes);
  return std::isdigit(static_cast<unsigned char>(text.back())) != 0 ? text + " B" : text;
}

/// Splits a word too long for a column: "threaded-", "message-", "rate".
std::vector<std::string> parted_word(const std::string& word) {
  std::vector<std::string> parts{""};
  for (const std::string& part : split(word, '-')) {
    std::string& last = parts.back();
    if (last.empty()) {
      last = part;
    } else if (last.size() + 1 + part.size() <= longest_head) {
      last += "-" + part;
    } else {
      last += "-";
      parts.push_back(part);
    }
  }
  return parts;
}

/// A label's word in a column head: only the value of "completion=origin", but all of "threads=2".
std::string head_word(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos) return word;
  const std::string value = word.substr(equals + 1);
  const bool is_number =
      !value.empty() && std::isdigit(static_cast<unsigned char>(value.front())) != 0;
  return is_number || value == "all" || value == "none" ? word : value;
}

std::vector<std::string> head_of(const std::string& label) {
  std::vector<std::string> head;
  for (const std::string& word : split(label, ' ')) {
    std::ranges::move(parted_word(head_word(word)), std::back_inserter(head));
  }
  return head;
}

/// The words with a key, such as "hop=l3", by key.
std::map<std::string, std::set<std::string>> words_by_key(const std::vector<std::string>& labels) {
  std::map<std::string, std::set<std::string>> words_with;
  for (const std::string& label : labels) {
    for (const std::string& word : split(label, ' ')) {
      const std::size_t equals = word.find('=');
      if (equals != std::string::npos) words_with[word.substr(0, equals)].insert(word);
    }
  }
  return words_with;
}

/// Whether each operation has the word in all its labels or in none.
bool is_in_all(const std::string& word, const std::vector<std::string>& labels) {
  std::map<std::string, std::size_t> curves;
  std::map<std::string, std::size_t> having;
  for (const std::string& label : labels) {
    const std::vector<std::string> parts = split(label, ' ');
    ++curves[parts.front()];
    if (std::ranges::count(parts, word) > 0) ++having[parts.front()];
  }
  return std::ranges::all_of(having,
                             [&](const auto& one) { return one.second == curves.at(one.first); });
}

/// Removes words that distinguish no two curves of one operation: "hop=l3" if all hop classes are
/// l3. Returns them.
std::vector<std::string> take_needless(std::vector<std::string>& labels) {
  std::vector<std::string> taken;
  for (const auto& [key, words] : words_by_key(labels)) {
    const std::string word = *words.begin();
    const bool is_needless = words.size() == 1 && is_in_all(word, labels);
    if (!is_needless) continue;
    taken.push_back(word);
    for (std::string& label : labels) {
      std::vector<std::string> parts = split(label, ' ');
      std::erase(parts, word);
      label = join(parts, " ");
    }
  }
  return taken;
}

bool was_timed(const LabelledCurve& curve) {
  return std::ranges::any_of(curve.rows,
                             [](const Row* row) { return row->median_seconds.has_value(); });
}

/// Curves with a time, in the order of the rows.
std::vector<LabelledCurve> labelled_curves(const std::vector<Row>& rows, std::string& shared) {
  std::vector<LabelledCurve> curves;
  std::vector<std::string> titles;
  for_each_curve(rows, std::identity(), [&](std::span<const Row> curve) {
    LabelledCurve made;
    for (const Row& row : curve) made.rows.push_back(&row);
    if (!was_timed(made)) return;
    curves.push_back(std::move(made));
    titles.push_back(curve_title(curve.front()));
  });
  std::vector<std::string> labels = labels_of(titles);
  const std::vector<std::string> taken = take_needless(labels);
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const std::string& operation = curves[i].rows.front()->point.operation;
    curves[i].label = curves.size() == 1 || labels[i].empty() ? escaped(operation) : labels[i];
    curves[i].head = head_of(curves[i].label);
  }
  std::vector<std::string> all = split(common_words(titles), ' ');
  std::ranges::copy_if(taken, std::back_inserter(all),
                       [&](const std::string& word) { return std::ranges::count(all, word) == 0; });
  std::erase(all, "");
  shared = join(all, " ");
  return curves;
}

std::vector<std::int64_t> sizes_of(const LabelledCurve& curve) {
  std::vector<std::int64_t> sizes;
  for (const Row* row : curve.rows) sizes.push_back(row->point.bytes.value);
  return sizes;
}

std::string time_of(const Row& row) { return microseconds_text(row.median_seconds); }

std::string rate_of(const Row& row) {
  const auto rate = row.bandwidth();
  return rate ? significant(rate->value / bytes_in_megabyte) : "-";
}

/// A column: head, unit below, and cells.
struct SummaryColumn {
  std::vector<std::string> head;
  std::string unit;
  std::vector<std::string> cells;

  [[nodiscard]] std::size_t width() const {
    std::size_t width = narrowest_column;
    for (const auto* texts : {&head, &cells}) {
      for (const std::string& text : *texts) width = std::max(width, text.size() + 2);
    }
    return width;
  }
};

template <class Cell>
SummaryColumn column_of(const LabelledCurve& curve, const std::string& unit, Cell cell) {
  SummaryColumn column{.head = curve.head, .unit = unit, .cells = {}};
  for (const Row* row : curve.rows) column.cells.push_back(cell(*row));
  return column;
}

std::string right(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

void print_columns(std::ostream& out, const std::vector<std::string>& sizes,
                   std::span<const SummaryColumn> columns) {
  std::size_t lines = 0;
  for (const SummaryColumn& column : columns) lines = std::max(lines, column.head.size());
  for (std::size_t i = 0; i < lines; ++i) {
    std::string line = "#" + std::string(size_width - 1, ' ');
    for (const SummaryColumn& column : columns) {
      line += right(i < column.head.size() ? column.head[i] : "", column.width());
    }
    out << line << '\n';
  }
  std::string units = "#" + right("bytes", size_width - 1);
  for (const SummaryColumn& column : columns) units += right(column.unit, column.width());
  out << units << '\n';
  for (std::size_t row = 0; row < sizes.size(); ++row) {
    out << right(sizes[row], size_width);
    for (const SummaryColumn& column : columns) out << right(column.cells[row], column.width());
    out << '\n';
  }
}

/// Prints curves with equal sizes in adjacent columns, as many as fit; with bandwidths if they fit,
/// too.
void print_sized(std::ostream& out, std::span<const LabelledCurve> curves,
                 const SummaryStyle& style) {
  std::vector<Bytes> bytes;
  for (const Row* row : curves.front().rows) bytes.push_back(row->point.bytes);
  std::vector<std::string> sizes = spelt_alike(bytes);
  if (style.table.in_bytes) {
    std::ranges::transform(bytes, sizes.begin(), [](Bytes b) { return std::to_string(b.value); });
  }
  std::vector<SummaryColumn> columns;
  for (const LabelledCurve& curve : curves) columns.push_back(column_of(curve, "us", time_of));
  std::vector<SummaryColumn> rates;
  for (const LabelledCurve& curve : curves) rates.push_back(column_of(curve, "MB/s", rate_of));
  const auto width_of = [](const std::vector<SummaryColumn>& some) {
    std::size_t width = 0;
    for (const SummaryColumn& column : some) width += column.width();
    return width;
  };
  const bool has_rates = std::ranges::any_of(
      curves.front().rows, [](const Row* row) { return row->bandwidth().has_value(); });
  if (has_rates && size_width + width_of(columns) + width_of(rates) <= style.columns) {
    std::ranges::move(rates, std::back_inserter(columns));
  }
  for (auto first = columns.begin(); first != columns.end();) {
    std::size_t width = size_width + first->width();
    auto last = first + 1;
    while (last != columns.end() && width + last->width() <= style.columns) {
      width += (last++)->width();
    }
    print_columns(out, sizes, {first, last});
    first = last;
  }
}

/// Prints a row for each curve with at most one size.
void print_single(std::ostream& out, std::span<const LabelledCurve> curves,
                  const SummaryStyle& style) {
  const auto row_of_curve = [](const LabelledCurve& curve) -> const Row& {
    return *curve.rows.front();
  };
  const Columns<LabelledCurve> columns = joined<LabelledCurve>(
      {{{{"operation", "operation"}, [](const LabelledCurve& curve) { return curve.label; }},
        {{"bytes", "size", Unit::size},
         [&](const LabelledCurve& curve) {
           const std::int64_t bytes = row_of_curve(curve).point.bytes.value;
           return bytes > 0 ? Value(bytes) : Value();
         }}},
       chosen(of_part<LabelledCurve, Row>(row_columns(), row_of_curve),
              {"median_seconds", "bandwidth_bytes_per_second"})});
  print_view(out, "", make_view(columns, curves), style.table.sizes());
}

void print_tables(std::ostream& out, std::vector<LabelledCurve> curves, const SummaryStyle& style) {
  const auto is_single = [](const LabelledCurve& curve) { return curve.rows.size() == 1; };
  const auto sized = std::ranges::stable_partition(curves, is_single);
  const std::vector<LabelledCurve> single(curves.begin(), sized.begin());
  std::vector<LabelledCurve> left(sized.begin(), sized.end());
  while (!left.empty()) {
    const std::vector<std::int64_t> sizes = sizes_of(left.front());
    const auto others = std::ranges::stable_partition(
        left, [&](const LabelledCurve& curve) { return sizes_of(curve) == sizes; });
    print_sized(out, {left.begin(), others.begin()}, style);
    left.erase(left.begin(), others.begin());
  }
  if (!single.empty()) print_single(out, single, style);
}

struct PathWord {
  std::string_view path;
  std::string_view words;
};

constexpr std::array path_words{PathWord{"shm", "shared memory"}, PathWord{"cma", "CMA"},
                                PathWord{"tcp", "TCP"}, PathWord{"unproven", "unproven"}};

std::string words_of_path(const std::string& path) {
  const auto* const found = std::ranges::find(path_words, path, &PathWord::path);
  return found == path_words.end() ? path : std::string(found->words);
}

/// The row with the highest bandwidth; null without bandwidths.
const Row* peak_of(const LabelledCurve& curve) {
  const Row* peak = nullptr;
  double highest = 0;
  for (const Row* row : curve.rows) {
    const auto rate = row->bandwidth();
    if (!row->median_seconds || !rate || rate->value <= highest) continue;
    peak = row;
    highest = rate->value;
  }
  return peak;
}

/// "put 8 B 0.39 us, 1M 11.2 GB/s"; empty without times.
std::string curve_words(const LabelledCurve& curve) {
  const auto first = std::ranges::find_if(
      curve.rows, [](const Row* row) { return row->median_seconds.has_value(); });
  if (first == curve.rows.end()) return "";
  const Point& point = (*first)->point;
  std::string text = curve.label.starts_with(point.operation) ? "" : escaped(point.operation);
  for (const std::string& word : split(curve.label, ' ')) {
    text += (text.empty() ? "" : " ") + head_word(word);
  }
  if (point.bytes.value > 0 || curve.rows.size() > 1) text += " " + size_text(point.bytes);
  text += " " + short_time((*first)->median_seconds.value_or(0));
  const Row* const peak = peak_of(curve);
  if (peak == nullptr || curve.rows.size() < 2) return text;
  const BytesPerSecond rate = peak->bandwidth().value_or(BytesPerSecond{});
  return fmt::format("{}, {} {}", text, size_text(peak->point.bytes), short_rate(rate));
}

/// One sentence if all curves with transport counters took the same path.
std::string common_paths(const std::vector<LabelledCurve>& curves) {
  std::set<std::string> sentences;
  for (const LabelledCurve& curve : curves) {
    std::vector<Row> rows;
    for (const Row* row : curve.rows) rows.push_back(*row);
    if (std::string sentence = path_sentence(rows); !sentence.empty()) {
      sentences.insert(std::move(sentence));
    }
  }
  if (sentences.empty()) return "";
  return fmt::format("{}; ", sentences.size() == 1 ? *sentences.begin() : words::paths_differ);
}

std::string answer_of(const std::vector<LabelledCurve>& curves) {
  if (curves.empty()) return "nothing was measured";
  std::vector<std::string> parts;
  std::size_t reported = 0;
  for (const LabelledCurve& curve : curves) {
    const Point& point = curve.rows.front()->point;
    if (is_floor(point) || is_of_other_suite(point)) continue;
    if (++reported <= most_named_curves) parts.push_back(curve_words(curve));
  }
  if (parts.empty()) parts.push_back(curve_words(curves.front()));
  if (reported > most_named_curves) {
    parts.push_back(fmt::format("and {} more", reported - most_named_curves));
  }
  return common_paths(curves) + join(parts, "; ");
}

/// The meaning of `bytes`, with the operations it applies to.
std::string bytes_words(const std::vector<Row>& rows, const SummaryStyle& style) {
  std::vector<std::pair<std::string, Names>> meanings;
  for (const Row& row : rows) {
    const auto known = style.bytes_of.find(row.point.operation);
    if (known == style.bytes_of.end()) continue;
    const std::string meaning = known->second.substr(0, known->second.find(" ("));
    auto place = std::ranges::find(meanings, meaning, [](auto& one) { return one.first; });
    if (place == meanings.end()) place = meanings.insert(place, {meaning, {}});
    place->second.add(row.point.operation);
  }
  std::vector<std::string> parts;
  parts.reserve(meanings.size());
  for (const auto& [meaning, names] : meanings) {
    parts.push_back(meanings.size() > 1 ? fmt::format("of {} ({})", meaning, names.text())
                                        : "of " + meaning);
  }
  return parts.empty() ? "" : fmt::format(words::bytes_are, join(parts));
}

/// "put 4M", and the number of further points.
std::string first_of(const std::vector<const Row*>& rows) {
  const Row& first = *rows.front();
  std::string text = first.point.operation;
  if (first.point.bytes.value > 0) text += " " + size_text(first.point.bytes);
  if (rows.size() > 1) text += fmt::format(" and {} more", rows.size() - 1);
  return escaped(text);
}

void print_missing(std::ostream& out, const std::vector<Row>& rows, std::size_t columns) {
  std::map<std::string, std::vector<const Row*>> reasons;
  std::map<std::string, std::vector<const Row*>> flags;
  for (const Row& row : rows) {
    if (!row.median_seconds) reasons[row.reason].push_back(&row);
    for (const std::string& flag : row.flags) flags[flag].push_back(&row);
  }
  for (const auto& [reason, some] : reasons) {
    print_comment(out, fmt::format(words::point_not_measured, first_of(some), escaped(reason)),
                  columns);
  }
  for (const auto& [flag, some] : flags) {
    print_comment(out, fmt::format("{}: {}", escaped(flag), first_of(some)), columns);
  }
}

/// One sentence on how the figures were measured.
std::string quality_words(const std::vector<Row>& rows) {
  int blocks = 0;
  int disturbed = 0;
  std::int64_t checked = 0;
  std::optional<std::int64_t> fewest;
  for (const Row& row : rows) {
    blocks += row.blocks;
    disturbed += row.blocks - row.warm_up_blocks - row.undisturbed_blocks;
    checked += row.deliveries_checked;
    if (row.deliveries_checked > 0) {
      fewest = std::min(fewest.value_or(row.deliveries_checked), row.deliveries_checked);
    }
  }
  std::vector<std::string> parts;
  if (fewest) parts.push_back(fmt::format(words::deliveries_checked, checked, *fewest));
  if (disturbed > 0) {
    parts.push_back(fmt::format(words::blocks_left_out, disturbed,
                                count_text(static_cast<std::size_t>(blocks), "block")));
  }
  return join(parts, "; ");
}

void print_footer(std::ostream& out, const std::vector<Row>& rows, const SummaryStyle& style) {
  print_missing(out, rows, style.columns);
  for (const std::string& text : {bytes_words(rows, style), quality_words(rows)}) {
    if (!text.empty()) print_comment(out, text, style.columns);
  }
  print_comment(out, words::one_launch, style.columns);
}

std::string places_of(const Record& record) {
  std::vector<std::string> lines = header_of({&record, 1});
  return lines.empty() ? "" : lines.front();
}

/// Neighbouring sizes with the same path.
struct SizeRange {
  std::string path;
  Bytes first;
  Bytes last;
};

std::vector<SizeRange> size_ranges_of(std::span<const Row> curve) {
  std::vector<SizeRange> size_ranges;
  for (const Row& row : curve) {
    if (row.paths.empty() && row.unproven_because.empty()) continue;
    const std::string path = row.paths.empty() ? "unproven" : escaped(join(row.paths, "|"));
    if (size_ranges.empty() || size_ranges.back().path != path) {
      size_ranges.push_back({path, row.point.bytes, row.point.bytes});
    }
    size_ranges.back().last = row.point.bytes;
  }
  return size_ranges;
}

/// "up to 2K" for the first of several size_ranges, "from 4K" for the last.
std::string sizes_words(const std::vector<SizeRange>& size_ranges, std::size_t place) {
  const SizeRange& one = size_ranges[place];
  if (size_ranges.size() == 1) return " at every size";
  if (place == 0) return " up to " + size_text(one.last);
  if (place + 1 == size_ranges.size()) return " from " + size_text(one.first);
  return fmt::format(" {} .. {}", size_text(one.first), size_text(one.last));
}

}  // namespace

std::string path_sentence(std::span<const Row> curve) {
  const std::vector<SizeRange> size_ranges = size_ranges_of(curve);
  if (size_ranges.empty()) return "";
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < size_ranges.size(); ++i) {
    parts.push_back(words_of_path(size_ranges[i].path) + sizes_words(size_ranges, i));
  }
  const auto unproven =
      std::ranges::find_if(curve, [](const Row& row) { return !row.unproven_because.empty(); });
  if (unproven == curve.end()) return join(parts) + ", proven";
  return fmt::format("{} ({})", join(parts), escaped(unproven->unproven_because));
}

void print_launch_summary(std::ostream& out, const Record& record, const SummaryStyle& style) {
  const std::span<const Record> records(&record, 1);
  std::vector<Row> rows = campaign_rows(records, style.table.level);
  const std::vector<KernelPoint> kernels = kernel_points(rows, records, style.table.level);
  std::erase_if(rows, [](const Row& row) { return is_of_kernel(row.point); });
  std::vector<Row> plain = rows;  // operations beside other work have another table
  std::erase_if(plain,
                [](const Row& row) { return row.point.parameters.contains(work_parameter); });
  std::string shared;
  const std::vector<LabelledCurve> curves = labelled_curves(plain.empty() ? rows : plain, shared);
  print_noise_tables(out, records, style.table.level);  // with their summary
  if (!rows.empty()) {
    print_comment(out, answer_of(curves), style.columns);
    for (const std::string& line : parts_in_lines(places_of(record), style.columns - 2)) {
      out << "# " << line << '\n';
    }
    if (!shared.empty()) print_comment(out, shared, style.columns);
  }
  print_kernel_tables(out, kernels);
  if (!plain.empty()) print_tables(out, curves, style);
  print_overlap_tables(out, rows, style.table);
  if (!rows.empty()) print_footer(out, rows, style);
  print_machine_tables(out, records);
}

}  // namespace hockney::report
