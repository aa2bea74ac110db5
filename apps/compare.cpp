#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "apps/subcommands.hpp"
#include "core/atomic_file.hpp"
#include "core/names.hpp"
#include "core/record_file.hpp"
#include "report/compare_table.hpp"
#include "verdicts/compare_json.hpp"

namespace hockney {
namespace {

namespace fs = std::filesystem;

struct CompareCommand {
  std::string a;
  std::string b;
  std::string operations;
  std::string at_least = "0%";
  std::string correction = "holm";
  std::string alpha = "0.05";
  std::string fail_on;
  std::string output;
  bool unpaired = false;
  bool json = false;
};

/// What the user named: records, and which setting of them.
struct Side {
  std::string name;
  std::string path;
  std::string setting;  ///< empty where all records have the same
  std::vector<Record> records;
};

/// The whole of `text` as a finite number.
std::optional<double> parse_number(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

double parse_alpha(const std::string& text) {
  const auto alpha = parse_number(text);
  if (alpha && *alpha > 0 && *alpha <= 0.5) return *alpha;
  throw InputError({"bad --alpha '" + text + "'",
                    "it is the chance of a false alarm, above 0 and at most 0.5",
                    "write it like 0.05"});
}

double parse_at_least(const std::string& text) {
  const auto percent =
      text.ends_with('%') ? parse_number({text.data(), text.size() - 1}) : std::nullopt;
  if (percent && *percent >= 0) return *percent / 100;
  throw InputError({"bad --at-least '" + text + "'", "it is a difference in per cent, 0% or more",
                    "write it like 5%"});
}

Correction parse_correction(const std::string& text) {
  for (const Correction known :
       {Correction::none, Correction::holm, Correction::benjamini_hochberg}) {
    if (text == word(known)) return known;
  }
  throw InputError({"bad --correction '" + text + "'", "it says how p-values are adjusted",
                    suggest(text, {"holm", "bh", "none"})});
}

void check_fail_on(const std::string& text) {
  if (text.empty() || text == "slower") return;
  throw InputError({"bad --fail-on '" + text + "'", "it says which verdict is a failure",
                    suggest(text, {"slower"})});
}

/// PATH or PATH:SETTING; what exists is a path, whatever is in its name.
Side parse_side(const std::string& name) {
  std::error_code unreachable;
  const std::size_t colon = name.rfind(':');
  if (fs::exists(name, unreachable) || colon == std::string::npos) return {name, name, {}, {}};
  return {name, name.substr(0, colon), name.substr(colon + 1), {}};
}

std::string setting_of(const Record& record) {
  return record.campaign ? record.campaign->setting : std::string();
}

/// The different texts that complete launches have.
template <class Text>
std::vector<std::string> distinct(const std::vector<Record>& records, Text text_of) {
  std::set<std::string> texts;
  for (const Record& record : records) {
    if (record.status == LaunchStatus::complete) texts.insert(text_of(record));
  }
  return {texts.begin(), texts.end()};
}

void keep_setting(Side& side) {
  const std::vector<std::string> settings = distinct(side.records, setting_of);
  if (side.setting.empty()) {
    if (settings.size() <= 1) return;
    throw InputError({"'" + side.name + "' holds the settings " + join(settings),
                      "a comparison has one on each side",
                      "write " + side.path + ":" + settings.front()});
  }
  if (std::ranges::find(settings, side.setting) == settings.end()) {
    throw InputError({"unknown setting '" + side.setting + "' of '" + side.path + "'",
                      "no complete record has it", suggest(side.setting, settings)});
  }
  std::erase_if(side.records,
                [&](const Record& record) { return setting_of(record) != side.setting; });
}

/// Launches of different kinds on one side are no sample of anything.
void require_one(const Side& side, const std::string& what, const std::vector<std::string>& found) {
  if (found.size() == 1) return;
  if (found.empty()) {
    throw InputError({"'" + side.name + "' holds no complete launch",
                      std::to_string(side.records.size()) + " interrupted or failed",
                      "name records of launches that were completed"});
  }
  throw InputError({"'" + side.name + "' holds launches of several " + what, join(found, " and "),
                    "name the folder of one campaign"});
}

Side load_side(const std::string& name) {
  Side side = parse_side(name);
  side.records = load_records({side.path});
  keep_setting(side);
  require_one(side, "campaigns", distinct(side.records, [](const Record& record) {
                return record.campaign ? record.campaign->name : std::string();
              }));
  require_one(side, "MPI libraries", distinct(side.records, [](const Record& record) {
                return record.provenance.mpi.library;
              }));
  return side;
}

/// A launch on both sides would be compared with itself.
void require_disjoint(const Side& a, const Side& b) {
  for (const Record& record : a.records) {
    if (std::ranges::find(b.records, record) == b.records.end()) continue;
    throw InputError({"A and B share a launch", "a comparison with itself says nothing",
                      "name two folders or two settings"});
  }
}

/// Settings of one folder took turns in its blocks.
Origin origin_of(const Side& a, const Side& b) {
  return fs::equivalent(a.path, b.path) ? Origin::one_campaign : Origin::apart;
}

/// Keeps the named operations; InputError for one that no record holds.
void keep_operations(Side& a, Side& b, const std::string& list) {
  const std::vector<std::string> wanted = split(list, ',');
  const auto unwanted = [&](const auto& item) {
    return std::ranges::find(wanted, item.point.operation) == wanted.end();
  };
  std::set<std::string> known;
  for (Side* side : {&a, &b}) {
    for (Record& record : side->records) {
      for (const Series& series : record.series) known.insert(series.point.operation);
      std::erase_if(record.points, unwanted);
      std::erase_if(record.series, unwanted);
    }
  }
  for (const std::string& name : wanted) {
    if (known.contains(name)) continue;
    throw InputError({"unknown operation '" + name + "'", "no record holds it",
                      suggest(name, {known.begin(), known.end()})});
  }
}

CompareSet make_comparison(const CompareCommand& command) {
  CompareOptions options{.alpha = parse_alpha(command.alpha),
                         .at_least = parse_at_least(command.at_least),
                         .correction = parse_correction(command.correction),
                         .pairing = command.unpaired ? Pairing::never : Pairing::where_possible};
  check_fail_on(command.fail_on);
  Side a = load_side(command.a);
  Side b = load_side(command.b);
  require_disjoint(a, b);
  options.origin = origin_of(a, b);
  if (!command.operations.empty()) keep_operations(a, b, command.operations);
  CompareSet set = compare(a.records, b.records, options);
  set.a.source = a.path;
  set.b.source = b.path;
  if (!set.comparisons.empty()) return set;
  throw InputError({"nothing to compare",
                    "of " + std::to_string(set.only_in_a.size()) + " points in A and " +
                        std::to_string(set.only_in_b.size()) + " in B no two are the same",
                    "measure both with the same operations, sizes and ranks"});
}

ExitCode run_compare(const CompareCommand& command) {
  const CompareSet set = make_comparison(command);
  const std::string document = to_json(set).dump(1) + "\n";
  if (!command.output.empty()) write_atomically(command.output, document);
  if (command.json) {
    std::cout << document;
  } else {
    print_compare_table(std::cout, set);
  }
  const bool slower = std::ranges::find(set.comparisons, Verdict::slower, &Comparison::verdict) !=
                      set.comparisons.end();
  return slower && command.fail_on == "slower" ? ExitCode::verdict_failed : ExitCode::good;
}

void add_options(CLI::App& app, CompareCommand& options) {
  app.add_option("A", options.a, "Records to compare with: a file, a folder or FOLDER:SETTING")
      ->required();
  app.add_option("B", options.b, "Records that are faster or slower: the same")->required();
  app.add_option("--at-least", options.at_least, "Differences up to this are none, such as 5%")
      ->capture_default_str();
  app.add_option("--correction", options.correction, "For many points: holm, bh or none")
      ->capture_default_str();
  app.add_option("--alpha", options.alpha, "Chance of a false alarm")->capture_default_str();
  app.add_flag("--unpaired", options.unpaired, "Do not pair the launches of one campaign");
  app.add_option("--operations,--operation", options.operations,
                 "Compare only these operations, joined by commas")
      ->default_str("all");
  app.add_option("--fail-on", options.fail_on, "slower: exit with 1 when B is slower at any point")
      ->default_str("nothing");
  app.add_flag("--json", options.json, "Print the JSON document instead of the table");
  app.add_option("-o,--output", options.output, "Also write the JSON document to this file")
      ->default_str("none");
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
