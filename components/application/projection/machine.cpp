#include "components/application/projection/machine.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <set>

#include "core/collectives.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "models/collectives/collective_fit.hpp"
#include "models/collectives/replay.hpp"
#include "models/curves.hpp"

namespace hockney::projection {
namespace {

using collectives::RankNetwork;

/// The fit to an algorithm; with an empty name, to the library's own choice. nullptr if it was not
/// measured.
const collectives::Fit* fit_of(const collectives::Fits& fits, const std::string& operation,
                               const std::string& algorithm, const schedules::Workload& work) {
  const collectives::Fit* found = nullptr;
  for (const collectives::Fit& fit : fits.fits) {
    const collectives::Curve& curve = fit.curve;
    const std::string requested = curve.requested.value_or("default");
    const bool is_own = !curve.algorithm || requested == "default";
    const bool is_it = algorithm.empty() ? is_own : requested == algorithm;
    if (curve.operation != operation || !is_it) continue;
    const auto& segments = fit.model.segments;
    const bool holds = work.bytes >= segments.front().from && work.bytes <= segments.back().to;
    if (holds || found == nullptr) found = &fit;
    if (holds) break;
  }
  return found;
}

std::optional<std::string> forced_for(const CollectiveWork& collective,
                                      const ForcedAlgorithms& forced) {
  const auto found = forced.find(collective.operation);
  return found == forced.end() ? std::nullopt : std::optional(found->second);
}

/// From the forced algorithm, else from the library's own choice.
std::optional<double> fitted_seconds(const CollectiveWork& collective,
                                     const collectives::Fits& fits,
                                     const ForcedAlgorithms& forced) {
  const auto& [operation, work] = collective;
  const collectives::Fit* const fit =
      fit_of(fits, operation, forced_for(collective, forced).value_or(""), work);
  const auto predicted = fit == nullptr ? std::nullopt : predict(*fit, work);
  return predicted ? std::optional(predicted->seconds) : std::nullopt;
}

/// The network between some of its ranks.
RankNetwork part_of(const RankNetwork& network, const std::vector<int>& ranks) {
  std::vector<std::vector<int>> sites(network.costs().size() - 1);
  for (std::size_t level = 0; level < sites.size(); ++level) {
    for (const int rank : ranks) sites[level].push_back(network.site_below(level + 1, rank));
  }
  return {std::move(sites), network.costs()};
}

double replayed_on(const RankNetwork& network, const CollectiveWork& collective,
                   const std::string& algorithm, const std::vector<int>& ranks) {
  const schedules::Schedule schedule =
      schedule_of(collective.operation, algorithm, collective.work);
  return replay(schedule, part_of(network, ranks));
}

using applications::Reach;

constexpr const char* in_node_class = "same-node";

/// End of the interval over launches, widened by the fit's largest error at any size. All messages
/// of a program may have that size.
double at_level(double middle, const std::optional<Interval>& interval, double error, Level level) {
  if (level == Level::middle) return middle;
  if (level == Level::low) return (interval ? interval->low : middle) * (1 - error);
  return (interval ? interval->high : middle) * (1 + error);
}

models::FitSet at_level(models::FitSet fits, Level level) {
  constexpr double most_error = 0.5;  // a fit with this error is useless
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

/// Sites of hosts at equal distances, without a site file.
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

/// Fits of ping-pongs by hop class, for the selected library and setting.
std::vector<const models::Fit*> pingpongs_of(const models::FitSet& fits, const Selection& selection,
                                             std::vector<std::string>& doubts) {
  std::vector<const models::Fit*> found;
  for (const models::Fit& fit : fits.fits) {
    const bool is_of_setting = !selection.setting || fit.setting == *selection.setting;
    if (fit.point.operation == "pingpong" && fit.point.hop && is_of_setting) found.push_back(&fit);
  }
  if (found.empty()) {
    throw InputError({"no ping-pong to go by",
                      selection.setting
                          ? fmt::format("the setting '{}' has none", *selection.setting)
                          : "the records hold none with a hop class",
                      "measure some: hockney run hops"});
  }
  const auto is_of_library = [&](const models::Fit* fit) {
    return fit->mpi_library == selection.mpi_library;
  };
  if (std::ranges::any_of(found, is_of_library)) {
    std::erase_if(found, [&](const models::Fit* fit) { return !is_of_library(fit); });
  } else if (!selection.mpi_library.empty()) {
    doubts.push_back(fmt::format("the models are of {}, the program ran with another MPI library",
                                 escaped(found.front()->mpi_library.substr(0, 40))));
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
  const collectives::HopSegment line = cost.segment(bytes);
  return line.alpha_seconds + line.beta_seconds_per_byte * static_cast<double>(bytes);
}

/// Overhead of a message of a hop class, at most the time of the message [s]. Beyond the measured
/// sizes its share of that time is constant.
double overhead_seconds(const models::Fit& overhead, const collectives::HopCost& cost,
                        std::int64_t bytes) {
  const std::int64_t measured = std::min(bytes, overhead.segments.back().to.value);
  const double share = models::predict(overhead, Bytes{measured}).seconds /
                       std::max(message_seconds(cost, measured), 1e-12);
  return std::min(share, 1.0) * message_seconds(cost, bytes);
}

using models::Message;

/// The network with its costs multiplied by these factors.
RankNetwork stretched(RankNetwork network, double alpha, double beta) {
  for (collectives::HopCost& cost : network.costs()) {
    for (collectives::HopSegment& segment : cost.segments) {
      segment.alpha_seconds *= alpha;
      segment.beta_seconds_per_byte *= beta;
    }
    cost.channel_seconds_per_byte *= beta;
  }
  return network;
}

}  // namespace

std::optional<CollectiveWork> work_of(const models::CollectiveCall& call) {
  const Collective* const called =
      find_collective_call(profile::describe(applications::function_of(call)).name);
  const Collective* const scheduled = called == nullptr ? nullptr : scheduled_form(*called);
  if (scheduled == nullptr) return std::nullopt;
  const auto ranks = static_cast<std::int64_t>(call.ranks.size());
  const bool is_of_blocks = scheduled->data == Contribution::blocks;  // models count one block
  const std::int64_t bytes = is_of_blocks ? call.bytes / ranks : call.bytes;
  return CollectiveWork{std::string(scheduled->name),
                        {.ranks = static_cast<int>(ranks),
                         .bytes = Bytes{std::max<std::int64_t>(bytes, 0)},
                         .root = std::max(call.root, 0)}};
}

std::optional<std::string> scheduled_algorithm(const models::CollectiveCall& call,
                                               const collectives::Fits& fits,
                                               const ForcedAlgorithms& forced) {
  const auto collective = work_of(call);
  if (!collective || call.ranks.size() < 2 || fitted_seconds(*collective, fits, forced)) {
    return std::nullopt;
  }
  return forced_for(*collective, forced)
      .value_or(schedules::usual_algorithm(collective->operation, collective->work));
}

double CollectiveTimes::seconds(const models::CollectiveCall& call) {
  const auto collective = work_of(call);
  if (!collective) {
    unknown_.insert(fmt::format("MPI_{}", profile::describe(applications::function_of(call)).name));
    return 0;
  }
  if (call.ranks.size() < 2) return 0;
  const Key key{collective->operation, collective->work.bytes.value, collective->work.root,
                call.ranks};
  const auto found = known_.find(key);
  if (found != known_.end()) return found->second;
  return known_[key] = uncached(*collective, call.ranks);
}

double CollectiveTimes::uncached(const CollectiveWork& collective, const std::vector<int>& ranks) {
  const auto requested = forced_for(collective, forced_);
  const std::string schedule =
      requested ? *requested : schedules::usual_algorithm(collective.operation, collective.work);
  const double replayed = replayed_on(network_, collective, schedule, ranks);
  if (const auto fitted = fitted_seconds(collective, fits_, forced_)) {
    return *fitted * replayed / replayed_on(measured_, collective, schedule, ranks);
  }
  if (!requested) replayed_.insert(collective.operation);
  return replayed;
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

/// A profile does not show which ranks of a node share a cache: the slowest class is used for all.
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
    doubts_.push_back(
        fmt::format("pairs in a node are taken to be as far apart as {}, the slowest of {} classes",
                    escaped(slowest->point.hop.value_or("")), in_node.size()));
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
  throw InputError({"the cost of this program's messages is unknown",
                    fmt::format("no ping-pong between ranks {} apart is among the records",
                                join(measured.missing(hosts))),
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

ModelNetwork::ModelNetwork(const Machine& machine, const std::vector<std::string>& hosts,
                           const WhatIf& what_if, Level level, double stretch)
    : measured_(machine.network(hosts, level)),
      network_(stretched(machine.network(what_if.hosts.empty() ? hosts : what_if.hosts, level),
                         stretch / what_if.latency_divisor, stretch / what_if.bandwidth_factor)),
      ports_(network_),
      machine_(machine),
      limits_(machine.limits()),
      is_free_(what_if.is_free),
      collectives_(machine.collectives(), measured_, network_, what_if.algorithms) {
  if (!what_if.eager_limit_bytes) return;
  for (const Reach reach : {Reach::in_node, Reach::between_nodes}) {
    if (what_if.eager_reach.value_or(reach) != reach) continue;
    limits_.of(reach) = limits_.of(reach).with_eager(*what_if.eager_limit_bytes);
  }
}

Reach ModelNetwork::reach_of(const Message& message) const {
  return network_.hop(message.from, message.to) == 0 ? Reach::in_node : Reach::between_nodes;
}

double ModelNetwork::carry(const Message& message, double begin_seconds) {
  if (is_free_) return begin_seconds;
  return ports_.carry(message.from, message.to, message.bytes, begin_seconds);
}

models::SenderWaits ModelNetwork::waits(const Message& message) const {
  if (message.is_synchronous) return models::SenderWaits::for_receive;
  return limits_.of(reach_of(message)).waits(message.bytes);
}

double ModelNetwork::busy_seconds(const Message& message, models::Fit Overheads::*side) const {
  if (is_free_) return 0;
  const Reach reach = reach_of(message);
  const collectives::HopCost& cost = network_.cost(network_.hop(message.from, message.to));
  if (const Overheads* const overheads = machine_.overheads(reach)) {
    return overhead_seconds(overheads->*side, cost, message.bytes);
  }
  if (reach != Reach::in_node) return 0;
  return cost.segment(message.bytes).beta_seconds_per_byte * static_cast<double>(message.bytes) / 2;
}

double ModelNetwork::sending_seconds(const Message& message) const {
  return busy_seconds(message, &Overheads::send);
}

double ModelNetwork::receiving_seconds(const Message& message) const {
  return busy_seconds(message, &Overheads::receive);
}

double ModelNetwork::collective_seconds(const models::CollectiveCall& call) {
  return is_free_ ? 0 : collectives_.seconds(call);
}

}  // namespace hockney::projection
