#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/schedule.hpp"
#include "fingerprints/asked.hpp"

namespace hockney {

/// How much one of the two operations of a composition carries, of `bytes` of the whole.
enum class Share {
  all,       ///< bytes
  of_ranks,  ///< bytes of every rank
  of_one     ///< the part of one rank of bytes
};

/// An algorithm that is two other operations, one after the other, for each of which the library
/// chooses an algorithm by itself. All are Open MPI's.
struct Composition {
  std::string operation;
  std::string name;
  std::string first;
  Share first_share = Share::all;
  std::string second;
  Share second_share = Share::all;
};

/// Those that may have run: the one asked for, or all where the library chose.
std::vector<const Composition*> compositions_of(const std::string& operation, const AskedWay& way);

bool is_composition(const std::string& operation, const std::string& algorithm);

/// The work of the two operations; nullopt where it cannot be said, since parts are not equal.
std::optional<std::pair<Workload, Workload>> parts_of(const Composition& composition,
                                                      const Workload& work);

/// What every rank does first, and then what it does in the second.
Schedule one_after_other(Schedule first, const Schedule& second);

}  // namespace hockney
