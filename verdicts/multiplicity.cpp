#include "verdicts/multiplicity.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "verdicts/rank_tests.hpp"

namespace hockney::verdicts {
namespace {

/// Indices of `p` in ascending order of p.
std::vector<std::size_t> ascending_order(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t place) { return p[place]; });
  return order;
}

constexpr double summing_error = 1e-9;  ///< rounding of a statistic summed in another order

double sum_of_squares(std::span<const double> values) {
  return std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
}

/// Layout of the launches in a rearrangement. First come the pairs: 1 or -1, the sign of their
/// difference. Then follow the launches of each two sides: 0 for A and 1 for B.
class Slots {
 public:
  explicit Slots(std::span<const Contrast> family) {
    std::map<std::size_t, std::pair<std::size_t, std::size_t>> sides;
    for (const Contrast& contrast : family) {
      if (contrast.a.empty()) {
        for (const LaunchLog& pair : contrast.b) pairs_.try_emplace(pair.launch);
        continue;
      }
      for (const LaunchLog& one : contrast.a) {
        std::size_t& of_a = sides[contrast.sides].first;
        of_a = std::max(of_a, one.launch + 1);
      }
      for (const LaunchLog& one : contrast.b) {
        std::size_t& of_b = sides[contrast.sides].second;
        of_b = std::max(of_b, one.launch + 1);
      }
    }
    for (auto& [launch, slot] : pairs_) slot = real_.size(), real_.push_back(1);
    for (const auto& [name, sizes] : sides) {
      groups_[name] = {.first = real_.size(), .of_a = sizes.first, .of_b = sizes.second};
      real_.insert(real_.end(), sizes.first, 0);
      real_.insert(real_.end(), sizes.second, 1);
    }
  }

  [[nodiscard]] std::size_t of_pair(std::size_t launch) const { return pairs_.at(launch); }
  [[nodiscard]] std::size_t of_a(const Contrast& contrast, const LaunchLog& one) const {
    return groups_.at(contrast.sides).first + one.launch;
  }
  [[nodiscard]] std::size_t of_b(const Contrast& contrast, const LaunchLog& one) const {
    const Group& group = groups_.at(contrast.sides);
    return group.first + group.of_a + one.launch;
  }
  [[nodiscard]] std::span<const double> real() const { return real_; }

  using Visit = std::function<void(std::span<const double>)>;

  /// Calls `visit` for every rearrangement, or for the drawn ones if there are more than 4096.
  void visit(const Visit& visit) const {
    constexpr double most = 4096;
    std::vector<double> arranged = real_;
    if (groups_.empty() && std::exp2(static_cast<double>(pairs_.size())) <= most) {
      return visit_signs(visit, arranged);
    }
    if (pairs_.empty() && groups_.size() == 1 &&
        chance_of_labels(groups_.begin()->second.of_a, groups_.begin()->second.of_b) >= 1 / most) {
      do visit(arranged);
      while (std::ranges::next_permutation(arranged).found);
      return;
    }
    visit_drawn(visit, arranged);
  }

 private:
  struct Group {
    std::size_t first = 0;
    std::size_t of_a = 0;
    std::size_t of_b = 0;
  };

  static void visit_signs(const Visit& visit, std::vector<double>& signs) {
    for (std::uint32_t flipped = 0; flipped < (1U << signs.size()); ++flipped) {
      for (std::size_t i = 0; i < signs.size(); ++i) signs[i] = (flipped >> i & 1U) != 0 ? -1 : 1;
      visit(signs);
    }
  }

  void visit_drawn(const Visit& visit, std::vector<double>& arranged) const {
    constexpr int draws = 9999;
    std::mt19937_64 draw(1);
    visit(arranged);
    for (int i = 0; i < draws; ++i) {
      for (std::size_t slot = 0; slot < pairs_.size(); ++slot) {
        arranged[slot] = (draw() >> 63U) != 0 ? -1 : 1;
      }
      for (const auto& [name, group] : groups_) {
        std::span sides(arranged.data() + group.first, group.of_a + group.of_b);
        shuffle(sides, draw);
      }
      visit(arranged);
    }
  }

  std::map<std::size_t, std::size_t> pairs_;
  std::map<std::size_t, Group> groups_;  ///< by sides
  std::vector<double> real_;
};

