#include "application/library/requests.hpp"

#include <algorithm>
#include <utility>

#include "application/library/real.hpp"

namespace hockney::profile {

Requests::Chain& Requests::chain_of(std::uint64_t handle) {
  return chains_[mixed(handle) & (chains_.size() - 1)];
}

void Requests::append(std::uint32_t node) {
  Chain& chain = chain_of(nodes_[node - 1].handle);
  (chain.last == 0 ? chain.first : nodes_[chain.last - 1].next) = node;
  chain.last = node;
}

bool Requests::rehash() {
  constexpr std::size_t first_chains = 256;
  // In the order of their chains, which is that of their making among equal handles.
  std::uint32_t in_order = 0;
  std::uint32_t* last = &in_order;
  for (const Chain& chain : chains_.rows()) {
    if (chain.first == 0) continue;
    *last = chain.first;
    last = &nodes_[chain.last - 1].next;
  }
  const bool grown = chains_.resize(chains_.size() == 0 ? first_chains : 2 * chains_.size());
  std::ranges::fill(chains_.rows(), Chain{});
  while (in_order != 0) {
    const std::uint32_t node = in_order;
    in_order = nodes_[node - 1].next;
    nodes_[node - 1].next = 0;
    append(node);
  }
  return grown;
}

bool Requests::add(MPI_Request request, const Pending& pending) {
  if (size_ >= chains_.size() && !rehash() && chains_.size() == 0) return false;
  if (free_ == 0) {
    if (nodes_.add({}) == nullptr) return false;
    free_ = static_cast<std::uint32_t>(nodes_.size());
  }
  const std::uint32_t node = free_;
  free_ = nodes_[node - 1].next;
  nodes_[node - 1] = {handle_of(request), 0, pending};
  append(node);
  ++size_;
  return true;
}

Pending* Requests::find(MPI_Request request) {
  if (empty()) return nullptr;
  const std::uint64_t handle = handle_of(request);
  for (std::uint32_t node = chain_of(handle).first; node != 0; node = nodes_[node - 1].next) {
    if (nodes_[node - 1].handle == handle) return &nodes_[node - 1].pending;
  }
  return nullptr;
}

void Requests::remove(MPI_Request request) {
  if (empty()) return;
  const std::uint64_t handle = handle_of(request);
  Chain& chain = chain_of(handle);
  std::uint32_t before = 0;
  std::uint32_t node = chain.first;
  while (node != 0 && nodes_[node - 1].handle != handle) {
    before = std::exchange(node, nodes_[node - 1].next);
  }
  if (node == 0) return;
  (before == 0 ? chain.first : nodes_[before - 1].next) = nodes_[node - 1].next;
  if (chain.last == node) chain.last = before;
  nodes_[node - 1].next = free_;
  free_ = node;
  --size_;
}

}  // namespace hockney::profile
