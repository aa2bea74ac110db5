#include "tune/tables/tables.hpp"

#include <algorithm>
#include <cmath>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney::tune {

using report::significant;
namespace {

std::string p_text(const Decision& decision, Trust trust) {
  if (decision.source == Basis::predicted) return "predicted";
  const bool is_tested = !decision.setting.empty() && trust == Trust::launches;
  return is_tested ? significant(decision.p_adjusted, report::p_digits) : "-";
}

std::vector<std::string> cells_of(const Decision& decision, Trust trust) {
  const bool is_switch = !decision.setting.empty();
  return {inert(decision.operation),
          std::to_string(decision.ranks),
          format_bytes(decision.bytes),
          inert(describe(decision.choice)),
          is_switch ? significant(decision.ratio, report::ratio_digits) : "-",
          report::interval_text(decision.ratio_interval, 1, report::ratio_digits),
          p_text(decision, trust),
          significant(report::per_cent * decision.regret, 2)};
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
                     significant(closest.ratio, report::ratio_digits) + " (" +
                     report::interval_text(closest.ratio_interval, 1, report::ratio_digits) +
                     "), p " + significant(closest.p_adjusted, 2);
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
  report::Table table({{"operation", 20},
                       {"ranks", 8},
                       {"bytes", 9},
                       {"choice"},
                       {"ratio", 10},
                       {"interval", 20},
                       {"p", 10},
                       {"regret[%]", 11}});
  table.header();
  for (const Decision& decision : tuning.decisions.points) {
    table.row(cells_of(decision, evidence.options.trust));
  }
  if (changes_nothing(tuning.decisions)) print_nothing(out, tuning.decisions.points);
  out << "for " << word(tuning.target) << ", from " << inert(join(evidence.campaigns)) << " under "
      << inert(library_title(evidence.library)) << ", default setting " << inert(evidence.base)
      << "\n\n"
      << table
      << "\n  ratio: to the default's time; interval: by itself; p: " << family_text(evidence)
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

/// In per cent.
std::string percent_text(const std::optional<double>& fraction) {
  if (!fraction) return "-";
  constexpr double shown = 0.005;  // below, a minus would stand before zeros
  const double value = report::per_cent * *fraction;
  return report::fixed_text(std::abs(value) < shown ? 0 : value, 2);
}

std::string percent_text(const std::optional<Interval>& interval) {
  if (!interval) return "-";
  return percent_text(std::optional(interval->low)) + " .. " +
         percent_text(std::optional(interval->high));
}

std::vector<std::string> cells_of(const VerifiedPoint& point) {
  const verdicts::Comparison& row = point.comparison;
  return {inert(row.point.operation),
          format_bytes(row.point.bytes),
          significant(row.a.median_seconds * report::microseconds),
          report::interval_text(row.a.interval_seconds, report::microseconds),
          significant(row.b.median_seconds * report::microseconds),
          report::interval_text(row.b.interval_seconds, report::microseconds),
          significant(row.ratio, report::ratio_digits),
          report::interval_text(row.ratio_interval, 1, report::ratio_digits),
          percent_text(point.regret),
          percent_text(point.regret_interval)};
}

std::string remark_on(const VerifiedPoint& point) {
  std::vector<std::string> parts;
  if (point.best) parts.push_back(inert(*point.best));
  if (point.slower) parts.emplace_back("SLOWER");
  return join(parts, "  ");
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
  report::Table table({{"operation", 20},
                       {"bytes", 9},
                       {"default[us]", report::time_width},
                       {"interval", report::interval_width},
                       {"file[us]", report::time_width},
                       {"interval", report::interval_width},
                       {"ratio", 9},
                       {"interval", 18},
                       {"regret[%]", 11},
                       {"interval", 20}});
  table.header("best");
  for (const VerifiedPoint& point : verification.points) {
    table.row(cells_of(point), remark_on(point));
  }
  out << table
      << "\n  regret: above the fastest of the default and the forced settings, its name last\n"
      << "  mean gain " << with_unit(verification.mean_gain) << ", mean regret "
      << with_unit(verification.mean_regret) << ", largest "
      << with_unit(verification.largest_regret) << ", over " << verification.points.size()
      << " points; slower than the default beyond the interval: " << verification.slower << '\n';
  if (!verification.missing.empty()) {
    out << "  left out: " << verification.missing.size() << " points that one side lacks\n";
  }
  print_effect(out, effect);
}

}  // namespace hockney::tune
