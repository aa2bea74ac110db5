#include "application/commands/scale_kernel.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <set>
#include <tuple>

#include "campaign/app/campaign_command.hpp"
#include "campaign/config.hpp"
#include "campaign/named_configs.hpp"
#include "core/cpu_sharing.hpp"
#include "core/launch_medians.hpp"
#include "core/quantities.hpp"
#include "core/record_file.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "report/fault_lines.hpp"
#include "report/kernel_rows.hpp"

namespace hockney::apps {
namespace {

const std::set<std::string> kernel_programs{"hockney-halo", "hockney-cannon"};

/// The parameters that say what is computed, and how.
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

/// Rows, or points of a grid: "64x32" are 2048.
double extent_of(const std::string& problem) {
  double extent = 1;
  for (const std::string& part : split(problem, 'x')) {
    extent *= as_number<double>(part).value_or(1);
  }
  return extent;
}

/// Times of one problem [s] by ranks, then way and work, then launch.
using WayTimes = std::map<std::pair<std::string, std::string>, std::map<int, double>>;
using TimesByRanks = std::map<int, WayTimes>;

double median_of_launches(const std::map<int, double>& times) {
  std::vector<double> seconds;
  seconds.reserve(times.size());
  for (const auto& [launch, one] : times) seconds.push_back(one);
  return median_of_some(seconds);
}

/// One number of ranks.
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
  scaling.shares[ranks] = {.launches = best->size(),
                           .computing = std::min(computing, 1.0),
                           .load_imbalance = {},
                           .communication = std::max(0.0, 1 - computing),
                           .way = best_name.first + ", computing " + best_name.second,
                           .split = {}};
}

/// Launches count where there is one at each number of ranks.
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
                           const std::optional<std::string>& asked, KernelScaling& scaling) {
  std::vector<std::string> names;
  names.reserve(problems.size());
  for (const auto& [name, times] : problems) names.push_back(name);
  if (names.empty()) {
    throw RunError({"no kernel was measured", "no launch has times of one", "see the campaign"});
  }
  std::ranges::sort(names, {}, extent_of);
  if (!asked) {
    if (names.size() > 1) {
      scaling.doubts.push_back("of " + join(names) + " the largest: --problem for another");
    }
    return names.back();
  }
  if (std::ranges::find(names, *asked) != names.end()) return *asked;
  throw InputError(
      {"no problem '" + *asked + "'", "the config does not measure it", suggest(*asked, names)});
}

campaign::Request request_of(const KernelRequest& request) {
  const std::string file = campaign::find_config(request.config, campaign::config_folders());
  campaign::Config config = campaign::load_config(file);
  if (!is_of_kernel(config)) {
    throw InputError({"'" + request.config + "' measures no kernel", "it runs " + config.program,
                      "name halo or cannon, or a program: hockney scale -- mpirun -n {} ./app"});
  }
  vary(config, {"ranks=" + join_numbers(request.ranks, ",")});
  campaign::Options options;
  options.out = request.folder;
  options.launches = std::to_string(request.launches);
  return make_request(config, file, options);
}

}  // namespace

bool is_of_kernel(const campaign::Config& config) {
  return kernel_programs.contains(config.program);
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
  scaling.name = timed.series.front().series->point.operation + " " + chosen;
  return scaling;
}

KernelScaling scale_kernel(const KernelRequest& request) {
  if (std::filesystem::exists(request.folder)) {
    throw InputError({"'" + request.folder + "' is there already",
                      "launches of several studies are not mixed", "name another with --out"});
  }
  const campaign::Request planned = request_of(request);
  const auto finished = run_or_print(planned, {});
  if (!finished || finished->complete_launches() == 0) {
    throw RunError(
        {"no launch of " + request.config + " completed", "see its logs in " + request.folder, ""});
  }
  const std::vector<Record> records = load_records({finished->folder.records()}, Kept::times);
  report::print_faults(std::cerr, find_faults(records));
  KernelScaling scaling = kernel_scaling(records, request.problem);
  if (finished->missing) scaling.doubts.emplace_back("some launches did not complete");
  return scaling;
}

}  // namespace hockney::apps
