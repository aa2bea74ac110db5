#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/page/plot.hpp"
#include "report/page/records_page.hpp"
#include "report/screens/verdict_words.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using Json = nlohmann::json;

/// Sentences of this page.
namespace words {

constexpr std::string_view nowhere_best = " {} that are nowhere best are not drawn.";
constexpr std::string_view another_is_best =
    "Another setting than {} is best in {} of {}, saving up to {} of the time";
constexpr std::string_view more_curves = " {} more have no picture; the command below prints all.";
constexpr std::string_view error_of_one =
    "Models of collectives are off by {} at numbers of ranks left out";
constexpr std::string_view errors_of_settings =
    "Models of collectives are off by {} to {} at numbers of ranks left out";
constexpr std::string_view worst_models =
    " Drawn are the {} worst of {}; the command below prints all.";
constexpr std::string_view is_fastest = "{} of {} on {} ranks: {} is fastest, {}";
constexpr std::string_view fastest_curves =
    " Drawn are {} of {}: the fastest of those that have this size at several numbers of ranks.";

}  // namespace words

constexpr std::size_t few_settings = 3;

std::set<Bytes> sizes_of(const SettingsMatrix& matrix) {
  std::set<Bytes> sizes;
  for (const SettingRow& row : matrix.rows) {
    for (const auto& [bytes, cell] : row.cells) sizes.insert(bytes);
  }
  return sizes;
}

/// A setting at one size, beside the base.
struct RatioCase {
  const SettingRow* setting = nullptr;  ///< never null, like the next one
  const SettingCell* cell = nullptr;
  Bytes bytes;
  verdicts::Comparison against_base;
};

