#include "components/health/history/host_values.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>

#include "components/health/history/night_writer.hpp"
#include "core/error.hpp"
#include "core/point.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"

namespace hockney::health {
namespace {

constexpr std::string_view host_key = "host=";
constexpr std::string_view pair_ratio = "/node_ratio";

/// ValuePlace of the host's key in a name; npos without one.
std::size_t place_of_host(std::string_view series) {
  for (std::size_t place = series.find(host_key); place != std::string_view::npos;
       place = series.find(host_key, place + 1)) {
    if (place > 0 && (series[place - 1] == '/' || series[place - 1] == ' ')) return place;
  }
  return std::string_view::npos;
}

/// A series' parts around its host.
struct SplitName {
  std::string rest;
  std::string host;
};

SplitName split_host(std::string_view series) {
  const std::size_t begin = place_of_host(series);
  const std::size_t end = std::min(series.find(' ', begin), series.find('/', begin));
  const std::size_t name = begin + host_key.size();
  SplitName parts{.rest = std::string(series.substr(0, begin)),
                  .host = std::string(series.substr(name, end - name))};
  const bool has_next = series[end] == ' ';
  if (!has_next && parts.rest.ends_with(' ')) parts.rest.pop_back();
  parts.rest += series.substr(has_next ? end + 1 : end);
  return parts;
}

/// Where the values of a series go.
struct ValuePlace {
  std::int32_t figure = -1;
  std::int32_t host = -1;
};

/// The series of hosts, by their ids.
class HostSeries {
 public:
  HostSeries(const HistoryDatabase& database, HostNights& nights) {
    std::map<std::string, std::int32_t> hosts;
    std::map<std::string, std::int32_t> figures;
    std::vector<std::pair<std::int64_t, std::pair<std::string, std::int32_t>>> found;
    for (const ListedSeries& series : listed_series(database)) {
      if (!is_of_host(series.kind.name)) continue;
      SplitName parts = split_host(series.kind.name);
      hosts.try_emplace(parts.host, 0);
      const auto [figure, is_new] =
          figures.try_emplace(parts.rest, static_cast<std::int32_t>(figures.size()));
      if (is_new) {
        SeriesKind kind = series.kind;
        kind.name = parts.rest;
        nights.figures.push_back({.kind = std::move(kind), .values = {}});
      }
      found.push_back({series.id, {std::move(parts.host), figure->second}});
    }
    for (auto& [name, index] : hosts) {
      index = static_cast<std::int32_t>(nights.hosts.size());
      nights.hosts.push_back(name);
    }
    for (const auto& [id, place] : found) {
      const auto index = static_cast<std::size_t>(id);
      if (places_.size() <= index) places_.resize(index + 1);
      places_[index] = {.figure = place.second, .host = hosts.at(place.first)};
    }
  }

  [[nodiscard]] ValuePlace at(std::int64_t id) const {
    const auto index = static_cast<std::size_t>(id);
    return index < places_.size() ? places_[index] : ValuePlace();
  }

