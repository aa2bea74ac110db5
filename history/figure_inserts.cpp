#include "history/figure_inserts.hpp"

#include <cmath>

#include "core/days.hpp"
#include "core/error.hpp"

namespace hockney {
namespace {

void require_value(const std::string& name, double value, std::int64_t day) {
  if (std::isfinite(value) && value > 0) return;
  throw InputError({"'" + name + "' has no value on " + day_text(day),
                    std::to_string(value) + " is not finite and above 0", "leave it out"});
}

void bind_interval(SQLite::Statement& row, int first, const std::optional<Interval>& interval) {
  if (!interval) {
    for (int column = first; column < first + 3; ++column) row.bind(column);
    return;
  }
  row.bind(first, interval->low);
  row.bind(first + 1, interval->high);
  row.bind(first + 2, interval->level);
}

}  // namespace

FigureInserts::FigureInserts(SQLite::Database& database, Identities& identities)
    : identities_(identities),
      record_(database, "INSERT INTO records (digest, night, file) VALUES (?, ?, ?)"),
      figure_(database,
              "INSERT INTO figures (day, series, night, value, low, high, level, launches, "
              "environment) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      pair_(database,
            "INSERT INTO pairs (day, point, hop, a, b, night, seconds, launches) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)") {}

void FigureInserts::record(std::int64_t night, const NightRecord& record) {
  record_.tryReset();
  record_.bind(1, record.digest);
  record_.bind(2, night);
  record_.bind(3, record.file);
  record_.exec();
}

void FigureInserts::figure(std::int64_t night, const NightFigure& figure) {
  const NightlyValue& value = figure.value;
  require_value(figure.series.name, value.value, value.day);
  const auto environment = identities_.environment(value.environment);
  figure_.tryReset();
  figure_.bind(1, value.day);
  figure_.bind(2, identities_.series(figure.series));
  figure_.bind(3, night);
  figure_.bind(4, value.value);
  bind_interval(figure_, 5, value.interval);
  figure_.bind(8, static_cast<std::int64_t>(value.launches));
  environment ? figure_.bind(9, *environment) : figure_.bind(9);
  figure_.exec();
}

void FigureInserts::pair(std::int64_t night, std::int64_t day, const NightPair& pair) {
  require_value(pair.point, pair.pair.seconds, day);
  pair_.tryReset();
  pair_.bind(1, day);
  pair_.bind(2, identities_.pair_point(pair.point));
  pair_.bind(3, pair.pair.hop);
  pair_.bind(4, identities_.host(pair.pair.a));
  pair_.bind(5, identities_.host(pair.pair.b));
  pair_.bind(6, night);
  pair_.bind(7, pair.pair.seconds);
  pair_.bind(8, static_cast<std::int64_t>(pair.pair.launches));
  pair_.exec();
}

}  // namespace hockney
