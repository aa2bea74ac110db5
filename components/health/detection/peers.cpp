#include "components/health/detection/peers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "components/health/detection/noise_tail.hpp"
#include "core/distributions.hpp"
#include "core/statistics.hpp"

namespace hockney::health {
namespace {

constexpr float not_measured = std::numeric_limits<float>::quiet_NaN();
constexpr double least_spread = 0.002;  // [log ratio] of figures that agree better
constexpr double median_loss = 1.2533;  // standard error of the median over the mean's
constexpr double two_sided = 1.96;      // normal quantile of 95 %
constexpr std::size_t recent = 7;       // nights whose median is a level
constexpr double clear = 4;             // [spread] a median of several nights beyond is no noise
constexpr double clip = 3;              // [spread] of the night before, for whitening

std::vector<double> measured(std::span<const float> values) {
  std::vector<double> some;
  some.reserve(values.size());
  for (const float value : values) {
    if (!std::isnan(value)) some.push_back(value);
  }
  return some;
}

/// The last values that were measured, at most `most`.
std::vector<double> last_measured(std::span<const float> values, std::size_t most) {
  std::vector<double> some;
  for (std::size_t i = values.size(); i-- > 0 && some.size() < most;) {
    if (!std::isnan(values[i])) some.push_back(values[i]);
  }
  return some;
}

std::optional<double> median_of(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  return quick_median(values);
}

/// Robust standard deviation about 0, at least `least_spread`.
double spread_of(std::vector<double> values) {
  return values.empty() ? least_spread
                        : std::max(robust_deviation(std::move(values)), least_spread);
}

/// Whether the last nights of a row are clearly shifted.
bool is_clearly_shifted(std::span<const float> row, double spread) {
  const auto is_beyond = [&](std::size_t nights) {
    return median_of(last_measured(row, nights)).value_or(0) > clear * spread;
  };
  return is_beyond(3) || is_beyond(recent);
}

/// Values of nights before the last one, of rows without a clear shift.
std::vector<float> pool_of(const NightTable& table, double spread) {
  std::vector<float> pool;
  pool.reserve(table.values.size());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::span<const float> values = table.row(row);
    if (is_clearly_shifted(values, spread)) continue;
    for (const float value : values.first(table.nights - 1)) {
      if (!std::isnan(value)) pool.push_back(value);
    }
  }
  return pool;
}

/// Autocorrelation of adjacent nights over all rows, within [0, 0.9].
double autocorrelation_of(const NightTable& table, double spread) {
  double products = 0;
  double squares = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::span<const float> values = table.row(row);
    double before = 0;
    for (const float value : values) {
      if (std::isnan(value)) continue;
      const double now = std::clamp<double>(value, -clip * spread, clip * spread);
      products += before * now;
      squares += now * now;
      before = now;
    }
  }
  return squares > 0 ? std::clamp(products / squares, 0.0, 0.9) : 0;
}

/// How the nights of a row differ: a first-order autoregression.
struct NightNoise {
  double spread = least_spread;  ///< standard deviation of a night
  double rho = 0;                ///< autocorrelation of adjacent nights

  /// Standard error of the median of this many adjacent nights; of their mean with one or two.
  [[nodiscard]] double error(std::size_t nights) const {
    const double n = static_cast<double>(nights);
    const double ends = 2 * rho * (1 - std::pow(rho, n)) / (n * (1 - rho) * (1 - rho));
    const double loss = nights > 2 ? median_loss : 1;
    return loss * spread * std::sqrt(((1 + rho) / (1 - rho) - ends) / n);
  }
};

/// The part of each value that the night before does not explain.
NightTable whitened(const NightTable& table, const NightNoise& noise) {
  const auto [spread, rho] = noise;
  NightTable white = table;
  const double scale = 1 / std::sqrt(1 - rho * rho);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    double before = 0;
    for (float& value : white.row(row)) {
      if (std::isnan(value)) continue;
      const double now = value;
      value = static_cast<float>((now - rho * before) * scale);
      before = std::clamp(now, -clip * spread, clip * spread);
    }
  }
  return white;
}

