#include "profile/library/requests.hpp"

#include "profile/library/real.hpp"

namespace hockney::profile {

std::uint32_t& Requests::head_of(std::uint64_t handle) {
  return heads_[mixed(handle) & (heads_.size() - 1)];
}

void Requests::append(std::uint32_t node) {
  std::uint32_t* link = &head_of(nodes_[node - 1].handle);
  while (*link != 0) link = &nodes_[*link - 1].next;
  *link = node;
}

bool Requests::rehash() {
  constexpr std::size_t first_heads = 256;
  const std::size_t before = heads_.size();
  RowList<std::uint32_t>& heads = heads_;
  // In the order of their chains, which is that of their making among equal handles.
  std::uint32_t in_order = 0;
  std::uint32_t* last = &in_order;
  for (std::size_t i = 0; i < before; ++i) {
    *last = heads[i];
    while (*last != 0) last = &nodes_[*last - 1].next;
  }
  const std::size_t size = before == 0 ? first_heads : 2 * before;
  const bool grown = heads.resize(size);
  if (heads.size() > 0) std::memset(heads.rows().data(), 0, heads.size() * sizeof(std::uint32_t));
  while (in_order != 0) {
    const std::uint32_t node = in_order;
    in_order = nodes_[node - 1].next;
    nodes_[node - 1].next = 0;
    append(node);
  }
  return grown;
}

bool Requests::add(MPI_Request request, const Pending& pending) {
  if (size_ >= heads_.size() && !rehash() && heads_.size() == 0) return false;
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
  for (std::uint32_t node = head_of(handle); node != 0; node = nodes_[node - 1].next) {
    if (nodes_[node - 1].handle == handle) return &nodes_[node - 1].pending;
  }
  return nullptr;
}

void Requests::remove(MPI_Request request) {
  if (empty()) return;
  const std::uint64_t handle = handle_of(request);
  std::uint32_t* link = &head_of(handle);
  while (*link != 0 && nodes_[*link - 1].handle != handle) link = &nodes_[*link - 1].next;
  if (*link == 0) return;
  const std::uint32_t node = *link;
  *link = nodes_[node - 1].next;
  nodes_[node - 1].next = free_;
  free_ = node;
  --size_;
}

}  // namespace hockney::profile
