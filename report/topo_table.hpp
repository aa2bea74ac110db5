#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace hockney {

/// One processing unit, in plain numbers: `os_cpu` is the operating system's, the groups are
/// counted over the machine.
struct TopoPu {
  int os_cpu = 0;
  int core = 0;
  std::optional<int> l2;
  std::optional<int> l3;
  std::vector<int> numa;
  int package = 0;
};

/// Two CPUs of a hop class.
struct TopoPair {
  std::string hop;
  int first = 0;
  int second = 0;
};

/// A hop class, how many pairs of CPUs are in it and the pair that stands for it.
struct TopoHop {
  std::size_t pairs = 0;
  TopoPair representative;
};

/// A hop class the planned ranks do not show; `ranks_needed` would, nullopt when none do.
struct TopoMissing {
  std::string hop;
  std::optional<int> ranks_needed;
};

/// The CPU of each local rank, and what these ranks show.
struct TopoPlan {
  std::vector<int> cpus;
  bool oversubscribed = false;
  std::vector<TopoPair> covered;
  std::vector<TopoMissing> missing;
};

/// What `hockney topo` has to say about a machine.
struct TopoView {
  std::string source;
  bool this_system = false;  ///< whether processes here can be bound to its CPUs
  std::string digest;
  std::string cpu_model;  ///< empty when unknown
  std::size_t packages = 0;
  std::size_t numa_nodes = 0;
  std::size_t l3_caches = 0;
  std::size_t cores = 0;
  std::vector<TopoPu> pus;      ///< those that may be used
  std::vector<int> left_out;    ///< CPUs this process may not use
  std::string left_out_ranges;  ///< the same for people: "0-3,8"
  std::vector<TopoHop> hops;    ///< near to far
  std::vector<TopoPair> pairs;  ///< all of them when asked for, else none
  TopoPlan plan;
};

/// Fixed columns: facts, hop classes, all pairs when the view has them, and the plan.
std::string topo_table(const TopoView& view);

/// `hockney.topology/1`: the same, with stable keys.
nlohmann::json topo_json(const TopoView& view);

}  // namespace hockney
