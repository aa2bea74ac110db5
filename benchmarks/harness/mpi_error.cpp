#include "benchmarks/harness/mpi_error.hpp"

#include <array>
#include <cstdarg>
#include <iostream>
#include <string>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/point_under_way.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks {
namespace {

std::string text_of(int code) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  return {text.data(), static_cast<std::size_t>(length)};
}

Message describe(int code, const std::source_location& where) {
  return {"an MPI call failed in " + std::string(where.function_name()), text_of(code),
          "at " + std::string(where.file_name()) + ":" + std::to_string(where.line())};
}

/// `call`: its name where the library gives it, else null.
void judge_error(int code, const char* call) {
  const std::string point(point_under_way());
  if (point.empty()) return;
  const std::string name = call == nullptr ? "an MPI call" : inert(call);
  std::cerr << "rank " << rank_in(MPI_COMM_WORLD) << ": "
            << to_line({name + " failed at " + point, inert(text_of(code)),
                        "suspect the MPI library, the network or the file system"})
            << std::endl;
  MPI_Abort(MPI_COMM_WORLD, static_cast<int>(ExitCode::run_failed));
}

/// Open MPI passes the name of the call after the code; what other libraries pass is not known.
const char* call_of([[maybe_unused]] std::va_list more) {
#ifdef OPEN_MPI
  return va_arg(more, char*);
#else
  return nullptr;
#endif
}

// NOLINTBEGIN(cert-dcl50-cpp,readability-non-const-parameter): MPI's types of error handlers
void on_comm_error(MPI_Comm*, int* code, ...) {
  std::va_list more;
  va_start(more, code);
  judge_error(*code, call_of(more));
  va_end(more);
}

void on_file_error(MPI_File*, int* code, ...) {
  std::va_list more;
  va_start(more, code);
  judge_error(*code, call_of(more));
  va_end(more);
}

void on_window_error(MPI_Win*, int* code, ...) {
  std::va_list more;
  va_start(more, code);
  judge_error(*code, call_of(more));
  va_end(more);
}
// NOLINTEND(cert-dcl50-cpp,readability-non-const-parameter)

}  // namespace

void take_mpi_errors() {
  if (is_simulated()) {  // which has no error that a real library could not have in its place
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    return;
  }
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(on_comm_error, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  MPI_Errhandler_free(&handler);
  MPI_File_create_errhandler(on_file_error, &handler);
  MPI_File_set_errhandler(MPI_FILE_NULL, handler);  // of all files that will be opened
  MPI_Errhandler_free(&handler);
}

void take_mpi_errors(MPI_Win window) {
  if (is_simulated()) return;
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Win_create_errhandler(on_window_error, &handler);
  MPI_Win_set_errhandler(window, handler);
  MPI_Errhandler_free(&handler);
}

MpiError::MpiError(int code, const std::source_location& where) : RunError(describe(code, where)) {}

}  // namespace hockney::benchmarks
