#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>

#include "components/tune/app/tune.hpp"
#include "components/tune/formats.hpp"
#include "components/tune/open_mpi_rules.hpp"
#include "components/tune/other_library_rules.hpp"
#include "components/tune/rules.hpp"
#include "components/tune/tables/tables.hpp"
#include "components/tune/tuning.hpp"
#include "components/tune/verification.hpp"
#include "core/algorithm_use.hpp"
#include "core/atomic_file.hpp"
#include "core/cli/standard_output.hpp"
#include "core/json_values.hpp"
#include "core/quantities.hpp"
#include "core/record.hpp"
#include "core/record_file.hpp"
#include "core/shell.hpp"
#include "core/text.hpp"
#include "driver/campaign/config_sources.hpp"
#include "driver/campaign/execution.hpp"
#include "driver/campaign/request.hpp"

namespace hockney::tune {
namespace {

/// Sentences on a file's effect.
namespace words {

constexpr std::string_view no_traffic = "no traffic was counted of {} (pml_monitoring)";
constexpr std::string_view not_as_forced = "traffic of {}: not as when it is forced";
constexpr std::string_view as_both = "traffic of {}: as when it is forced, and as by default, too";
constexpr std::string_view as_forced = "traffic of {}: as when it is forced, not as by default";
constexpr std::string_view no_rule =
    "no rule for a message of {} or more, whose traffic would show it";
constexpr std::string_view named_in = "MPICH's summary names the file in {} of {} launches";
constexpr std::string_view to_leave =
    "to leave these sizes to the default: hockney tune {} --verified {} -o {}{}";

}  // namespace words

/// The campaign that verifies a selection file.
struct VerifyingPlan {
  campaign::Config config;
  Target target = Target::openmpi;
  std::string file;                               ///< absolute path
  std::string text;                               ///< of the file
  std::map<std::string, std::string> activation;  ///< activates the file
  EvidenceOptions options;
  std::vector<TunedPoint> points;  ///< of the campaign
};

namespace fs = std::filesystem;

constexpr std::string_view summary_variable = "MPIR_CVAR_DEBUG_SUMMARY";

campaign::Manifest manifest_of(const std::vector<std::string>& results) {
  const std::string file = results.front() + "/manifest.json";
  if (results.size() == 1 && fs::exists(file)) return campaign::load_manifest(file);
  throw InputError({fmt::format("--verify with '{}'", join(results, " ")),
                    "it repeats one campaign, whose manifest.json says how it was launched",
                    "name the folder of one campaign"});
}

std::string joined_sizes(const std::vector<Bytes>& sizes) {
  return join(strings_of(sizes, [](Bytes size) { return std::to_string(size.value); }), ",");
}

std::vector<std::string> operations_of(const Evidence& evidence) {
  std::set<std::string> operations;
  for (const TunedPoint& point : evidence.points) operations.insert(point.operation);
  return {operations.begin(), operations.end()};
}

/// The default setting, with the file instead of the algorithms that the setting forces.
campaign::Setting tuned_setting(const campaign::Setting& base, const VerifyingPlan& plan) {
  campaign::Setting tuned = base;
  tuned.name = std::string(campaign::tuned_side);
  tuned.axes.clear();
  std::erase_if(tuned.environment, [](const auto& variable) {
    return collective_variable(variable.first).has_value();
  });
  for (const auto& [name, value] : plan.activation) tuned.environment[name] = value;
  // Makes MPICH print the tree that it has read.
  if (format_of(plan.target).evident == Evident::by_summary) {
    tuned.environment[std::string(summary_variable)] = "1";
  }
  return tuned;
}

/// The further settings to measure, from --oracle.
std::vector<std::string> oracle_settings(const Command& command, const Evidence& evidence) {
  std::set<std::string> names;
  if (command.oracle == "all") {
    for (const TunedPoint& point : evidence.points) {
      for (const Candidate& candidate : point.candidates) names.insert(candidate.setting);
    }
  } else if (command.oracle == "chosen") {
    for (const Decision& decision : decide_all(evidence, decide_options(command)).points) {
      if (!decision.setting.empty()) names.insert(decision.setting);
    }
  } else if (command.oracle != "none") {
    throw InputError({fmt::format("bad --oracle '{}'", command.oracle),
                      "it says what to measure beside",
                      suggest(command.oracle, {"chosen", "all", "none"})});
  }
  return {names.begin(), names.end()};
}

Evidence evidence_of(const Command& command) {
  Evidence evidence =
      gather_evidence(load_judged_records(command.results), evidence_options(command));
  if (!command.operations.empty()) {
    const std::vector<std::string> wanted = split(command.operations, ',');
    std::erase_if(evidence.points, [&](const TunedPoint& point) {
      return std::ranges::find(wanted, point.operation) == wanted.end();
    });
  }
  if (!evidence.points.empty()) return evidence;
  throw InputError(
      {"nothing to verify", "the campaign has no such operation", "name one of its operations"});
}

/// Reads the campaign and the file to verify; InputError if either is invalid. Our readers are
/// strict, while some libraries ignore what they cannot read.
VerifyingPlan verifying_plan(const Command& command) {
  const campaign::Manifest manifest = manifest_of(command.results);
  Evidence evidence = evidence_of(command);
  // Member by member: g++ 12 destroys a nested aggregate, here the config, twice when a later
  // initialiser throws.
  VerifyingPlan plan;
  plan.target = chosen_target(command, evidence.library);
  plan.file = fs::absolute(command.verify).lexically_normal().string();
  plan.text = read_file(command.verify);
  plan.options = evidence.options;
  keep_expressible(plan.target, evidence);
  const Format& format = format_of(plan.target);
  format.check(plan.text, command.verify, evidence.library);
  plan.activation = format.activation(plan.text, plan.file);
  const std::vector<Bytes> sizes =
      command.sizes.empty() ? held_out_sizes(evidence.points) : parse_sizes(command.sizes);
  campaign::VerificationPlan parts{.base = evidence.base,
                                   .forced = oracle_settings(command, evidence),
                                   .operations = operations_of(evidence),
                                   .sizes = joined_sizes(sizes)};
  parts.tuned = tuned_setting(setting_of(manifest.config, parts.base), plan);
  plan.config = verification_config(manifest, parts);
  plan.points = std::move(evidence.points);
  return plan;
}

/// Below this size, synchronisation messages dominate the operation's own [B].
constexpr std::int64_t least_bytes = 4096;

/// Shares that differ by less count as equal.
constexpr double tolerance = 0.02;

/// The operation, size and choice of a probe.
struct ProbeKey {
  std::string operation;
  Bytes bytes{};
  Choice choice;
};

std::optional<ProbeKey> largest_choice(const VerifyingPlan& plan, int ranks) {
  const Rules rules = read_open_mpi_rules(plan.text, plan.file);
  std::optional<ProbeKey> best;
  for (const TunedPoint& point : plan.points) {
    const bool is_larger = !best || point.bytes > best->bytes;
    if (point.bytes.value < least_bytes || !is_larger) continue;
    const SizeKey key = size_key(plan.target, point.operation);
    const Choice choice =
        decide(rules, point.operation, ranks, key_of(key, ranks, point.bytes.value));
    if (!choice.is_default()) best = ProbeKey{point.operation, point.bytes, choice};
  }
  return best;
}

std::map<std::string, std::string> forcing(const ProbeKey& probed) {
  const std::string name = algorithm_variable(Library::open_mpi, probed.operation);
  std::map<std::string, std::string> environment{
      {"OMPI_MCA_coll_tuned_use_dynamic_rules", "1"},
      {name, std::to_string(probed.choice.number.value_or(0))},
      {name + "_segmentsize", std::to_string(probed.choice.segment)}};
  // A file's chain has at least one; the variable's default differs.
  environment[name + "_chain_fanout"] = std::to_string(std::max(probed.choice.fanout, 1));
  if (probed.choice.requests > 0) {
    environment[name + "_max_requests"] = std::to_string(probed.choice.requests);
  }
  return environment;
}

/// A setting that counts the messages of a launch.
campaign::Setting probe_setting(const std::string& name,
                                std::map<std::string, std::string> environment,
                                const fs::path& profiles) {
  const char* const pml = std::getenv("OMPI_MCA_pml");
  if (const auto list = pml_with_monitoring(pml == nullptr ? "" : pml)) {
    environment.try_emplace("OMPI_MCA_pml", *list);
  }
  environment["OMPI_MCA_pml_monitoring_enable"] = "2";
  environment["OMPI_MCA_pml_monitoring_enable_output"] = "3";
  environment["OMPI_MCA_pml_monitoring_filename"] = (profiles / name).string();
  return {.name = name, .environment = std::move(environment)};
}

campaign::Request probe_request(const VerifyingPlan& plan, campaign::Request request,
                                const ProbeKey& probed) {
  const fs::path folder = fs::absolute(request.folder) / "probe";
  const fs::path profiles = folder / "profiles";
  fs::create_directories(profiles);
  request.folder = folder.string();
  request.resume = fs::exists(folder / "manifest.json");
  campaign::Config& config = request.config;
  config.name += "-probe";
  config.launches = 1;
  config.budget.reset();
  config.ignored_settings = campaign::IgnoredSettings::flag;
  // With a barrier start no rank is late, even on a busy machine.
  config.arguments = {"--operations", probed.operation,
                      "--sizes",      std::to_string(probed.bytes.value),
                      "--epochs",     "2",
                      "--samples",    "2",
                      "--start",      "barrier"};
  config.settings = {probe_setting("default", {}, profiles),
                     probe_setting("file", plan.activation, profiles),
                     probe_setting("forced", forcing(probed), profiles)};
  return request;
}

TrafficFractions shares_of(const campaign::Request& request, const std::string& setting) {
  std::vector<std::string> profiles;
  for (int rank = 0; rank < request.ranks; ++rank) {
    const fs::path file =
        fs::path(request.folder) / "profiles" / fmt::format("{}.{}.prof", setting, rank);
    if (fs::exists(file)) profiles.push_back(read_file(file.string()));
  }
  return traffic_fractions(profiles);
}

Effect judged(const campaign::Request& request, const ProbeKey& probed) {
  const TrafficFractions file = shares_of(request, "file");
  const TrafficFractions forced = shares_of(request, "forced");
  const std::string what = fmt::format("{} of {} by {}", probed.operation,
                                       format_bytes(probed.bytes), describe(probed.choice));
  if (file.empty() || forced.empty()) {
    return {Proof::unproven, {fmt::format(words::no_traffic, what)}};
  }
  if (largest_difference(file, forced) > tolerance) {
    return {Proof::ignored, {fmt::format(words::not_as_forced, what)}};
  }
  if (largest_difference(file, shares_of(request, "default")) <= tolerance) {
    return {Proof::unproven, {fmt::format(words::as_both, what)}};
  }
  return {Proof::proven, {fmt::format(words::as_forced, what)}};
}

/// Probes whether Open MPI uses the file. Runs three short launches: with the file, with the file's
/// algorithm forced, and with the default. They use the largest message that the file chooses an
/// algorithm for; pml_monitoring counts the bytes between ranks. The file is proven if its traffic
/// equals that of the forced launch and differs from the default's. One probe suffices, since Open
/// MPI accepts a file completely or not at all. `request` is that of the verification; logs are in
/// its folder, under `probe`.
Effect probe_traffic(const VerifyingPlan& plan, const campaign::Request& request) {
  const auto probed = largest_choice(plan, request.ranks);
  if (!probed) {
    return {Proof::unproven, {fmt::format(words::no_rule, format_bytes({least_bytes}))}};
  }
  const campaign::Request probe = probe_request(plan, request, *probed);
  run_campaign(probe, [](const campaign::Step&) {});
  return judged(probe, *probed);
}

bool is_tuned(const campaign::Attempt& attempt) {
  return attempt.setting == campaign::tuned_side &&
         attempt.status == campaign::AttemptStatus::complete;
}

/// Adds evidence from MPIR_CVAR_DEBUG_SUMMARY, with which MPICH prints the tree that it has read.
void add_summary(const VerifyingPlan& plan, const campaign::Manifest& manifest, Effect& effect) {
  std::size_t launches = 0;
  std::size_t named = 0;
  for (const campaign::Attempt& attempt : manifest.attempts) {
    if (!is_tuned(attempt)) continue;
    ++launches;
    const bool is_named = read_file(attempt.log).find(plan.file) != std::string::npos;
    named += is_named ? 1 : 0;
  }
  effect.evidence.push_back(fmt::format(words::named_in, named, launches));
  effect.proof = launches > 0 && named == launches ? Proof::proven : Proof::ignored;
}

/// The variables prove that the file was requested; its traffic proves that it was understood.
void add_probe(const VerifyingPlan& plan, const campaign::Request& request, Effect& effect) {
  const Effect probe = probe_traffic(plan, request);
  effect.evidence.insert(effect.evidence.end(), probe.evidence.begin(), probe.evidence.end());
  if (effect.proof == Proof::proven) effect.proof = probe.proof;
}

VerifyingLaunches sorted_launches(std::vector<Record> records) {
  VerifyingLaunches launches;
  for (Record& record : records) {
    if (record.status != LaunchStatus::complete || !record.campaign) continue;
    const std::string setting = record.campaign->setting;
    if (setting == campaign::default_side) {
      launches.base.push_back(std::move(record));
    } else if (setting.starts_with(campaign::forced_side)) {
      launches.forced[setting.substr(campaign::forced_side.size())].push_back(std::move(record));
    } else {
      launches.tuned.push_back(std::move(record));
    }
  }
  return launches;
}

ExitCode report_on(const Command& command, const campaign::Folder& folder,
                   const Verification& verification, const Effect& effect) {
  const std::string document = json_text(to_json(verification, effect)) + "\n";
  write_atomically((folder.root / verification_file).string(), document);
  if (!command.output.empty()) write_atomically(command.output, document);
  if (command.json) {
    std::cout << document;
  } else {
    print_verification(std::cout, verification, effect, output_columns());
  }
  if (verification.slower > 0) {
    std::cerr << escaped(fmt::format(words::to_leave, shell_words(command.results),
                                     shell_word(folder.root.string()), shell_word(command.verify),
                                     verification.oversubscribed.empty() ? "" : " --force"))
              << '\n';
  }
  const bool is_bad = verification.slower > 0 || effect.proof == Proof::ignored;
  return is_bad ? ExitCode::verdict_failed : ExitCode::good;
}

/// Whether the file was effective in the launches of `tuned`. Evidence is the control variables
/// read back, and for Open MPI the traffic of a probe. For MPICH it is its summary in the logs.
Effect proof_of_effect(const VerifyingPlan& plan, const campaign::Request& request,
                       const campaign::Manifest& manifest, const std::vector<Record>& tuned) {
  const Format& format = format_of(plan.target);
  Effect effect = effect_of(tuned, plan.activation);
  if (!format.evidence.empty()) effect.evidence.emplace_back(format.evidence);
  if (format.evident == Evident::by_summary) add_summary(plan, manifest, effect);
  if (format.evident == Evident::by_traffic) add_probe(plan, request, effect);
  return effect;
}

}  // namespace

ExitCode verify_tuning(const Command& command) {
  const VerifyingPlan plan = verifying_plan(command);
  const campaign::Request request = make_request(plan.config, command.campaign);
  auto finished = run_or_print(request, command.campaign);
  if (!finished) return ExitCode::good;
  std::cerr << "records in " << escaped(request.folder) << '\n';
  if (const auto missing = finished->missing()) throw RunError(*missing);
  VerifyingLaunches launches = sorted_launches(finished->take_records());
  const Effect effect = proof_of_effect(plan, request, finished->manifest, launches.tuned);
  const Verification verification = verify(std::move(launches), plan.options);
  return report_on(command, finished->folder, verification, effect);
}

}  // namespace hockney::tune
