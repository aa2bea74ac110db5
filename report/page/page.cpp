#include "report/page/page.hpp"

#include <set>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/csv.hpp"
#include "report/page/plot.hpp"
#include "report/table.hpp"

namespace hockney::report {

PageCell::PageCell(const std::string& words) : text(inert(words)), value(words) {}

PageCell time_on_page(const std::optional<double>& seconds) {
  return seconds ? PageCell(short_time(*seconds, 4), *seconds) : PageCell("-", nullptr);
}

PageCell number_on_page(const std::optional<double>& number, int digits) {
  return number ? PageCell(significant(*number, digits), *number) : PageCell("-", nullptr);
}

std::optional<double> end_of(const std::optional<Interval>& interval, double Interval::*end) {
  if (!interval) return std::nullopt;
  return (*interval).*end;
}

PageCell count_on_page(std::size_t count) { return {std::to_string(count), count}; }

PageCell size_on_page(Bytes bytes) { return {format_bytes(bytes), bytes.value}; }

std::string id_of(std::string_view words) {
  std::string id;
  for (const char letter : words) {
    const bool is_plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                          (letter >= '0' && letter <= '9');
    id += is_plain ? letter : '-';
  }
  return id;
}

nlohmann::json values_of(const PageTable& table) {
  nlohmann::json values = nlohmann::json::array();
  for (const auto& row : table.rows) {
    nlohmann::json value = nlohmann::json::object();
    std::vector<std::string> words;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const PageCell& cell = row.at(i);
      value[table.columns[i].key] = cell.value.is_string()
                                        ? nlohmann::json(inert(cell.value.get<std::string>()))
                                        : cell.value;
      if (!cell.value.is_null()) words.push_back(table.columns[i].title + " " + cell.text);
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
      picture.id = id + "-" + std::to_string(number);
    }
  }
}

namespace {

std::string exact_cell(const PageCell& cell) {
  if (cell.value.is_null()) return "";
  if (cell.value.is_string()) return cell.value.get<std::string>();
  return cell.value.is_number_float() ? exact_text(cell.value.get<double>()) : cell.value.dump();
}

}  // namespace

std::string csv_of(const PageTable& table) {
  std::string text = csv_line(strings_of(table.columns, &PageColumn::key));
  for (const auto& row : table.rows) text += csv_line(strings_of(row, exact_cell));
  return text;
}

}  // namespace hockney::report
