#include "application/profile/part_places.hpp"

#include <array>
#include <cstdio>

namespace hockney::profile {
namespace {

std::string identity(const CommunicatorRow& row) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%016llx-%u",
                static_cast<unsigned long long>(row.ranks_hash), row.instance);
  return text.data();
}

std::string name_of(const CommunicatorRow& row) {
  if (row.predefined == 1) return "MPI_COMM_WORLD";
  if (row.predefined == 2) return "MPI_COMM_SELF";
  if (row.made_by == static_cast<std::uint32_t>(Function::count)) return "unknown";
  return "MPI_" + std::string(describe(static_cast<Function>(row.made_by)).name);
}

}  // namespace

void PartPlaces::add(const Part& part) {
  const auto letters = [&](std::uint32_t at) { return part.letters.data() + at; };
  communicator_.clear();
  for (const CommunicatorRow& row : part.communicators) {
    const std::string key = row.predefined == 2 ? "self" : identity(row);
    communicator_.push_back(communicators_.of(key, [&] {
      return Communicator{name_of(row), key, row.size};
    }));
  }
  site_.clear();
  for (const SiteRow& row : part.sites) {
    const std::pair<std::string, std::int64_t> key{letters(row.module), row.offset};
    site_.push_back(sites_.of(key, [&] {
      return Site{key.first, key.second, letters(row.function)};
    }));
  }
  region_.clear();
  for (const RegionRow& row : part.regions) {
    const std::string name = letters(row.name);
    region_.push_back(regions_.of(name, [&] { return Region{.name = name}; }));
  }
}

}  // namespace hockney::profile
