#include "models/fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>
#include <ranges>
#include <span>
#include <vector>

#include "core/statistics.hpp"
#include "models/curves.hpp"

namespace hockney::models {
namespace {

/// Makes the median magnitude of normal numbers their standard deviation.
constexpr double normal_consistency = 1.4826;

/// Each launch is compared with this many after it; more would only repeat them.
constexpr std::size_t partners = 8;

using Row = std::vector<std::optional<double>>;

/// ln of the ratio of two launches at one size.
std::optional<double> log_ratio(const Row& a, const Row& b, std::size_t place) {
  const std::optional<double>& of_a = a[place];
  const std::optional<double>& of_b = b[place];
  if (!of_a || !of_b) return std::nullopt;
  return std::log(*of_a / *of_b);
}

void append_steps(std::vector<double>& steps, const Row& a, const Row& b) {
  for (std::size_t place = 1; place < a.size(); ++place) {
    const auto before = log_ratio(a, b, place - 1);
    const auto here = log_ratio(a, b, place);
    if (before && here) steps.push_back(std::abs(*here - *before));
  }
}

/// Standard deviation of the median of n normal numbers over that of one number. Exact for n <= 2,
/// where the median is the mean; an upper bound otherwise.
double median_shrink(std::size_t n) {
  const auto count = static_cast<double>(n);
  return std::sqrt((n <= 2 ? 1 : std::numbers::pi / 2) / count);
}

constexpr long double unreachable = std::numeric_limits<long double>::infinity();

/// costs.cost(first, last) of every admissible range, computed once and read by every layer.
class CostTable {
 public:
  CostTable(const LineCosts& costs, std::size_t shortest)
      : sizes_(costs.size()), cells_((sizes_ + 1) * (sizes_ + 1), unreachable) {
    for (std::size_t first = 0; first < sizes_; ++first) {
      for (std::size_t last = first + shortest; last <= sizes_; ++last) {
        cells_[first * (sizes_ + 1) + last] = costs.cost(first, last);
      }
    }
  }

  [[nodiscard]] long double operator()(std::size_t first, std::size_t last) const {
    return cells_[first * (sizes_ + 1) + last];
  }
  [[nodiscard]] std::size_t sizes() const { return sizes_; }

 private:
  std::size_t sizes_;
  std::vector<long double> cells_;
};

/// Best costs of the first e sizes in k segments, and where the last of these segments starts.
struct Layer {
  explicit Layer(std::size_t sizes) : cost(sizes + 1, unreachable), start(sizes + 1, 0) {}
  std::vector<long double> cost;
  std::vector<std::size_t> start;
};

Layer first_layer(const CostTable& costs) {
  Layer layer(costs.sizes());
  for (std::size_t end = 1; end <= costs.sizes(); ++end) layer.cost[end] = costs(0, end);
  return layer;
}

Layer next_layer(const CostTable& costs, const Layer& before) {
  Layer layer(costs.sizes());
  for (std::size_t end = 2 * sizes_per_segment; end <= costs.sizes(); ++end) {
    for (std::size_t start = sizes_per_segment; start + sizes_per_segment <= end; ++start) {
      const long double cost = before.cost[start] + costs(start, end);
      if (cost >= layer.cost[end]) continue;
      layer.cost[end] = cost;
      layer.start[end] = start;
    }
  }
  return layer;
}

Segmentation trace_back(const std::vector<Layer>& layers, std::size_t sizes) {
  Segmentation segmentation{.cost = static_cast<double>(layers.back().cost[sizes])};
  std::size_t end = sizes;
  for (const Layer& layer : std::ranges::reverse_view(layers)) {
    end = layer.start[end];
    segmentation.starts.push_back(end);
  }
  std::ranges::reverse(segmentation.starts);
  return segmentation;
}

constexpr std::size_t complementary_pairs = 50;
constexpr std::uint64_t seed = 20130101;

/// Where the segments of the pooled launches start, as indices into the curve's sizes.
struct Proposal {
  std::vector<std::size_t> starts;
  double floor = 0;
};

class Proposer {
 public:
  Proposer(const Curve& curve, std::size_t most)
      : curve_(curve), most_(most), cell_noise_(cell_noise(curve)) {}

