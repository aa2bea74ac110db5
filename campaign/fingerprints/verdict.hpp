#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/algorithm_use.hpp"
#include "core/units.hpp"
#include "core/verification_run.hpp"

namespace hockney::campaign {

/// The line by which a library refuses to run another algorithm than the one that was asked for of
/// this operation: "BCAST: algo #6 has fallback" (Intel MPI 2021.18.1), "User set collective
/// algorithm is not usable for the provided arguments" (MPICH 4.0.2 and 5.0.2). nullopt where there
/// is none.
std::optional<std::string> refusal_in(std::string_view text, std::string_view operation);

/// The last line that says something, cut to a sentence's length; a line about any operation that
/// fell back comes first.
std::string last_words(std::string_view text);

/// What a setting asks of one operation.
struct RequestedAlgorithm {
  std::string algorithm{library_choice};  ///< as the setting or the library's own list names it
  std::optional<Bytes> segment;
  std::optional<int> chains;
  std::optional<int> radix;

  [[nodiscard]] bool is_default() const { return algorithm == library_choice; }
};

/// Of the variables a verification run saw, and of the launcher's options that it could not see
/// (SMPI's). Values by which a library goes its own way ("ignore", "auto") are the default; an
/// algorithm that a library calls "default" (Open MPI's first one of allgatherv) is named by its
/// number.
RequestedAlgorithm requested_algorithm(const std::string& operation,
                                       const std::vector<AskedAlgorithm>& settings,
                                       const std::vector<std::string>& launcher_arguments = {});

/// Which algorithm ran at a point of a verification run, by the messages where they were counted,
/// or by the library's own word where it refuses to substitute. `log` is what the launch printed
/// that began the point, or was to begin it.
AlgorithmUse judge_algorithm(const VerificationRun& verification, const VerificationPoint& point,
                             const RequestedAlgorithm& requested, const std::string& log);

}  // namespace hockney::campaign
