#include "components/tune/tables/tables.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "core/json_values.hpp"
#include "core/quantities.hpp"
#include "core/record_json.hpp"
#include "core/shell.hpp"
#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney::tune {

using report::Columns;
using report::Form;
using report::joined;
using report::of_part;
using report::significant;
using report::Unit;

namespace {

/// Sentences of these screens.
namespace words {

constexpr std::string_view nothing_shown = "no rule shown to help; the file changes nothing";
constexpr std::string_view closest = "closest: {} of {} on {} by {}";
constexpr std::string_view nearest = "nearest to be shown where the default stays:";
constexpr std::string_view would_show = "; {} launches would show it, here {}";
constexpr std::string_view other_choice = "another choice than the default at {} of {}";
constexpr std::string_view other_choices =
    "another choice than the default at {} of {}, most at {} of {}: {}, {}";
constexpr std::string_view origin = "for {}, from {} under {}, default setting {}";
constexpr std::string_view selection_columns =
    "ratio: to the default's time; interval: of all together; p: {}; regret: above the best that "
    "may be chosen, for fewer rules";
constexpr std::string_view too_few_launches =
    "note: too few launches to show any gain ({} tests); {} launches of each setting needed";
constexpr std::string_view no_candidate = "no candidate: setting {} for {} ({})";
constexpr std::string_view no_candidate_at = "no candidate: setting {} for {} at {} ({})";
constexpr std::string_view not_said = "note: not said of {}";
constexpr std::string_view helps_nowhere = "helps nowhere ({}); nowhere slower";
constexpr std::string_view helps = "helps at {} of {}, up to {}; nowhere slower";
constexpr std::string_view slower = "slower at {} of {}, up to {}; helps nowhere";
constexpr std::string_view slower_and_helps =
    "slower at {} of {}, up to {}; helps at {} of {}, up to {}";
constexpr std::string_view verification_columns =
    "regret: above the fastest of the default and the forced settings, its name last; intervals: "
    "of all sizes together";
constexpr std::string_view means = "mean gain {}, mean regret {}, largest {}";
constexpr std::string_view left_out = "left out: {} points that one side lacks";

}  // namespace words

std::string p_text(const Decision& decision, Replication replication) {
  if (decision.source == Basis::predicted) return "predicted";
  const bool is_tested = !decision.setting.empty() && replication == Replication::launches;
  return is_tested ? significant(decision.p_adjusted, report::p_digits) : "-";
}

std::string group_of(const std::string& operation, int ranks) {
  return fmt::format("{}, {}", escaped(operation),
                     report::count_text(static_cast<std::size_t>(ranks), "rank"));
}

/// Prints a row with a text at its end, wrapped at `columns` in its own column. If that column is
/// too narrow, the text is below the row.
void print_row(std::ostream& out, const std::string& row, const std::string& text,
               std::size_t columns) {
  constexpr std::size_t least_room = 16;
  constexpr std::size_t indent = 4;
  std::size_t place = row.size() + 2;
  std::string begin = row + "  ";
  if (text.empty()) {
    out << row << '\n';
    return;
  }
  if (columns < place + least_room) {
    out << row << '\n';
    place = indent;
    begin.assign(indent, ' ');
  }
  for (const std::string& part : wrapped(text, columns - place)) {
    out << std::exchange(begin, std::string(place, ' ')) << part << '\n';
  }
}

/// Prints the rows of a table, with a title for each group and a text at the end of each row.
void print_groups(std::ostream& out, const report::View& view,
                  const std::vector<std::string>& groups, const std::vector<std::string>& texts,
                  std::size_t columns) {
  const std::vector<std::string> lines = lines_of(view);
  std::string group;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (groups[i - 1] != group) {
      group = groups[i - 1];
      out << '\n' << group << '\n' << lines.front() << '\n';
    }
    print_row(out, lines[i], texts[i - 1], columns);
  }
}

/// "0.763 (0.720 .. 0.810)".
std::string ratio_text(double ratio, const std::optional<Interval>& interval) {
  constexpr int digits = 3;
  std::string text = significant(ratio, digits);
  if (interval) text += fmt::format(" ({})", report::interval_text(interval, 1, digits));
  return text;
}