  [[nodiscard]] Proposal propose(std::span<const std::size_t> launches) const {
    const PooledCurve pooled = pool_levelled(curve_, launches);
    Proposal proposal{.floor = noise_floor(cell_noise_, launches.size(), pooled.points)};
    const auto candidates = best_segmentations(LineCosts(pooled.points), most_);
    if (candidates.empty()) return proposal;
    const auto& chosen = choose_segmentation(candidates, pooled.points.size(), proposal.floor);
    for (const std::size_t start : chosen.starts) {
      proposal.starts.push_back(pooled.places[start]);
    }
    return proposal;
  }

 private:
  const Curve& curve_;
  std::size_t most_;
  std::optional<double> cell_noise_;
};

bool within_one_step(std::size_t place, const std::vector<std::size_t>& starts) {
  return std::any_of(starts.begin(), starts.end(), [&](std::size_t start) {
    return start > 0 && start <= place + 1 && place <= start + 1;
  });
}

/// The proposals of both halves of many random divisions of the launches.
std::vector<Proposal> replicate(const Proposer& proposer, std::vector<std::size_t> launches) {
  std::mt19937_64 engine(seed);
  std::vector<Proposal> replicates;
  const std::size_t half = launches.size() / 2;
  for (std::size_t pair = 0; pair < complementary_pairs; ++pair) {
    shuffle(launches, engine);
    const std::span<const std::size_t> drawn(launches);
    replicates.push_back(proposer.propose(drawn.first(half)));
    replicates.push_back(proposer.propose(drawn.subspan(half, half)));
  }
  return replicates;
}

double recurrence(std::size_t place, const std::vector<Proposal>& replicates) {
  const auto hits = std::ranges::count_if(replicates, [&](const Proposal& replicate) {
    return within_one_step(place, replicate.starts);
  });
  return static_cast<double>(hits) / static_cast<double>(replicates.size());
}

double relative_error(const Line& line, double bytes, double seconds) {
  return std::abs(line.at(bytes) - seconds) / seconds;
}

std::optional<double> mean(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::vector<double> errors_in_sample(std::span<const TimedSize> points,
                                     const std::vector<std::size_t>& starts,
                                     const std::vector<Line>& lines) {
  std::vector<double> errors;
  for (std::size_t k = 0; k < starts.size(); ++k) {
    for (const TimedSize& point : segment_points(points, starts, k)) {
      errors.push_back(relative_error(lines[k], point.bytes, point.seconds));
    }
  }
  return errors;
}

std::vector<double> errors_without_size(std::span<const TimedSize> points,
                                        const std::vector<std::size_t>& starts) {
  std::vector<double> errors;
  for (std::size_t k = 0; k < starts.size(); ++k) {
    const auto segment = segment_points(points, starts, k);
    for (std::size_t held = 0; held < segment.size(); ++held) {
      std::vector<TimedSize> others(segment.begin(), segment.end());
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(held));
      if (const auto line = fit_line(others)) {
        errors.push_back(relative_error(*line, segment[held].bytes, segment[held].seconds));
      }
    }
  }
  return errors;
}

/// Appends the errors at one launch of the lines fitted to all others. `others` may lack sizes that
/// the held-out launch alone has, so its segments are found by the place of each size.
void append_errors_of_launch(std::vector<double>& errors, const Curve& curve, std::size_t launch,
                             const PooledCurve& others, const std::vector<std::size_t>& starts) {
  for (std::size_t k = 0; k < starts.size(); ++k) {
    const std::size_t end = k + 1 < starts.size() ? starts[k + 1] : curve.sizes.size();
    const auto first = std::ranges::lower_bound(others.places, starts[k]) - others.places.begin();
    const auto last = std::ranges::lower_bound(others.places, end) - others.places.begin();
    const auto line = fit_line(
        std::span(others.points)
            .subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first)));
    for (std::size_t place = starts[k]; line && place < end; ++place) {
      const auto& cell = curve.medians_seconds[launch][place];
      const auto bytes = static_cast<double>(curve.sizes[place].value);
      if (cell) errors.push_back(relative_error(*line, bytes, *cell));
    }
  }
}

