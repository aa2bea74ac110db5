// What `hockney where` starts in place of a program, by the program's own launcher:
//   hockney-where-probe FOLDER OPENMP MPI_LIBRARY
// before each wrapper of the program:
//   hockney-where-probe --before WRAPPER...
// which notes the CPUs that it may use and goes on as the wrapper; and with `--run`:
//   hockney-where-probe --watch SECONDS FOLDER PROGRAM...
// which starts the program, watches its threads and ends it.
// It leaves in FOLDER where this rank and its threads are. It is no MPI program: which rank it is
// the launcher tells it in variables of the environment, so one probe does for every MPI. But
// libraries may bind a rank in MPI_Init, so it calls that of MPI_LIBRARY ("" for none), whose
// signature is the same in every ABI. OPENMP is 1 where the program is linked with a runtime of
// OpenMP; where it is 0 threads are started only if OMP_NUM_THREADS asks for them. All else it
// takes from where it is.

#include <dlfcn.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/launched_rank.hpp"
#include "core/text.hpp"
#include "placement/binding.hpp"
#include "where/probe/started_program.hpp"
#include "where/probe/surroundings.hpp"
#include "where/probe/thread_places.hpp"
#include "where/whereabouts.hpp"

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

constexpr const char* started_variable = "HOCKNEY_WHERE_STARTED_ON";

/// What the variable holds, with the CPUs that this process may use.
std::string started_on() {
  const char* before = std::getenv(started_variable);
  const std::string own = placement::format_cpus(place_of_this_thread().allowed_cpus);
  return before == nullptr ? own : before + (";" + own);
}

/// Goes on as the wrapper that the words start.
int start_wrapper(std::span<char*> words) {
  ::setenv(started_variable, started_on().c_str(), 1);
  ::execvp(words.front(), words.data());  // the words end with a null, as main's do
  throw RunError({"cannot start '" + std::string(words.front()) + "'", std::strerror(errno), ""});
}

RankPlace begin_place() {
  RankPlace place = place_of_rank();
  place.host = own_host();
  place.variables = thread_variables();
  place.started_on = split(started_on(), ';');
  return place;
}

void leave(const RankPlace& place, const std::string& folder) {
  leave_part(place, folder);
  if (claims_node(place.host, folder)) leave_node(node_around(place.host), folder);
}

int watch_program(std::span<char*> arguments) {
  const auto limit = as_number<double>(arguments[0]);
  const std::string folder = arguments[1];
  RankPlace place = begin_place();
  StartedProgram program(arguments.subspan(2));
  place.threads = program.watch_threads(Seconds{limit.value_or(1)});
  leave(place, folder);
  return 0;
}

int stand_in(std::span<char*> arguments) {
  const std::string folder = arguments[0];
  const bool is_linked_with_openmp = std::string_view(arguments[1]) == "1";
  const std::string library = arguments[2];
  RankPlace place = begin_place();
  const EnteredMpi mpi(library);
  place.mpi_library = library;
  const bool has_threads = is_linked_with_openmp || std::getenv("OMP_NUM_THREADS") != nullptr;
  place.openmp_runtime = has_threads ? openmp_runtime() : "";
  place.threads = has_threads ? places_of_threads() : std::vector{place_of_this_thread()};
  leave(place, folder);
  return 0;
}

int run(std::span<char*> arguments) {
  const std::string_view first = arguments.size() > 1 ? arguments[1] : "";
  if (first == "--before" && arguments.size() > 2) return start_wrapper(arguments.subspan(2));
  constexpr std::size_t words_of_watch = 5;
  if (first == "--watch" && arguments.size() >= words_of_watch) {
    return watch_program(arguments.subspan(2));
  }
  if (arguments.size() < 4) {
    throw InputError({"too few arguments", "hockney where starts this", "use hockney where"});
  }
  return stand_in(arguments.subspan(1));
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
