#include "report/selection/verification_table.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <iomanip>

#include "core/inert_text.hpp"
#include "core/names.hpp"
#include "core/record_words.hpp"
#include "core/sizes.hpp"
#include "report/number_text.hpp"

namespace hockney {
namespace {

void print_row(std::ostream& out, const std::vector<std::string>& cells) {
  constexpr std::array<int, 10> widths{20, 9, 12, 22, 12, 22, 9, 18, 11, 20};
  std::size_t column = 0;
  for (const std::string& cell : cells) out << std::setw(widths.at(column++)) << cell;
}

std::string fixed(double share) {
  std::array<char, 32> text{};
  constexpr double shown = 0.005;  // below, a minus would stand before zeros
  const double value = per_cent * share;
  std::snprintf(text.data(), text.size(), "%.2f", std::abs(value) < shown ? 0 : value);
  return text.data();
}

std::string percent_text(const std::optional<double>& share) { return share ? fixed(*share) : "-"; }

std::string percent_text(const std::optional<Interval>& interval) {
  return interval ? fixed(interval->low) + " .. " + fixed(interval->high) : "-";
}

void print_point(std::ostream& out, const VerifiedPoint& point) {
  const Comparison& row = point.comparison;
  print_row(out, {inert(row.point.operation), format_bytes(row.point.bytes),
                  significant(row.a.median_seconds * microseconds),
                  interval_text(row.a.interval_seconds, microseconds),
                  significant(row.b.median_seconds * microseconds),
                  interval_text(row.b.interval_seconds, microseconds),
                  significant(row.ratio, ratio_digits),
                  interval_text(row.ratio_interval, 1, ratio_digits), percent_text(point.regret),
                  percent_text(point.regret_interval)});
  out << (point.best ? "  " + inert(*point.best) : "") << (point.slower ? "  SLOWER" : "") << '\n';
}

std::string with_unit(const std::optional<double>& share) {
  return share ? percent_text(share) + " %" : "-";
}

void print_effect(std::ostream& out, const Effect& effect) {
  out << "\nin force: " << word(effect.proof) << '\n';
  for (const std::string& line : effect.evidence) out << "  " << inert(line) << '\n';
}

}  // namespace

void print_verification(std::ostream& out, const Verification& verification, const Effect& effect) {
  print_row(out, {"operation", "bytes", "default[us]", "interval", "file[us]", "interval", "ratio",
                  "interval", "regret[%]", "interval"});
  out << "  best\n";
  for (const VerifiedPoint& point : verification.points) print_point(out, point);
  out << "\n  regret: above the fastest of the default and the forced settings, its name last\n"
      << "  mean gain " << with_unit(verification.mean_gain) << ", mean regret "
      << with_unit(verification.mean_regret) << ", largest "
      << with_unit(verification.largest_regret) << ", over " << verification.points.size()
      << " points; slower than the default beyond the interval: " << verification.slower << '\n';
  if (!verification.missing.empty()) {
    out << "  left out: " << verification.missing.size() << " points that one side lacks\n";
  }
  print_effect(out, effect);
}

}  // namespace hockney