/// The errors of the lines of the segments that start at `starts`. Holding out a size or a launch
/// does not move the segments.
FitErrors fit_errors(const Curve& curve, const PooledCurve& pooled,
                     const std::vector<std::size_t>& starts, const std::vector<Line>& lines) {
  const std::vector<double> in_sample = errors_in_sample(pooled.points, starts, lines);
  FitErrors errors{.mape = mean(in_sample).value_or(0), .maximum = std::ranges::max(in_sample)};
  errors.held_out = mean(errors_without_size(pooled.points, starts));
  if (curve.medians_seconds.size() < 2) return errors;
  std::vector<double> of_launches;
  const PoolWithoutOne without(curve);
  for (std::size_t launch = 0; launch < curve.medians_seconds.size(); ++launch) {
    append_errors_of_launch(of_launches, curve, launch, without.pool(launch), starts);
  }
  errors.held_out_launch = mean(of_launches);
  return errors;
}

/// The exact interval over launches, widened to hold the estimate. A fit to pooled times can lie
/// just outside the fits to single launches.
std::optional<Interval> interval_around(double estimate, const std::vector<double>& refits) {
  const std::optional<Interval> exact = quantile_interval(refits);
  if (!exact) return std::nullopt;
  return Interval{std::min(exact->low, estimate), std::max(exact->high, estimate), exact->level};
}

Segment make_segment(const Curve& curve, const PooledCurve& pooled,
                     const std::vector<std::size_t>& starts, std::size_t k, const Line& line) {
  const auto points = segment_points(pooled.points, starts, k);
  std::vector<double> alphas;
  std::vector<double> betas;
  for (const Line& refit : launch_lines(curve, pooled, starts, k)) {
    alphas.push_back(refit.alpha_seconds);
    betas.push_back(refit.beta_seconds_per_byte);
  }
  return {.from = curve.sizes[starts[k]],
          .to = curve.sizes[starts[k] + points.size() - 1],
          .line = line,
          .alpha_seconds = interval_around(line.alpha_seconds, alphas),
          .beta_seconds_per_byte = interval_around(line.beta_seconds_per_byte, betas)};
}

/// Measured times over those of the lines of a fit.
FactorCurve factors_of(const Fit& fit, std::span<const TimedSize> points) {
  std::vector<Factor> factors;
  for (const TimedSize& point : points) {
    const Bytes size{static_cast<std::int64_t>(point.bytes)};
    const double seconds = predict_by_lines(fit, size).seconds;
    if (seconds > 0) factors.push_back({all_ranks, point.bytes, point.seconds / seconds});
  }
  return {Bend::sizes, factors};
}

/// Between fewer sizes a curve is no better than a line.
constexpr std::size_t sizes_per_curve = 5;

/// Notes the sizes where the lines are off by more than noise, and gives the fit factors there.
void bend_to(Fit& fit, std::span<const TimedSize> points) {
  const double most = most_noise_floors * fit.noise_floor;
  if (fit.errors.mape <= most) return;
  double sum = 0;
  for (std::size_t held = 0; held < points.size(); ++held) {
    const Bytes size{static_cast<std::int64_t>(points[held].bytes)};
    const double by_lines = predict_by_lines(fit, size).seconds;
    if (std::abs(by_lines / points[held].seconds - 1) > most) fit.errors.off.push_back(size);
    std::vector<TimedSize> others(points.begin(), points.end());
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(held));
    const double factor = factors_of(fit, others).at(all_ranks, points[held].bytes);
    sum += std::abs(by_lines * factor / points[held].seconds - 1);
  }
  if (points.size() < sizes_per_curve) return;
  fit.factors = factors_of(fit, points);
  fit.curve_held_out = sum / static_cast<double>(points.size());
}