View ratios_of(const SettingsMatrix& matrix) {
  std::vector<RatioCase> cases;
  for (const SettingRow* const row : shown_rows(matrix)) {
    for (const auto& [bytes, cell] : row->cells) {
      if (cell.against_base) cases.push_back({row, &cell, bytes, *cell.against_base});
    }
  }
  using Case = RatioCase;
  const Columns<Case> columns{
      {{"setting", "setting"}, [](const Case& one) { return one.setting->name; }},
      {{"bytes", "bytes", Unit::size}, [](const Case& one) { return one.bytes.value; }},
      {{"median_seconds", "time", Unit::seconds},
       [](const Case& one) { return one.cell->seconds; }},
      {{"ratio", "ratio to " + inert(matrix.rows.front().name), Unit::number},
       [](const Case& one) { return one.against_base.ratio; }},
      interval_column<Case>("ratio_ci", Unit::number,
                            [](const Case& one) { return one.against_base.interval(); }),
      {{"verdict", "verdict"}, [](const Case& one) { return one.against_base.verdict; }}};
  return make_view(columns, cases);
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

/// "bcast ranks=4: ..." in one line, in the words of the terminal.
std::string title_of(const SettingsMatrix& matrix) {
  const Lines lines = settings_answer({&matrix, 1});
  const std::string curve = inert(matrix.name);
  if (lines.empty()) return curve;
  return lines.front().starts_with(curve) ? lines.front()
                                          : fmt::format("{}: {}", curve, lines.front());
}

/// Empty if nothing was compared.
std::vector<Picture> ratio_picture(const SettingsMatrix& matrix, const PictureSource& source,
                                   const std::string& command) {
  Picture picture{.id = id_of("settings-" + matrix.curve),
                  .title = title_of(matrix),
                  .table = ratios_of(matrix),
                  .launches = source.launches,
                  .command = command};
  if (picture.table.rows.empty()) return {};
  const std::size_t shown = shown_rows(matrix).size();
  if (shown < matrix.rows.size()) {
    picture.caption +=
        fmt::format(words::nowhere_best, count_text(matrix.rows.size() - shown, "setting"));
  }
  Json values = values_of(picture.table);
  put_beside(values);
  const auto is_evident = [](const Json& row) { return row.at("verdict") != "no evidence"; };
  const Json bindings{{"base", inert(matrix.rows.front().name)},
                      {"has_evidence", std::ranges::any_of(values, is_evident)}};
  draw(picture, "settings", std::move(values), bindings);
  return {std::move(picture)};
}

/// Whether the best setting is searched: there are many settings, or several numbers of ranks.
bool is_searched(const SettingsMatrix& matrix, std::span<const SettingsMatrix> all) {
  const auto has_other_ranks = [&](const SettingsMatrix& other) {
    return other.ranks != matrix.ranks;
  };
  return matrix.rows.size() > few_settings ||
         (matrix.rows.size() > 1 && std::ranges::any_of(all, has_other_ranks));
}

/// The setting that the best ones are compared with.
std::string base_of(std::span<const SettingsMatrix> matrices) {
  Names names;
  for (const SettingsMatrix& matrix : matrices) names.add(matrix.rows.front().name);
  return names.text(1);
}

/// The best setting of a curve at one size; the base if none is shown to be faster.
struct BestCase {
  std::string curve;
  Bytes bytes;
  std::string setting;
  double ratio = 1;  ///< to the base
  std::optional<Interval> interval;
};

BestCase best_case(const SettingsMatrix& matrix, Bytes bytes) {
  BestCase found{matrix.name, bytes, matrix.rows.front().name, 1, {}};
  const SettingRow* const best = best_at(matrix, bytes);
  if (best == nullptr) return found;
  found.setting = best->name;
  const SettingCell* const cell = cell_at(*best, bytes);
  if (cell != nullptr && cell->against_base) {
    found.ratio = cell->against_base->ratio;
    found.interval = cell->against_base->interval();
  }
  return found;
}

View best_table(std::span<const SettingsMatrix> matrices) {
  std::vector<BestCase> cases;
  for (const SettingsMatrix& matrix : matrices) {
    if (!is_searched(matrix, matrices)) continue;
    for (const Bytes bytes : sizes_of(matrix)) cases.push_back(best_case(matrix, bytes));
  }
  const Columns<BestCase> columns{
      {{"curve", "operation"}, &BestCase::curve},
      {{"size", "bytes"}, [](const BestCase& one) { return format_bytes(one.bytes); }},
      {{"best", "best"}, &BestCase::setting},
      {{"ratio", "time / " + base_of(matrices), Unit::number}, &BestCase::ratio},
      interval_column<BestCase>("ratio_ci", Unit::number, &BestCase::interval)};
  return make_view(columns, cases);
}

std::string words_of_ratio(double ratio) {
  return significant(per_cent * (1 - 1 / ratio), 2) + " %";
}

/// All sizes of the matrices, ascending.
std::vector<std::string> sizes_of(std::span<const SettingsMatrix> matrices) {
  std::set<Bytes> sizes;
  for (const SettingsMatrix& matrix : matrices) sizes.merge(sizes_of(matrix));
  return strings_of(sizes, format_bytes);
}

/// The best setting by operation, ranks and size. Empty if no matrix is searched, or if no setting
/// is shown to be faster than the base.
std::vector<Picture> best_picture(std::span<const SettingsMatrix> matrices,
                                  const PictureSource& source, const std::string& command) {
  const std::string base = base_of(matrices);
  Picture picture{.id = "best",
                  .title = {},
                  .table = best_table(matrices),
                  .launches = source.launches,
                  .command = command};
  Json values = values_of(picture.table);
  std::vector<double> gains;
  for (const Json& value : values) gains.push_back(1 / value.at("ratio").get<double>());
  const auto gained = std::ranges::count_if(gains, [](double gain) { return gain > 1; });
  if (gained == 0) return {};
  const HeatScale heat(gains, words_of_ratio);
  for (std::size_t i = 0; i < values.size(); ++i) heat.mark(values[i], gains[i]);
  picture.title =
      fmt::format(words::another_is_best, base, gained, count_text(values.size(), "case"),
                  words_of_ratio(std::ranges::max(gains)));
  const std::size_t curves = names_in(values, "curve").size();
  draw(picture, "best", std::move(values),
       {{"base", base},
        {"sizes", sizes_of(matrices)},
        {"scale", heat.scale()},
        {"height", 80 + curves * 48}});
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
    pictures.back().caption +=
        fmt::format(words::more_curves, count_text(matrices.size() - most_matrices, "curve"));
  }
  return pictures;
}

namespace {

using collectives::Fit;
using SomeFits = std::vector<const Fit*>;

constexpr std::size_t most_models = 40;     // whose errors are drawn
constexpr std::size_t most_operations = 8;  // that have a picture against ranks
constexpr std::size_t fewest_ranks = 2;     // that make a curve
constexpr int places_of_line = 64;

std::string algorithm_of(const Fit& fit) {
  return fmt::format("{} {}", fit.curve.operation,
                     fit.curve.algorithm.value_or("as the library chose"));
}

/// "allreduce ring", escaped; with the setting if several models have this name.
std::string label_of(const Fit& fit, const collectives::Fits& fits) {
  const std::string name = algorithm_of(fit);
  const auto count = std::ranges::count(fits.fits, name, algorithm_of);
  return inert(count > 1 ? fmt::format("{} ({})", name, fit.curve.setting) : name);
}

/// A model with its name.
struct NamedFit {
  std::string name;  ///< inert
  const Fit* fit = nullptr;

