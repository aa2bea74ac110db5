#include <iomanip>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "algorithms/schedule.hpp"
#include "apps/collective_models.hpp"
#include "apps/subcommands.hpp"
#include "core/json_values.hpp"
#include "core/names.hpp"
#include "core/record_file.hpp"
#include "core/sizes.hpp"
#include "models/collectives/collective_predict.hpp"
#include "models/collectives/replay.hpp"
#include "report/number_text.hpp"

namespace hockney {
namespace {

struct PredictCommand {
  std::vector<std::string> paths;
  std::string operation;
  std::string algorithm;
  std::string setting;
  std::vector<int> ranks;
  std::string sizes = "8";
  std::optional<std::string> sites;
  bool json = false;
};

/// One line of the answer.
struct Row {
  Workload work;
  std::string form;
  CollectivePrediction prediction;
  std::string no_interval;  ///< why there is none; empty when there is one
};

std::string spelt(const std::string& operation) {
  std::string name = operation;
  std::ranges::replace(name, '-', '_');
  const auto known = scheduled_operations();
  if (std::ranges::find(known, name) != known.end()) return name;
  throw InputError({"cannot predict operation '" + operation + "'",
                    "collectives have models of their algorithms", suggest(name, known)});
}

/// The fit of the algorithm asked for; nullptr where it was not measured.
const CollectiveFit* find_fit(const CollectiveFits& fits, const PredictCommand& options,
                              const std::string& algorithm) {
  const CollectiveFit* found = nullptr;
  for (const CollectiveFit& fit : fits.fits) {
    const bool is_it = fit.curve.operation == options.operation &&
                       fit.curve.algorithm.value_or("") == algorithm &&
                       (options.setting.empty() || fit.curve.setting == options.setting);
    if (!is_it) continue;
    if (found != nullptr) {
      throw InputError({"several settings ran this algorithm",
                        found->curve.setting + " and " + fit.curve.setting,
                        "choose one with --setting"});
    }
    found = &fit;
  }
  return found;
}

std::vector<std::string> first_hosts(const MeasuredNetwork& network, int ranks) {
  const auto& hosts = network.sites().hosts;
  if (static_cast<std::size_t>(ranks) > hosts.size()) {
    throw InputError({"cannot place " + std::to_string(ranks) + " ranks",
                      "the site file has " + std::to_string(hosts.size()) + " hosts",
                      "ask for fewer ranks or add hosts"});
  }
  return {hosts.begin(), hosts.begin() + ranks};
}

/// An algorithm that was never measured, on a network that was.
Row replay_only(const MeasuredNetwork& network, const PredictCommand& options,
                const std::string& algorithm, const Workload& work) {
  const auto hosts = first_hosts(network, work.ranks);
  const auto ranks = network.on(hosts);
  if (!ranks) {
    throw InputError(
        {"cannot predict " + std::to_string(work.ranks) + " ranks",
         "no ping-pong was measured between ranks " + join(network.missing(hosts)) + " apart",
         "measure such pairs with hockney-pingpong"});
  }
  const double seconds = replay(schedule_of(options.operation, algorithm, work), *ranks);
  return {work,
          "replay",
          {.seconds = seconds, .extrapolated = {.in_ranks = true, .in_bytes = true}},
          "the algorithm was never measured; its schedule was replayed on ping-pongs"};
}

std::vector<std::string> measured(const CollectiveFits& fits, const std::string& operation) {
  std::set<std::string> names;
  for (const CollectiveFit& fit : fits.fits) {
    if (fit.curve.operation != operation) continue;
    names.insert(fit.curve.algorithm.value_or("default"));
  }
  return {names.begin(), names.end()};
}

[[noreturn]] void reject_algorithm(const CollectiveFits& fits, const std::string& operation,
                                   const std::string& algorithm) {
  const auto known = measured(fits, operation);
  throw InputError(
      {"cannot predict " + operation + " by algorithm '" +
           (algorithm.empty() ? "default" : algorithm) + "'",
       known.empty() ? "no record holds a " + operation : "the records hold " + join(known),
       known.empty() ? "measure it, or give ping-pongs and a site file"
                     : suggest(algorithm, known)});
}

Row row_of(const CollectiveModels& models, const PredictCommand& options,
           const std::string& algorithm, const Workload& work) {
  const CollectiveFit* fit = find_fit(models.fits, options, algorithm);
  if (fit == nullptr) {
    if (models.network && !algorithm.empty()) {
      return replay_only(*models.network, options, algorithm, work);
    }
    reject_algorithm(models.fits, options.operation, algorithm);
  }
  Workload like_measured = work;
  like_measured.segment = fit->curve.works.front().segment;
  like_measured.fanout = fit->curve.works.front().fanout;
  const auto prediction = predict(*fit, like_measured);
  if (!prediction) {
    throw InputError({"cannot predict " + std::to_string(work.ranks) + " ranks and " +
                          format_bytes(work.bytes) + " bytes",
                      "the form '" + fit->model.form.name + "' has no time for them",
                      "ask for work that the algorithm fits, on hosts whose hops were measured"});
  }
  const std::string reason = prediction->interval
                                 ? ""
                                 : std::to_string(fit->launches.size()) + " launches, " +
                                       std::to_string(samples_for_interval()) + " needed";
  return {work, fit->model.form.name, *prediction, reason};
}

nlohmann::json json_of(const PredictCommand& options, const std::string& algorithm,
                       const Row& row) {
  const CollectivePrediction& found = row.prediction;
  return {{"operation", options.operation},
          {"algorithm", algorithm.empty() ? nlohmann::json(nullptr) : nlohmann::json(algorithm)},
          {"ranks", row.work.ranks},
          {"bytes", row.work.bytes.value},
          {"seconds", found.seconds},
          {"interval_seconds", bounds_or_null(found.interval)},
          {"no_interval_because",
           row.no_interval.empty() ? nlohmann::json(nullptr) : nlohmann::json(row.no_interval)},
          {"form", row.form},
          {"held_out_mape", or_null(found.held_out)},
          {"extrapolated",
           {{"ranks", found.extrapolated.in_ranks}, {"bytes", found.extrapolated.in_bytes}}}};
}

std::string remarks(const Row& row) {
  std::vector<std::string> parts{row.form};
  const Extrapolation& beyond = row.prediction.extrapolated;
  if (beyond.in_ranks) parts.emplace_back("extrapolated in ranks");
  if (beyond.in_bytes) parts.emplace_back("extrapolated in bytes");
  if (!row.no_interval.empty()) parts.push_back("no interval (" + row.no_interval + ")");
  return join(parts, "; ");
}

void print(const PredictCommand& options, const std::string& algorithm,
           const std::vector<Row>& rows) {
  constexpr double microseconds = 1e6;
  std::cout << options.operation << " algorithm=" << (algorithm.empty() ? "default" : algorithm)
            << '\n'
            << std::setw(8) << "ranks" << std::setw(12) << "bytes" << std::setw(14) << "time [us]"
            << std::setw(24) << "interval" << std::setw(14) << "held-out"
            << "  how\n";
  for (const Row& row : rows) {
    const auto& held_out = row.prediction.held_out;
    std::cout << std::setw(8) << row.work.ranks << std::setw(12) << format_bytes(row.work.bytes)
              << std::setw(14) << significant(row.prediction.seconds * microseconds)
              << std::setw(24) << interval_text(row.prediction.interval, microseconds)
              << std::setw(14) << (held_out ? significant(100 * *held_out, 3) + " %" : "-") << "  "
              << remarks(row) << '\n';
  }
}

ExitCode run_predict(PredictCommand options) {
  options.operation = spelt(options.operation);
  const std::string algorithm = options.algorithm == "default"
                                    ? ""
                                    : canonical_algorithm(options.operation, options.algorithm);
  std::vector<Record> records = load_records(options.paths);
  const auto sites = options.sites ? std::optional(load_sites(*options.sites)) : std::nullopt;
  if (sites) name_network_hops(records, *sites);
  const FitSet pairs = fit_curves(collect_curves(records));
  const CollectiveModels models = fit_collectives_of(records, pairs, sites);
  std::vector<Row> rows;
  for (const int ranks : options.ranks) {
    for (const Bytes bytes : parse_sizes(options.operation == "barrier" ? "0" : options.sizes)) {
      rows.push_back(row_of(models, options, algorithm, {.ranks = ranks, .bytes = bytes}));
    }
  }
  if (!options.json) {
    print(options, algorithm, rows);
    return ExitCode::good;
  }
  nlohmann::json predictions = nlohmann::json::array();
  for (const Row& row : rows) predictions.push_back(json_of(options, algorithm, row));
  std::cout
      << nlohmann::json{{"schema", "hockney.prediction/1"}, {"predictions", predictions}}.dump(1)
      << '\n';
  return ExitCode::good;
}

}  // namespace

void add_predict(CLI::App& driver, Action& chosen) {
  const auto options = std::make_shared<PredictCommand>();
  CLI::App* command = driver.add_subcommand(
      "predict", "Time of a collective at a size and scale that were not measured");
  command->add_option("PATH", options->paths, "Record files, or folders searched for them")
      ->required();
  command->add_option("--operation", options->operation, "The collective, such as allreduce")
      ->required();
  command
      ->add_option("--algorithm", options->algorithm,
                   "Its algorithm; default: the library's own choice")
      ->required();
  command->add_option("--ranks", options->ranks, "Numbers of ranks, joined by commas")
      ->delimiter(',')
      ->check(CLI::Range(2, 1 << 20))
      ->required();
  command->add_option("--sizes", options->sizes, "Message sizes: 8,1K or 1:4M [B]")
      ->capture_default_str();
  command->add_option("--setting", options->setting, "The campaign's setting that ran it")
      ->default_str("the only one");
  command
      ->add_option("--sites", options->sites,
                   "Site file of the network; ranks beyond those measured live on its first hosts")
      ->default_str("none");
  command->add_flag("--json", options->json, "Print the JSON document instead of the table");
  command->callback([options, &chosen] { chosen = [options] { return run_predict(*options); }; });
}

}  // namespace hockney
