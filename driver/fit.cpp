#include "driver/fit.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/cli/command_line.hpp"
#include "core/cli/standard_output.hpp"
#include "core/collectives.hpp"
#include "core/error.hpp"
#include "core/node_records.hpp"
#include "core/record_file.hpp"
#include "core/shell.hpp"
#include "core/text.hpp"
#include "driver/campaign/fingerprints/verdict.hpp"
#include "driver/screens/models.hpp"
#include "driver/subcommands.hpp"
#include "models/tables/collective_tables.hpp"
#include "models/tables/fit_table.hpp"
#include "report/curve_tables.hpp"
#include "report/screen.hpp"
#include "verdicts/disturbance.hpp"

namespace hockney::driver {
namespace {

/// Hosts of the collectives' launches, by number of ranks.
std::map<int, std::vector<std::string>> hosts_by_ranks(std::span<const Record> records) {
  std::map<int, std::vector<std::string>> hosts;
  for (const Record& record : records) {
    hosts.try_emplace(static_cast<int>(record.ranks.size()), collectives::hosts_of(record));
  }
  return hosts;
}

/// The slowest ping-pong of each MPI library: collectives wait for the farthest ranks.
collectives::MessageTimes pingpong_times(const models::FitSet& fits) {
  std::map<std::string, models::Fit> slowest;
  for (const models::Fit& fit : fits.fits) {
    if (fit.point.operation != "pingpong") continue;
    const auto [known, added] = slowest.try_emplace(fit.mpi_library, fit);
    const auto alpha = [](const models::Fit& each) {
      return each.segments.front().line.alpha_seconds;
    };
    if (!added && alpha(fit) > alpha(known->second)) known->second = fit;
  }
  collectives::MessageTimes times;
  for (const auto& [library, fit] : slowest) {
    times[library] = [fit](double bytes) {
      return predict(fit, Bytes{static_cast<std::int64_t>(bytes)}).seconds;
    };
  }
  return times;
}

/// The environment variables that request an algorithm of a collective, without ignored ones.
std::vector<AlgorithmRequest> requested_by(const std::vector<RequestedSetting>& settings) {
  std::vector<AlgorithmRequest> requested;
  for (const RequestedSetting& setting : settings) {
    if (!steers_algorithm(setting.variable) || setting.proof == Proof::ignored) continue;
    requested.push_back({setting.variable, setting.requested, setting.effective});
  }
  return requested;
}

/// Requested algorithms to be noted in a record.
std::vector<AlgorithmUse> requested_algorithms(const Record& record) {
  std::vector<AlgorithmUse> uses;
  const auto settings = requested_by(record.provenance.mpi.requested);
  const bool has_axis = record.campaign && record.campaign->axes.contains("algorithm");
  if (settings.empty() || has_axis || !record.algorithms.empty()) return uses;
  for (const Series& series : record.series) {
    const campaign::RequestedAlgorithm requested =
        campaign::requested_algorithm(series.point.operation, settings);
    if (requested.is_default()) continue;
    uses.push_back({.operation = series.point.operation,
                    .bytes = series.point.bytes,
                    .ranks = series.point.ranks,
                    .requested = requested.algorithm,
                    .evidence = "the environment asks for it",
                    .parameters = choosing_parameters(series.point)});
  }
  return uses;
}

/// Whether note_requested_algorithms would change a record.
bool requests_algorithms(std::span<const Record> records) {
  return std::ranges::any_of(
      records, [](const Record& record) { return !requested_algorithms(record).empty(); });
}

/// Options of a fit.
struct FitRequest {
  std::string operations;  ///< joined by commas; empty: all
  models::GroupBy by = models::GroupBy::hop;
  models::FitOptions options;
  std::optional<SiteFile> sites;
};

/// All models of some records.
struct FittedRecords {
  models::FitSet set;
  std::vector<models::LogGp> loggp;
  collectives::Fits collectives;
  std::vector<FaultFinding> faults;  ///< of the records; faulty figures are left out