/// The interval next to a verdict: that of the family, else of the point alone.
template <class Found>
std::string interval_beside(const Found& found) {
  if (found.family_interval) return report::interval_text(found.family_interval, 1, 3);
  return report::interval_text(found.ratio_interval, 1, 3) + (found.ratio_interval ? " alone" : "");
}

bool is_twice(double factor) {
  constexpr double twice = 2 - 1e-9;
  return factor >= twice;
}

/// "3.10 x", "21 %".
std::string change_text(double ratio) {
  const double factor = std::max(ratio, 1 / ratio);
  return is_twice(factor) ? significant(factor, 3) + " x"
                          : significant(report::per_cent * std::abs(1 - ratio), 2) + " %";
}

/// "3.10 x as fast", "21 % shorter"; "2.0 % longer" of a choice that saves rules.
std::string gain_text(double ratio) {
  if (ratio > 1) return significant(report::per_cent * (ratio - 1), 2) + " % longer";
  return change_text(ratio) + (is_twice(1 / ratio) ? " as fast" : " shorter");
}

std::string text_of(const LeftOut& found) {
  return escaped(found.points > 0
                     ? fmt::format(words::no_candidate_at, found.setting, found.operation,
                                   report::count_text(found.points, "point"), found.why)
                     : fmt::format(words::no_candidate, found.setting, found.operation, found.why));
}

/// "basic_linear 0.760 (0.670 .. 1.02), p 0.09; 14 launches would show it, here 8"
std::string closest_text(const Candidate& closest) {
  const auto& needed = closest.launches_needed;
  return fmt::format("{} {} ({}), p {}{}", escaped(describe(closest.choice)),
                     significant(closest.ratio, 3), interval_beside(closest),
                     significant(closest.p_adjusted, 2),
                     needed ? fmt::format(words::would_show, *needed, closest.launches) : "");
}

/// Indents continued lines, so that none begins with a name from a record.
void print_wrapped(std::ostream& out, const std::string& text, std::size_t columns) {
  const std::vector<std::string> lines = wrapped(text, columns);
  out << lines.front() << '\n';
  if (lines.size() == 1) return;
  const std::string rest = text.substr(std::min(text.size(), lines.front().size() + 1));
  for (const std::string& line : wrapped(rest, columns - 2)) out << "  " << line << '\n';
}

/// A choice that was not shown to help, and its point.
struct NearDecision {
  const Candidate* closest;
  const Decision* decision;
};

/// Choices sorted by how close they are to being shown, the closest first.
std::vector<NearDecision> nearest_first(const std::vector<Decision>& decisions) {
  std::vector<NearDecision> near;
  for (const Decision& decision : decisions) {
    if (decision.closest) near.push_back({&*decision.closest, &decision});
  }
  std::ranges::stable_sort(near, {},
                           [](const NearDecision& one) { return one.closest->p_adjusted; });
  return near;
}

/// Prints the summary if every choice is the default, with the closest candidate.
void print_nothing(std::ostream& out, const std::vector<Decision>& decisions, std::size_t columns) {
  out << words::nothing_shown << '\n';
  const std::vector<NearDecision> ranked = nearest_first(decisions);
  if (ranked.empty()) return;
  const auto& [closest, decision] = ranked.front();
  print_wrapped(
      out,
      fmt::format(words::closest, escaped(decision->operation), format_bytes(decision->bytes),
                  report::count_text(static_cast<std::size_t>(decision->ranks), "rank"),
                  closest_text(*closest)),
      columns);
}

void print_closest(std::ostream& out, const std::vector<Decision>& decisions, std::size_t columns) {
  const std::vector<NearDecision> ranked = nearest_first(decisions);
  if (ranked.empty()) return;
  out << '\n' << words::nearest << '\n';
  for (const auto& [closest, decision] : ranked) {
    const std::string text =
        fmt::format("{}, {}: {}", group_of(decision->operation, decision->ranks),
                    format_bytes(decision->bytes), closest_text(*closest));
    std::string begin = "  ";
    for (const std::string& line : wrapped(text, columns - 4)) {
      out << std::exchange(begin, "    ") << line << '\n';
    }
  }
}