/// One contrast in one direction, prepared for the statistic.
class Hypothesis {
 public:
  Hypothesis(const Contrast& contrast, double direction, double margin, const Slots& slots)
      : is_paired_(contrast.a.empty()) {
    std::vector<double> values;
    for (const LaunchLog& one : contrast.a) {
      slots_.push_back(slots.of_a(contrast, one));
      values.push_back(direction * one.value);
    }
    for (const LaunchLog& one : contrast.b) {
      slots_.push_back(is_paired_ ? slots.of_pair(one.launch) : slots.of_b(contrast, one));
      values.push_back(direction * one.value - margin);
    }
    if (!is_paired_) centre(values, median_of_some);
    draw_in(values);
    if (!is_paired_) centre(values, mean_of);
    const double size = std::sqrt(sum_of_squares(values));
    if (size > 0) {
      for (double& value : values) value /= size;
    }
    values_ = std::move(values);
  }

  [[nodiscard]] double statistic(std::span<const double> arranged) const {
    double sum = 0;
    for (std::size_t i = 0; i < slots_.size(); ++i) sum += arranged[slots_[i]] * values_[i];
    if (is_paired_) return sum;
    double of_b = 0;
    for (const std::size_t slot : slots_) of_b += arranged[slot];
    const auto all = static_cast<double>(slots_.size());
    const double weight = (all - of_b) * of_b / all;  // inverse variance of the difference
    return weight <= 0 ? 0 : sum * std::sqrt(all / weight);
  }

 private:
  static double mean_of(std::span<const double> values) {
    return std::reduce(values.begin(), values.end()) / static_cast<double>(values.size());
  }

  static void centre(std::vector<double>& values, double (*centre_of)(std::span<const double>)) {
    const double middle = centre_of(values);
    for (double& value : values) value -= middle;
  }

  bool is_paired_;
  std::vector<std::size_t> slots_;
  std::vector<double> values_;
};

/// One contrast with the directions to test.
class Tested {
 public:
  Tested(const Contrast& contrast, double margin, Alternative alternative, const Slots& slots)
      : is_mirrored_(alternative == Alternative::either && margin == 0) {
    directions_.emplace_back(contrast, 1, margin, slots);
    if (alternative == Alternative::either && !is_mirrored_) {
      directions_.emplace_back(contrast, -1, margin, slots);
    }
  }

  [[nodiscard]] double statistic(std::span<const double> arranged) const {
    double largest = directions_.front().statistic(arranged);
    if (is_mirrored_) return std::abs(largest);
    for (std::size_t i = 1; i < directions_.size(); ++i) {
      largest = std::max(largest, directions_[i].statistic(arranged));
    }
    return largest;
  }

 private:
  bool is_mirrored_;  ///< one direction is the negative of the other
  std::vector<Hypothesis> directions_;
};

/// Counts the rearrangements whose statistics reach those of the data.
class RearrangementCounter {
 public:
  RearrangementCounter(const std::vector<Tested>& family, std::span<const double> real)
      : family_(family), order_(family.size()), in_family_(family.size()), alone_(family.size()) {
    for (const Tested& one : family) observed_.push_back(one.statistic(real) - summing_error);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::ranges::stable_sort(order_, std::greater(), [&](std::size_t i) { return observed_[i]; });
  }

  void add(std::span<const double> arranged) {
    double largest = -HUGE_VAL;
    // Ascending: `largest` covers the part of the family that step-down still tests.
    for (std::size_t i = order_.size(); i-- > 0;) {
      const std::size_t place = order_[i];
      const double statistic = family_[place].statistic(arranged);
      largest = std::max(largest, statistic);
      if (statistic >= observed_[place]) ++alone_[place];
      if (largest >= observed_[place]) ++in_family_[place];
    }
    largest_.push_back(largest);
  }

  FamilyTest result() && {
    FamilyTest test{.p = {}, .p_adjusted = std::vector(alone_.size(), 1.0), .largest = {}};
    const auto fraction = [&](std::size_t count) {
      return static_cast<double>(count) / static_cast<double>(largest_.size());
    };
    for (const std::size_t count : alone_) test.p.push_back(fraction(count));
    double so_far = 0;
    for (const std::size_t place : order_) {
      so_far = std::max(so_far, fraction(in_family_[place]));
      test.p_adjusted[place] = so_far;
    }
    std::ranges::sort(largest_);
    test.largest = std::move(largest_);
    return test;
  }

