#include "report/page/plot.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>

#include "report/page/chart.hpp"

namespace hockney::report {
namespace {

using Json = nlohmann::json;

constexpr double place_of_zero = 0.5;  // [B]

std::string heat_color(std::size_t step) { return fmt::format("var(--heat-{})", step + 1); }

/// A channel that gives each name its own entry of `range`, again from the first after the last.
Json named(const std::string& key, const std::vector<std::string>& names, const Json& range) {
  Json chosen = Json::array();
  for (std::size_t i = 0; i < names.size(); ++i) chosen.push_back(range[i % range.size()]);
  return {{"field", key},
          {"type", "nominal"},
          {"scale", {{"domain", names}, {"range", std::move(chosen)}}},
          {"legend", names.size() > 1 ? Json{{"title", nullptr}} : Json(nullptr)}};
}

/// What charts can use of a column of the table.
Json facts_of(const Heading& heading, const Json& rows) {
  const std::string key = csv_keys(heading).front();
  const auto is_text = [&](const Json& row) { return row.value(key, Json()).is_string(); };
  const auto is_count = [&](const Json& row) { return row.value(key, Json()).is_number_integer(); };
  Json facts{{"title", heading.title}, {"any", has_any(rows, key)}};
  if (heading.is_interval) return facts;
  if (std::ranges::all_of(rows, is_text)) {
    facts["names"] = names_in(rows, heading.key);
    facts.update(series_of(heading.key, facts["names"]));
  } else if (std::ranges::all_of(rows, is_count)) {
    std::set<std::int64_t> counts;
    for (const Json& row : rows) counts.insert(row.at(heading.key).get<std::int64_t>());
    facts["counts"] = counts;
  }
  return facts;
}

}  // namespace

void draw(Picture& picture, std::string_view name, Json values, Json bindings) {
  Json columns = Json::object();
  for (const Heading& heading : picture.table.headings) {
    columns[heading.key] = facts_of(heading, values);
  }
  bindings["description"] = picture.title;
  bindings["values"] = std::move(values);
  picture.plot = chart(name, bindings, {{"columns", std::move(columns)}});
  std::string caption;
  for (const Json& sentence : picture.plot.at("caption")) {
    caption += (caption.empty() ? "" : " ");
    caption += (sentence.is_object() ? sentence.at("text") : sentence).get<std::string>();
  }
  picture.caption = caption + picture.caption;
  picture.plot.erase("caption");
}

std::vector<std::string> names_in(const Json& values, const std::string& key) {
  std::vector<std::string> names;
  for (const Json& value : values) {
    const std::string name = value.at(key);
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

bool has_any(const Json& values, const std::string& key) {
  return std::ranges::any_of(
      values, [&](const Json& row) { return row.contains(key) && !row.at(key).is_null(); });
}

double drawn_bytes(Bytes bytes) {
  return std::max(static_cast<double>(bytes.value), place_of_zero);
}

Json series_of(const std::string& key, const std::vector<std::string>& names) {
  static const Json looks = chart("series", {});
  return {{"color", named(key, names, looks.at("colors"))},
          {"shape", named(key, names, looks.at("shapes"))},
          {"dash", named(key, names, looks.at("dashes"))}};
}

Json part_color(const std::vector<std::string>& names) {
  Json colors = Json::array();
  for (std::size_t i = 0; i < names.size(); ++i) {
    colors.push_back(
        heat_color(names.size() > 1 ? i * (heat_steps - 1) / (names.size() - 1) : heat_steps / 2));
  }
  return named("part", names, colors);
}

HeatScale::HeatScale(const std::vector<double>& values, std::string (*text_of)(double))
    : low_(std::ranges::min(values)) {
  const double high = std::ranges::max(values);
  const std::size_t steps = high > low_ * 1.02 ? heat_steps : 1;
  step_ = steps > 1 ? std::pow(high / low_, 1 / static_cast<double>(steps)) : 1;
  for (std::size_t i = 0; i < steps; ++i) {
    const double from = low_ * std::pow(step_, static_cast<double>(i));
    const double to = i + 1 == steps ? high : from * step_;
    ranges_.push_back(fmt::format("{} .. {}", text_of(from), text_of(to)));
  }
}

std::size_t HeatScale::place_of(double value) const {
  if (ranges_.size() == 1) return 0;
  const double place = std::floor(std::log(value / low_) / std::log(step_) + 1e-9);
  return static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(ranges_.size() - 1)));
}

void HeatScale::mark(Json& row, double value) const {
  const std::size_t place = place_of(value);
  row["range"] = ranges_[place];
  row["ink"] = fmt::format("var(--on-heat-{})", place + 1);
}

Json HeatScale::scale() const {
  Json colors = Json::array();
  for (std::size_t i = 0; i < ranges_.size(); ++i) colors.push_back(heat_color(i));
  return {{"domain", ranges_}, {"range", std::move(colors)}};
}

}  // namespace hockney::report