/// "another choice at 3 of 8 sizes, most at 64K of bcast on 4 ranks: chain, 3.10 x as fast".
std::string gain_line(const std::vector<Decision>& decisions) {
  const Decision* most = nullptr;
  std::size_t switches = 0;
  for (const Decision& decision : decisions) {
    if (decision.setting.empty()) continue;
    ++switches;
    if (most == nullptr || decision.ratio < most->ratio) most = &decision;
  }
  const std::string all = report::count_text(decisions.size(), "size");
  if (most == nullptr) return fmt::format(words::other_choice, switches, all);
  return fmt::format(words::other_choices, switches, all, format_bytes(most->bytes),
                     group_of(most->operation, most->ranks), escaped(describe(most->choice)),
                     gain_text(most->ratio));
}

/// Lines that explain how to activate a file.
std::vector<std::string> use_lines(const Tuning& tuning, const std::string& name) {
  const std::string file = std::filesystem::absolute(name).lexically_normal().string();
  const Format& format = format_of(tuning.target);
  if (format.command != nullptr) return {format.command(file)};
  std::vector<std::string> lines;
  for (const auto& [variable, value] : format.activation(tuning.file.text, file)) {
    lines.push_back(fmt::format("export {}={}", variable, value));
  }
  return lines;
}

void print_written(std::ostream& out, const Tuning& tuning, const WrittenFile& written) {
  const std::string file = escaped(written.name);
  out << "written  " << file << '\n';
  std::string label = "use      ";
  for (const std::string& line : use_lines(tuning, written.name)) {
    out << std::exchange(label, std::string(label.size(), ' ')) << escaped(line) << '\n';
  }
  out << fmt::format("prove    hockney tune {} --verify {}\n",
                     escaped(shell_words(written.results)), escaped(shell_word(written.name)));
}

constexpr report::Forms machines = Form::csv | Form::json;

/// A ratio of times to the default's, with its evidence, for programs.
template <class Found>
Columns<Found> ratio_columns() {
  return {{{"ratio", "", Unit::number, machines}, &Found::ratio},
          {{"ratio_ci", "", Unit::number, Form::json, "", true}, &Found::ratio_interval},
          {{"ratio_ci_family", "", Unit::number, Form::json, "", true}, &Found::family_interval},
          {{"ratio_ci", "", Unit::number, Form::csv, "", true},
           [](const Found& one) {
             return one.family_interval ? one.family_interval : one.ratio_interval;
           }},
          {{"p_adjusted", "", Unit::number, machines}, &Found::p_adjusted}};
}

Columns<Decision> decision_columns(Replication replication) {
  const Columns<Decision> choices{
      {{"operation", "", Unit::text, machines}, &Decision::operation},
      {{"ranks", "", Unit::count, machines}, &Decision::ranks},
      {{"bytes", "size", Unit::size}, [](const Decision& one) { return one.bytes.value; }},
      {{"choice", "", Unit::text, Form::csv},
       [](const Decision& one) { return describe(one.choice); }},
      {{"setting", "", Unit::text, machines},
       [](const Decision& one) { return report::known_text(one.setting); }},
      {{"source", "", Unit::text, Form::json}, &Decision::source},
      {{"switch_ratio", "ratio", Unit::number, Form::terminal},
       [](const Decision& one) {
         return one.setting.empty() ? report::Value() : report::Value(one.ratio);
       }},
      {{"interval", "interval", Unit::text, Form::terminal},
       [](const Decision& one) { return interval_beside(one); }},
      {{"p", "p", Unit::text, Form::terminal},
       [replication](const Decision& one) { return p_text(one, replication); }}};
  const Columns<Decision> regret{{{"regret", "regret", Unit::share}, &Decision::regret}};
  return joined({choices, ratio_columns<Decision>(), regret});
}

