#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/page/curve_layers.hpp"
#include "report/page/pictures.hpp"
#include "report/page/plot.hpp"
#include "report/screens/verdict_words.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using Json = nlohmann::json;

constexpr std::size_t few_settings = 3;

std::set<Bytes> sizes_of(const SettingsMatrix& matrix) {
  std::set<Bytes> sizes;
  for (const SettingRow& row : matrix.rows) {
    for (const auto& [bytes, cell] : row.cells) sizes.insert(bytes);
  }
  return sizes;
}

PageTable ratios_of(const SettingsMatrix& matrix) {
  PageTable table{{{"setting", "setting"},
                   {"bytes", "bytes"},
                   {"time", "median_seconds"},
                   {"ratio to " + inert(matrix.rows.front().name), "ratio"},
                   {"from", "ratio_low"},
                   {"to", "ratio_high"},
                   {"verdict", "verdict"}},
                  {}};
  for (const SettingRow* const row : shown_rows(matrix)) {
    for (const auto& [bytes, cell] : row->cells) {
      if (!cell.against_base) continue;
      const verdicts::Comparison& one = *cell.against_base;
      table.rows.push_back({row->name, size_on_page(bytes), time_on_page(cell.seconds),
                            number_on_page(one.ratio, ratio_digits),
                            number_on_page(end_of(one.interval(), &Interval::low), 3),
                            number_on_page(end_of(one.interval(), &Interval::high), 3),
                            std::string(word(one.verdict))});
    }
  }
  return table;
}

Json ratio_layers(const Json& values, const std::string& base) {
  const std::vector<std::string> settings = names_in(values, "setting");
  const Json color = series_color("setting", settings);
  const auto y = [&](const char* key) { return ratio_channel(key, "time / time of " + base); };
  const auto is_bounded = [](const Json& value) { return !value.at("ratio_low").is_null(); };
  Json layers = Json::array(
      {over(Json::array({{{"one", 1}}}), {{"mark", {{"type", "rule"}, {"strokeWidth", 1.5}}},
                                          {"encoding", {{"y", y("one")}}}})});
  if (std::ranges::any_of(values, is_bounded)) {
    layers.push_back({{"transform", Json::array({{{"filter", "isValid(datum.ratio_low)"}}})},
                      {"mark", {{"type", "rule"}, {"strokeWidth", 2}}},
                      {"encoding",
                       {{"x", size_channel()},
                        {"y", y("ratio_low")},
                        {"y2", {{"field", "ratio_high"}}},
                        {"color", color}}}});
  }
  const Json points = telling({{"x", size_channel()},
                               {"y", y("ratio")},
                               {"color", color},
                               {"shape", series_shape("setting", settings)}});
  layers.push_back({{"name", "rows"},
                    {"mark",
                     {{"type", "point"},
                      {"fill", "var(--paper)"},
                      {"size", 70},
                      {"opacity", 1},
                      {"strokeWidth", 2}}},
                    {"encoding", points}});
  const auto is_shown = [](const Json& value) { return value.at("verdict") != "no evidence"; };
  if (std::ranges::none_of(values, is_shown)) return layers;
  layers.push_back({{"transform", Json::array({{{"filter", "datum.verdict != 'no evidence'"}}})},
                    {"mark", {{"type", "point"}, {"filled", true}, {"size", 70}, {"opacity", 1}}},
                    {"encoding", points}});
  return layers;
}

/// The least distance between two sizes [octaves]; 1 of one size.
double least_gap(const std::set<double>& sizes) {
  double gap = sizes.size() > 1 ? std::log2(*sizes.rbegin() / *sizes.begin()) : 1;
  for (auto size = sizes.begin(); std::next(size) != sizes.end(); ++size) {
    gap = std::min(gap, std::log2(*std::next(size) / *size));
  }
  return gap;
}

/// Settings at one size beside each other, within a quarter of the way to the next one.
void put_beside(Json& values) {
  const std::vector<std::string> settings = names_in(values, "setting");
  std::set<double> sizes;
  for (const Json& value : values) sizes.insert(value.at("drawn_bytes").get<double>());
  const auto count = static_cast<double>(settings.size());
  const double step = least_gap(sizes) / 2 / count;  // [octaves]
  for (Json& value : values) {
    const auto found = std::ranges::find(settings, value.at("setting").get<std::string>());
    const double place = static_cast<double>(found - settings.begin()) - (count - 1) / 2;
    value["drawn_bytes"] = value.at("drawn_bytes").get<double>() * std::exp2(step * place);
  }
}

/// "bcast ranks=4: ..." in one line, as the screen says it.
std::string title_of(const SettingsMatrix& matrix) {
  const Lines lines = settings_answer({&matrix, 1});
  const std::string curve = inert(matrix.name);
  if (lines.empty()) return curve;
  return lines.front().starts_with(curve) ? lines.front() : curve + ": " + lines.front();
}

/// Nothing where nothing was compared.
std::vector<Picture> ratio_picture(const SettingsMatrix& matrix, const PictureSource& source,
                                   const std::string& command) {
  Picture picture{.id = id_of("settings-" + matrix.curve),
                  .title = title_of(matrix),
                  .caption = "Below 1: faster than " + inert(matrix.rows.front().name) +
                             ". Bars: intervals of the ratio over launches; hollow: not shown to "
                             "differ. Settings at one size stand beside each other.",
                  .table = ratios_of(matrix),
                  .launches = source.launches,
                  .command = command};
  if (picture.table.rows.empty()) return {};
  const std::size_t shown = shown_rows(matrix).size();
  if (shown < matrix.rows.size()) {
    picture.caption += " " + count_text(matrix.rows.size() - shown, "setting") +
                       " that are nowhere best are not drawn.";
  }
  Json values = values_of(picture.table);
  put_beside(values);
  Json layers = ratio_layers(values, inert(matrix.rows.front().name));
  picture.plot = plot_of(picture.title, std::move(values), std::move(layers));
  return {std::move(picture)};
}

