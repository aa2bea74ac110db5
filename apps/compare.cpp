#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/compared_sides.hpp"
#include "apps/subcommands.hpp"
#include "core/atomic_file.hpp"
#include "core/cli/cli11.hpp"
#include "core/cli/command_line.hpp"
#include "core/json_values.hpp"
#include "core/record_file.hpp"
#include "core/text.hpp"
#include "report/compare_table.hpp"
#include "verdicts/compare.hpp"
#include "verdicts/compare_axis.hpp"
#include "verdicts/verdict_options.hpp"

namespace hockney {
namespace {

struct CompareCommand {
  std::string a;
  std::string b;
  std::string operations;
  std::string at_least = "0%";
  std::string correction = "max-t";
  std::string alpha = "0.05";
  std::string fail_on;
  std::string output;
  std::string axis;
  bool unpaired = false;
  bool json = false;
};

void check_fail_on(const std::string& text) {
  if (text.empty() || text == "slower") return;
  throw InputError({"bad --fail-on '" + text + "'", "it says which verdict is a failure",
                    suggest(text, {"slower"})});
}

CompareOptions options_of(const CompareCommand& command) {
  check_fail_on(command.fail_on);
  return {
      .alpha = parse_alpha(command.alpha),
      .at_least = parse_margin("--at-least", command.at_least, "it is a difference in per cent"),
      .correction = parse_correction(command.correction),
      .pairing = command.unpaired ? Pairing::never : Pairing::where_possible};
}

CompareSet compare_sides(const CompareCommand& command) {
  CompareOptions options = options_of(command);
  Side a = load_side(command.a);
  Side b = load_side(command.b);
  require_disjoint(a, b);
  options.origin = origin_of(a, b);
  if (!command.operations.empty()) keep_operations({&a.records, &b.records}, command.operations);
  CompareSet set = compare(a.records, b.records, options);
  set.a.source = a.path;
  set.b.source = b.path;
  if (!set.comparisons.empty()) return set;
  throw InputError({"nothing to compare",
                    "of " + std::to_string(set.only_in_a.size()) + " points in A and " +
                        std::to_string(set.only_in_b.size()) + " in B no two are the same",
                    "measure both with the same operations, sizes and ranks"});
}

AxisCompareSet compare_values(const CompareCommand& command) {
  const CompareOptions options = options_of(command);
  std::vector<Record> records = load_records({command.a}, Kept::times);
  if (!command.operations.empty()) keep_operations({&records}, command.operations);
  AxisCompareSet set = compare_by_axis(records, command.axis, options);
  if (set.family > 0) return set;
  throw InputError({"nothing to compare",
                    "no two settings with points in common differ in " + command.axis + " alone",
                    "measure the axis with its base, " + set.base});
}

bool is_slower(const CompareSet& set) {
  return std::ranges::find(set.comparisons, Verdict::slower, &Comparison::verdict) !=
         set.comparisons.end();
}

bool is_slower(const AxisCompareSet& set) {
  return std::ranges::any_of(
      set.comparisons, [](const AxisComparison& comparison) { return is_slower(comparison.set); });
}

void print(const CompareSet& set) { print_compare_table(std::cout, set); }
void print(const AxisCompareSet& set) { print_compare_axis_table(std::cout, set); }

template <class Set>
ExitCode show(const Set& set, const CompareCommand& command) {
  const std::string document = json_text(to_json(set)) + "\n";
  if (!command.output.empty()) write_atomically(command.output, document);
  command.json ? void(std::cout << document) : print(set);
  return is_slower(set) && command.fail_on == "slower" ? ExitCode::verdict_failed : ExitCode::good;
}

ExitCode run_compare(const CompareCommand& command) {
  if (command.axis.empty() && command.b.empty()) {
    throw InputError({"nothing to compare '" + command.a + "' with", "there is no B",
                      "name it, or an axis of a sweep with --by"});
  }
  if (!command.axis.empty() && !command.b.empty()) {
    throw InputError({"--by with two sides", "it compares the values of an axis in one campaign",
                      "leave out '" + command.b + "'"});
  }
  if (command.axis.empty()) return show(compare_sides(command), command);
  return show(compare_values(command), command);
}

void add_options(CLI::App& app, CompareCommand& options) {
  app.add_option("A", options.a, "Records to compare with: a file, a folder or FOLDER:SETTING")
      ->required();
  app.add_option("B", options.b, "Records that are faster or slower: the same; needless with --by")
      ->default_str("none");
  app.add_option("--by", options.axis,
                 "In place of B: each value of this axis of the sweep in A against its first value")
      ->default_str("none");
  app.add_option("--at-least", options.at_least, "Differences up to this are none, such as 5%")
      ->capture_default_str();
  app.add_option("--correction", options.correction, "For many points: max-t, holm, bh or none")
      ->capture_default_str();
  app.add_option("--alpha", options.alpha, "Chance of a false alarm")->capture_default_str();
  app.add_flag("--unpaired", options.unpaired, "Do not pair the launches of one campaign");
  app.add_option("--operations,--operation", options.operations,
                 "Compare only these operations, joined by commas")
      ->default_str("all");
  app.add_option("--fail-on", options.fail_on, "slower: exit with 1 when B is slower at any point")
      ->default_str("nothing");
  add_json_flag(app, options.json);
  add_document_output(app, options.output);
}

}  // namespace

void add_compare(CLI::App& driver, Action& chosen) {
  const auto options = std::make_shared<CompareCommand>();
  CLI::App* app =
      driver.add_subcommand("compare", "Is B faster or slower than A? Tests launches, not samples");
  add_options(*app, *options);
  app->callback([options, &chosen] { chosen = [options] { return run_compare(*options); }; });
}

}  // namespace hockney