/// First night of a shift of this size: the largest sum of the nights from there on.
std::size_t first_of_shift(std::span<const float> row, double shift) {
  double sum = 0;
  double largest = 0;
  std::size_t first = row.size() - 1;
  for (std::size_t night = row.size(); night-- > 0;) {
    if (std::isnan(row[night])) continue;
    sum += std::clamp<double>(row[night], 0, shift) - shift / 2;
    if (sum <= largest) continue;
    largest = sum;
    first = night;
  }
  return first;
}

/// Standard error of a median of some nights less that of the nights of the usual level.
double error_of_shift(const NightNoise& noise, std::size_t nights, std::size_t of_level) {
  return std::hypot(noise.error(nights), noise.error(of_level));
}

Interval interval_around(double shift, double error) {
  return {
      .low = shift - two_sided * error, .high = shift + two_sided * error, .level = default_level};
}

/// The state of one row after some nights.
class RowWatch {
 public:
  /// `floors`: the smallest median of 1, 2, ... nights that is a shift; the last for more nights.
  RowWatch(double threshold, double floor, std::span<const double> floors)
      : threshold_(threshold), floor_(floor), floors_(floors) {}

  void observe(double value, double score) {
    constexpr double allowance = 2;
    since_.push_back(static_cast<float>(value));
    sum_ = std::max(0.0, sum_ + score - allowance);
    if (shifted_) {
      shifted_ = level() > floor_ / 2;
      if (!shifted_) sum_ = 0;
    } else {
      const std::size_t nights = std::min(since_.size(), floors_.size());
      shifted_ = sum_ > threshold_ && level() > floors_[nights - 1];
    }
    if (sum_ <= 0 && !shifted_) since_.clear();
  }

  [[nodiscard]] bool is_shifted() const { return shifted_; }
  /// Median of the last nights since the sum was 0.
  [[nodiscard]] double level() const {
    return median_of(last_measured(since_, recent)).value_or(0);
  }

 private:
  double threshold_;
  double floor_;
  std::span<const double> floors_;
  double sum_ = 0;
  bool shifted_ = false;
  std::vector<float> since_;
};

/// Smallest medians of 1 to `recent` nights that no error of the usual level and of these nights
/// explains by chance: with thousands of rows the usual levels of some are far too small.
std::array<double, recent> floors_of(const NightNoise& noise, std::size_t of_level, double quantile,
                                     double practical) {
  std::array<double, recent> floors{};
  for (std::size_t nights = 1; nights <= recent; ++nights) {
    floors[nights - 1] = std::max(practical, quantile * error_of_shift(noise, nights, of_level));
  }
  return floors;
}

/// Probability of a false alarm of one row on one night. A false alarm lasts 7 nights, as a median
/// of 7 nights ends it.
double chance_of_alarm(const PeerOptions& options) {
  return options.false_nodes_per_night / static_cast<double>(recent) /
         static_cast<double>(std::max<std::size_t>(options.tests, 1));
}