 private:
  std::vector<ValuePlace> places_;
};

/// The index of each environment's id.
std::unordered_map<std::int64_t, std::int32_t> environment_indices(
    const HistoryDatabase& database, const std::vector<Environment>& environments) {
  std::unordered_map<std::string, std::int32_t> by_digest;
  for (std::size_t i = 0; i < environments.size(); ++i) {
    by_digest[environments[i].digest] = static_cast<std::int32_t>(i);
  }
  std::unordered_map<std::int64_t, std::int32_t> indices;
  for (const auto& [id, digest] :
       rows_of(database, "SELECT id, digest FROM environments", [](auto& row) {
         return std::pair(row.getColumn(0).getInt64(), row.getColumn(1).getString());
       })) {
    indices[id] = by_digest[digest];
  }
  return indices;
}

void read_values(const HistoryDatabase& database, const HostSeries& series, HostNights& nights) {
  const auto environments = environment_indices(database, nights.environments);
  SQLite::Statement row(database.sqlite(),
                        "SELECT series, value, environment, half_digit FROM figures WHERE day = ?");
  for (std::size_t night = 0; night < nights.days.size(); ++night) {
    row.tryReset();
    row.bind(1, nights.days[night]);
    while (row.executeStep()) {
      const ValuePlace place = series.at(row.getColumn(0).getInt64());
      if (place.host < 0) continue;
      HostFigure& figure = nights.figures[static_cast<std::size_t>(place.figure)];
      const std::size_t cell = nights.at(static_cast<std::size_t>(place.host), night);
      const double value = row.getColumn(1).getDouble();
      figure.values[cell] = static_cast<float>(value);
      const double half_digit = row.isColumnNull(3) ? 0 : row.getColumn(3).getDouble();
      figure.half_digit = std::max(figure.half_digit, half_digit / value);
      if (row.isColumnNull(2)) continue;
      nights.environment_of[cell] = environments.at(row.getColumn(2).getInt64());
    }
  }
}

/// Leaves out hosts without a value.
void drop_absent_hosts(HostNights& nights) {
  const std::size_t days = nights.days.size();
  std::vector<std::size_t> kept;
  for (std::size_t host = 0; host < nights.hosts.size(); ++host) {
    const bool has_value = std::ranges::any_of(nights.figures, [&](const HostFigure& figure) {
      for (std::size_t night = 0; night < days; ++night) {
        if (figure.values[nights.at(host, night)] > 0) return true;
      }
      return false;
    });
    if (has_value) kept.push_back(host);
  }
  if (kept.size() == nights.hosts.size()) return;
  const auto keep = [&](auto& table) {
    for (std::size_t i = 0; i < kept.size(); ++i) {
      std::copy_n(table.begin() + static_cast<std::ptrdiff_t>(kept[i] * days), days,
                  table.begin() + static_cast<std::ptrdiff_t>(i * days));
    }
    table.resize(kept.size() * days);
  };
  for (HostFigure& figure : nights.figures) keep(figure.values);
  keep(nights.environment_of);
  for (std::size_t i = 0; i < kept.size(); ++i) nights.hosts[i] = nights.hosts[kept[i]];
  nights.hosts.resize(kept.size());
}

/// The series of a host with the names that they get.
std::vector<std::pair<ListedSeries, std::string>> series_to_rename(const HistoryDatabase& database,
                                                                   const std::string& host,
                                                                   const std::string& name) {
  std::vector<std::pair<ListedSeries, std::string>> renamed;
  for (ListedSeries& series : listed_series(database)) {
    if (place_of_host(series.kind.name) == std::string_view::npos) continue;
    SeriesName parts = parse_series_name(series.kind.name);
    if (parts.at("host") != host) continue;
    parts.keys["host"] = name;
    renamed.emplace_back(std::move(series), parts.text());
  }
  return renamed;
}

[[noreturn]] void reject_both(const std::string& host, const std::string& name, std::int64_t day) {
  throw InputError({fmt::format("'{}' and '{}' are two hosts", host, name),
                    fmt::format("both have values of {}", day_text(day)),
                    "rename a host to a name that no other has"});
}

/// Moves the values of a series to the series of the new name.
void rename_series(SQLite::Database& database, const ListedSeries& series, const std::string& name,
                   const std::string& host, const std::string& new_host) {
  const auto id_of = [](auto& row) { return row.getColumn(0).getInt64(); };
  const auto there = rows_of(database, "SELECT id FROM series WHERE name = ?", id_of, name);
  if (there.empty()) {
    execute(database, "UPDATE series SET name = ? WHERE id = ?", name, series.id);
    return;
  }
  const auto both = rows_of(
      database,
      "SELECT one.day FROM nights AS one WHERE EXISTS (SELECT 1 FROM figures WHERE day = one.day "
      "AND series = ?1) AND EXISTS (SELECT 1 FROM figures WHERE day = one.day AND series = ?2) "
      "LIMIT 1",
      id_of, series.id, there.front());
  if (!both.empty()) reject_both(host, new_host, both.front());
  for (const std::int64_t day : rows_of(database, "SELECT DISTINCT day FROM nights", id_of)) {
    execute(database, "UPDATE figures SET series = ? WHERE day = ? AND series = ?", there.front(),
            day, series.id);
  }
  execute(database, "DELETE FROM series WHERE id = ?", series.id);
}

/// Gives the pairs of a host to another name. Hosts of a pair are in alphabetical order.
std::size_t rename_pairs(SQLite::Database& database, const std::string& host,
                         const std::string& name) {
  const auto id_of = [](auto& row) { return row.getColumn(0).getInt64(); };
  const auto old_id = rows_of(database, "SELECT id FROM hosts WHERE name = ?", id_of, host);
  if (old_id.empty()) return 0;
  execute(database, "INSERT OR IGNORE INTO hosts (name) VALUES (?)", name);
  const auto new_id = rows_of(database, "SELECT id FROM hosts WHERE name = ?", id_of, name);
  execute(database, "UPDATE pairs SET a = ?2 WHERE a = ?1", old_id.front(), new_id.front());
  auto changed = static_cast<std::size_t>(database.getChanges());
  execute(database, "UPDATE pairs SET b = ?2 WHERE b = ?1", old_id.front(), new_id.front());
  changed += static_cast<std::size_t>(database.getChanges());
  execute(database,
          "UPDATE pairs SET a = b, b = a WHERE (a = ?1 OR b = ?1) AND "
          "(SELECT name FROM hosts WHERE id = a) > (SELECT name FROM hosts WHERE id = b)",
          new_id.front());
  execute(database, "DELETE FROM hosts WHERE id = ?", old_id.front());
  return changed;
}

}  // namespace

bool is_of_host(std::string_view series) {
  return !series.ends_with(pair_ratio) && place_of_host(series) != std::string_view::npos;
}

std::string without_host(std::string_view series) { return split_host(series).rest; }

HostNights read_hosts(const HistoryDatabase& database, std::vector<std::int64_t> days) {
  HostNights nights;
  const HostSeries series(database, nights);
  if (nights.hosts.empty()) return nights;
  nights.days = std::move(days);
  nights.environments = read_environments(database);
  const std::size_t cells = nights.hosts.size() * nights.days.size();
  for (HostFigure& figure : nights.figures) {
    figure.values.assign(cells, std::numeric_limits<float>::quiet_NaN());
  }
  nights.environment_of.assign(cells, -1);
  translated(database.file(), [&] { read_values(database, series, nights); });
  drop_absent_hosts(nights);
  return nights;
}

Renamed rename_host(const HistoryDatabase& database, const std::string& host,
                    const std::string& name) {
  return translated(database.file(), [&] {
    WriteTransaction transaction(database.sqlite());
    Renamed renamed;
    for (const auto& [series, new_name] : series_to_rename(database, host, name)) {
      rename_series(database.sqlite(), series, new_name, host, name);
      ++renamed.series;
    }
    renamed.pairs = rename_pairs(database.sqlite(), host, name);
    if (renamed.series + renamed.pairs == 0) {
      throw InputError({fmt::format("unknown host '{}'", host), "the history has no such host",
                        "see hockney health list series --series '*host=*'"});
    }
    transaction.commit();
    return renamed;
  });
}

}  // namespace hockney::health