 private:
  const std::vector<Tested>& family_;
  std::vector<double> observed_;
  std::vector<std::size_t> order_;  ///< indices in the family, the greatest statistic first
  std::vector<std::size_t> in_family_;
  std::vector<std::size_t> alone_;
  std::vector<double> largest_;  ///< of each rearrangement
};

double shift_of(const Contrast& contrast) {
  const std::vector<double> b = values_of(contrast.b);
  if (contrast.a.empty()) return hodges_lehmann(b).value_or(0);
  return hodges_lehmann_shift(b, values_of(contrast.a)).value_or(0);
}

/// The launches minus the estimated differences.
std::vector<Contrast> residues(std::span<const Contrast> family) {
  std::vector<Contrast> centred(family.begin(), family.end());
  for (Contrast& contrast : centred) {
    const double shift = shift_of(contrast);
    for (LaunchLog& launch : contrast.b) launch.value -= shift;
  }
  return centred;
}

/// The farthest shift from `centre` in one direction (1 or -1) at which the statistic is at most
/// `critical`. Returns nullopt if it never exceeds `critical`.
std::optional<double> farthest(const Contrast& contrast, double centre, double direction,
                               double critical) {
  constexpr int doublings = 60;
  constexpr int halvings = 60;
  constexpr double first_step = 1e-6;
  const auto is_refused = [&](double shift) {
    return -direction * statistic_of(contrast, shift) > critical;
  };
  double inside = centre;
  double outside = centre + direction * first_step;
  for (int i = 0; !is_refused(outside); ++i) {
    if (i == doublings) return std::nullopt;
    inside = outside;
    outside = centre + 2 * (outside - centre);
  }
  for (int i = 0; i < halvings; ++i) {
    const double middle = (inside + outside) / 2;
    (is_refused(middle) ? outside : inside) = middle;
  }
  return inside;
}

/// `text` as a finite number; nullopt if any part of it is no number.
std::optional<double> parse_number(std::string_view text) {
  const auto number = as_number<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

}  // namespace

std::string_view describe(Correction correction) {
  if (correction == Correction::none) return "not corrected";
  if (correction == Correction::max_t) return "corrected by max-T over launches";
  return correction == Correction::holm ? "corrected by Holm" : "corrected by Benjamini-Hochberg";
}

std::vector<double> holm(std::span<const double> p) {
  std::vector<double> adjusted(p.size());
  double largest = 0;
  std::size_t left = p.size();
  for (const std::size_t place : ascending_order(p)) {
    largest = std::max(largest, std::min(1.0, static_cast<double>(left--) * p[place]));
    adjusted[place] = largest;
  }
  return adjusted;
}

std::vector<double> benjamini_hochberg(std::span<const double> p) {
  std::vector<double> adjusted(p.size());
  std::vector<std::size_t> order = ascending_order(p);
  std::ranges::reverse(order);
  const auto m = static_cast<double>(p.size());
  double smallest = 1;
  std::size_t rank = p.size();
  for (const std::size_t place : order) {
    smallest = std::min(smallest, m / static_cast<double>(rank--) * p[place]);
    adjusted[place] = smallest;
  }
  return adjusted;
}

std::vector<double> adjust(std::span<const double> p, Correction correction) {
  if (correction == Correction::holm) return holm(p);
  if (correction == Correction::benjamini_hochberg) return benjamini_hochberg(p);
  return {p.begin(), p.end()};
}

void draw_in(std::vector<double>& values) {
  constexpr double widest = 3;
  std::vector<double> sizes;
  for (double& value : values) {
    if (std::abs(value) <= rank_resolution) value = 0;
    if (value != 0) sizes.push_back(std::abs(value));
  }
  if (sizes.empty()) return;
  const double limit = widest * median_of_some(sizes);
  for (double& value : values) value = std::clamp(value, -limit, limit);
}

double chance_of_labels(std::size_t of_a, std::size_t of_b) {
  double chance = 1;
  for (std::size_t i = 1; i <= of_b; ++i) {
    chance *= static_cast<double>(i) / static_cast<double>(of_a + i);
  }
  return chance;
}

