#include "application/library/names.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/text.hpp"
#include "application/library/ticks.hpp"

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
  if (slots_.empty()) return std::nullopt;
  const std::uint32_t slot = slot_of(name);
  return slot == 0 ? std::nullopt : std::optional(slot - 1);
}

std::optional<std::uint32_t> Names::add(std::string_view name) {
  if (!slots_.has_room(names_) && !rehash()) return find(name);
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

}  // namespace hockney::profile