  [[nodiscard]] double held_out() const { return fit->model.errors.held_out.value_or(0); }
};

/// The models with an error at held-out numbers of ranks, best first.
std::vector<NamedFit> held_out_models(const collectives::Fits& fits) {
  std::vector<NamedFit> some;
  for (const Fit& fit : fits.fits) {
    if (fit.model.errors.held_out) some.push_back({label_of(fit, fits), &fit});
  }
  std::ranges::stable_sort(some, {}, &NamedFit::held_out);
  return some;
}

std::string proof_of(const collectives::Curve& curve) {
  if (!curve.algorithm) return "not known";
  return curve.proven ? "proven" : "asked for";
}

View errors_table(const std::vector<NamedFit>& fits) {
  using collectives::FormErrors;
  const auto of_errors = [](auto value) {
    return [=](const NamedFit& named) { return value(named.fit->model.errors); };
  };
  const auto percent = [=](auto fraction) {
    return of_errors([=](const FormErrors& errors) -> Value {
      const std::optional<double> known = fraction(errors);
      return known ? Value(per_cent * *known) : Value();
    });
  };
  const Columns<NamedFit> columns{
      {{"curve", "model of"}, &NamedFit::name},
      {{"proof", "algorithm is"}, [](const NamedFit& one) { return proof_of(one.fit->curve); }},
      {{"form", "form"}, [](const NamedFit& one) { return one.fit->model.name(); }},
      {{"ranks", "ranks"},
       [](const NamedFit& one) { return join_numbers(one.fit->curve.ranks()); }},
      {{"mape_percent", "error", Unit::percent},
       percent([](const FormErrors& errors) { return errors.mape; })},
      {{"held_out_percent", "held-out ranks", Unit::percent},
       percent([](const FormErrors& errors) { return errors.held_out; })},
      {{"held_out_worst_percent", "worst", Unit::percent}, percent([](const FormErrors& errors) {
         return errors.held_out_worst ? std::optional(errors.held_out_worst->relative)
                                      : std::nullopt;
       })},
      {{"held_out_worst_ranks", "at ranks", Unit::count}, of_errors([](const FormErrors& errors) {
         return errors.held_out_worst ? Value(errors.held_out_worst->work.ranks) : Value();
       })}};
  return make_view(columns, fits);
}

std::string errors_title(const std::vector<NamedFit>& fits) {
  const auto told = [](const NamedFit& fit) {
    return fmt::format("{} ({})", error_text(fit.held_out(), 1), fit.name);
  };
  const std::string best = told(fits.front());
  return fits.size() == 1 ? fmt::format(words::error_of_one, best)
                          : fmt::format(words::errors_of_settings, best, told(fits.back()));
}

/// Empty if there are fewer than three numbers of ranks: none can be left out.
std::vector<Picture> errors_picture(const collectives::Fits& fits, const PictureSource& source) {
  std::vector<NamedFit> models = held_out_models(fits);
  if (models.empty()) return {};
  const std::size_t all = models.size();
  const std::string title = errors_title(models);
  if (all > most_models) models.erase(models.begin(), models.end() - most_models);
  Picture picture{.id = "collective-models",
                  .title = title,
                  .table = errors_table(models),
                  .launches = source.launches,
                  .command = "hockney fit " + source.paths};
  if (models.size() < all) {
    picture.caption += fmt::format(words::worst_models, models.size(), count_text(all, "model"));
  }
  draw(picture, "model_errors", values_of(picture.table), {{"height", 70 + models.size() * 30}});
  return {std::move(picture)};
}

/// A measured number of ranks.
struct RankPoint {
  schedules::Workload work;
  double seconds = 0;  ///< median over launches
};

std::vector<RankPoint> points_at(const collectives::Curve& curve, Bytes bytes) {
  std::vector<RankPoint> points;
  for (std::size_t i = 0; i < curve.works.size(); ++i) {
    if (curve.works[i].bytes != bytes || curve.medians_seconds[i].empty()) continue;
    points.push_back({curve.works[i], median_of_some(curve.medians_seconds[i])});
  }
  return points;
}

struct RankCurve {
  NamedFit model;
  std::vector<RankPoint> points;  ///< by ranks; at least fewest_ranks

