#include "application/projection/machine.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "core/error.hpp"
#include "core/text.hpp"
#include "models/curves.hpp"

namespace hockney::projection {
namespace {

using applications::Reach;
using collectives::RankNetwork;

constexpr const char* in_node_class = "same-node";

/// An end of the interval over launches, farther out by the largest error that the fit has at any
/// size: the messages of a program may all be of that size.
double at_level(double middle, const std::optional<Interval>& interval, double error, Level level) {
  if (level == Level::middle) return middle;
  if (level == Level::low) return (interval ? interval->low : middle) * (1 - error);
  return (interval ? interval->high : middle) * (1 + error);
}

models::FitSet at_level(models::FitSet fits, Level level) {
  constexpr double most_error = 0.5;  // of a fit that says nothing any more
  for (models::Fit& fit : fits.fits) {
    const double error = std::min(fit.errors.maximum, most_error);
    for (models::Segment& segment : fit.segments) {
      models::Line& line = segment.line;
      line.alpha_seconds = at_level(line.alpha_seconds, segment.alpha_seconds, error, level);
      line.beta_seconds_per_byte =
          at_level(line.beta_seconds_per_byte, segment.beta_seconds_per_byte, error, level);
    }
  }
  return fits;
}

bool has_interval(const models::Fit& fit) {
  return std::ranges::all_of(fit.segments, [](const models::Segment& segment) {
    return segment.alpha_seconds && segment.beta_seconds_per_byte;
  });
}

/// Hosts that a program ran on, where no site file says more of them.
SiteFile flat_sites(const std::vector<std::string>& hosts) {
  SiteFile sites;
  for (const std::string& host : hosts) {
    if (sites.sites.try_emplace(host).second) sites.hosts.push_back(host);
  }
  return sites;
}

bool has_both(const std::vector<std::string>& hosts, Reach reach) {
  const std::set<std::string> distinct(hosts.begin(), hosts.end());
  return reach == Reach::in_node ? distinct.size() < hosts.size() : distinct.size() > 1;
}

/// Fits of ping-pongs by hop class: those of the library and the setting that count.
std::vector<const models::Fit*> pingpongs_of(const models::FitSet& fits, const Selection& selection,
                                             std::vector<std::string>& doubts) {
  std::vector<const models::Fit*> found;
  for (const models::Fit& fit : fits.fits) {
    const bool is_of_setting = !selection.setting || fit.setting == *selection.setting;
    if (fit.point.operation == "pingpong" && fit.point.hop && is_of_setting) found.push_back(&fit);
  }
  if (found.empty()) {
    throw InputError({"no ping-pong to go by",
                      selection.setting ? "the setting '" + *selection.setting + "' has none"
                                        : "the records hold none with a hop class",
                      "measure some: hockney run hops"});
  }
  const auto is_of_library = [&](const models::Fit* fit) {
    return fit->mpi_library == selection.mpi_library;
  };
  if (std::ranges::any_of(found, is_of_library)) {
    std::erase_if(found, [&](const models::Fit* fit) { return !is_of_library(fit); });
  } else if (!selection.mpi_library.empty()) {
    doubts.push_back("the models are of " + inert(found.front()->mpi_library.substr(0, 40)) +
                     ", the program ran with another MPI library");
  }
  std::set<std::string> settings;
  for (const models::Fit* fit : found) settings.insert(fit->setting);
  if (settings.size() > 1) {
    throw InputError({"several settings measured ping-pongs",
                      join({settings.begin(), settings.end()}), "choose one with --setting"});
  }
  return found;
}

double message_seconds(const collectives::HopCost& cost, std::int64_t bytes) {
  const collectives::HopSegment& line = cost.segment(bytes);
  return line.alpha_seconds + line.beta_seconds_per_byte * static_cast<double>(bytes);
}

}  // namespace

double overhead_seconds(const models::Fit& overhead, const collectives::HopCost& cost,
                        std::int64_t bytes) {
  const std::int64_t measured = std::min(bytes, overhead.segments.back().to.value);
  const double share = models::predict(overhead, Bytes{measured}).seconds /
                       std::max(message_seconds(cost, measured), 1e-12);
  return std::min(share, 1.0) * message_seconds(cost, bytes);
}

Machine::Machine(std::span<const Record> records, const std::optional<SiteFile>& sites,
                 const Selection& selection)
    : found_limits_(applications::eager_limits(records)),
      limits_(applications::send_limits(found_limits_, selection.environment)),
      collectives_(collectives::fit_collectives(collectives::collect_collectives(records))) {
  const SiteFile file = sites ? *sites : flat_sites(selection.hosts);
  const std::vector<std::string> network_classes = network_hops(file);
  const models::FitSet all = models::fit_curves(models::collect_curves(records));
  const models::FitSet fits = chosen_classes(all, selection, network_classes);
  has_intervals_ = std::ranges::all_of(fits.fits, has_interval);
  for (const Level level : {Level::low, Level::middle, Level::high}) {
    networks_.try_emplace(level, file, records, at_level(fits, level));
  }
  take_overheads(all, network_classes);
}

/// Which ranks of a node share a cache is not known of a program: the slowest class stands for all.
models::FitSet Machine::chosen_classes(const models::FitSet& fits, const Selection& selection,
                                       const std::vector<std::string>& network_classes) {
  models::FitSet chosen;
  std::vector<const models::Fit*> in_node;
  for (const models::Fit* fit : pingpongs_of(fits, selection, doubts_)) {
    const bool is_between =
        std::ranges::find(network_classes, fit->point.hop.value_or("")) != network_classes.end();
    if (is_between) {
      chosen.fits.push_back(*fit);
    } else {
      in_node.push_back(fit);
    }
  }
  if (in_node.empty()) return chosen;
  const models::Fit* const slowest = *std::ranges::max_element(
      in_node, {}, [](const models::Fit* fit) { return fit->segments.front().line.alpha_seconds; });
  chosen.fits.push_back(*slowest);
  chosen.fits.back().point.hop = in_node_class;
  if (in_node.size() > 1) {
    doubts_.push_back("pairs in a node are taken to be as far apart as " +
                      inert(slowest->point.hop.value_or("")) + ", the slowest of " +
                      std::to_string(in_node.size()) + " classes");
  }
  return chosen;
}

void Machine::take_overheads(const models::FitSet& fits,
                             const std::vector<std::string>& network_classes) {
  std::map<Reach, std::map<std::string, models::Fit>> found;
  for (const models::Fit& fit : fits.fits) {
    if (!fit.point.hop) continue;
    const bool is_between =
        std::ranges::find(network_classes, *fit.point.hop) != network_classes.end();
    found[is_between ? Reach::between_nodes : Reach::in_node].try_emplace(fit.point.operation, fit);
  }
  for (const auto& [reach, operations] : found) {
    const auto send = operations.find("send-overhead");
    const auto receive = operations.find("receive-overhead");
    if (send == operations.end() || receive == operations.end()) continue;
    overheads_.try_emplace(reach, Overheads{send->second, receive->second});
  }
}

RankNetwork Machine::network(const std::vector<std::string>& hosts, Level level) const {
  const collectives::MeasuredNetwork& measured = networks_.at(level);
  if (auto network = measured.on(hosts)) return std::move(*network);
  throw InputError({"cannot tell what messages of this program cost",
                    "no ping-pong between ranks " + join(measured.missing(hosts)) +
                        " apart is among the records",
                    "measure such pairs: hockney run hops"});
}

const Overheads* Machine::overheads(Reach reach) const {
  const auto found = overheads_.find(reach);
  return found == overheads_.end() ? nullptr : &found->second;
}

bool Machine::knows_limits(const std::vector<std::string>& hosts) const {
  return std::ranges::all_of(std::array{Reach::in_node, Reach::between_nodes}, [&](Reach reach) {
    return !has_both(hosts, reach) ||
           std::ranges::find(found_limits_, reach, &applications::EagerLimits::reach) !=
               found_limits_.end();
  });
}

}  // namespace hockney::projection