/// Rows larger than before, as of the last night. `deviations` are distances of each row from its
/// own usual level [log ratio]. The detector is a CUSUM (Page 1954) of -ln p, with the probability
/// p of NoiseTail for the pool of all rows and earlier nights, and allowance 2. -ln p is
/// exponentially distributed whatever the noise, so the rate of false alarms follows from the
/// threshold h alone, exp(-0.797 h) (Cramer and Lundberg). h allows `false_nodes_per_night` false
/// nodes over all `tests`; a false alarm lasts about 7 nights. Rows with a clear shift are left out
/// of the pool. Values are whitened by the autocorrelation of all rows. The shift must be beyond
/// the errors of the usual level and of its own nights, at the same chance. It ends if the median
/// of its last 7 nights is below half the practical floor. Empty with fewer than 100 values.
std::vector<RowShift> find_shifts(const NightTable& deviations, const PeerOptions& options) {
  std::vector<RowShift> shifts;
  if (deviations.nights < 2) return shifts;
  const double spread = spread_of(measured(deviations.values));
  const NightNoise noise{.spread = spread, .rho = autocorrelation_of(deviations, spread)};
  const NightTable white = whitened(deviations, noise);
  const std::vector<float> pool = pool_of(white, spread);
  if (pool.size() < NoiseTail::fewest) return shifts;
  const NoiseTail tail(pool);
  // exp(-2 x) = 1 - x at 0.797: the rate at which sums of exponential scores less 2 exceed a limit.
  constexpr double decay = 0.797;
  constexpr double as_normal = 1e6;  // degrees of freedom
  const double chance = chance_of_alarm(options);
  const double threshold = -std::log(chance) / decay;
  const double quantile = student_upper_quantile(as_normal, chance);
  const double practical = std::log1p(options.practical);
  for (std::size_t row = 0; row < deviations.rows(); ++row) {
    const std::span<const float> values = deviations.row(row);
    if (std::isnan(values.back())) continue;
    const std::size_t of_level = std::max<std::size_t>(1, measured(values).size() / 2);
    const auto floors = floors_of(noise, of_level, quantile, practical);
    RowWatch watch(threshold, practical, floors);
    for (std::size_t night = 0; night < deviations.nights; ++night) {
      if (!std::isnan(values[night]))
        watch.observe(values[night], tail.score(white.row(row)[night]));
    }
    if (!watch.is_shifted()) continue;
    const std::size_t first = first_of_shift(values, watch.level());
    const std::size_t nights = std::min(measured(values.subspan(first)).size(), recent);
    const double error = error_of_shift(noise, nights, of_level);
    shifts.push_back({.row = row,
                      .shift = watch.level(),
                      .interval = interval_around(watch.level(), error),
                      .since = first});
  }
  return shifts;
}

/// A level of each node, and the node.
struct NodeLevel {
  double level = 0;
  std::size_t node = 0;
};

/// Where sorted levels fall into two groups; nullopt if they do not.
std::optional<std::size_t> gap_of(std::span<const NodeLevel> sorted, std::size_t least,
                                  double practical) {
  constexpr double spreads = 3;  // of the wider group
  std::optional<std::size_t> place;
  double widest = 0;
  for (std::size_t k = least; k + least <= sorted.size(); ++k) {
    const double gap = sorted[k].level - sorted[k - 1].level;
    if (gap <= widest) continue;
    widest = gap;
    place = k;
  }
  if (!place) return std::nullopt;
  const auto levels = [](std::span<const NodeLevel> some) {
    std::vector<double> values;
    values.reserve(some.size());
    for (const NodeLevel& one : some) values.push_back(one.level);
    return values;
  };
  const auto around = [](std::vector<double> values, double centre) {
    for (double& value : values) value -= centre;
    return spread_of(std::move(values));
  };
  std::vector<double> low = levels(sorted.first(*place));
  std::vector<double> high = levels(sorted.subspan(*place));
  const double centre_of_low = quick_median(low);
  const double centre_of_high = quick_median(high);
  const double spread = std::max(around(low, centre_of_low), around(high, centre_of_high));
  const double distance = centre_of_high - centre_of_low;
  const bool apart = widest > spreads * spread && distance > std::log1p(practical);
  return apart ? place : std::nullopt;
}

/// Splits sorted levels until no part has two modes.
void split(std::span<const NodeLevel> sorted, std::size_t least, double practical,
           std::vector<std::vector<std::size_t>>& modes) {
  if (const auto place = gap_of(sorted, least, practical)) {
    split(sorted.first(*place), least, practical, modes);
    split(sorted.subspan(*place), least, practical, modes);
    return;
  }
  std::vector<std::size_t>& mode = modes.emplace_back();
  for (const NodeLevel& one : sorted) mode.push_back(one.node);
}

/// The median of the nodes on each night; NaN with too few.
std::vector<float> centres_of(const NightTable& logs, std::span<const std::size_t> nodes) {
  std::vector<float> centres(logs.nights, not_measured);
  std::vector<double> values;
  for (std::size_t night = 0; night < logs.nights; ++night) {
    values.clear();
    for (const std::size_t node : nodes) {
      const float value = logs.row(node)[night];
      if (!std::isnan(value)) values.push_back(value);
    }
    if (values.size() < std::min(fewest_peers, nodes.size())) continue;
    centres[night] = static_cast<float>(quick_median(values));
  }
  return centres;
}

