#include "benchmarks/programs/algorithms/fallback_check.hpp"

#ifdef HOCKNEY_HAVE_MPI_T

#include <mpi.h>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_error.hpp"

namespace hockney {
namespace {

constexpr const char* fallback_variable = "MPIR_CVAR_COLLECTIVE_FALLBACK";

/// MPICH keeps the tools interface open: 4.0.2 crashes when it is begun again after its end.
class MpichCheck final : public FallbackCheck {
 public:
  explicit MpichCheck(int index) {
    int count = 0;
    mpi_check(MPI_T_cvar_handle_alloc(index, nullptr, &handle_, &count));
    mpi_check(MPI_T_cvar_read(handle_, &before_));
    const int error = 0;  // "error" is the first of its values
    mpi_check(MPI_T_cvar_write(handle_, &error));
  }
  MpichCheck(const MpichCheck&) = delete;
  MpichCheck& operator=(const MpichCheck&) = delete;
  MpichCheck(MpichCheck&&) = delete;
  MpichCheck& operator=(MpichCheck&&) = delete;
  ~MpichCheck() override {
    MPI_T_cvar_write(handle_, &before_);
    MPI_T_cvar_handle_free(&handle_);
  }

 private:
  MPI_T_cvar_handle handle_ = MPI_T_CVAR_HANDLE_NULL;
  int before_ = 0;
};

}  // namespace

std::unique_ptr<FallbackCheck> check_fallbacks() {
  int provided = 0;
  int index = 0;
  if (!mpi_library().starts_with("MPICH")) return nullptr;
  if (MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS) return nullptr;
  if (MPI_T_cvar_get_index(fallback_variable, &index) != MPI_SUCCESS) return nullptr;
  return std::make_unique<MpichCheck>(index);
}

}  // namespace hockney

#else

namespace hockney {

std::unique_ptr<FallbackCheck> check_fallbacks() { return nullptr; }

}  // namespace hockney

#endif
