#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/algorithm_use.hpp"
#include "core/units.hpp"
#include "core/witness.hpp"

namespace hockney {

/// What a setting asks of one operation.
struct AskedWay {
  std::string algorithm{library_choice};  ///< as the setting or the library's own list names it
  std::optional<Bytes> segment;
  std::optional<int> chains;
  std::optional<int> radix;

  [[nodiscard]] bool is_default() const { return algorithm == library_choice; }
};

/// Of the variables a witness saw, and of the launcher's options that it could not see (SMPI's).
/// Values by which a library goes its own way ("ignore", "auto") are the default; an algorithm that
/// a library calls "default" (Open MPI's first one of allgatherv) is named by its number.
AskedWay asked_way(const std::string& operation, const std::vector<AskedAlgorithm>& asked,
                   const std::vector<std::string>& launcher_arguments = {});

}  // namespace hockney