std::vector<std::size_t> all_nodes(const NightTable& logs) {
  std::vector<std::size_t> nodes(logs.rows());
  for (std::size_t node = 0; node < nodes.size(); ++node) nodes[node] = node;
  return nodes;
}

/// Subtracts the centres of the nights from the rows of these nodes.
void subtract(NightTable& table, std::span<const std::size_t> nodes,
              std::span<const float> centres) {
  for (const std::size_t node : nodes) {
    const std::span<float> row = table.row(node);
    for (std::size_t night = 0; night < row.size(); ++night) row[night] -= centres[night];
  }
}

/// First night on which the distance of the centres is more than half of today's; nullopt if it is
/// the first of all.
std::optional<std::size_t> first_apart(std::span<const float> centres, std::span<const float> main,
                                       double shift) {
  std::vector<float> distances(centres.size());
  for (std::size_t i = 0; i < centres.size(); ++i) {
    distances[i] = (centres[i] - main[i]) * (shift < 0 ? -1.0F : 1.0F);
  }
  const std::size_t first = first_of_shift(distances, std::abs(shift));
  const bool from_begin = measured(std::span(distances).first(first)).empty();
  return from_begin ? std::nullopt : std::optional(first);
}

/// Finds the modes of the last nights, and puts deviations from them into the verdict.
void find_modes(const NightTable& logs, double practical, PeerVerdict& verdict) {
  constexpr std::size_t least_nodes = 5;
  constexpr std::size_t least_share = 20;  // one in
  const std::vector<std::size_t> nodes = all_nodes(logs);
  NightTable around = logs;
  subtract(around, nodes, centres_of(logs, nodes));
  std::vector<NodeLevel> levels;
  std::vector<std::size_t> absent;
  for (const std::size_t node : nodes) {
    const auto level = median_of(last_measured(around.row(node), recent));
    const bool is_there = level && !std::isnan(logs.row(node).back());
    if (is_there) levels.push_back({*level, node});
    if (!is_there) absent.push_back(node);
  }
  std::ranges::sort(levels, {}, &NodeLevel::level);
  std::vector<std::vector<std::size_t>> modes;
  split(levels, std::max(least_nodes, levels.size() / least_share), practical, modes);
  std::ranges::stable_sort(modes, std::greater(), [](const auto& mode) { return mode.size(); });
  if (!modes.empty()) std::ranges::copy(absent, std::back_inserter(modes.front()));
  verdict.deviations = logs;
  std::vector<float> main;
  for (std::vector<std::size_t>& mode : modes) {
    const std::vector<float> centres = centres_of(logs, mode);
    subtract(verdict.deviations, mode, centres);
    PeerMode& found = verdict.modes.emplace_back();
    found.nodes = std::move(mode);
    if (main.empty()) {
      main = centres;
      continue;
    }
    NightTable distance{.nights = logs.nights, .values = centres};
    for (std::size_t i = 0; i < main.size(); ++i) distance.values[i] -= main[i];
    found.shift = median_of(last_measured(distance.values, recent)).value_or(0);
    found.since = first_apart(centres, main, found.shift);
  }
}

/// The nodes' distances from their own usual levels. NaN for nodes with too few nights.
NightTable from_own_level(const NightTable& deviations, double spread) {
  NightTable own = deviations;
  std::vector<std::size_t> nights_of_level(own.rows(), 0);
  for (std::size_t node = 0; node < own.rows(); ++node) {
    const std::span<float> row = own.row(node);
    std::vector<double> nights = measured(row);
    if (nights.size() < nights_of_peers) {
      std::ranges::fill(row, not_measured);
      continue;
    }
    nights.resize((nights.size() + 1) / 2);
    nights_of_level[node] = nights.size();
    const auto level = static_cast<float>(quick_median(nights));
    for (float& value : row) value -= level;
  }
  // A quarter of the standard error of the usual level keeps its error from adding up.
  const NightNoise noise{.spread = spread, .rho = autocorrelation_of(own, spread)};
  for (std::size_t node = 0; node < own.rows(); ++node) {
    if (nights_of_level[node] == 0) continue;
    const double error = noise.error(nights_of_level[node]);
    for (float& value : own.row(node)) value -= static_cast<float>(error / 4);
  }
  return own;
}

