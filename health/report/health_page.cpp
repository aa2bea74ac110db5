#include "health/report/health_outputs.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>

#include "core/text.hpp"
#include "core/time.hpp"
#include "health/report/health_json.hpp"
#include "report/fault_lines.hpp"
#include "report/page/plot.hpp"
#include "report/table.hpp"

namespace hockney::health {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_pictured_series = 12;
constexpr std::size_t most_drawn_nights = 400;
constexpr double band_sigmas = 2;

const JudgedSeries* judged_of(const Report& report, const std::string& name) {
  const auto has_name = [&](const JudgedSeries& judged) { return judged.kind.name == name; };
  const auto found = std::ranges::find_if(report.series, has_name);
  return found == report.series.end() ? nullptr : &*found;
}

report::PageCell value_cell(double value, const std::string& unit) {
  return unit == "seconds" ? report::time_on_page(value) : report::number_on_page(value);
}

/// The last nights up to that of the report.
report::PageTable nights_table(const NightlySeries& series, std::int64_t today) {
  report::PageTable table{{{"night", "day"},
                           {series.unit, "value"},
                           {"from", "low"},
                           {"to", "high"},
                           {"launches", "launches"}},
                          {}};
  std::vector<NightlyValue> nights = series.nights;
  std::erase_if(nights, [&](const NightlyValue& night) { return night.day > today; });
  if (nights.size() > most_drawn_nights) {
    nights.erase(nights.begin(), nights.end() - static_cast<std::ptrdiff_t>(most_drawn_nights));
  }
  for (const NightlyValue& night : nights) {
    const auto end = [&](double Interval::*which) {
      const auto value = report::end_of(night.interval, which);
      return value ? value_cell(*value, series.unit) : report::PageCell("-", nullptr);
    };
    table.rows.push_back({day_text(night.day), value_cell(night.value, series.unit),
                          end(&Interval::low), end(&Interval::high),
                          report::count_on_page(night.launches)});
  }
  return table;
}

/// What happened on which day: the change, the environment, notes.
Json events_of(const JudgedSeries& judged) {
  Json events = Json::array();
  const auto add = [&](std::int64_t day, const std::string& kind, const std::string& text) {
    events.push_back({{"day", day_text(day)}, {"event", kind}, {"says", inert(text)}});
  };
  if (const auto& change = judged.health.change)
    add(change->since, "change", change_text(judged.health));
  for (const NamedChange& change : judged.environment) {
    for (const FactChange& fact : change.facts) {
      add(change.day, "environment", fact.fact + ": " + fact.before + " -> " + fact.after);
      break;
    }
  }
  for (const Note& note : judged.notes) add(note.day, "note", note.text);
  return events;
}

Json day_channel(const char* key) {
  return {{"field", key},
          {"type", "temporal"},
          {"axis", {{"title", "night (UTC)"}, {"format", "%Y-%m-%d"}}}};
}

/// The band of the baseline over all nights.
Json band_layers(const SeriesHealth& health, const report::PageTable& table, const Json& y) {
  if (!health.baseline || !health.noise || table.rows.empty()) return Json::array();
  const double spread = std::exp(band_sigmas * *health.noise);
  Json values = Json::array();
  for (const auto* row : {&table.rows.front(), &table.rows.back()}) {
    values.push_back({{"day", (*row)[0].value},
                      {"middle", *health.baseline},
                      {"bottom", *health.baseline / spread},
                      {"top", *health.baseline * spread}});
  }
  Json bottom = y;
  bottom["field"] = "bottom";
  Json middle = y;
  middle["field"] = "middle";
  return Json::array(
      {report::over(
           values,
           {{"mark", {{"type", "area"}, {"color", "var(--band)"}, {"opacity", 1}}},
            {"encoding", {{"x", day_channel("day")}, {"y", bottom}, {"y2", {{"field", "top"}}}}}}),
       report::over(values,
                    {{"mark", {{"type", "line"}, {"color", "var(--soft)"}, {"strokeWidth", 1}}},
                     {"encoding", {{"x", day_channel("day")}, {"y", middle}}}})});
}

Json night_layers(const JudgedSeries& judged, const report::PageTable& table, const Json& values) {
  const bool is_time = judged.kind.unit == "seconds";
  const auto y = [&](const char* key) {
    if (is_time) {
      Json channel = report::time_channel(key);
      channel["axis"]["title"] = "time";
      return channel;
    }
    return report::ratio_channel(key, judged.kind.unit);
  };
  Json layers = band_layers(judged.health, table, y("value"));
  if (std::ranges::any_of(values, [](const Json& one) { return !one.at("low").is_null(); })) {
    layers.push_back(
        {{"transform", Json::array({{{"filter", "isValid(datum.low)"}}})},
         {"mark", {{"type", "rule"}, {"color", "var(--series-1)"}}},
         {"encoding", {{"x", day_channel("day")}, {"y", y("low")}, {"y2", {{"field", "high"}}}}}});
  }
  layers.push_back({{"name", "rows"},
                    {"mark",
                     {{"type", "point"},
                      {"filled", true},
                      {"size", 35},
                      {"opacity", 1},
                      {"color", "var(--series-1)"}}},
                    {"encoding", report::telling({{"x", day_channel("day")}, {"y", y("value")}})}});
  const Json events = events_of(judged);
  if (events.empty()) return layers;
  const std::vector<std::string> kinds{"change", "environment", "note"};
  layers.push_back(report::over(
      events,
      {{"mark", {{"type", "rule"}, {"strokeWidth", 2}}},
       {"encoding", report::telling({{"x", day_channel("day")},
                                     {"color", report::series_color("event", kinds)},
                                     {"strokeDash", report::series_dash("event", kinds)}})}}));
  return layers;
}

report::Picture series_picture(const JudgedSeries& judged, const NightlySeries& series,
                               const Report& report) {
  const SeriesHealth& health = judged.health;
  std::string title = inert(series.name) + ": " + std::string(word(health.verdict));
  if (const std::string change = change_text(health); !change.empty()) title += " " + inert(change);
  report::Picture picture{
      .id = report::id_of(series.name),
      .title = title,
      .caption =
          "Dots: nights, with intervals over launches. Band: the baseline and two "
          "of its standard deviations to each side.",
      .table = nights_table(series, report.day),
      .launches =
          report::count_text(series.nights.size(), "night") + " of " + inert(report.history),
      .command = "hockney health check --series '" + inert(series.name) + "' --all"};
  const Json events = events_of(judged);
  for (const Json& event : events) {
    picture.caption +=
        " " + event.at("day").get<std::string>() + ": " + event.at("says").get<std::string>() + ".";
  }
  if (series.nights.size() > most_drawn_nights) {
    picture.caption += " The last " + std::to_string(most_drawn_nights) + " nights are drawn.";
  }
  Json values = values_of(picture.table);
  Json layers = night_layers(judged, picture.table, values);
  picture.plot = report::plot_of(picture.title, std::move(values), std::move(layers), 240);
  return picture;
}

}  // namespace

