#include "components/application/commands/kernel_scaling.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>

#include "core/cli/command_line.hpp"
#include "core/quantities.hpp"
#include "core/record.hpp"
#include "core/record_file.hpp"
#include "core/samples.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "driver/campaign/config_sources.hpp"
#include "driver/campaign/varied_axes.hpp"
#include "driver/output/campaign_command.hpp"
#include "report/curve_tables.hpp"
#include "report/kernel_tables.hpp"

namespace hockney::driver {
namespace {

/// Parameters of the problem and of its computing.
constexpr std::array problem_parameters{"points", "matrix"};
constexpr const char* kernel_work = "work";

std::string parameter_of(const Point& point, const char* name) {
  const auto found = point.parameters.find(name);
  return found == point.parameters.end() ? "" : found->second;
}

std::string problem_of(const Point& point) {
  for (const char* const name : problem_parameters) {
    if (std::string value = parameter_of(point, name); !value.empty()) return value;
  }
  return "";
}

/// Number of points: "64x32" has 2048.
double extent_of(const std::string& problem) {
  double extent = 1;
  for (const std::string& part : split(problem, 'x')) {
    extent *= as_number<double>(part).value_or(1);
  }
  return extent;
}

/// Times of one problem [s] by ranks, then by variant and work, then by launch.
using WayTimes = std::map<std::pair<std::string, std::string>, std::map<int, double>>;
using TimesByRanks = std::map<int, WayTimes>;

double median_of_launches(const std::map<int, double>& times) {
  std::vector<double> seconds;
  seconds.reserve(times.size());
  for (const auto& [launch, one] : times) seconds.push_back(one);
  return median_of_some(seconds);
}

/// Adds the results at one number of ranks.
void add_ranks(int ranks, const WayTimes& ways, KernelScaling& scaling) {
  const std::map<int, double>* best = nullptr;
  std::pair<std::string, std::string> best_name;
  for (const auto& [name, times] : ways) {
    const bool counts = name.second == "after" || name.second == "during";
    if (!counts || (best != nullptr && median_of_launches(times) >= median_of_launches(*best)))
      continue;
    best = &times;
    best_name = name;
  }
  if (best == nullptr) return;
  for (const auto& [launch, seconds] : *best) scaling.times.push_back({launch, ranks, seconds});
  const auto alone = ways.find({best_name.first, "alone"});
  const double computing =
      alone == ways.end() ? 0 : median_of_launches(alone->second) / median_of_launches(*best);
  scaling.shares[ranks] = {
      .launches = best->size(),
      .computing = std::min(computing, 1.0),
      .load_imbalance = {},
      .communication = std::max(0.0, 1 - computing),
      .way = fmt::format("{}, computing {}", best_name.first, best_name.second),
      .split = {}};
}

/// Removes launches that lack some number of ranks.
void leave_out_parts(KernelScaling& scaling) {
  std::map<int, std::size_t> numbers;
  for (const projection::ScalingTime& time : scaling.times) ++numbers[time.block];
  const auto is_part = [&](const projection::ScalingTime& time) {
    return numbers.at(time.block) < scaling.shares.size();
  };
  if (std::erase_if(scaling.times, is_part) > 0) {
    scaling.doubts.emplace_back("launches without one at each number of ranks are left out");
  }
}

std::string chosen_problem(const std::map<std::string, TimesByRanks>& problems,
                           const std::optional<std::string>& requested, KernelScaling& scaling) {
  std::vector<std::string> names;
  names.reserve(problems.size());
  for (const auto& [name, times] : problems) names.push_back(name);
  if (names.empty()) {
    throw RunError({"no kernel was measured", "no launch has times of one", "see the campaign"});
  }
  std::ranges::sort(names, {}, extent_of);
  if (!requested) {
    if (names.size() > 1) {
      scaling.doubts.push_back(
          fmt::format("of {} the largest: --problem for another", join(names)));
    }
    return names.back();
  }
  if (std::ranges::find(names, *requested) != names.end()) return *requested;
  throw InputError({fmt::format("no problem '{}'", *requested), "the config does not measure it",
                    suggest(*requested, names)});
}

campaign::Request request_of(const KernelRequest& request) {
  campaign::Config config =
      campaign::load_config(campaign::find_config(request.config, campaign::config_folders()));
  if (!is_of_kernel(config)) {
    throw InputError({fmt::format("'{}' measures no kernel", request.config),
                      "it runs " + config.program,
                      "name halo or cannon, or a program: hockney scale -- mpirun -n {} ./app"});
  }
  vary(config, {"ranks=" + join_numbers(request.ranks, ",")});
  campaign::Options options;
  options.out = request.folder;
  options.launches = std::to_string(request.launches);
  return make_request(std::move(config), options);
}

}  // namespace

bool is_of_kernel(const campaign::Config& config) {
  return config.program == "hockney-halo" || config.program == "hockney-cannon";
}

KernelScaling kernel_scaling(const std::vector<Record>& records,
                             const std::optional<std::string>& problem) {
  std::map<std::string, TimesByRanks> problems;
  const TimedRecords timed = timed_series(records);
  for (const TimedSeries& one : timed.series) {
    const Point& point = one.series->point;
    const std::string name = problem_of(point);
    if (name.empty()) continue;
    const std::pair way{parameter_of(point, report::way_parameter),
                        parameter_of(point, kernel_work)};
    const int launch = one.record->campaign ? one.record->campaign->launch : 0;
    problems[name][point.ranks][way][launch] = one.seconds;
  }
  KernelScaling scaling;
  scaling.oversubscribed = oversubscription_text(records);
  const std::string chosen = chosen_problem(problems, problem, scaling);
  for (const auto& [ranks, ways] : problems.at(chosen)) add_ranks(ranks, ways, scaling);
  leave_out_parts(scaling);
  scaling.name = fmt::format("{} {}", timed.series.front().series->point.operation, chosen);
  return scaling;
}

KernelScaling scale_kernel(const KernelRequest& request) {
  if (std::filesystem::exists(request.folder)) {
    throw InputError({fmt::format("'{}' is there already", request.folder),
                      "launches of several studies are not mixed", "name another with --out"});
  }
  const campaign::Request planned = request_of(request);
  auto finished = run_or_print(planned, {});
  if (!finished || finished->manifest.complete_launches() == 0) {
    throw RunError({fmt::format("no launch of {} completed", request.config),
                    "see its logs in " + request.folder, ""});
  }
  const std::vector<Record> records = finished->take_records();
  report::print_faults(std::cerr, find_faults(records));
  KernelScaling scaling = kernel_scaling(records, request.problem);
  if (finished->manifest.status != campaign::Status::complete)
    scaling.doubts.emplace_back("some launches did not complete");
  return scaling;
}

}  // namespace hockney::driver