/// Robust standard deviation of levels: the larger of those by the median deviation and by the
/// middle 80 %. The first alone is too small for one of many fleets of few nodes.
double spread_of_levels(std::vector<double> levels) {
  constexpr double deviations_in_80_percent = 2.563;
  const double by_median = spread_of(levels);
  std::ranges::sort(levels);
  const std::size_t cut = levels.size() / 10;
  const double middle = levels[levels.size() - 1 - cut] - levels[cut];
  return std::max(by_median, middle / deviations_in_80_percent);
}

/// The levels of a mode's nodes over their last 30 nights, without nodes of too few nights.
std::vector<NodeLevel> levels_of(const PeerMode& mode, const PeerFigure& figure,
                                 const NightTable& deviations) {
  constexpr std::size_t most_nights = 30;
  std::vector<NodeLevel> levels;
  for (const std::size_t node : mode.nodes) {
    if (std::isnan(figure.logs.row(node).back())) continue;
    std::vector<double> nights = last_measured(deviations.row(node), most_nights);
    if (nights.size() >= nights_of_peers) levels.push_back({quick_median(nights), node});
  }
  return levels;
}

/// Nodes of a mode whose level is beyond that of their peers.
void compare_levels(const PeerMode& mode, const PeerFigure& figure, const PeerOptions& options,
                    PeerVerdict& verdict) {
  constexpr double freedom = 8;  // of Student's distribution, as nodes differ with heavy tails
  const std::vector<NodeLevel> levels = levels_of(mode, figure, verdict.deviations);
  if (levels.size() < fewest_peers) return;
  std::vector<double> values;
  values.reserve(levels.size());
  for (const NodeLevel& one : levels) values.push_back(one.level);
  const double spread = spread_of_levels(values);
  const double chance =
      options.false_nodes_per_night / static_cast<double>(std::max<std::size_t>(1, options.tests));
  const double quantile =
      student_upper_quantile(std::min(freedom, static_cast<double>(levels.size() - 1)), chance);
  const double cut = std::max(quantile * spread, std::log1p(options.practical));
  for (const NodeLevel& one : levels) {
    if (one.level <= cut) continue;
    verdict.slow.push_back({.node = one.node,
                            .shift = one.level,
                            .interval = interval_around(
                                one.level, error_of_shift({.spread = spread}, 1, levels.size())),
                            .since = std::nullopt,
                            .against = Against::peers});
  }
}

PeerShift as_peer(const RowShift& shift) {
  return {.node = shift.row,
          .shift = shift.shift,
          .interval = shift.interval,
          .since = shift.since,
          .against = Against::itself};
}

bool has_node(std::span<const PeerShift> shifts, std::size_t node) {
  return std::ranges::find(shifts, node, &PeerShift::node) != shifts.end();
}

/// Medians of the groups' nodes, night by night.
NightTable group_table(const NightTable& own, std::span<const std::vector<std::size_t>> groups) {
  NightTable table{.nights = own.nights, .values = {}};
  for (const std::vector<std::size_t>& group : groups) {
    const std::vector<float> centres = centres_of(own, group);
    table.values.insert(table.values.end(), centres.begin(), centres.end());
  }
  return table;
}

/// The shift of a group most of whose nodes are slow; nullopt for others.
std::optional<PeerShift> shared_shift(std::span<const std::size_t> group, std::size_t index,
                                      const NightTable& own, std::span<const PeerShift> slow) {
  constexpr std::size_t least = 3;
  constexpr double most_of_them = 0.75;
  std::vector<const PeerShift*> named;
  std::size_t measured_nodes = 0;
  for (const std::size_t node : group) {
    if (!std::isnan(own.row(node).back())) ++measured_nodes;
    const auto found = std::ranges::find(slow, node, &PeerShift::node);
    if (found != slow.end()) named.push_back(&*found);
  }
  const bool shared =
      named.size() >= least &&
      static_cast<double>(named.size()) >= most_of_them * static_cast<double>(measured_nodes);
  if (!shared) return std::nullopt;
  std::ranges::sort(named, {}, [](const PeerShift* one) { return one->shift; });
  PeerShift middle = *named[named.size() / 2];
  middle.node = index;
  return middle;
}

