#include "application/projection/model_network.hpp"

namespace hockney::projection {
namespace {

using applications::Reach;
using applications::Transfer;
using collectives::RankNetwork;

/// The network with its costs multiplied.
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

Reach ModelNetwork::reach_of(const Transfer& message) const {
  return network_.hop(message.from, message.to) == 0 ? Reach::in_node : Reach::between_nodes;
}

double ModelNetwork::carry(const Transfer& message, double begin_seconds) {
  if (is_free_) return begin_seconds;
  return ports_.carry(message.from, message.to, message.bytes, begin_seconds);
}

applications::SenderWaits ModelNetwork::waits(const Transfer& message) const {
  if (message.is_synchronous) return applications::SenderWaits::for_receive;
  return limits_.of(reach_of(message)).waits(message.bytes);
}

double ModelNetwork::busy_seconds(const Transfer& message, models::Fit Overheads::*side) const {
  if (is_free_) return 0;
  const Reach reach = reach_of(message);
  const collectives::HopCost& cost = network_.cost(network_.hop(message.from, message.to));
  if (const Overheads* const overheads = machine_.overheads(reach)) {
    return overhead_seconds(overheads->*side, cost, message.bytes);
  }
  if (reach != Reach::in_node) return 0;
  return cost.segment(message.bytes).beta_seconds_per_byte * static_cast<double>(message.bytes) / 2;
}

double ModelNetwork::sending_seconds(const Transfer& message) const {
  return busy_seconds(message, &Overheads::send);
}

double ModelNetwork::receiving_seconds(const Transfer& message) const {
  return busy_seconds(message, &Overheads::receive);
}

double ModelNetwork::collective_seconds(const applications::CollectiveCall& call) {
  return is_free_ ? 0 : collectives_.seconds(call);
}

}  // namespace hockney::projection
