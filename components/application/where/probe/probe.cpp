#include <dlfcn.h>

#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "components/application/where/probe/probed_rank.hpp"
#include "components/application/where/rank_bindings.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

// `hockney where` starts this in place of a program, by the program's own launcher:
//   hockney-where-probe FOLDER OPENMP MPI_LIBRARY PROGRAM
//
// It writes the places of this rank and its threads to FOLDER. It is not linked with MPI: its rank
// comes from the launcher's environment variables, so one probe serves every MPI. Libraries may
// bind a rank in MPI_Init, so it calls that of MPI_LIBRARY ("" for none); its signature is the same
// in every ABI. OPENMP is 1 if the program is linked with an OpenMP runtime. If it is 0, threads
// are started only if OMP_NUM_THREADS is set. PROGRAM is the index of the program in its command.
namespace hockney::where {
namespace {

/// The MPI library of the program. This process is an MPI rank while the object exists.
class EnteredMpi {
 public:
  explicit EnteredMpi(const std::string& library) {
    if (library.empty()) return;
    handle_ = ::dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (handle_ == nullptr) throw RunError({"cannot load " + library, ::dlerror(), ""});
    call<int (*)(int*, char***)>("MPI_Init", nullptr, nullptr);
  }
  EnteredMpi(const EnteredMpi&) = delete;
  EnteredMpi& operator=(const EnteredMpi&) = delete;
  ~EnteredMpi() {
    if (handle_ != nullptr) call<int (*)()>("MPI_Finalize");
  }

 private:
  template <class Function, class... Arguments>
  void call(const char* name, Arguments... arguments) {
    const auto function = reinterpret_cast<Function>(::dlsym(handle_, name));
    if (function != nullptr) function(arguments...);
  }

  void* handle_ = nullptr;
};

int run(std::span<char*> arguments) {
  if (arguments.size() < 5) {
    throw InputError({"too few arguments", "hockney where starts this", "use hockney where"});
  }
  const std::string folder = arguments[1];
  const bool is_linked_with_openmp = std::string_view(arguments[2]) == "1";
  const std::string library = arguments[3];
  RankPlace place = begin_part(as_number<int>(arguments[4]).value_or(0));
  const EnteredMpi mpi(library);
  place.mpi_library = library;
  const bool has_threads = is_linked_with_openmp || std::getenv("OMP_NUM_THREADS") != nullptr;
  place.openmp_runtime = has_threads ? openmp_runtime() : "";
  place.threads = has_threads ? places_of_threads() : std::vector{place_of_this_thread()};
  leave_parts(place, folder);
  return 0;
}

}  // namespace
}  // namespace hockney::where

int main(int argc, char** argv) {
  return hockney::where::exit_code_of(hockney::where::run, {argv, static_cast<std::size_t>(argc)});
}