FamilyTest max_t(std::span<const Contrast> family, double margin, Alternative alternative) {
  const Slots slots(family);
  std::vector<Tested> tested;
  for (const Contrast& contrast : family) tested.emplace_back(contrast, margin, alternative, slots);
  RearrangementCounter counting(tested, slots.real());
  slots.visit([&](std::span<const double> arranged) { counting.add(arranged); });
  return std::move(counting).result();
}

double statistic_of(const Contrast& contrast, double margin) {
  const Slots slots({&contrast, 1});
  return Hypothesis(contrast, 1, margin, slots).statistic(slots.real());
}

std::vector<double> values_of(std::span<const LaunchLog> launches) {
  std::vector<double> values;
  values.reserve(launches.size());
  for (const LaunchLog& launch : launches) values.push_back(launch.value);
  return values;
}

FamilyTest test_family(std::span<const Contrast> family, std::span<const double> by_ranks,
                       Correction correction, double margin, Alternative alternative) {
  if (correction == Correction::max_t) return max_t(family, margin, alternative);
  return {.p = {by_ranks.begin(), by_ranks.end()},
          .p_adjusted = adjust(by_ranks, correction),
          .largest = {}};
}

Shown shown_by(double p_adjusted, double alpha, double ratio, double least) {
  const double limit = 1 + least;
  if (p_adjusted > alpha || (ratio <= limit && ratio >= 1 / limit)) return Shown::nothing;
  return ratio > limit ? Shown::above : Shown::below;
}

Interval agreeing(Interval shifts, double margin, Shown shown, Alternative alternative) {
  if (shown == Shown::above) {
    shifts.low = std::max(shifts.low, margin);
    shifts.high = std::max(shifts.high, shifts.low);
  } else if (shown == Shown::below) {
    shifts.high = std::min(shifts.high, -margin);
    shifts.low = std::min(shifts.low, shifts.high);
  } else {
    shifts.low = std::min(shifts.low, margin);
    shifts.high = std::max(shifts.high, alternative == Alternative::either ? -margin : shifts.low);
  }
  return shifts;
}

std::vector<std::optional<Interval>> family_intervals(std::span<const Contrast> family,
                                                      const FamilyTest& test, double alpha,
                                                      Alternative alternative) {
  std::vector<std::optional<Interval>> intervals(family.size());
  const auto critical = critical_value(test, alpha);
  if (!critical) return intervals;
  const std::vector<Contrast> centred = residues(family);
  const double by_chance =
      std::max(*critical, *critical_value(max_t(centred, 0, alternative), alpha));
  for (std::size_t i = 0; i < family.size(); ++i) {
    const double centre = shift_of(family[i]);
    const auto low = farthest(family[i], centre, -1, by_chance);
    const auto high = farthest(family[i], centre, 1, by_chance);
    if (low && high) intervals[i] = Interval{*low, *high, 1 - alpha};
  }
  return intervals;
}

double parse_alpha(const std::string& text) {
  const auto alpha = parse_number(text);
  if (alpha && *alpha > 0 && *alpha <= 0.5) return *alpha;
  throw InputError({fmt::format("bad --alpha '{}'", text),
                    "it is the chance of a false alarm, above 0 and at most 0.5",
                    "write it like 0.05"});
}

void check_family_options(double alpha, std::string_view name, double margin) {
  if (!(alpha > 0 && alpha <= 0.5)) {
    throw InputError({fmt::format("alpha is {:f}", alpha),
                      "it is the chance of a false alarm, above 0 and at most 0.5", "use 0.05"});
  }
  if (!(margin >= 0 && std::isfinite(margin))) {
    throw InputError({fmt::format("{} is {:f}", name, margin), "it is a fraction, 0 or more",
                      "use 0.05 for five per cent"});
  }
}

double parse_margin(const std::string& option, const std::string& text,
                    const std::string& meaning) {
  const auto percent =
      text.ends_with('%') ? parse_number({text.data(), text.size() - 1}) : std::nullopt;
  if (percent && *percent >= 0) return *percent / 100;
  throw InputError(
      {fmt::format("bad {} '{}'", option, text), meaning + ", 0% or more", "write it like 5%"});
}

Correction parse_correction(const std::string& text) {
  std::vector<std::string> words;
  for (const Correction known : corrections) {
    if (text == word(known)) return known;
    words.emplace_back(word(known));
  }
  throw InputError({fmt::format("bad --correction '{}'", text), "it says how p-values are adjusted",
                    suggest(text, words)});
}

}  // namespace hockney::verdicts