/// The candidate closest to being shown, for programs.
Columns<Candidate> candidate_columns() {
  const Columns<Candidate> columns{{{"setting"}, &Candidate::setting},
                                   {{"launches"}, &Candidate::launches},
                                   {{"launches_needed"}, &Candidate::launches_needed}};
  return joined({columns, ratio_columns<Candidate>()});
}

using Json = nlohmann::json;

Json choice_json(const Choice& choice) {
  if (choice.is_default()) return nullptr;
  return {{"algorithm", choice.algorithm},   {"number", choice.number},
          {"segment_bytes", choice.segment}, {"fanout", choice.fanout},
          {"requests", choice.requests},     {"variables", choice.variables}};
}

Json closest_json(const Columns<Candidate>& columns, const std::optional<Candidate>& closest) {
  if (!closest) return nullptr;
  Json json = json_of(columns, *closest);
  json["choice"] = choice_json(closest->choice);
  return json;
}

Json decisions_json(const std::vector<Decision>& decisions, Replication replication) {
  const Columns<Decision> columns = decision_columns(replication);
  const Columns<Candidate> of_closest = candidate_columns();
  return array_json(decisions, [&](const Decision& decision) {
    Json json = json_of(columns, decision);
    json["choice"] = choice_json(decision.choice);
    json["closest"] = closest_json(of_closest, decision.closest);
    return json;
  });
}

Json size_json(const SizeRule& rule) {
  return {{"from_bytes", rule.from}, {"choice", choice_json(rule.choice)}};
}

Json ranks_json(const RanksRule& rule) {
  return {{"from_ranks", rule.from}, {"sizes", array_json(rule.sizes, size_json)}};
}

Json rules_json(const OperationRules& rules) {
  return {{"operation", rules.operation}, {"ranks", array_json(rules.ranks, ranks_json)}};
}

Json left_out_json(const LeftOut& found) {
  return {{"setting", found.setting},
          {"operation", found.operation},
          {"why", found.why},
          {"points", found.points}};
}

Json inexpressible_json(const Inexpressible& found) {
  return {{"operation", found.operation}, {"why", found.why}};
}

/// A fraction in per cent.
std::string percent_text(const std::optional<double>& fraction) {
  if (!fraction) return "-";
  constexpr double shown = 0.005;  // smaller values would print as -0.00
  const double value = report::per_cent * *fraction;
  return report::fixed_text(std::abs(value) < shown ? 0 : value, 2);
}

std::string remark_on(const VerifiedPoint& point) {
  std::vector<std::string> parts;
  if (point.slower) parts.emplace_back("SLOWER");
  if (point.best) parts.push_back(escaped(*point.best));
  return join(parts, ", ");
}

std::string with_unit(const std::optional<double>& share) {
  return share ? percent_text(share) + " %" : "-";
}

void print_effect(std::ostream& out, const Effect& effect) {
  out << "effective: " << word(effect.proof) << '\n';
  for (const std::string& line : effect.evidence) out << "  " << escaped(line) << '\n';
}

/// " at 1K", or " at 1K of bcast" with several operations.
std::string place_of(const VerifiedPoint& point, bool has_several) {
  const Point& place = point.comparison.point;
  return fmt::format(" at {}{}", format_bytes(place.bytes),
                     has_several ? " of " + escaped(place.operation) : "");
}

/// "helps at 4 of 8 sizes, up to 21 % at 1K; nowhere slower"; slower sizes come first.
std::string verification_line(const Verification& verification) {
  std::size_t helps = 0;
  const VerifiedPoint* best = nullptr;
  const VerifiedPoint* worst = nullptr;
  std::set<std::string> operations;
  for (const VerifiedPoint& point : verification.points) {
    const double ratio = point.comparison.ratio;
    operations.insert(point.comparison.point.operation);
    if (point.slower && (worst == nullptr || ratio > worst->comparison.ratio)) worst = &point;
    if (!is_faster(point, verification.options.replication)) continue;
    ++helps;
    if (best == nullptr || ratio < best->comparison.ratio) best = &point;
  }
  const bool has_several = operations.size() > 1;
  const std::string all = report::count_text(verification.points.size(), "size");
  const auto most = [&](const VerifiedPoint& point) {
    return change_text(point.comparison.ratio) + place_of(point, has_several);
  };
  const std::size_t slower = verification.slower;
  if (worst == nullptr && best == nullptr) return fmt::format(words::helps_nowhere, all);
  if (worst == nullptr) return fmt::format(words::helps, helps, all, most(*best));
  if (best == nullptr) return fmt::format(words::slower, slower, all, most(*worst));
  return fmt::format(words::slower_and_helps, slower, all, most(*worst), helps, all, most(*best));
}

