#include "components/application/library/rows.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <mutex>
#include <utility>

#include "components/application/library/real.hpp"
#include "components/application/library/recorder.hpp"
#include "core/text.hpp"

namespace hockney::profile {
namespace {

std::uint64_t hash_of_name(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a
  for (const char letter : name) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3U;
  }
  return mixed(hash);
}

std::string_view region_name(std::string_view name) {
  if (name.size() <= Regions::longest_name) return name;
  name = name.substr(0, Regions::longest_name);
  name.remove_suffix(unfinished_bytes(name));
  return name;
}

}  // namespace

Names::Names(Budget& budget) : letters_(budget), slots_(budget) { add(""); }

std::uint32_t& Names::slot_of(std::string_view name) {
  return slots_.of(hash_of_name(name),
                   [&](std::uint32_t begin) { return name == &letters_[begin]; });
}

bool Names::rehash() {
  if (!slots_.enlarge()) return false;
  for (std::size_t begin = 0; begin < letters_.size();) {
    const std::string_view name = &letters_[begin];
    slot_of(name) = static_cast<std::uint32_t>(begin + 1);
    begin += name.size() + 1;
  }
  return true;
}

std::optional<std::uint32_t> Names::find(std::string_view name) {
  const std::lock_guard lock(lock_);
  return known(name);
}

std::optional<std::uint32_t> Names::known(std::string_view name) {
  if (slots_.empty()) return std::nullopt;
  const std::uint32_t slot = slot_of(name);
  return slot == 0 ? std::nullopt : std::optional(slot - 1);
}

std::optional<std::uint32_t> Names::add(std::string_view name) {
  const std::lock_guard lock(lock_);
  if (!slots_.has_room(names_) && !rehash()) return known(name);
  std::uint32_t& slot = slot_of(name);
  if (slot != 0) return slot - 1;
  const std::size_t begin = letters_.size();
  const bool has_number = begin + name.size() < std::numeric_limits<std::uint32_t>::max();
  if (!has_number || !letters_.append(name, '\0')) return std::nullopt;
  ++names_;
  slot = static_cast<std::uint32_t>(begin + 1);
  return slot - 1;
}

std::uint16_t Regions::number_of(std::string_view name) {
  const auto begin = names_.add(name);
  if (!begin) return 0;
  ByName* const known = by_name_.find_or_add({*begin});
  if (known == nullptr || known->number != 0) return known == nullptr ? 0 : known->number;
  if (rows_.size() == std::numeric_limits<std::uint16_t>::max()) return 0;
  if (rows_.add({.name = *begin}) == nullptr) return 0;
  return known->number = static_cast<std::uint16_t>(rows_.size());
}

bool Regions::enter(std::string_view name) {
  const std::uint16_t number = number_of(region_name(name));
  if (number == 0) return false;
  RegionRow& row = rows_[number - 1U];
  ++row.entered;
  if (row.depth++ == 0) row.since = Ticks::now();
  inside_.push_back(number);
  return true;
}

void Regions::leave(std::string_view name) {
  const auto begin = names_.find(region_name(name));
  const ByName* const known = begin ? by_name_.find({*begin}) : nullptr;
  if (known == nullptr || known->number == 0) return;
  RegionRow& row = rows_[known->number - 1U];
  if (row.depth == 0) return;
  if (--row.depth == 0) row.ticks += Ticks::now() - row.since;
  const auto innermost = std::find(inside_.rbegin(), inside_.rend(), known->number);
  if (innermost != inside_.rend()) inside_.erase(std::next(innermost).base());
}

Event& Log::begin(Function function, std::uint32_t site, std::uint32_t region, std::int64_t begin,
                  std::int64_t ticks) {
  event_.function = function;
  event_.site = site;
  event_.communicator = no_index;
  event_.region = region;
  event_.begin = begin;
  event_.ticks = ticks;
  event_.sent = event_.received = {};
  event_.root = no_rank;
  event_.request = 0;
  event_.completed.clear();  // its memory stays allocated
  return event_;
}

void Log::write(const Event& event) {
  // Events store differences: after a gap later times would be undefined.
  is_closed_ = is_closed_ || !writer_.write(event);
  if (is_closed_) {
    not_logged_ += 1 + event.repeats;
  } else {
    ++events_;
  }
}

void Log::flush() {
  if (tests_.function == Function::count) return;
  write(tests_);
  tests_ = {};
}

void Log::add() {
  flush();
  write(event_);
}

void Log::add_unsuccessful() {
  const bool is_next = tests_.function == event_.function && tests_.site == event_.site &&
                       tests_.region == event_.region;
  if (!is_next) {
    flush();
    tests_ = event_;
    return;
  }
  ++tests_.repeats;
  tests_.between += event_.begin - tests_.end();
  tests_.ticks += event_.ticks;
}

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
  // Chains one after the other: requests with equal handles stay in the order of creation.
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
