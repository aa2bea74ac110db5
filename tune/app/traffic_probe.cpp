#include "tune/app/verifying_plan.hpp"

#include <algorithm>
#include <filesystem>

#include "campaign/execution.hpp"
#include "core/atomic_file.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "tune/open_mpi_rules.hpp"
#include "tune/operation_names.hpp"
#include "tune/target.hpp"
#include "tune/traffic_fractions.hpp"

namespace hockney::tune {
namespace {

namespace fs = std::filesystem;

/// Below this the messages that bring ranks together drown the operation's own [B].
constexpr std::int64_t least_bytes = 4096;

/// Shares that differ by less are the same.
constexpr double tolerance = 0.02;

/// What one probe looks at.
struct Probed {
  std::string operation;
  Bytes bytes{};
  Choice choice;
};

std::optional<Probed> largest_choice(const VerifyingPlan& plan, int ranks) {
  const Rules rules = read_open_mpi_rules(plan.text, plan.file);
  std::optional<Probed> best;
  for (const TunedPoint& point : plan.points) {
    const bool is_larger = !best || point.bytes > best->bytes;
    if (point.bytes.value < least_bytes || !is_larger) continue;
    const SizeKey key = size_key(plan.target, point.operation);
    const Choice choice =
        decide(rules, point.operation, ranks, key_of(key, ranks, point.bytes.value));
    if (!choice.is_default()) best = Probed{point.operation, point.bytes, choice};
  }
  return best;
}

std::map<std::string, std::string> forcing(const Probed& probed) {
  const std::string name = "OMPI_MCA_coll_tuned_" + lower_name(probed.operation) + "_algorithm";
  std::map<std::string, std::string> environment{
      {"OMPI_MCA_coll_tuned_use_dynamic_rules", "1"},
      {name, std::to_string(probed.choice.number.value_or(0))},
      {name + "_segmentsize", std::to_string(probed.choice.segment)}};
  // A file's chain has at least one, and the variable's default is another number.
  environment[name + "_chain_fanout"] = std::to_string(std::max(probed.choice.fanout, 1));
  if (probed.choice.requests > 0) {
    environment[name + "_max_requests"] = std::to_string(probed.choice.requests);
  }
  return environment;
}

/// A launch whose messages are counted.
campaign::Setting probe_setting(const std::string& name,
                                std::map<std::string, std::string> environment,
                                const fs::path& profiles) {
  environment["OMPI_MCA_pml_monitoring_enable"] = "2";
  environment["OMPI_MCA_pml_monitoring_enable_output"] = "3";
  environment["OMPI_MCA_pml_monitoring_filename"] = (profiles / name).string();
  return {.name = name, .environment = std::move(environment)};
}

campaign::Request probe_request(const VerifyingPlan& plan, campaign::Request request,
                                const Probed& probed) {
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
  // Ranks that wait for each other at a barrier are never late, however busy the machine is.
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
        fs::path(request.folder) / "profiles" / (setting + "." + std::to_string(rank) + ".prof");
    if (fs::exists(file)) profiles.push_back(read_file(file.string()));
  }
  return traffic_fractions(profiles);
}

Effect judged(const campaign::Request& request, const Probed& probed) {
  const TrafficFractions file = shares_of(request, "file");
  const TrafficFractions forced = shares_of(request, "forced");
  const std::string what =
      probed.operation + " of " + format_bytes(probed.bytes) + " by " + describe(probed.choice);
  if (file.empty() || forced.empty()) {
    return {Proof::unproven, {"no traffic was counted of " + what + " (pml_monitoring)"}};
  }
  if (largest_difference(file, forced) > tolerance) {
    return {Proof::ignored, {"traffic of " + what + ": not as when it is forced"}};
  }
  if (largest_difference(file, shares_of(request, "default")) <= tolerance) {
    return {Proof::unproven,
            {"traffic of " + what + ": as when it is forced, and as by default, too"}};
  }
  return {Proof::proven, {"traffic of " + what + ": as when it is forced, not as by default"}};
}

}  // namespace

Effect probe_traffic(const VerifyingPlan& plan, const campaign::Request& request) {
  const auto probed = largest_choice(plan, request.ranks);
  if (!probed) {
    return {Proof::unproven,
            {"no rule for a message of " + format_bytes({least_bytes}) +
             " or more, whose traffic would tell"}};
  }
  const campaign::Request probe = probe_request(plan, request, *probed);
  run_campaign(probe, [](const campaign::Step&) {});
  return judged(probe, *probed);
}

}  // namespace hockney::tune
