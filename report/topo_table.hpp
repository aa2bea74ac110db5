#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <vector>

#include "placement/plan.hpp"
#include "placement/rank_pairs.hpp"
#include "placement/topology.hpp"
#include "report/view.hpp"

namespace hockney::report {

/// A hop class, how many pairs of CPUs are in it and the pair that stands for it.
struct TopoHop {
  std::size_t pairs = 0;
  placement::HopPair representative;
};

/// What `hockney topo` has to say about a machine.
struct TopoView {
  placement::Topology topology;
  std::vector<TopoHop> hops;              ///< near to far
  std::vector<placement::HopPair> pairs;  ///< all of them when asked for, else none
  placement::Plan plan;                   ///< the CPU of each local rank, and what these ranks show
};

/// A row for each hop class, with the pair that represents it; and for each pair of CPUs.
View view_of(const std::vector<TopoHop>& hops);
View view_of(const std::vector<placement::HopPair>& pairs);

/// Facts, hop classes, all pairs when the view has them, and the plan.
void print_topo(std::ostream& out, const TopoView& view);

/// `hockney.topology/1`: the same, with stable keys.
nlohmann::json topo_json(const TopoView& view);

}  // namespace hockney::report