/// Among few settings nobody looks for the best, unless there are several numbers of ranks.
bool is_searched(const SettingsMatrix& matrix, std::span<const SettingsMatrix> all) {
  const auto has_other_ranks = [&](const SettingsMatrix& other) {
    return other.ranks != matrix.ranks;
  };
  return matrix.rows.size() > few_settings ||
         (matrix.rows.size() > 1 && std::ranges::any_of(all, has_other_ranks));
}

/// What the best ones are compared with.
std::string base_of(std::span<const SettingsMatrix> matrices) {
  Names names;
  for (const SettingsMatrix& matrix : matrices) names.add(matrix.rows.front().name);
  return names.text(1);
}

PageTable best_table(std::span<const SettingsMatrix> matrices) {
  PageTable table{{{"operation", "curve"},
                   {"bytes", "size"},
                   {"best", "best"},
                   {"time / " + base_of(matrices), "ratio"},
                   {"from", "ratio_low"},
                   {"to", "ratio_high"}},
                  {}};
  for (const SettingsMatrix& matrix : matrices) {
    if (!is_searched(matrix, matrices)) continue;
    for (const Bytes bytes : sizes_of(matrix)) {
      const SettingRow* const best = best_at(matrix, bytes);
      std::optional<Interval> interval;
      double ratio = 1;
      const SettingCell* const cell = best == nullptr ? nullptr : cell_at(*best, bytes);
      if (cell != nullptr && cell->against_base) {
        interval = cell->against_base->interval();
        ratio = cell->against_base->ratio;
      }
      table.rows.push_back({matrix.name, format_bytes(bytes),
                            best == nullptr ? matrix.rows.front().name : best->name,
                            number_on_page(ratio, 3),
                            number_on_page(end_of(interval, &Interval::low), 3),
                            number_on_page(end_of(interval, &Interval::high), 3)});
    }
  }
  return table;
}

std::string words_of_ratio(double ratio) {
  return significant(per_cent * (1 - 1 / ratio), 2) + " %";
}

Json best_layers(const HeatScale& heat, const std::vector<std::string>& curves,
                 const std::vector<std::string>& sizes) {
  Json x = name_channel("size", "message size [B]", sizes);
  x["axis"]["labelAngle"] = 0;
  const Json y = name_channel("curve", "", curves);
  const Json text{{"type", "text"}, {"limit", 76}};
  return Json::array(
      {{{"name", "rows"},
        {"mark", {{"type", "rect"}, {"stroke", "var(--paper)"}, {"strokeWidth", 2}}},
        {"encoding", telling({{"x", x}, {"y", y}, {"color", heat.color("range", "time saved")}})}},
       {{"mark", text},
        {"encoding",
         {{"x", x},
          {"y", y},
          {"text", {{"field", "best"}, {"type", "nominal"}}},
          {"color", {{"field", "ink"}, {"type", "nominal"}, {"scale", nullptr}}}}}}});
}

/// All sizes of the matrices, ascending.
std::vector<std::string> sizes_of(std::span<const SettingsMatrix> matrices) {
  std::set<Bytes> sizes;
  for (const SettingsMatrix& matrix : matrices) sizes.merge(sizes_of(matrix));
  return strings_of(sizes, format_bytes);
}

/// Which setting is best, operation and ranks by size; nothing where nobody looks for it, or none
/// is shown to be better than the base.
std::vector<Picture> best_picture(std::span<const SettingsMatrix> matrices,
                                  const PictureSource& source, const std::string& command) {
  const std::string base = base_of(matrices);
  Picture picture{.id = "best",
                  .title = {},
                  .caption = "The setting that is shown to be faster than " + base +
                             " by most, and " + base +
                             " where none is. Colour: the part of the time it saves.",
                  .table = best_table(matrices),
                  .launches = source.launches,
                  .command = command};
  Json values = values_of(picture.table);
  std::vector<double> gains;
  for (const Json& value : values) gains.push_back(1 / value.at("ratio").get<double>());
  const auto gained = std::ranges::count_if(gains, [](double gain) { return gain > 1; });
  if (gained == 0) return {};
  const HeatScale heat(gains, words_of_ratio);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i]["range"] = heat.range_of(gains[i]);
    values[i]["ink"] = heat.ink_on(gains[i]);
  }
  picture.title = "Another setting than " + base + " is best in " + std::to_string(gained) +
                  " of " + count_text(values.size(), "case") + ", saving up to " +
                  words_of_ratio(std::ranges::max(gains)) + " of the time";
  const std::vector<std::string> curves = names_in(values, "curve");
  Json layers = best_layers(heat, curves, sizes_of(matrices));
  picture.plot = plot_of(picture.title, std::move(values), std::move(layers),
                         80 + static_cast<int>(curves.size()) * 48);
  return {std::move(picture)};
}

}  // namespace

std::vector<Picture> setting_pictures(std::span<const SettingsMatrix> matrices,
                                      const PictureSource& source, const std::string& command) {
  std::vector<Picture> pictures = best_picture(matrices, source, command);
  for (const SettingsMatrix& matrix : matrices.first(std::min(matrices.size(), most_matrices))) {
    std::ranges::move(ratio_picture(matrix, source, command), std::back_inserter(pictures));
  }
  if (matrices.size() > most_matrices && !pictures.empty()) {
    pictures.back().caption += " " + count_text(matrices.size() - most_matrices, "curve") +
                               " more have no picture; the command below has them.";
  }
  return pictures;
}

}  // namespace hockney::report
