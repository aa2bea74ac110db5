#pragma once

#include <optional>
#include <string>
#include <vector>

#include "application/commands/program_model.hpp"
#include "apps/screens.hpp"
#include "core/cli/command_line.hpp"

namespace hockney::apps {

/// A kernel at numbers of ranks that nobody measured, as users ask for it.
struct KernelQuestion {
  std::string kernel;                  ///< "halo" or "cannon"
  std::optional<std::string> problem;  ///< "256x256"; rows of matrices
  std::vector<int> ranks;
  int per_node = 0;  ///< 0: all on one
};

/// Whether it is the name of a kernel and no collective's.
bool is_kernel(const std::string& operation);

/// InputError for records that do not tell enough of the kernel or the machine.
ExitCode predict_kernel(const KernelQuestion& question, const MachineRecords& records,
                        const DocumentOptions& document);

}  // namespace hockney::apps
