// What `hockney where` starts in place of a program, by the program's own launcher:
//   hockney-where-probe FOLDER OPENMP MPI_LIBRARY
// It leaves in FOLDER where this rank and its threads are. It is no MPI program: which rank it is
// the launcher tells it in variables of the environment, so one probe does for every MPI. But
// libraries may bind a rank in MPI_Init, so it calls that of MPI_LIBRARY ("" for none), whose
// signature is the same in every ABI. OPENMP is 1 where the program is linked with a runtime of
// OpenMP; where it is 0 threads are started only if OMP_NUM_THREADS asks for them. All else it
// takes from where it is.

#include <dlfcn.h>
#include <unistd.h>
#include <array>
#include <climits>
#include <cstdlib>
#include <iostream>
#include <span>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "core/launched_rank.hpp"
#include "where/probe/thread_places.hpp"
#include "where/whereabouts.hpp"

#include "placement/read_topology.hpp"

extern char** environ;

namespace hockney::where {
namespace {

/// The MPI library of the program, in which this process is a rank for as long as this lives.
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
  EnteredMpi(EnteredMpi&&) = delete;
  EnteredMpi& operator=(EnteredMpi&&) = delete;
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

std::string own_host() {
  std::array<char, HOST_NAME_MAX + 1> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

/// Those that steer threads of OpenMP, whoever's runtime they are of.
std::map<std::string, std::string> thread_variables() {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const bool steers =
        text.starts_with("OMP_") || text.starts_with("GOMP_") || text.starts_with("KMP_");
    const std::size_t equals = text.find('=');
    if (steers && equals != std::string_view::npos) {
      variables.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
  }
  return variables;
}

RankPlace place_of_rank() {
  for (const LauncherVariables& launcher : launcher_variables) {
    const auto rank = number_in_variable(launcher.rank);
    if (rank) return {.rank = *rank, .of = number_in_variable(launcher.size)};
  }
  throw RunError({"no launcher has started this", "no variable says which rank it is",
                  "start it by mpirun, mpiexec or srun"});
}

/// Of all that the job may use: how this rank was bound is known by now.
NodeCpus node_cpus(const std::string& host) {
  free_this_process();
  placement::Topology topology = placement::read_live_topology();
  return {host, topology.cpu_model, std::move(topology.pus)};
}

int run(std::span<char*> arguments) {
  if (arguments.size() < 4) {
    throw InputError({"too few arguments", "hockney where starts this", "use hockney where"});
  }
  const std::string folder = arguments[1];
  const bool is_linked_with_openmp = std::string_view(arguments[2]) == "1";
  const std::string library = arguments[3];
  RankPlace place = place_of_rank();
  const EnteredMpi mpi(library);
  place.host = own_host();
  place.mpi_library = library;
  place.variables = thread_variables();
  const bool has_threads = is_linked_with_openmp || std::getenv("OMP_NUM_THREADS") != nullptr;
  place.openmp_runtime = has_threads ? openmp_runtime() : "";
  place.threads = has_threads ? places_of_threads() : std::vector{place_of_this_thread()};
  leave_part(place, folder);
  if (claims_node(place.host, folder)) leave_node(node_cpus(place.host), folder);
  return 0;
}

}  // namespace
}  // namespace hockney::where

int main(int argc, char** argv) {
  try {
    return hockney::where::run({argv, static_cast<std::size_t>(argc)});
  } catch (const hockney::Error& error) {
    std::cerr << error.what() << '\n';
    return static_cast<int>(error.code());
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return static_cast<int>(hockney::ExitCode::run_failed);
  }
}
