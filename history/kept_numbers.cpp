#include "history/kept_numbers.hpp"

#include "history/translated.hpp"

namespace hockney {

void keep_number(const HistoryDatabase& database, const KeptNumber& number) {
  translated(database.file(), [&] {
    SQLite::Statement statement(database.sqlite(),
                                "INSERT INTO kept (name, value) VALUES (?, ?) "
                                "ON CONFLICT (name) DO UPDATE SET value = excluded.value");
    statement.bind(1, number.name);
    statement.bind(2, number.value);
    statement.exec();
  });
}

std::optional<double> kept_number(const HistoryDatabase& database, const std::string& name) {
  for (const KeptNumber& number : kept_numbers(database)) {
    if (number.name == name) return number.value;
  }
  return std::nullopt;
}

std::vector<KeptNumber> kept_numbers(const HistoryDatabase& database) {
  return translated(database.file(), [&] {
    SQLite::Statement rows(database.sqlite(), "SELECT name, value FROM kept ORDER BY name");
    std::vector<KeptNumber> numbers;
    while (rows.executeStep()) {
      numbers.push_back(
          {.name = rows.getColumn(0).getText(), .value = rows.getColumn(1).getDouble()});
    }
    return numbers;
  });
}

}  // namespace hockney
