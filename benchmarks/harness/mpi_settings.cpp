#include "benchmarks/harness/mpi_settings.hpp"

#include <mpi.h>

#include <string>

#include "benchmarks/harness/control_variables.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "core/settings/prove.hpp"

namespace hockney {
namespace {

std::string standard() {
  int major = 0;
  int minor = 0;
  mpi_check(MPI_Get_version(&major, &minor));
  return std::to_string(major) + "." + std::to_string(minor);
}

}  // namespace

MpiLibrary describe_mpi() {
  const std::vector<ControlVariable> variables = control_variables();
  MpiLibrary library{.library = mpi_library(), .standard = standard()};
  for (const ControlVariable& variable : variables) {
    if (variable.value) library.settings[variable.name] = *variable.value;
  }
  library.asked = prove_all(steering_environment(), variables);
  return library;
}

}  // namespace hockney
