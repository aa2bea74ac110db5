#include <algorithm>
#include <cmath>
#include <map>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/page/pictures.hpp"
#include "report/page/plot.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using Json = nlohmann::json;
using collectives::Fit;
using SomeFits = std::vector<const Fit*>;

constexpr std::size_t most_models = 40;     // that have their errors drawn
constexpr std::size_t most_operations = 8;  // that have a picture against ranks
constexpr std::size_t fewest_ranks = 2;     // that make a curve
constexpr int places_of_line = 64;

std::string algorithm_of(const Fit& fit) {
  return fit.curve.operation + " " + fit.curve.algorithm.value_or("as the library chose");
}

/// "allreduce ring", inert; with the setting where several models have this name.
std::string label_of(const Fit& fit, const collectives::Fits& fits) {
  const std::string name = algorithm_of(fit);
  const auto count = std::ranges::count(fits.fits, name, algorithm_of);
  return inert(count > 1 ? name + " (" + fit.curve.setting + ")" : name);
}

/// A model with its name.
struct NamedFit {
  std::string name;  ///< inert
  const Fit* fit = nullptr;

  [[nodiscard]] double held_out() const { return fit->model.errors.held_out.value_or(0); }
};

/// The models that were tried on numbers of ranks left out, best first.
std::vector<NamedFit> held_out_models(const collectives::Fits& fits) {
  std::vector<NamedFit> some;
  for (const Fit& fit : fits.fits) {
    if (fit.model.errors.held_out) some.push_back({label_of(fit, fits), &fit});
  }
  std::ranges::stable_sort(some, {}, &NamedFit::held_out);
  return some;
}

PageCell percent_cell(const std::optional<double>& fraction) {
  if (!fraction) return {"-", nullptr};
  return {error_text(fraction), per_cent * *fraction};
}

std::string proof_of(const collectives::Curve& curve) {
  if (!curve.algorithm) return "not known";
  return curve.proven ? "proven" : "asked for";
}

PageTable errors_table(const std::vector<NamedFit>& fits) {
  PageTable table{{{"model of", "curve"},
                   {"algorithm is", "proof"},
                   {"form", "form"},
                   {"ranks", "ranks"},
                   {"error", "mape_percent"},
                   {"held-out ranks", "held_out_percent"},
                   {"worst", "held_out_worst_percent"},
                   {"at ranks", "held_out_worst_ranks"}},
                  {}};
  for (const auto& [name, fit] : fits) {
    const collectives::FormErrors& errors = fit->model.errors;
    const auto& worst = errors.held_out_worst;
    // NOLINTBEGIN(bugprone-unchecked-optional-access): asked before each of them
    table.rows.push_back({name, proof_of(fit->curve), fit->model.form.name,
                          join_numbers(fit->curve.ranks()), percent_cell(errors.mape),
                          percent_cell(errors.held_out),
                          percent_cell(worst ? std::optional(worst->relative) : std::nullopt),
                          worst ? count_on_page(static_cast<std::size_t>(worst->work.ranks))
                                : PageCell("-", nullptr)});
    // NOLINTEND(bugprone-unchecked-optional-access)
  }
  return table;
}

Json error_layers(const std::vector<std::string>& curves) {
  Json y = name_channel("curve", "", curves);
  y["axis"] = {{"title", nullptr}, {"grid", true}};
  const auto x = [](const char* key) {
    return Json{{"field", key},
                {"type", "quantitative"},
                {"scale", {{"zero", true}}},
                {"axis", {{"title", "error of the model [%]"}, {"tickCount", 6}}}};
  };
  const Json ring{{"type", "point"}, {"size", 90}, {"opacity", 1}, {"strokeWidth", 2}};
  Json dot = ring;
  dot["filled"] = true;
  return Json::array(
      {{{"name", "rows"},
        {"mark", ring},
        {"encoding", telling({{"y", y}, {"x", x("mape_percent")}})}},
       {{"mark", dot}, {"encoding", telling({{"y", y}, {"x", x("held_out_percent")}})}}});
}

