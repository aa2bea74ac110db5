#include "tune/tables/tables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iomanip>

#include "core/quantities.hpp"
#include "core/record_json.hpp"
#include "core/text.hpp"
#include "report/number_text.hpp"

namespace hockney {
namespace {

void print_row(std::ostream& out, const std::vector<std::string>& cells, int choice_width) {
  const std::array<int, 8> widths{20, 8, 9, choice_width, 10, 20, 10, 11};
  std::size_t column = 0;
  for (const std::string& cell : cells) out << std::setw(widths.at(column++)) << cell;
  out << '\n';
}

std::string p_text(const Decision& decision, Trust trust) {
  if (decision.source == Basis::predicted) return "predicted";
  const bool is_tested = !decision.setting.empty() && trust == Trust::launches;
  return is_tested ? significant(decision.p_adjusted, p_digits) : "-";
}

std::vector<std::string> cells_of(const Decision& decision, Trust trust) {
  const bool is_switch = !decision.setting.empty();
  return {inert(decision.operation),
          std::to_string(decision.ranks),
          format_bytes(decision.bytes),
          inert(describe(decision.choice)),
          is_switch ? significant(decision.ratio, ratio_digits) : "-",
          interval_text(decision.ratio_interval, 1, ratio_digits),
          p_text(decision, trust),
          significant(per_cent * decision.regret, 2)};
}

int choice_width(const std::vector<Decision>& decisions) {
  std::size_t width = std::string_view("choice").size();
  for (const Decision& decision : decisions) {
    width = std::max(width, inert(describe(decision.choice)).size());
  }
  return static_cast<int>(width) + 2;
}

std::string text_of(const LeftOut& found) {
  std::string text = "no candidate: setting " + found.setting + " for " + found.operation;
  if (found.points > 0) {
    text += " at " + std::to_string(found.points) + (found.points == 1 ? " point" : " points");
  }
  return inert(text + " (" + found.why + ")");
}

/// "basic_linear 0.7600 (0.6700 .. 0.9000), p 0.09; 14 launches would show it, here 8"
std::string closest_text(const Candidate& closest) {
  std::string text = inert(describe(closest.choice)) + " " +
                     significant(closest.ratio, ratio_digits) + " (" +
                     interval_text(closest.ratio_interval, 1, ratio_digits) + "), p " +
                     significant(closest.p_adjusted, 2);
  if (const auto& needed = closest.launches_needed) {
    text += "; " + std::to_string(*needed) + " launches would show it, here " +
            std::to_string(closest.launches);
  }
  return text;
}

/// The answer where no choice is another than the default, with what came nearest to one.
void print_nothing(std::ostream& out, const std::vector<Decision>& decisions) {
  const Decision* nearest = nullptr;
  for (const Decision& decision : decisions) {
    if (!decision.closest) continue;
    const bool is_nearer =
        nearest == nullptr || decision.closest->p_adjusted < nearest->closest->p_adjusted;
    if (is_nearer) nearest = &decision;
  }
  out << "no rule shown to help; the file changes nothing\n";
  if (nearest == nullptr) return;
  out << "closest: " << inert(nearest->operation) << " of " << format_bytes(nearest->bytes)
      << " on " << nearest->ranks << " ranks by " << closest_text(*nearest->closest) << '\n';
}

void print_closest(std::ostream& out, const std::vector<Decision>& decisions) {
  const auto has_one = [](const Decision& decision) { return decision.closest.has_value(); };
  if (std::ranges::none_of(decisions, has_one)) return;
  out << "\n  nearest to be shown where the default stays:\n";
  for (const Decision& decision : decisions) {
    if (!decision.closest) continue;
    out << "    " << inert(decision.operation) << " of " << format_bytes(decision.bytes) << " on "
        << decision.ranks << " ranks: " << closest_text(*decision.closest) << '\n';
  }
}

}  // namespace

void print_selection_table(std::ostream& out, const Tuning& tuning) {
  const Evidence& evidence = tuning.evidence;
  const int width = choice_width(tuning.decisions.points);
  if (changes_nothing(tuning.decisions)) print_nothing(out, tuning.decisions.points);
  out << "for " << word(tuning.target) << ", from " << inert(join(evidence.campaigns)) << " under "
      << inert(library_title(evidence.library)) << ", default setting " << inert(evidence.base)
      << "\n\n";
  print_row(out, {"operation", "ranks", "bytes", "choice", "ratio", "interval", "p", "regret[%]"},
            width);
  for (const Decision& decision : tuning.decisions.points) {
    print_row(out, cells_of(decision, evidence.options.trust), width);
  }
  out << "\n  ratio: to the default's time; interval: by itself; p: " << family_text(evidence)
      << "\n  regret: above the best that may be chosen, for fewer rules\n";
  print_closest(out, tuning.decisions.points);
}

std::vector<std::string> selection_notes(const Tuning& tuning) {
  const Evidence& evidence = tuning.evidence;
  std::vector<std::string> notes;
  if (const auto& needed = evidence.launches_needed) {
    notes.push_back("note: too few launches to show any gain (" + std::to_string(evidence.family) +
                    " tests); " + std::to_string(*needed) + " launches of each setting needed");
  }
  for (const LeftOut& found : evidence.left_out) notes.push_back("note: " + text_of(found));
  for (const Inexpressible& found : tuning.file.inexpressible) {
    notes.push_back("note: not said of " + inert(found.operation + " (" + found.why + ")"));
  }
  return notes;
}

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