Columns<VerifiedPoint> verified_columns() {
  using verdicts::Comparison;
  const Columns<Comparison> compared{
      {{"bytes", "size", Unit::size, Form::terminal},
       [](const Comparison& one) { return one.point.bytes.value; }},
      {{"operation", "", Unit::text, Form::json},
       [](const Comparison& one) { return one.point.operation; }},
      {{"default_median_seconds", "default", Unit::micros},
       [](const Comparison& one) { return one.a.median_seconds; }},
      {{"default_ci_seconds", "", Unit::micros, Form::json, "", true},
       [](const Comparison& one) { return one.a.interval_seconds; }},
      {{"tuned_median_seconds", "file", Unit::micros},
       [](const Comparison& one) { return one.b.median_seconds; }},
      {{"tuned_ci_seconds", "", Unit::micros, Form::json, "", true},
       [](const Comparison& one) { return one.b.interval_seconds; }},
      {{"ratio_text", "file/default", Unit::text, Form::terminal},
       [](const Comparison& one) { return ratio_text(one.ratio, one.interval()); }},
      {{"verdict", "", Unit::text, Form::json}, &Comparison::verdict}};
  const Columns<VerifiedPoint> regret{
      {{"best", "", Unit::text, Form::json}, &VerifiedPoint::best},
      {{"regret_text", "regret[%]", Unit::text, Form::terminal},
       [](const VerifiedPoint& one) { return percent_text(one.regret); }},
      {{"regret", "", Unit::share, Form::json}, &VerifiedPoint::regret},
      {{"regret_ci", "", Unit::share, Form::json, "", true}, &VerifiedPoint::regret_interval}};
  const auto all = joined({compared, ratio_columns<Comparison>()});
  return joined({of_part<VerifiedPoint>(all, &VerifiedPoint::comparison), regret});
}

Json verified_json(const Columns<VerifiedPoint>& columns, const VerifiedPoint& point) {
  const verdicts::Comparison& comparison = point.comparison;
  Json json = json_of(columns, point);
  json["point"] = point_json(comparison.point);
  json["launches"] = {comparison.a.launches, comparison.b.launches};
  json["slower"] = point.slower;
  return json;
}

Json missing_json(const verdicts::LonePoint& lone) {
  return {{"operation", lone.point.operation},
          {"point", point_json(lone.point)},
          {"detail", lone.detail}};
}

}  // namespace

report::View view_of(const Decisions& decisions, Replication replication) {
  return report::make_view(decision_columns(replication), decisions.points);
}

Json to_json(const Tuning& tuning) {
  const Evidence& evidence = tuning.evidence;
  return {{"schema", selection_schema},
          {"for", tuning.target},
          {"mpi_library", evidence.library},
          {"campaigns", evidence.campaigns},
          {"default", evidence.base},
          {"decisions", decisions_json(tuning.decisions.points, evidence.options.replication)},
          {"changes_nothing", changes_nothing(tuning.decisions)},
          {"oversubscribed", filled_or_null(tuning.oversubscribed)},
          {"rules", array_json(merged(tuning.decisions.rules), rules_json)},
          {"left_out", array_json(evidence.left_out, left_out_json)},
          {"unsaid", array_json(tuning.file.inexpressible, inexpressible_json)},
          {"family",
           {{"size", evidence.family},
            {"correction", evidence.options.correction},
            {"alpha", evidence.options.alpha},
            {"least_gain", evidence.options.least_gain},
            {"most_regret", tuning.options.most_regret},
            {"exact", evidence.options.replication == Replication::exact},
            {"launches_needed", evidence.launches_needed}}}};
}

