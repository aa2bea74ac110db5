#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "placement/plan.hpp"
#include "placement/rank_pairs.hpp"
#include "placement/topology.hpp"
#include "report/view.hpp"

namespace hockney::report {

/// A hop class, its number of pairs of CPUs, and its representative pair.
struct TopoHop {
  std::size_t pairs = 0;
  placement::HopPair representative;
};

/// The result of `hockney topo`.
struct TopoView {
  placement::Topology topology;
  std::vector<TopoHop> hops;              ///< near to far
  std::vector<placement::HopPair> pairs;  ///< all of them if requested, else none
  placement::Plan plan;  ///< the CPU of each local rank, and the hop classes among these ranks
};

/// Views with a row for each hop class and its representative pair, and for each pair of CPUs.
View view_of(const std::vector<TopoHop>& hops);
View view_of(const std::vector<placement::HopPair>& pairs);

/// "2 CPUs of AMD EPYC: l3 (1 pair)".
std::string topo_verdict(const TopoView& view);

/// Prints facts, hop classes, all pairs (if requested), and the plan.
void print_topo(std::ostream& out, const TopoView& view);

/// `hockney.topology/1`: the view with stable keys.
nlohmann::json topo_json(const TopoView& view);

}  // namespace hockney::report
