#include "benchmarks/harness/mpi_error.hpp"

#include <array>
#include <string>

namespace hockney::benchmarks {
namespace {

Message describe(int code, const std::source_location& where) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  return {"an MPI call failed in " + std::string(where.function_name()),
          std::string(text.data(), static_cast<std::size_t>(length)),
          "at " + std::string(where.file_name()) + ":" + std::to_string(where.line())};
}

}  // namespace

MpiError::MpiError(int code, const std::source_location& where) : RunError(describe(code, where)) {}

}  // namespace hockney::benchmarks