  [[nodiscard]] double last_seconds() const { return points.back().seconds; }
};

/// The algorithms of one operation against ranks, at one size.
struct RankPanel {
  std::string operation;
  Bytes bytes{};
  std::size_t algorithms = 0;  ///< that there are
  std::vector<RankCurve> curves;
};

/// At the largest size of the first fit. The curve that is fastest at the most ranks comes first.
RankPanel rank_panel(const std::string& operation, const SomeFits& fits,
                     const collectives::Fits& all) {
  RankPanel panel{.operation = operation, .bytes = {}, .algorithms = fits.size(), .curves = {}};
  for (const schedules::Workload& work : fits.front()->curve.works) {
    panel.bytes = std::max(panel.bytes, work.bytes);
  }
  for (const Fit* const fit : fits) {
    std::vector<RankPoint> points = points_at(fit->curve, panel.bytes);
    if (points.size() < fewest_ranks) continue;
    panel.curves.push_back({{label_of(*fit, all), fit}, std::move(points)});
  }
  std::ranges::stable_sort(panel.curves, {}, &RankCurve::last_seconds);
  if (panel.curves.size() > most_series) panel.curves.resize(most_series);
  return panel;
}

std::vector<RankPanel> rank_panels(const collectives::Fits& fits) {
  std::vector<std::string> operations;
  std::map<std::string, SomeFits> by_operation;
  for (const Fit& fit : fits.fits) {
    SomeFits& some = by_operation[fit.curve.operation];
    if (some.empty()) operations.push_back(fit.curve.operation);
    some.push_back(&fit);
  }
  std::vector<RankPanel> panels;
  for (const std::string& operation : operations) {
    RankPanel panel = rank_panel(operation, by_operation.at(operation), fits);
    if (!panel.curves.empty() && panels.size() < most_operations)
      panels.push_back(std::move(panel));
  }
  return panels;
}

/// A measured number of ranks on a curve.
struct RankCase {
  const NamedFit* model = nullptr;  ///< never null
  RankPoint point;
};

View ranks_table(const RankPanel& panel) {
  std::vector<RankCase> cases;
  for (const auto& [model, points] : panel.curves) {
    for (const RankPoint& point : points) cases.push_back({&model, point});
  }
  using Case = RankCase;
  const Columns<Case> columns{
      {{"curve", "curve"}, [](const Case& one) { return one.model->name; }},
      {{"ranks", "ranks", Unit::count}, [](const Case& one) { return one.point.work.ranks; }},
      {{"median_seconds", "median", Unit::seconds},
       [](const Case& one) { return one.point.seconds; }},
      {{"model_seconds", "model", Unit::seconds},
       [](const Case& one) { return one.model->fit->model.at(one.point.work); }}};
  return make_view(columns, cases);
}

/// Points along each model, from its smallest to its largest measured number of ranks.
Json model_lines(const RankPanel& panel) {
  Json values = Json::array();
  for (const auto& [named, points] : panel.curves) {
    schedules::Workload work = points.front().work;
    const double growth = static_cast<double>(points.back().work.ranks) / work.ranks;
    int last = 0;
    for (int i = 0; i < places_of_line; ++i) {
      const double part = static_cast<double>(i) / (places_of_line - 1);
      work.ranks =
          static_cast<int>(std::lround(points.front().work.ranks * std::pow(growth, part)));
      if (work.ranks == last) continue;
      last = work.ranks;
      const auto seconds = named.fit->model.at(work);
      if (!seconds || !(*seconds > 0)) continue;
      values.push_back(
          {{"curve", named.name}, {"ranks", work.ranks}, {"median_seconds", *seconds}});
    }
  }
  return values;
}

Picture ranks_picture(const RankPanel& panel, const PictureSource& source) {
  const auto& [fastest, points] = panel.curves.front();
  Picture picture{.id = id_of("ranks-" + panel.operation),
                  .title = fmt::format(words::is_fastest, inert(panel.operation),
                                       format_bytes(panel.bytes), points.back().work.ranks,
                                       fastest.name, short_time(points.back().seconds)),
                  .table = ranks_table(panel),
                  .launches = source.launches,
                  .command = "hockney fit " + source.paths};
  if (panel.curves.size() < panel.algorithms) {
    picture.caption += fmt::format(words::fastest_curves, panel.curves.size(),
                                   count_text(panel.algorithms, "curve"));
  }
  draw(picture, "curves_by_ranks", values_of(picture.table), {{"models", model_lines(panel)}});
  return picture;
}

}  // namespace

std::vector<Picture> collective_pictures(const collectives::Fits& fits,
                                         const PictureSource& source) {
  std::vector<Picture> pictures;
  for (const RankPanel& panel : rank_panels(fits)) pictures.push_back(ranks_picture(panel, source));
  std::ranges::move(errors_picture(fits, source), std::back_inserter(pictures));
  return pictures;
}

}  // namespace hockney::report
