#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <type_traits>

#include "core/cli/command_line.hpp"
#include "core/node_records.hpp"
#include "core/quantities.hpp"
#include "core/record_file.hpp"
#include "core/shell.hpp"
#include "core/text.hpp"
#include "driver/fit.hpp"
#include "driver/page/records_page.hpp"
#include "driver/screens/reliability.hpp"
#include "driver/screens/settings.hpp"
#include "driver/screens/verdict_words.hpp"
#include "driver/subcommands.hpp"
#include "report/curve_tables.hpp"
#include "report/table.hpp"
#include "verdicts/compare.hpp"
#include "verdicts/compare_axis.hpp"
#include "verdicts/disturbance.hpp"
#include "verdicts/multiplicity.hpp"
#include "verdicts/tables/verdict_tables.hpp"

namespace hockney::driver {
namespace {

namespace fs = std::filesystem;

/// One side of a comparison: records, and one setting of them.
struct ComparedRecords {
  std::string name;
  std::string path;
  std::string setting;  ///< empty if all records have the same
  std::vector<Record> records;
};

/// Parses PATH or PATH:SETTING. A name that exists as a path is a path.
ComparedRecords parse_side(const std::string& name) {
  std::error_code unreachable;
  const std::size_t colon = name.rfind(':');
  if (fs::exists(name, unreachable) || colon == std::string::npos) return {name, name, {}, {}};
  return {name, name.substr(0, colon), name.substr(colon + 1), {}};
}

std::string setting_of(const Record& record) {
  return record.campaign ? record.campaign->setting : std::string();
}

/// The different texts among complete launches.
template <class Text>
std::vector<std::string> distinct(const std::vector<Record>& records, Text text_of) {
  std::set<std::string> texts;
  for (const Record& record : records) {
    if (record.status == LaunchStatus::complete) texts.insert(text_of(record));
  }
  return {texts.begin(), texts.end()};
}

void keep_setting(ComparedRecords& side) {
  const std::vector<std::string> settings = distinct(side.records, setting_of);
  if (side.setting.empty()) {
    if (settings.size() <= 1) return;
    throw InputError({fmt::format("'{}' holds the settings {}", side.name, join(settings)),
                      "a comparison has one on each side",
                      fmt::format("write {}:{}", side.path, settings.front())});
  }
  if (std::ranges::find(settings, side.setting) == settings.end()) {
    throw InputError({fmt::format("unknown setting '{}' of '{}'", side.setting, side.path),
                      "no complete record has it", suggest(side.setting, settings)});
  }
  std::erase_if(side.records,
                [&](const Record& record) { return setting_of(record) != side.setting; });
}

/// InputError for launches of different kinds on one side, which are no sample.
void require_one(const ComparedRecords& side, const std::string& what,
                 const std::vector<std::string>& found) {
  if (found.size() == 1) return;
  if (found.empty()) {
    throw InputError({fmt::format("'{}' holds no complete launch", side.name),
                      fmt::format("{} interrupted or failed", side.records.size()),
                      "name records of launches that were completed"});
  }
  throw InputError({fmt::format("'{}' holds launches of several {}", side.name, what),
                    join(found, " and "), "name the folder of one campaign"});
}

/// Gives a side the records of its path that have its setting. InputError if they have several
/// settings, campaigns or MPI libraries, or no complete launch.
void take_records(ComparedRecords& side, std::vector<Record> records) {
  side.records = std::move(records);
  keep_setting(side);
  require_one(side, "campaigns", distinct(side.records, [](const Record& record) {
                return record.campaign ? record.campaign->name : std::string();
              }));
  require_one(side, "MPI libraries", distinct(side.records, [](const Record& record) {
                return record.provenance.mpi.library;
              }));
}

/// InputError if both sides have a launch in common, which would be compared with itself.
void require_disjoint(const ComparedRecords& a, const ComparedRecords& b) {
  for (const Record& record : a.records) {
    if (std::ranges::find(b.records, record) == b.records.end()) continue;
    throw InputError({"A and B share a launch", "a comparison with itself says nothing",
                      "name two folders or two settings"});
  }
}

/// Settings of one folder alternated in rounds.
verdicts::Origin origin_of(const ComparedRecords& a, const ComparedRecords& b) {
  return fs::equivalent(a.path, b.path) ? verdicts::Origin::one_campaign : verdicts::Origin::apart;
}

struct CompareCommand {
  std::string a;
  std::string b;
  std::string operations;
  std::string at_least = "0%";
  std::string correction = "max-t";
  std::string alpha = "0.05";
  std::string fail_on;
  std::string axis;
  std::string base;
  bool unpaired = false;
  campaign::OutputOptions output;
};

void check_fail_on(const std::string& text) {
  if (text.empty() || text == "slower") return;
  throw InputError({fmt::format("bad --fail-on '{}'", text), "it says which verdict is a failure",
                    suggest(text, {"slower"})});
}

verdicts::CompareOptions options_of(const CompareCommand& command) {
  check_fail_on(command.fail_on);
  return {
      .alpha = verdicts::parse_alpha(command.alpha),
      .at_least =
          verdicts::parse_margin("--at-least", command.at_least, "it is a difference in per cent"),
      .correction = verdicts::parse_correction(command.correction),
      .pairing = command.unpaired ? verdicts::Pairing::never : verdicts::Pairing::where_possible};
}

/// InputError if faults leave nothing to compare.
void reject_faults(const std::vector<FaultFinding>& faults) {
  if (faults.empty()) return;
  throw InputError({"nothing to compare", report::fault_lines(faults).front(),
                    "fix the cause and measure again"});
}

/// The text of a side's value of `name`, also if it has none.
std::string value_text(const std::string& name, const std::string& value) {
  if (!value.empty()) return value;
  return name == timing_parameter ? "hockney's own" : "not said";
}

/// "timing (osu in A, hockney's own in B) and hop (not said in A, l3 in B)"
std::string differing_text(const std::vector<verdicts::Differing>& in) {
  std::vector<std::string> parts;
  parts.reserve(in.size());
  for (const verdicts::Differing& one : in) {
    parts.push_back(fmt::format("{} ({} in A, {} in B)", one.name,
                                escaped(value_text(one.name, one.a)),
                                escaped(value_text(one.name, one.b))));
  }
  return join(parts, " and ");
}

/// How to measure or import one side so that it matches the other.
std::string remedy_for(const std::vector<verdicts::Differing>& in, const ComparedRecords& a,
                       const ComparedRecords& b) {
  std::vector<std::string> remedies;
  bool is_new_run = false;
  for (const verdicts::Differing& one : in) {
    const ComparedRecords& lacking = one.a.empty() ? a : b;
    const std::string& value = one.a.empty() ? one.b : one.a;
    if (one.name == "hop" && (one.a.empty() || one.b.empty())) {
      remedies.push_back(
          fmt::format("import {} again with --hop {}", escaped(lacking.path), escaped(value)));
    } else {
      is_new_run = true;
    }
  }
  if (is_new_run) {
    const auto is_other_suites = [](const verdicts::Differing& one) {
      return one.name == timing_parameter && one.a.empty();
    };
    const ComparedRecords& model = std::ranges::any_of(in, is_other_suites) ? b : a;
    remedies.push_back(fmt::format("measure as {} was: hockney run --like {}", escaped(model.path),
                                   escaped(shell_word(model.path))));
  }
  return join(remedies, ", and ");
}

/// InputError if a side measured none of its points.
void reject_unmeasured(const verdicts::CompareSet& set, const ComparedRecords& a,
                       const ComparedRecords& b) {
  const auto reject = [](const std::string& side, const std::vector<verdicts::LonePoint>& points) {
    const auto is_unmeasured = [](const verdicts::LonePoint& lone) {
      return lone.absence != verdicts::Absence::not_planned;
    };
    if (points.empty() || !std::ranges::all_of(points, is_unmeasured)) return;
    const std::string& why = points.front().detail;
    throw InputError({"nothing to compare",
                      fmt::format("{} has no time of {}{}", escaped(side),
                                  report::count_text(points.size(), "point"),
                                  why.empty() ? "" : ": " + escaped(why)),
                      "measure it again"});
  };
  if (set.only_in_a.empty()) reject(a.name, set.only_in_b);
  if (set.only_in_b.empty()) reject(b.name, set.only_in_a);
  if (set.only_in_a.empty() && set.only_in_b.empty()) reject(b.name, set.in_neither);
}

/// InputError if no two points are equal: lists the differences of the most similar ones.
[[noreturn]] void reject_unlike(const verdicts::CompareSet& set, const ComparedRecords& a,
                                const ComparedRecords& b) {
  const auto points_of = [](const std::vector<verdicts::LonePoint>& lone) {
    std::vector<Point> points;
    points.reserve(lone.size());
    for (const verdicts::LonePoint& one : lone) points.push_back(one.point);
    return points;
  };
  const auto found =
      verdicts::point_differences(points_of(set.only_in_a), points_of(set.only_in_b));
  const std::string counts =
      fmt::format("{} in A and {} in B", report::count_text(set.only_in_a.size(), "point"),
                  set.only_in_b.size());
  if (found.empty()) {
    throw InputError({"nothing to compare", counts + " have no operation in common",
                      "measure both with the same operations, sizes and ranks"});
  }
  throw InputError({"nothing to compare",
                    fmt::format("of {} no two are the same: {} differ in {}", counts,
                                report::count_text(found.front().points, "point"),
                                differing_text(found.front().in)),
                    remedy_for(found.front().in, a, b)});
}

/// A comparison, and the records for its page.
template <class Set>
struct Compared {
  Set set;
  std::vector<report::NamedRecords> records;
};

Compared<verdicts::CompareSet> compare_sides(const CompareCommand& command) {
  verdicts::CompareOptions options = options_of(command);
  ComparedRecords a = parse_side(command.a);
  ComparedRecords b = parse_side(command.b);
  std::vector<Record> of_a = usable_records({a.path});
  std::vector<Record> of_b;  // two settings of one campaign are read only once
  if (b.path == a.path) of_b = of_a;
  take_records(a, std::move(of_a));
  if (b.path != a.path) of_b = usable_records({b.path});
  take_records(b, std::move(of_b));
  require_disjoint(a, b);
  options.origin = origin_of(a, b);
  if (!command.operations.empty()) keep_operations({&a.records, &b.records}, command.operations);
  std::vector<Record*> all;
  for (std::vector<Record>* records : {&a.records, &b.records}) {
    for (Record& record : *records) all.push_back(&record);
  }
  verdicts::judge_launches(all);
  verdicts::CompareSet set = compare(a.records, b.records, options);
  set.a.source = a.path;
  set.b.source = b.path;
  if (!set.comparisons.empty()) {
    return {std::move(set), {{a.name, std::move(a.records)}, {b.name, std::move(b.records)}}};
  }
  reject_faults(set.faults);
  reject_unmeasured(set, a, b);
  reject_unlike(set, a, b);
}

Compared<verdicts::AxisCompareSet> compare_values(const CompareCommand& command) {
  const verdicts::CompareOptions options = options_of(command);
  std::vector<Record> records = usable_records({command.a});
  if (!command.operations.empty()) keep_operations({&records}, command.operations);
  verdicts::judge_launches(records);
  verdicts::AxisCompareSet set = compare_by_axis(records, command.axis, options, command.base);
  if (set.family > 0) return {std::move(set), {{command.a, std::move(records)}}};
  reject_faults(set.faults);
  throw InputError(
      {"nothing to compare",
       fmt::format("no two settings with points in common differ in {} alone", command.axis),
       "measure the axis with its base, " + set.base});
}

bool is_slower(const verdicts::CompareSet& set) {
  return std::ranges::find(set.comparisons, verdicts::Verdict::slower,
                           &verdicts::Comparison::verdict) != set.comparisons.end();
}

bool is_slower(const verdicts::AxisCompareSet& set) {
  return std::ranges::any_of(set.comparisons, [](const verdicts::AxisComparison& comparison) {
    return is_slower(comparison.set);
  });
}

void print_tables(std::ostream& out, const verdicts::CompareSet& set) {
  report::print_compare_table(out, set);
}
void print_tables(std::ostream& out, const verdicts::AxisCompareSet& set) {
  report::print_compare_axis_table(out, set);
}

std::string launches_text(const verdicts::CompareSet& set) {
  const auto& [a, b] = std::tie(set.a.launches, set.b.launches);
  const bool are_pairs =
      std::ranges::all_of(set.comparisons, [](const verdicts::Comparison& comparison) {
        return comparison.design == verdicts::Design::paired;
      });
  const std::string how = are_pairs ? ", paired by block" : ", not paired";
  if (a == b) {
    return fmt::format("{} each{}", text_of(LaunchCount{a, std::max(set.a.nodes, set.b.nodes)}),
                       how);
  }
  return fmt::format("{} and {}{}", a, report::count_text(b, "launch"), how);
}

/// Sides on different cores, points of one side, and what measuring apart means.
std::vector<Finding> findings_of(const verdicts::CompareSet& set) {
  std::vector<Finding> findings;
  if (std::string cores = report::different_cores_words(set); !cores.empty()) {
    findings.push_back({.what = std::move(cores)});
  }
  const auto add = [&](const std::string& where, const std::vector<verdicts::LonePoint>& points) {
    if (!points.empty()) findings.push_back({.what = report::lone_text(where, points)});
  };
  add("only in A", set.only_in_a);
  add("only in B", set.only_in_b);
  if (!set.in_neither.empty()) {
    findings.push_back(
        {.what = report::count_text(set.in_neither.size(), "point") + " measured on no side"});
  }
  if (set.options.origin == verdicts::Origin::apart) {
    findings.push_back({.what = "measured apart, so drift of the machine is part of the difference",
                        .advice = "measure both as settings of one campaign (--vary)"});
  }
  return findings;
}

std::string design_text(const verdicts::CompareSet& set) {
  return fmt::format("{}; {}", launches_text(set), report::family_text(set.family, set.options));
}

/// Points that were planned with two values and measured with one; the first two lines.
report::Lines lone_lines(const verdicts::AxisCompareSet& set) {
  constexpr std::size_t most_lines = 2;
  std::set<std::string> lines;
  for (const verdicts::AxisComparison& comparison : set.comparisons) {
    const auto add = [&](const std::string& value, std::vector<verdicts::LonePoint> points) {
      std::erase_if(points, [](const verdicts::LonePoint& lone) {
        return lone.absence == verdicts::Absence::not_planned;
      });
      if (points.empty()) return;
      lines.insert(report::lone_text(fmt::format("only with {}", escaped(value)), points));
    };
    add(set.base, comparison.set.only_in_a);
    add(comparison.value, comparison.set.only_in_b);
  }
  report::Lines shown(lines.begin(), lines.end());
  if (shown.size() <= most_lines) return shown;
  const std::size_t more = shown.size() - most_lines;
  shown.resize(most_lines);
  shown.back() += fmt::format("; {} more: --all", report::count_text(more, "line"));
  return shown;
}

std::vector<Finding> findings_of(const verdicts::AxisCompareSet& set) {
  std::vector<Finding> findings;
  for (std::string& line : lone_lines(set)) findings.push_back({.what = std::move(line)});
  if (!set.alone.empty()) {
    findings.push_back(
        {.what = fmt::format("not compared: {}, for want of a setting that differs in {} alone",
                             escaped(join(set.alone)), escaped(set.axis))});
  }
  return findings;
}

std::string design_text(const verdicts::AxisCompareSet& set) {
  return report::family_text(set.family, set.options);
}

/// Adds who disturbed the launches of all sides; first if that changes the answer, as it changes
/// means.
void add_disturbance(report::Screen& screen, const report::DisturbedWords& disturbed,
                     bool of_means) {
  if (disturbed.text.empty()) return;
  const bool is_first = of_means || disturbed.is_most;
  report::Lines& place = is_first ? screen.warnings : screen.reliability;
  place.insert(place.begin(), disturbed.text);
}

template <class Set>
ExitCode show(Compared<Set> compared, const CompareCommand& command,
              const campaign::Output& output) {
  const Set& set = compared.set;
  const auto summary = [&] {
    const std::vector<report::SettingsMatrix> matrices = report::settings_matrices(set);
    report::Screen screen{.faults = report::fault_lines(set.faults),
                          .answer = report::settings_answer(matrices),
                          .rows = report::settings_rows(matrices),
                          .findings = findings_of(set),
                          .next = {{command.output.command({}) + " --all",
                                    "every size with its interval, and where curves cross"}}};
    if (!set.oversubscribed.empty()) screen.reliability.push_back(set.oversubscribed);
    screen.reliability.push_back(design_text(set));
    std::vector<Record> records;
    for (const report::NamedRecords& side : compared.records) {
      std::ranges::copy(side.records, std::back_inserter(records));
    }
    const report::DisturbedWords disturbed =
        report::disturbed_words(records, report::campaign_rows(records));
    if constexpr (std::is_same_v<Set, verdicts::CompareSet>) {
      add_means(screen, set, disturbed);
      add_disturbance(screen, disturbed, set.of_means);
    } else {
      add_disturbance(screen, disturbed, false);
    }
    return screen;
  };
  output.show({.summary = summary,
               .tables =
                   [&](std::ostream& out) {
                     report::print_faults(out, set.faults);
                     print_tables(out, set);
                   },
               .document = [&] { return report::to_json(set); },
               .csv = [&](std::ostream& out) { write_csv(out, report::view_of(set)); },
               .page =
                   [&] {
                     report::Screen screen = summary();
                     report::Results results(std::move(compared.records));
                     screen.header = report::header_of(results.records());
                     report::Page page = page_with_fit(results);
                     page.made_by = command.output.command({}) + " -o page.html";
                     return led_by({"compare", with_summary(report::to_json(set), screen)},
                                   std::move(page));
                   }});
  return is_slower(set) && command.fail_on == "slower" ? ExitCode::verdict_failed : ExitCode::good;
}

ExitCode run_compare(const CompareCommand& command) {
  if (command.axis.empty() && command.b.empty()) {
    throw InputError({fmt::format("nothing to compare '{}' with", command.a), "there is no B",
                      "name it, or an axis of a sweep with --by"});
  }
  if (!command.axis.empty() && !command.b.empty()) {
    throw InputError({"--by with two sides", "it compares the values of an axis in one campaign",
                      fmt::format("leave out '{}'", command.b)});
  }
  if (command.axis.empty() && !command.base.empty()) {
    throw InputError({"--base without --by", "it is a value of an axis",
                      "name the axis with --by, or leave it out"});
  }
  const campaign::Output output(command.output, {command.a, command.b});
  if (command.axis.empty()) return show(compare_sides(command), command, output);
  return show(compare_values(command), command, output);
}

void add_options(CommandLine& app, CompareCommand& options) {
  app.add_option("A", options.a, "Records to compare with: a file, a folder or FOLDER:SETTING")
      .required();
  app.add_option("B", options.b, "Records that are faster or slower: the same; needless with --by")
      .default_str("none");
  app.add_option(
         "--by", options.axis,
         "In place of B: each value of this axis of the sweep in A, or of this parameter of its "
         "points, such as way, against --base")
      .default_str("none");
  app.add_option("--base", options.base, "The value of --by that others are compared with")
      .default_str("the plain one (host), else default, then numbers, words");
  app.add_option("--at-least", options.at_least, "Differences up to this are none, such as 5%")
      .capture_default_str();
  app.add_option("--correction", options.correction,
                 "For many points, how their p-values are adjusted")
      .type_name("max-t|holm|bh|none")
      .capture_default_str();
  app.add_option("--alpha", options.alpha, "Chance of a false alarm").capture_default_str();
  app.add_flag("--unpaired", options.unpaired, "Do not pair the launches of one campaign");
  app.add_option("--operations,--operation", options.operations,
                 "Compare only these operations, joined by commas")
      .default_str("all");
  app.add_option("--fail-on", options.fail_on, "slower: exit with 1 when B is slower at any point")
      .type_name("slower")
      .default_str("nothing");
  add_output_options(app, options.output, {.page = true});
}

}  // namespace

void add_compare(CommandLine& driver, Action& chosen) {
  add_command<CompareCommand>(
      driver, chosen, "compare", "Compare two sets of launches: is B faster or slower than A?",
      add_options, run_compare,
      {.examples = {{"hockney compare results/before results/after", "two campaigns"},
                    {"hockney compare results/x:a results/x:b --at-least 5% --fail-on slower",
                     "two settings of one"},
                    {"hockney compare results/x --by algorithm --base ring",
                     "every value of an axis against one"}},
       .common = {"A", "B", "--by", "--base", "--at-least", "--operations", "--fail-on", "--all",
                  "--quiet", "--json", "--csv", "--output", "--page"}});
}

}  // namespace hockney::driver