std::vector<FittedBreakpoint> in_bytes(const Curve& curve, const std::vector<Breakpoint>& found) {
  std::vector<FittedBreakpoint> breakpoints;
  breakpoints.reserve(found.size());
  for (const Breakpoint& breakpoint : found) {
    breakpoints.push_back({.after = curve.sizes[breakpoint.place - 1],
                           .before = curve.sizes[breakpoint.place],
                           .recurrence = breakpoint.recurrence});
  }
  return breakpoints;
}

}  // namespace

std::optional<double> cell_noise(const Curve& curve) {
  const auto& rows = curve.medians_seconds;
  std::vector<double> steps;
  for (std::size_t launch = 0; launch < rows.size(); ++launch) {
    const std::size_t last = std::min(rows.size(), launch + 1 + partners);
    for (std::size_t other = launch + 1; other < last; ++other) {
      append_steps(steps, rows[launch], rows[other]);
    }
  }
  const std::optional<double> magnitude = median(steps);
  if (!magnitude) return std::nullopt;
  return normal_consistency * *magnitude / 2;
}

std::optional<double> size_scatter(std::span<const TimedSize> points) {
  std::vector<double> residuals;
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    const TimedSize& low = points[i - 1];
    const TimedSize& high = points[i + 1];
    const double share = (points[i].bytes - low.bytes) / (high.bytes - low.bytes);
    const double from_low = (1 - share) * low.seconds;
    const double from_high = share * high.seconds;
    const double unit = std::hypot(from_low, from_high, points[i].seconds);
    residuals.push_back(std::abs(from_low + from_high - points[i].seconds) / unit);
  }
  const std::optional<double> magnitude = median(residuals);
  if (!magnitude) return std::nullopt;
  return normal_consistency * *magnitude;
}

double noise_floor(std::optional<double> cell, std::size_t launches,
                   std::span<const TimedSize> pooled) {
  const double between = cell.value_or(0) * median_shrink(launches);
  const bool is_noise = !cell || pooled.size() >= sizes_for_scatter;
  const double scatter = is_noise ? size_scatter(pooled).value_or(0) : 0;
  return std::max({between, scatter, least_noise_floor});
}

std::vector<Segmentation> best_segmentations(const LineCosts& costs, std::size_t most) {
  const std::size_t sizes = costs.size();
  if (sizes < 2) return {};
  most = std::clamp<std::size_t>(most, 1, std::max<std::size_t>(1, sizes / sizes_per_segment));
  const CostTable table(costs, std::min(sizes, sizes_per_segment));
  std::vector<Layer> layers{first_layer(table)};
  std::vector<Segmentation> best{trace_back(layers, sizes)};
  while (best.size() < most) {
    layers.push_back(next_layer(table, layers.back()));
    best.push_back(trace_back(layers, sizes));
  }
  return best;
}

double information_criterion(const Segmentation& segmentation, std::size_t sizes, double floor) {
  const auto n = static_cast<double>(sizes);
  const auto k = static_cast<double>(segmentation.segments());
  return n * std::log(std::max(segmentation.cost / n, floor * floor)) + (3 * k - 1) * std::log(n);
}

const Segmentation& choose_segmentation(const std::vector<Segmentation>& candidates,
                                        std::size_t sizes, double floor) {
  return *std::ranges::min_element(candidates, {}, [&](const Segmentation& candidate) {
    return information_criterion(candidate, sizes, floor);
  });
}

