#pragma once

#include <string>
#include <vector>

#include "history/night.hpp"

namespace hockney {

/// A fact of the environment that became another one; an empty text where it was or is unknown.
struct FactChange {
  std::string fact;
  std::string before;
  std::string after;

  friend bool operator==(const FactChange&, const FactChange&) = default;
};

/// By fact.
std::vector<FactChange> changed_facts(const Environment& before, const Environment& after);

}  // namespace hockney