  [[nodiscard]] bool empty() const { return set.fits.empty() && collectives.fits.empty(); }
  /// The document of `hockney fit --json`.
  [[nodiscard]] nlohmann::json document() const {
    nlohmann::json keys = report::to_json(set);
    keys["loggp"] = report::to_json(loggp);
    keys.update(report::to_json(collectives));
    keys["faults"] = faults;
    return keys;
  }
};

/// Whether records without any curve are an InputError.
enum class WithoutCurves { refused, allowed };

[[noreturn]] void reject_empty(std::span<const Record> records, const models::Curves& curves) {
  if (const std::vector<FaultFinding> faults = find_faults(records); !faults.empty()) {
    throw InputError(
        {"nothing to fit", report::fault_lines(faults).front(), "fix the cause and measure again"});
  }
  throw InputError({"nothing to fit",
                    fmt::format("{} without samples, {} interrupted or failed",
                                report::count_text(curves.records_used, "complete record"),
                                curves.records_left_out),
                    "name records of launches that were completed"});
}

models::Curves curves_of(std::span<const Record> records, models::GroupBy by,
                         WithoutCurves without) {
  models::Curves curves = collect_curves(records, by);
  if (curves.curves.empty() && without == WithoutCurves::refused) reject_empty(records, curves);
  return curves;
}

/// Fits records that have the requested algorithms and the hop classes of the sites. `faults` are
/// those of the records.
FittedRecords fit_prepared(std::span<const Record> records, const FitRequest& request,
                           WithoutCurves without, std::vector<FaultFinding> faults) {
  std::vector<Record> kept;
  if (!request.operations.empty()) {
    kept.assign(records.begin(), records.end());
    keep_operations({&kept}, request.operations);
  }
  const std::span<const Record> wanted = request.operations.empty() ? records : kept;
  models::FitSet set = fit_curves(curves_of(wanted, request.by, without), request.options);
  name_breakpoints(set, records);
  std::vector<models::LogGp> loggp = models::fit_loggp(wanted);
  // Replays of collectives need the ping-pongs of each hop class, even if others are requested.
  const bool is_network = request.by == models::GroupBy::hop && request.operations.empty();
  const models::FitSet network =
      request.sites && !is_network ? fit_curves(models::collect_curves(records)) : set;
  collectives::Fits collectives = fit_collectives_of(wanted, network, request.sites).fits;
  return {std::move(set), std::move(loggp), std::move(collectives), std::move(faults)};
}

/// Fits the records. InputError if none of them has a curve.
FittedRecords fit_records(std::vector<Record> records, const FitRequest& request) {
  std::vector<FaultFinding> faults = find_faults(records);
  note_requested_algorithms(records);
  if (request.sites) name_network_hops(records, *request.sites);
  return fit_prepared(records, request, WithoutCurves::refused, std::move(faults));
}

struct FitCommand {
  std::vector<std::string> paths;
  std::string operations;
  std::string by = "hop";
  std::size_t max_segments = models::FitOptions().max_segments;
  std::optional<std::string> sites;
  bool is_pooled = false;
  campaign::OutputOptions output;
};

models::GroupBy parse_group(const std::string& by) {
  if (by == "hop") return models::GroupBy::hop;
  if (by == "pair") return models::GroupBy::pair;
  throw InputError({fmt::format("bad --by '{}'", by), "curves are grouped by hop class or by pair",
                    suggest(by, {"hop", "pair"})});
}

/// "3 models; pingpong ranks=2 hop=l3: alpha 0.331 us, 1/beta 10.5 GB/s".
std::string verdict_of(const FittedRecords& fitted) {
  const std::size_t models = fitted.set.fits.size() + fitted.collectives.fits.size();
  std::string text = report::count_text(models, "model");
  if (fitted.set.fits.empty()) return text;
  const models::Fit& first = fitted.set.fits.front();
  const std::optional<double> rate = models::asymptotic_bandwidth(first);
  text += fmt::format("; {}: alpha {}", escaped(curve_name(first.point)),
                      report::short_time(first.segments.front().line.alpha_seconds));
  if (rate) text += ", 1/beta " + report::short_rate(BytesPerSecond{*rate});
  return text;
}

void print_fits(std::ostream& out, const FittedRecords& fitted) {
  report::print_faults(out, fitted.faults);
  print_view(out, "", report::view_of(fitted.set));
  print_view(out, "", report::view_of(fitted.loggp));
  report::print_collective_fits(out, fitted.collectives);
}

void print_short(std::ostream& out, const FittedRecords& fitted) {
  print_view(out, "", report::summary_of(fitted.set, fitted.loggp, fitted.collectives));
}

/// All models where they fit on a screen, else a line for each.
report::Screen screen_of(const FittedRecords& fitted, const std::vector<std::string>& paths) {
  const report::Lines all =
      report::lines_printed([&](std::ostream& out) { print_fits(out, fitted); });
  const std::size_t widest = std::ranges::max(all, {}, &std::string::size).size();
  if (all.size() <= report::screen_lines && widest <= output_columns().value_or(widest)) {
    return {.answer = all, .rows = report::model_rows(fitted.set), .verdict = verdict_of(fitted)};
  }
  return {.faults = report::fault_lines(fitted.faults),
          .answer = report::lines_printed([&](std::ostream& out) { print_short(out, fitted); }),
          .rows = report::model_rows(fitted.set),
          .verdict = verdict_of(fitted),
          .next = {{fmt::format("hockney fit {} --all", escaped(shell_words(paths))),
                    "every segment with its intervals"}}};
}

ExitCode fit(const FitCommand& options) {
  const campaign::Output output(options.output, options.paths);
  std::vector<Record> records = usable_records(options.paths);
  if (options.is_pooled) std::ranges::for_each(records, forget_host);
  verdicts::judge_launches(records);
  std::optional<report::Results> results;
  if (output.wants_page()) results.emplace(records, join(options.paths, " "));
  const FittedRecords fitted = fit_records(
      std::move(records),
      {.operations = options.operations,
       .by = parse_group(options.by),
       .options = {.max_segments = options.max_segments},
       .sites = options.sites ? std::optional(load_sites(*options.sites)) : std::nullopt});
  output.show({.summary = [&] { return screen_of(fitted, options.paths); },
               .tables = [&](std::ostream& out) { print_fits(out, fitted); },
               .document = [&] { return fitted.document(); },
               .csv = [&](std::ostream& out) { write_csv(out, report::view_of(fitted.set)); },
               .page = [&] { return page_with_fit(*results); }});
  if (!fitted.empty()) return ExitCode::good;
  throw InputError({"no curve could be fitted",
                    fmt::format("each has fewer than {} sizes", models::sizes_per_fit),
                    "measure more sizes"});
}

void add_options(CommandLine& app, FitCommand& options) {
  app.add_option("PATH", options.paths, "Record files, or folders searched for them").required();
  app.add_option("--operations", options.operations,
                 "Fit only these operations, joined by commas; LogGP needs send-overhead, "
                 "receive-overhead, gap and half-round-trip")
      .default_str("all");
  app.add_option("--by", options.by, "hop: pool the pairs of a hop class; pair: one curve per pair")
      .type_name(type_of_choice({"hop", "pair"}))
      .capture_default_str();
  app.add_flag(
      "--pool-hosts", options.is_pooled,
      "One curve of all nodes that measured themselves (--each-node), each node and launch "
      "counting as a launch");
  app.add_option("--max-segments", options.max_segments,
                 "Most segments a curve may be divided into")
      .in_range(std::size_t{1}, std::size_t{64})
      .capture_default_str();
  app.add_option(
         "--sites", options.sites,
         "Site file of the network (docs/explanation/collective-models.md): names hop classes "
         "between hosts, and collectives are replayed on it")
      .default_str("none");
  add_output_options(app, options.output, {.page = true});
}

}  // namespace

void note_requested_algorithms(std::vector<Record>& records) {
  for (Record& record : records) {
    std::vector<AlgorithmUse> uses = requested_algorithms(record);
    if (!uses.empty()) record.algorithms = std::move(uses);
  }
}

CollectiveModels fit_collectives_of(std::span<const Record> records, const models::FitSet& fits,
                                    const std::optional<SiteFile>& sites) {
  CollectiveModels models;
  collectives::FormContext context;
  const bool has_pairs = std::ranges::any_of(
      fits.fits, [](const models::Fit& fit) { return fit.point.operation == "pingpong"; });
  if (sites && has_pairs) {
    models.network = std::make_shared<const collectives::MeasuredNetwork>(*sites, records, fits);
    // Numbers of ranks without launches are placed on the first hosts of the site file.
    context.network = [network = models.network, known = hosts_by_ranks(records)](
                          int ranks) -> std::optional<collectives::RankNetwork> {
      const auto found = known.find(ranks);
      if (found != known.end()) return network->on(found->second);
      const auto& hosts = network->sites().hosts;
      const auto count = static_cast<std::size_t>(ranks);
      if (count > hosts.size()) return std::nullopt;
      return network->on({hosts.begin(), hosts.begin() + ranks});
    };
  }
  models.fits =
      fit_collectives(collectives::collect_collectives(records), context, pingpong_times(fits));
  return models;
}

report::Page page_with_fit(report::Results& results) {
  std::span<const Record> records = results.records();
  std::vector<Record> noted;
  if (requests_algorithms(records)) {
    noted.assign(records.begin(), records.end());
    note_requested_algorithms(noted);
    records = noted;
  }
  const FittedRecords fitted = fit_prepared(records, {}, WithoutCurves::allowed, results.faults());
  report::Page page = page_of(results);
  const bool is_bundled = results.rows().size() > report::most_page_rows;
  const bool is_of_bundles = is_bundled && count_launches(records).nodes > 0;
  if (!fitted.empty() && !is_of_bundles) page.documents.push_back({"fit", fitted.document()});
  return page;
}

void add_fit(CommandLine& driver, Action& chosen) {
  add_command<FitCommand>(
      driver, chosen, "fit", "Fit alpha/beta models with breakpoints and intervals to records",
      add_options, fit,
      {.examples = {{"hockney fit results/x", "models of every curve, with intervals"},
                    {"hockney fit results/x --json > fit.json", "the same as a document"},
                    {"hockney fit results/hops-* --by pair --operations pingpong",
                     "a curve for each pair of ranks"}}});
}

}  // namespace hockney::driver