/// Finds what groups share, and takes it from their nodes.
void find_groups(const PeerFigure& figure, const NightTable& own, PeerOptions options,
                 PeerVerdict& verdict) {
  if (figure.groups.empty()) return;
  options.tests = std::max<std::size_t>(
      1, options.tests * figure.groups.size() / std::max<std::size_t>(1, own.rows()));
  for (const RowShift& shift : find_shifts(group_table(own, figure.groups), options)) {
    verdict.groups.push_back(as_peer(shift));
  }
  for (std::size_t index = 0; index < figure.groups.size(); ++index) {
    if (has_node(verdict.groups, index)) continue;
    if (const auto shared = shared_shift(figure.groups[index], index, own, verdict.slow)) {
      verdict.groups.push_back(*shared);
    }
  }
  for (const PeerShift& group : verdict.groups) {
    const std::vector<std::size_t>& nodes = figure.groups[group.node];
    std::erase_if(verdict.slow, [&](const PeerShift& node) {
      const double more = std::max(group.shift / 2, std::log1p(options.practical));
      return std::ranges::find(nodes, node.node) != nodes.end() && node.shift < group.shift + more;
    });
  }
}

/// Nodes that are far off on the last night, and not named.
void find_outliers(const PeerFigure& figure, const NightTable& own, const PeerOptions& options,
                   PeerVerdict& verdict) {
  constexpr double least_score = 6;
  const double floor = std::max(std::log1p(options.practical), least_score * verdict.spread);
  for (std::size_t node = 0; node < own.rows(); ++node) {
    const bool has_level = !std::isnan(own.row(node).back());
    const double value = has_level ? own.row(node).back() : verdict.deviations.row(node).back();
    if (!(value > floor) || has_node(verdict.slow, node)) continue;
    const bool is_shared = std::ranges::any_of(verdict.groups, [&](const PeerShift& group) {
      const std::vector<std::size_t>& nodes = figure.groups[group.node];
      return value < 2 * group.shift && std::ranges::find(nodes, node) != nodes.end();
    });
    if (is_shared) continue;
    verdict.outliers.push_back(
        {.node = node,
         .shift = value,
         .interval = interval_around(
             value, error_of_shift({.spread = verdict.spread}, 1, nights_of_peers / 2)),
         .since = own.nights - 1,
         .against = has_level ? Against::itself : Against::peers});
  }
}

}  // namespace

PeerVerdict judge_peers(const PeerFigure& figure, const PeerOptions& options) {
  PeerVerdict verdict;
  if (figure.logs.rows() < fewest_peers || figure.logs.nights == 0) return verdict;
  find_modes(figure.logs, options.practical, verdict);
  if (verdict.modes.empty()) return verdict;
  verdict.spread = spread_of(measured(verdict.deviations.values));
  const NightTable own = from_own_level(verdict.deviations, verdict.spread);
  constexpr double share_of_shifts = 0.7;  // of the false nodes; the rest is for levels
  PeerOptions shifts = options;
  shifts.false_nodes_per_night *= share_of_shifts;
  PeerOptions levels = options;
  levels.false_nodes_per_night *= 1 - share_of_shifts;
  for (const RowShift& shift : find_shifts(own, shifts)) verdict.slow.push_back(as_peer(shift));
  const std::vector<PeerShift> itself = verdict.slow;
  for (const PeerMode& mode : verdict.modes) compare_levels(mode, figure, levels, verdict);
  std::erase_if(verdict.slow, [&](const PeerShift& one) {
    return one.against == Against::peers && has_node(itself, one.node);
  });
  find_groups(figure, own, options, verdict);
  find_outliers(figure, own, options, verdict);
  std::ranges::stable_sort(verdict.slow, std::greater(), &PeerShift::shift);
  std::ranges::stable_sort(verdict.outliers, std::greater(), &PeerShift::shift);
  return verdict;
}

}  // namespace hockney::health
