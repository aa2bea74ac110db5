#include <nlohmann/json.hpp>

#include "apps/collective_models.hpp"
#include "apps/subcommands.hpp"
#include "core/cli/subcommand.hpp"
#include "core/record_file.hpp"
#include "core/text.hpp"
#include "models/collectives/collective_fit.hpp"
#include "models/fit_set.hpp"
#include "models/loggp.hpp"
#include "report/fit_table.hpp"

namespace hockney::apps {
namespace {

struct FitCommand {
  std::vector<std::string> paths;
  std::string operations;
  std::string by = "hop";
  std::size_t max_segments = models::FitOptions().max_segments;
  std::optional<std::string> sites;
  DocumentOptions document;
};

models::GroupBy parse_group(const std::string& by) {
  if (by == "hop") return models::GroupBy::hop;
  if (by == "pair") return models::GroupBy::pair;
  throw InputError({"bad --by '" + by + "'", "curves are grouped by hop class or by pair",
                    suggest(by, {"hop", "pair"})});
}

models::Curves curves_of(const std::vector<Record>& records, const FitCommand& options) {
  models::Curves curves = collect_curves(records, parse_group(options.by));
  if (curves.curves.empty()) {
    throw InputError({"nothing to fit",
                      std::to_string(curves.records_used) + " complete records without samples, " +
                          std::to_string(curves.records_left_out) + " interrupted or failed",
                      "name records of launches that were completed"});
  }
  return curves;
}

ExitCode fit(const FitCommand& options) {
  std::vector<Record> records = load_records(options.paths, Kept::times);
  note_asked_algorithms(records);
  const auto sites = options.sites ? std::optional(load_sites(*options.sites)) : std::nullopt;
  if (sites) name_network_hops(records, *sites);
  std::vector<Record> kept;
  if (!options.operations.empty()) {
    kept = records;
    keep_operations({&kept}, options.operations);
  }
  const std::vector<Record>& wanted = options.operations.empty() ? records : kept;
  models::FitSet set =
      fit_curves(curves_of(wanted, options), {.max_segments = options.max_segments});
  name_breakpoints(set, records);
  const std::vector<models::LogGp> loggp = models::fit_loggp(wanted);
  nlohmann::json keys = to_json(set);
  keys["loggp"] = to_json(loggp);
  // Collectives are replayed on the ping-pong of each hop class, whatever else is wanted.
  const bool is_network = options.by == "hop" && options.operations.empty();
  const models::FitSet network = sites && !is_network ? models::fit_curves(models::collect_curves(records)) : set;
  const CollectiveModels collectives = fit_collectives_of(wanted, network, sites);
  keys.update(to_json(collectives.fits));
  show_document(keys, options.document, [&](std::ostream& out) {
    report::print_fit_table(out, set);
    report::print_loggp_table(out, loggp);
    report::print_collective_fits(out, collectives.fits);
  });
  if (!set.fits.empty() || !collectives.fits.fits.empty()) return ExitCode::good;
  throw InputError({"no curve could be fitted",
                    "each has fewer than " + std::to_string(models::sizes_per_fit) + " sizes",
                    "measure more sizes"});
}

void add_options(CLI::App& app, FitCommand& options) {
  app.add_option("PATH", options.paths, "Record files, or folders searched for them")->required();
  add_json_flag(app, options.document.json);
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
