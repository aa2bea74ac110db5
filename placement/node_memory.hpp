#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hockney::placement {

/// The NUMA nodes of this machine, by the numbers the system gives them, and memory on them.
class NodeMemory {
 public:
  /// Reads the topology of this machine; RunError when hwloc cannot.
  NodeMemory();
  /// That of a text (hwloc manual, "Synthetic topologies"), where nothing can be bound.
  explicit NodeMemory(const std::string& synthetic);
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;
  NodeMemory(NodeMemory&&) noexcept;
  NodeMemory& operator=(NodeMemory&&) noexcept;
  ~NodeMemory();

  /// Ascending.
  [[nodiscard]] const std::vector<int>& nodes() const { return nodes_; }

  /// The node whose memory a CPU reaches soonest; nullopt for a CPU that is near none.
  [[nodiscard]] std::optional<int> near(int os_cpu) const;

  /// The node that is farthest from it, by the distances that the machine states, else by how
  /// little of the tree they share; the smallest number of several. nullopt when there is no other
  /// node than the near one.
  [[nodiscard]] std::optional<int> far(int os_cpu) const;

  /// Binds whole pages, which nobody has touched yet, to a node. Why that was refused; empty when
  /// it was not.
  [[nodiscard]] std::string bind(void* memory, std::size_t bytes, int node) const;

  /// The nodes that the touched pages are on, as the kernel says now, ascending; empty when it does
  /// not say.
  [[nodiscard]] std::vector<int> nodes_of(const void* memory, std::size_t bytes) const;

 private:
  struct State;

  [[nodiscard]] double distance(int from, int to) const;

  std::unique_ptr<State> state_;
  std::vector<int> nodes_;
};

/// The CPU that the calling thread runs on now.
int current_cpu();

}  // namespace hockney::placement