std::string errors_title(const std::vector<NamedFit>& fits) {
  const auto told = [](const NamedFit& fit) {
    return error_text(fit.held_out(), 1) + " (" + fit.name + ")";
  };
  std::string text = "Models of collectives are off by " + told(fits.front());
  if (fits.size() > 1) text += " to " + told(fits.back());
  return text + " at numbers of ranks left out";
}

/// Nothing of fewer than three numbers of ranks, of which none can be left out.
std::vector<Picture> errors_picture(const collectives::Fits& fits, const PictureSource& source) {
  std::vector<NamedFit> models = held_out_models(fits);
  if (models.empty()) return {};
  const std::size_t all = models.size();
  const std::string title = errors_title(models);
  if (all > most_models) models.erase(models.begin(), models.end() - most_models);
  Picture picture{.id = "collective-models",
                  .title = title,
                  .caption =
                      "Rings: the mean error where a model was fitted. Dots: each number of "
                      "ranks predicted by the model fitted to the others.",
                  .table = errors_table(models),
                  .launches = source.launches,
                  .command = "hockney fit " + source.paths};
  if (models.size() < all) {
    picture.caption += " Drawn are the " + std::to_string(models.size()) + " worst of " +
                       count_text(all, "model") + "; the command below has all.";
  }
  Json values = values_of(picture.table);
  Json layers = error_layers(names_in(values, "curve"));
  picture.plot = plot_of(picture.title, std::move(values), std::move(layers),
                         70 + static_cast<int>(models.size()) * 30);
  return {std::move(picture)};
}

/// A number of ranks that was measured.
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

/// At the largest size of the first of the fits, fastest at most ranks first.
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

PageTable ranks_table(const RankPanel& panel) {
  PageTable table{{{"curve", "curve"},
                   {"ranks", "ranks"},
                   {"median", "median_seconds"},
                   {"model", "model_seconds"}},
                  {}};
  for (const auto& [named, points] : panel.curves) {
    for (const RankPoint& point : points) {
      table.rows.push_back({named.name, count_on_page(static_cast<std::size_t>(point.work.ranks)),
                            time_on_page(point.seconds),
                            time_on_page(named.fit->model.at(point.work))});
    }
  }
  return table;
}

/// Each model from its smallest to its largest number of ranks.
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

Json rank_layers(const RankPanel& panel, const Json& values) {
  const std::vector<std::string> names =
      strings_of(panel.curves, [](const RankCurve& curve) { return curve.model.name; });
  const Json x = ranks_channel("ranks", values);
  const Json y = time_channel("median_seconds");
  const Json color = series_color("curve", names);
  const Json dash = series_dash("curve", names);
  const Json shape = series_shape("curve", names);
  return Json::array(
      {over(model_lines(panel),
            {{"mark", {{"type", "line"}, {"strokeWidth", 1.5}}},
             {"encoding", {{"x", x}, {"y", y}, {"color", color}, {"strokeDash", dash}}}}),
       {{"name", "rows"},
        {"mark", {{"type", "point"}, {"filled", true}, {"size", 55}, {"opacity", 1}}},
        {"encoding", telling({{"x", x}, {"y", y}, {"color", color}, {"shape", shape}})}}});
}

Picture ranks_picture(const RankPanel& panel, const PictureSource& source) {
  const auto& [fastest, points] = panel.curves.front();
  Picture picture{
      .id = id_of("ranks-" + panel.operation),
      .title = inert(panel.operation) + " of " + format_bytes(panel.bytes) + " on " +
               std::to_string(points.back().work.ranks) + " ranks: " + fastest.name +
               " is fastest, " + short_time(points.back().seconds),
      .caption =
          "Points: medians over launches at the largest size. Lines: the models of "
          "algorithms (docs/collective-models.md), only between numbers of ranks that were "
          "measured.",
      .table = ranks_table(panel),
      .launches = source.launches,
      .command = "hockney fit " + source.paths};
  if (panel.curves.size() < panel.algorithms) {
    picture.caption += " Drawn are " + std::to_string(panel.curves.size()) + " of " +
                       count_text(panel.algorithms, "curve") +
                       ": the fastest of those that have this size at several numbers of ranks.";
  }
  Json values = values_of(picture.table);
  Json layers = rank_layers(panel, values);
  picture.plot = plot_of(picture.title, std::move(values), std::move(layers));
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