Segments find_segments(const Curve& curve, std::size_t most) {
  const std::vector<std::size_t> launches = all_launches(curve);
  const Proposer proposer(curve, most);
  const Proposal proposal = proposer.propose(launches);
  Segments segments{.starts = {0}, .noise_floor = proposal.floor};
  if (proposal.starts.size() < 2) return segments;
  const bool replicable = launches.size() > 1;
  segments.confirmed_by = replicable ? Confirmation::launches : Confirmation::bic;
  std::vector<Proposal> replicates;
  if (replicable) replicates = replicate(proposer, launches);
  for (const std::size_t place : std::span(proposal.starts).subspan(1)) {
    const Breakpoint found{
        place, replicable ? std::optional(recurrence(place, replicates)) : std::nullopt};
    const bool accepted = found.recurrence.value_or(1) >= least_recurrence;
    (accepted ? segments.accepted : segments.rejected).push_back(found);
    if (accepted) segments.starts.push_back(place);
  }
  return segments;
}

std::optional<double> asymptotic_bandwidth(const Fit& fit) {
  const Segment& last = fit.segments.back();
  const double beta = last.line.beta_seconds_per_byte;
  const double growth = beta * static_cast<double>(last.to.value - last.from.value);
  const bool is_seen =
      beta > 0 && growth > fit.errors.mape * last.line.at(static_cast<double>(last.to.value));
  return is_seen ? std::optional(1 / beta) : std::nullopt;
}

std::string Fit::model() const { return segments.size() == 1 ? "hockney" : "piecewise-hockney"; }

std::variant<Fit, FitFailure> fit_curve(const Curve& curve, const FitOptions& options) {
  const std::size_t launches = curve.medians_seconds.size();
  if (curve.sizes.size() < sizes_per_fit) {
    return FitFailure{curve.point, curve.setting, launches, curve.sizes};
  }
  const Segments found = find_segments(curve, options.max_segments);
  const PooledCurve pooled = pool(curve, all_launches(curve));
  const std::vector<Line> lines = fit_segments(pooled.points, found.starts);
  Fit fit{.point = curve.point,
          .setting = curve.setting,
          .mpi_library = curve.mpi_library,
          .pairs = curve.pairs,
          .launches = launches,
          .sizes = curve.sizes.size(),
          .missing_cells = curve.missing_cells(),
          .errors = fit_errors(curve, pooled, found.starts, lines),
          .noise_floor = found.noise_floor,
          .confirmed_by = found.confirmed_by,
          .breakpoints = in_bytes(curve, found.accepted),
          .rejected = in_bytes(curve, found.rejected)};
  for (std::size_t k = 0; k < found.starts.size(); ++k) {
    fit.segments.push_back(make_segment(curve, pooled, found.starts, k, lines[k]));
  }
  bend_to(fit, pooled.points);
  return fit;
}

Prediction predict_by_lines(const Fit& fit, Bytes size) {
  const auto bytes = static_cast<double>(size.value);
  // The first segment that ends at or above the size.
  const auto segment = std::ranges::lower_bound(fit.segments, size, {}, &Segment::to);
  if (segment == fit.segments.end()) {
    return {fit.segments.back().line.at(bytes), Region::above_domain, std::nullopt};
  }
  if (size >= segment->from) return {segment->line.at(bytes), Region::inside, std::nullopt};
  if (segment == fit.segments.begin()) {
    return {segment->line.at(bytes), Region::below_domain, std::nullopt};
  }
  return {std::prev(segment)->line.at(bytes), Region::between_segments, segment->line.at(bytes)};
}

Prediction predict(const Fit& fit, Bytes size) {
  Prediction prediction = predict_by_lines(fit, size);
  if (fit.factors.bend() == Bend::none) return prediction;
  prediction.seconds *= fit.factors.at(all_ranks, static_cast<double>(size.value));
  prediction.upper_seconds.reset();
  return prediction;
}

}  // namespace hockney::models