void print_selection(std::ostream& out, const Tuning& tuning, const WrittenFile& written,
                     std::optional<std::size_t> columns) {
  const std::size_t width = columns.value_or(usual_columns);
  const Evidence& evidence = tuning.evidence;
  const std::vector<Decision>& decisions = tuning.decisions.points;
  if (changes_nothing(tuning.decisions)) {
    print_nothing(out, decisions, width);
  } else {
    print_wrapped(out, gain_line(decisions), width);
  }
  if (!tuning.oversubscribed.empty()) print_wrapped(out, tuning.oversubscribed, width);
  if (!written.name.empty()) print_written(out, tuning, written);
  out << '\n';
  print_wrapped(out,
                fmt::format(words::origin, word(tuning.target), escaped(join(evidence.campaigns)),
                            escaped(library_title(evidence.library)), escaped(evidence.base)),
                width);
  print_groups(
      out, view_of(tuning.decisions, evidence.options.replication),
      strings_of(decisions, [](const Decision& one) { return group_of(one.operation, one.ranks); }),
      strings_of(decisions, [](const Decision& one) { return escaped(describe(one.choice)); }),
      width);
  out << '\n';
  print_wrapped(out, fmt::format(words::selection_columns, family_text(evidence)), width);
  print_closest(out, decisions, width);
}

std::vector<std::string> selection_notes(const Tuning& tuning) {
  const Evidence& evidence = tuning.evidence;
  std::vector<std::string> notes;
  if (const auto& needed = evidence.launches_needed) {
    notes.push_back(fmt::format(words::too_few_launches, evidence.family, *needed));
  }
  for (const LeftOut& found : evidence.left_out) notes.push_back("note: " + text_of(found));
  for (const Inexpressible& found : tuning.file.inexpressible) {
    notes.push_back(
        fmt::format(words::not_said, escaped(fmt::format("{} ({})", found.operation, found.why))));
  }
  return notes;
}

Json to_json(const Verification& verification, const Effect& effect) {
  const Columns<VerifiedPoint> columns = verified_columns();
  return {{"schema", verification_schema},
          {"points",
           array_json(verification.points,
                      [&](const VerifiedPoint& point) { return verified_json(columns, point); })},
          {"missing", array_json(verification.missing, missing_json)},
          {"mean_gain", verification.mean_gain},
          {"mean_regret", verification.mean_regret},
          {"largest_regret", verification.largest_regret},
          {"slower", verification.slower},
          {"oversubscribed", filled_or_null(verification.oversubscribed)},
          {"in_force", {{"proof", effect.proof}, {"evidence", effect.evidence}}},
          {"family",
           {{"size", verification.points.size()},
            {"correction", verification.options.correction},
            {"alpha", verification.options.alpha},
            {"exact", verification.options.replication == Replication::exact}}}};
}

void print_verification(std::ostream& out, const Verification& verification, const Effect& effect,
                        std::optional<std::size_t> columns) {
  const std::size_t width = columns.value_or(usual_columns);
  print_wrapped(out, verification_line(verification), width);
  if (!verification.oversubscribed.empty()) {
    print_wrapped(out, verification.oversubscribed, width);
  }
  print_effect(out, effect);
  print_groups(out, report::make_view(verified_columns(), verification.points),
               strings_of(verification.points,
                          [](const VerifiedPoint& point) {
                            return group_of(point.comparison.point.operation,
                                            point.comparison.point.ranks);
                          }),
               strings_of(verification.points, remark_on), width);
  out << '\n';
  print_wrapped(out, std::string(words::verification_columns), width);
  out << fmt::format(words::means, with_unit(verification.mean_gain),
                     with_unit(verification.mean_regret), with_unit(verification.largest_regret))
      << '\n';
  if (!verification.missing.empty()) {
    out << fmt::format(words::left_out, verification.missing.size()) << '\n';
  }
}

}  // namespace hockney::tune
