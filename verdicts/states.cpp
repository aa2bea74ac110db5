#include "verdicts/states.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "core/statistics.hpp"
#include "verdicts/variability.hpp"

namespace hockney::verdicts {
namespace {

/// A moment of a launch.
struct Place {
  std::size_t launch = 0;
  std::size_t moment = 0;
};

bool is_known(double value) { return value > 0 && std::isfinite(value); }

double value_at(const StateFigure& figure, const Place& place) {
  const std::vector<double>& moments = figure.values[place.launch];
  return place.moment < moments.size() ? moments[place.moment] : 0;
}

/// The known values of a figure at some places: the median of each launch, and the values of each
/// moment. A list has one value of a launch.
std::vector<std::vector<double>> columns_of(const StateFigure& figure,
                                            std::span<const Place> places) {
  std::map<std::size_t, std::vector<double>> of_launches;
  std::map<std::size_t, std::vector<double>> of_moments;
  for (const Place& place : places) {
    const double value = value_at(figure, place);
    if (!is_known(value)) continue;
    of_launches[place.launch].push_back(value);
    of_moments[place.moment].push_back(value);
  }
  std::vector<std::vector<double>> columns(1);
  for (const auto& [launch, values] : of_launches) {
    columns.front().push_back(median_of_some(values));
  }
  for (auto& [moment, values] : of_moments) {
    if (of_moments.size() > 1) columns.push_back(std::move(values));
  }
  return columns;
}

/// Shares of alpha. States usually last for a launch, and tests of single moments are many.
constexpr double share_of_medians = 0.8;
constexpr double share_of_moments = 1 - share_of_medians;

/// A gap between the values of one list.
struct Gap {
  std::size_t figure = 0;
  bool is_of_medians = false;
  double limit = 0;
  double p = 1;
};

/// The largest gap; nullopt with too few launches.
std::optional<Gap> gap_of(const std::vector<double>& column, double least_ratio) {
  std::vector<double> logarithms;
  logarithms.reserve(column.size());
  for (const double value : column) logarithms.push_back(std::log(value));
  const std::optional<LargestGap> gap = largest_gap(logarithms);
  if (!gap) return std::nullopt;
  const std::vector<double> sorted = sorted_finite(logarithms);
  const std::span<const double> all(sorted);
  const double distance =
      median_of_some(all.subspan(gap->below)) - median_of_some(all.first(gap->below));
  // A gap that is too small counts as a test, since the data decide which gaps are.
  const bool is_small = distance < std::log(least_ratio);
  return Gap{.figure = 0,
             .limit = std::exp((sorted[gap->below - 1] + sorted[gap->below]) / 2),
             .p = is_small ? 1 : mode_p(column.size(), gap->statistic)};
}

/// Splits launches until no part shows several states.
class Splitting {
 public:
  Splitting(std::span<const StateFigure> figures, std::size_t launches, double alpha)
      : figures_(figures), alpha_(alpha) {
    std::size_t moments = 1;
    for (const StateFigure& figure : figures) {
      for (const auto& values : figure.values) moments = std::max(moments, values.size());
    }
    found_.of.assign(launches, std::vector<std::size_t>(moments, 0));
  }

  FoundStates run() && {
    std::vector<Place> places;
    for (std::size_t launch = 0; launch < found_.of.size(); ++launch) {
      for (std::size_t i = 0; i < found_.of[launch].size(); ++i) places.push_back({launch, i});
    }
    found_.states = 0;
    split(places);
    return std::move(found_);
  }

 private:
  /// The most significant split of some places; nullopt if they have one state.
  [[nodiscard]] std::optional<StateSplit> best_split(std::span<const Place> places) const {
    std::vector<Gap> gaps;
    for (std::size_t figure = 0; figure < figures_.size(); ++figure) {
      bool is_first = true;
      for (const std::vector<double>& column : columns_of(figures_[figure], places)) {
        auto gap = gap_of(column, figures_[figure].least_ratio);
        if (gap) {
          gap->figure = figure;
          gap->is_of_medians = is_first;
          gaps.push_back(*gap);
        }
        is_first = false;
      }
    }
    if (gaps.empty()) return std::nullopt;
    const auto medians = static_cast<double>(std::ranges::count(gaps, true, &Gap::is_of_medians));
    const double moments = static_cast<double>(gaps.size()) - medians;
    for (Gap& gap : gaps) {
      gap.p *= gap.is_of_medians ? medians / (moments > 0 ? share_of_medians : 1)
                                 : moments / share_of_moments;
    }
    const auto best = std::ranges::min_element(gaps, {}, &Gap::p);
    if (best->p > alpha_) return std::nullopt;
    return StateSplit{.figure = best->figure, .limit = best->limit, .p_adjusted = best->p};
  }

  /// Whether a place belongs to the upper part. An unknown value is that of the launch.
  [[nodiscard]] bool is_high(const StateSplit& split, const Place& place) const {
    const StateFigure& figure = figures_[split.figure];
    double value = value_at(figure, place);
    if (!is_known(value)) {
      std::vector<double> known;
      std::ranges::copy_if(figure.values[place.launch], std::back_inserter(known), is_known);
      value = median(known).value_or(0);
    }
    return value > split.limit;
  }

  /// Recursive: each part has fewer places, as a gap has two launches on both sides.
  void split(std::vector<Place> places) {  // NOLINT(misc-no-recursion)
    const std::optional<StateSplit> found = best_split(places);
    if (!found) {
      for (const Place& place : places) found_.of[place.launch][place.moment] = found_.states;
      ++found_.states;
      return;
    }
    found_.splits.push_back(*found);
    const auto high = std::ranges::stable_partition(
        places, [&](const Place& place) { return !is_high(*found, place); });
    split({places.begin(), high.begin()});
    split({high.begin(), high.end()});
  }

  std::span<const StateFigure> figures_;
  double alpha_;
  FoundStates found_;
};

}  // namespace

FoundStates find_states(std::span<const StateFigure> figures, std::size_t launches, double alpha) {
  return Splitting(figures, launches, alpha).run();
}

}  // namespace hockney::verdicts
