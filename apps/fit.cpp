#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "apps/fit_document.hpp"
#include "apps/subcommands.hpp"
#include "core/cli/standard_output.hpp"
#include "core/cli/subcommand.hpp"
#include "core/record_file.hpp"
#include "core/text.hpp"
#include "report/fault_lines.hpp"
#include "report/fit_table.hpp"
#include "report/rank_scaling_table.hpp"
#include "report/screens/narrow.hpp"
#include "report/screens/screen.hpp"

namespace hockney::apps {
namespace {

struct FitCommand {
  std::vector<std::string> paths;
  std::string operations;
  std::string by = "hop";
  std::size_t max_segments = models::FitOptions().max_segments;
  std::optional<std::string> sites;
  bool all = false;
  DocumentOptions document;
};

models::GroupBy parse_group(const std::string& by) {
  if (by == "hop") return models::GroupBy::hop;
  if (by == "pair") return models::GroupBy::pair;
  throw InputError({"bad --by '" + by + "'", "curves are grouped by hop class or by pair",
                    suggest(by, {"hop", "pair"})});
}

/// All of it, or a summary where that is longer than a screen, or wider than the terminal, and
/// nobody asked for all.
void print_fits(std::ostream& out, const FittedRecords& fitted, bool all) {
  std::ostringstream text;
  report::print_fit_table(text, fitted.set);
  report::print_loggp_table(text, fitted.loggp);
  report::print_collective_fits(text, fitted.collectives);
  report::print_rank_scalings(text, fitted.scalings);
  const std::string whole = text.str();
  const auto lines = static_cast<std::size_t>(std::ranges::count(whole, '\n'));
  const std::size_t widest = std::ranges::max(split(whole, '\n'), {}, &std::string::size).size();
  const bool fits =
      lines <= report::screen_lines && widest <= output_columns().value_or(std::string::npos);
  if (all || fits) {
    out << whole;
  } else {
    report::print_fit_summary(out, fitted.set, fitted.loggp, fitted.collectives);
    report::print_rank_scalings(out, fitted.scalings);
  }
}

ExitCode fit(const FitCommand& options) {
  std::vector<Record> records = load_records(options.paths, Kept::times);
  const FittedRecords fitted = fit_records(
      std::move(records),
      {.operations = options.operations,
       .by = parse_group(options.by),
       .options = {.max_segments = options.max_segments},
       .sites = options.sites ? std::optional(load_sites(*options.sites)) : std::nullopt});
  show_document(fitted.document(), options.document, [&](std::ostream& out) {
    const auto columns = options.all ? std::nullopt : output_columns();
    report::print_narrowed(out, columns, [&](std::ostream& narrow) {
      report::print_faults(narrow, fitted.faults);
      print_fits(narrow, fitted, options.all);
    });
  });
  if (!fitted.empty()) return ExitCode::good;
  throw InputError({"no curve could be fitted",
                    "each has fewer than " + std::to_string(models::sizes_per_fit) + " sizes",
                    "measure more sizes"});
}

void add_options(CLI::App& app, FitCommand& options) {
  app.add_option("PATH", options.paths, "Record files, or folders searched for them")->required();
  add_json_flag(app, options.document.json);
  app.add_flag("--all", options.all, "All of every model, also where that is longer than a screen");
  app.add_option("--operations", options.operations,
                 "Fit only these operations, joined by commas; LogGP needs send-overhead, "
                 "receive-overhead, gap and half-round-trip")
      ->default_str("all");
  app.add_option("--by", options.by, "hop: pool the pairs of a hop class; pair: one curve per pair")
      ->type_name(type_of_choice({"hop", "pair"}))
      ->capture_default_str();
  app.add_option("--max-segments", options.max_segments,
                 "Most segments a curve may be divided into")
      ->check(CLI::Range(std::size_t{1}, std::size_t{64}))
      ->capture_default_str();
  app.add_option("--sites", options.sites,
                 "Site file of the network (docs/collective-models.md): names hop classes between "
                 "hosts, and collectives are replayed on it")
      ->default_str("none");
  add_document_output(app, options.document.output);
}

}  // namespace

void add_fit(CLI::App& driver, Action& chosen) {
  add_command<FitCommand>(
      driver, chosen, "fit", "Fits alpha/beta models with breakpoints and intervals to records",
      add_options, fit,
      {.examples = {{"hockney fit results/x", "models of every curve, with intervals"},
                    {"hockney fit results/x --json > fit.json", "the same as a document"},
                    {"hockney fit results/hops-* --by pair --operations pingpong",
                     "a curve for each pair of ranks"}}});
}

}  // namespace hockney::apps
