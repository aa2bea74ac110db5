#include <fmt/format.h>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/atomic_file.hpp"
#include "core/cli/command_line.hpp"
#include "core/record_file.hpp"
#include "core/shell.hpp"
#include "core/text.hpp"
#include "driver/fit.hpp"
#include "driver/page/records_page.hpp"
#include "driver/screens/answers.hpp"
#include "driver/screens/reliability.hpp"
#include "driver/subcommands.hpp"
#include "report/curve_tables.hpp"
#include "verdicts/disturbance.hpp"
#include "verdicts/guidelines.hpp"
#include "verdicts/multiplicity.hpp"
#include "verdicts/tables/guideline_tables.hpp"

namespace hockney::driver {
namespace {

struct GuidelinesCommand {
  std::vector<std::string> records;
  std::string alpha = "0.05";
  std::string delta = "5%";
  std::string correction = "max-t";
  std::string baseline;
  std::string junit;
  campaign::OutputOptions output;
};

verdicts::GuidelineOptions options_of(const GuidelinesCommand& command) {
  return {.alpha = verdicts::parse_alpha(command.alpha),
          .delta = verdicts::parse_margin("--delta", command.delta,
                                          "it is by how many per cent a left side may be slower"),
          .correction = verdicts::parse_correction(command.correction)};
}

std::vector<verdicts::KnownViolation> load_known(const std::string& file,
                                                 const verdicts::GuidelineSet& set) {
  if (file.empty()) return {};
  std::vector<verdicts::KnownViolation> known = verdicts::read_guideline_baseline(load_json(file));
  check_known(known, set, file);
  return known;
}

void save_junit(const report::GuidelineReport& report, const std::string& file) {
  std::ostringstream text;
  report::write_junit(text, {guideline_suite(report)});
  write_atomically(file, text.str());
}

Message nothing_to_judge(const verdicts::GuidelineSet& set) {
  if (set.launches == 0) {
    return {"nothing to judge", "no launch is complete", "name records of launches that are"};
  }
  const std::string why =
      set.unmeasured.empty() ? "no two of their points belong together" : set.unmeasured[0].reason;
  return {"nothing to judge", why, "measure both sides; see hockney-guidelines --list"};
}

ExitCode run_guidelines(const GuidelinesCommand& command) {
  const verdicts::GuidelineOptions options = options_of(command);
  const campaign::Output output(command.output, command.records);
  std::vector<Record> loaded = load_records(command.records, Kept::times);
  verdicts::judge_launches(loaded);
  report::Results results(std::move(loaded), join(command.records, " "));
  const std::span<const Record> records = results.records();
  const verdicts::GuidelineSet set = judge_guidelines(records, options);
  if (set.verdicts.empty()) throw InputError(nothing_to_judge(set));
  const std::vector<verdicts::KnownViolation> known = load_known(command.baseline, set);
  const std::vector<verdicts::Violation> violations = find_violations(set, records);
  const report::GuidelineReport report{.set = set, .violations = violations, .known = known};
  const auto make = [&] {
    report::Screen screen{
        .faults = report::fault_lines(set.faults),
        .header = report::header_of(records),
        .answer = guidelines_answer(report),
        .rows = guideline_rows(report),
        .verdict = guidelines_verdict(report),
        .next = {{fmt::format("hockney guidelines {} --all", escaped(shell_words(command.records))),
                  "every verdict, and why some are undecided"}}};
    add_reliability(screen, records, results.shown_rows());
    return screen;
  };
  output.show(
      {.summary = make,
       .tables =
           [&](std::ostream& out) {
             report::print_faults(out, set.faults);
             print_guideline_table(out, report);
           },
       .document = [&] { return to_json(report); },
       .csv = [&](std::ostream& out) { write_csv(out, report::view_of(set)); },
       .page =
           [&] {
             report::Page page = page_with_fit(results);
             page.made_by = command.output.command({}) + " -o page.html";
             return led_by({"guidelines", with_summary(to_json(report), make())}, std::move(page));
           }});
  if (!command.junit.empty()) save_junit(report, command.junit);
  const bool failed = std::ranges::any_of(violations, [&](const verdicts::Violation& violation) {
    return !is_known(known, *violation.verdict);
  });
  return failed ? ExitCode::verdict_failed : ExitCode::good;
}

void add_options(CommandLine& app, GuidelinesCommand& command) {
  app.add_option("records", command.records,
                 "Folders or files of hockney-guidelines; those of sweeps of algorithms (axis "
                 "algorithm) beside them show what repairs a violation")
      .required();
  app.add_option("--delta", command.delta, "A left side up to so much slower is no violation")
      .capture_default_str();
  app.add_option("--alpha", command.alpha, "Chance of any false violation in the whole family")
      .capture_default_str();
  app.add_option("--correction", command.correction,
                 "For many cells, how their p-values are adjusted")
      .type_name("max-t|holm|bh|none")
      .capture_default_str();
  app.add_option("--baseline", command.baseline,
                 "Known violations, which are no failure: hockney.guidelines-baseline/1")
      .default_str("none");
  tried_first(
      app.add_option("--junit", command.junit, "Also write the verdicts to this file as JUnit XML"))
      .default_str("none");
  add_output_options(app, command.output, {.page = true});
}

}  // namespace

void add_guidelines(CommandLine& driver, Action& chosen) {
  add_command<GuidelinesCommand>(
      driver, chosen, "guidelines", "Check performance guidelines; exit code 1 if any is violated",
      add_options, run_guidelines,
      {.examples = {
           {"hockney guidelines results/x", "which calls are slower than what does the same"},
           {"hockney guidelines results/x --delta 10%", "by more than a tenth"},
           {"hockney guidelines results/x --baseline known.json --junit guidelines.xml",
            "in a test run"}}});
}

}  // namespace hockney::driver