std::vector<std::string> pictured_series(const Report& report) {
  std::vector<std::string> names;
  for (const Verdict verdict :
       {Verdict::regressed, Verdict::improved, Verdict::undecided, Verdict::steady}) {
    for (const JudgedSeries* const judged : series_with(report, verdict)) {
      if (names.size() < most_pictured_series) names.push_back(judged->kind.name);
    }
  }
  return names;
}

report::Page health_page(const Report& report, std::span<const NightlySeries> series) {
  std::ostringstream table;
  print_health_table(table, report);
  report::Page page{.title = "Health on " + day_text(report.day),
                    .screen = report::Screen{.faults = report::fault_lines(report.faults),
                                             .header = {inert(report.history)},
                                             .answer = split(table.str(), '\n'),
                                             .verdict = headline(report),
                                             .trust = {},
                                             .next = {}},
                    .pictures = {},
                    .documents = {{"health", to_json(report)}},
                    .made_by = "hockney health check --page page.html"};
  if (report.series.size() > series.size()) {
    page.screen.trust.push_back(std::to_string(series.size()) + " of " +
                                report::count_text(report.series.size(), "series") +
                                " have pictures: those that changed before others");
  }
  for (const NightlySeries& one : series) {
    const JudgedSeries* const judged = judged_of(report, one.name);
    if (judged != nullptr) page.pictures.push_back(series_picture(*judged, one, report));
  }
  std::ranges::move(fleet_pictures(report), std::back_inserter(page.pictures));
  number_ids(page.pictures);
  return page;
}

}  // namespace hockney::health
