#pragma once

#include <functional>
#include <map>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/quantities.hpp"
#include "core/statistics.hpp"

namespace hockney::report {

// Text of table cells.

inline constexpr double microseconds = 1e6;  ///< per second
inline constexpr double nanoseconds = 1e9;
inline constexpr double per_cent = 100;  ///< per whole

inline constexpr int ratio_digits = 4;  ///< digits printed of a ratio of times
inline constexpr int p_digits = 3;      ///< digits printed of a test's p

/// A number with `digits` significant digits and no exponent: 0.1234, 12.34, 1234, 123456; "-" for
/// infinity and NaN.
std::string significant(double value, int digits = 4);

/// significant() of `scale` times the value; "-" for nullopt.
std::string significant(const std::optional<double>& value, double scale, int digits = 4);

/// A number with `decimals` decimals.
std::string fixed_text(double value, int decimals);

/// The shortest text that reads back as this number.
std::string exact_text(double value);

/// A time in microseconds with four significant digits; "-" for nullopt.
std::string microseconds_text(const std::optional<double>& seconds);

/// A time with a suitable unit: "0.331 us", "1.31 ms", "2.10 s".
std::string short_time(double seconds, int digits = 3);

/// A time with its interval: "0.331 us (0.279 .. 0.370)"; without an interval the time alone.
std::string short_time(double seconds, const std::optional<Interval>& interval, int digits = 3);

/// A bandwidth with a suitable unit: "10.5 GB/s", "850 MB/s".
std::string short_rate(BytesPerSecond rate, int digits = 3);

/// An amount of data with a suitable unit: "1503 B", "28.8 KB", "1.05 MB".
std::string short_bytes(double bytes);

/// "low .. high" of an interval times `scale`; "-" for nullopt.
std::string interval_text(const std::optional<Interval>& interval, double scale, int digits = 4);

/// A model's error in per cent, "1.20 %"; "-" for nullopt.
std::string error_text(const std::optional<double>& fraction, int decimals = 2);

/// "1 launch", "2 launches", "3 sizes".
std::string count_text(std::size_t count, const std::string& noun);

/// Suffix with the values on axes: ", at algorithm=4,segment=8192"; "" for none.
std::string places_text(const std::map<std::string, std::string>& places);

/// Widths of columns common to several tables [characters].
inline constexpr int bytes_width = 9;      ///< of a message size
inline constexpr int time_width = 12;      ///< of a time [us]
inline constexpr int interval_width = 22;  ///< of the interval of a time or of a ratio of times
inline constexpr int share_width = 8;      ///< of a share [%]
inline constexpr int count_width = 10;     ///< of a count, mostly of launches

enum class Align { right, left };

/// A column of a table.
struct TableColumn {
  std::string header;  ///< with the unit: "time[us]"
  int width = 0;       ///< at least [characters]; 0: two blanks and the longest cell
  Align align = Align::right;
  bool is_size = false;  ///< of message sizes, all in one spelling
};

/// The column of message sizes, in bytes.
inline const TableColumn bytes_column{"bytes", bytes_width, Align::right, true};

/// Rows of cells in columns, with lines of text between them. A column widens for longer cells, so
/// that neighbouring cells never touch. Sizes are spelt "64K" if all sizes of the table allow it,
/// else all in bytes: never 1448 among 1K.
class Table {
 public:
  explicit Table(std::vector<TableColumn> columns, std::string indent = "")
      : columns_(std::move(columns)), indent_(std::move(indent)) {}

  /// Begins header and text lines with '#', so that awk and gnuplot read rows only.
  void comment_texts() { comments_ = true; }
  /// Prints all sizes in bytes.
  void spell_out_sizes() { in_bytes_ = true; }

  /// Adds the headers, up to the last non-empty one; `remark` follows after two blanks.
  void header(const std::string& remark = "");
  /// Adds a row with the cells of the first columns; `remark` follows after two blanks.
  void row(std::vector<std::string> cells, const std::string& remark = "");
  /// Adds a line unchanged, without indent.
  void text(const std::string& line);

  /// The printed lines, without line ends.
  [[nodiscard]] std::vector<std::string> lines() const { return lines(comments_); }

  friend std::ostream& operator<<(std::ostream& out, const Table& table);

 private:
  struct TableRow {
    std::vector<std::string> cells;
    std::string remark;
    bool is_header = false;
  };

  [[nodiscard]] std::vector<std::string> lines(bool comments) const;
  /// The rows with sizes in one spelling.
  [[nodiscard]] std::vector<std::variant<TableRow, std::string>> spelt_lines() const;
  [[nodiscard]] std::string line_of(const TableRow& row, std::span<const std::size_t> widths) const;
  [[nodiscard]] std::size_t blanks_beside(std::size_t column) const;
  [[nodiscard]] std::vector<std::size_t> widths(
      std::span<const std::variant<TableRow, std::string>> lines) const;

  std::vector<TableColumn> columns_;
  std::string indent_;
  std::vector<std::variant<TableRow, std::string>> lines_;
  bool comments_ = false;
  bool in_bytes_ = false;
};

/// A manipulator: later tables on this stream print no '#' before texts and headers.
std::ostream& without_comments(std::ostream& out);

/// Sizes in one spelling: "1K" if all of them allow it, else all in bytes.
std::vector<std::string> spelt_alike(const std::vector<Bytes>& sizes);

/// A column, and the cell of an item in it.
template <class Item>
struct ItemColumn {
  TableColumn column;
  std::function<std::string(const Item&)> cell;
};

template <class Item>
using ItemColumns = std::vector<ItemColumn<Item>>;

/// An empty table with these columns.
template <class Item>
Table table_of(const ItemColumns<Item>& columns, std::string indent = "") {
  std::vector<TableColumn> heads;
  for (const ItemColumn<Item>& each : columns) heads.push_back(each.column);
  return Table(std::move(heads), std::move(indent));
}

/// The cells of an item in all columns.
template <class Item>
std::vector<std::string> cells_of(const ItemColumns<Item>& columns, const Item& item) {
  std::vector<std::string> cells;
  for (const ItemColumn<Item>& each : columns) cells.push_back(each.cell(item));
  return cells;
}

}  // namespace hockney::report
