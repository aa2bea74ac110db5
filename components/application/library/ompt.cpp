#include <dlfcn.h>
#include <strings.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "components/application/library/parallel_regions.hpp"
#include "components/application/library/process.hpp"

// The tool that OpenMP runtimes look for when they start: OMPT, OpenMP 5.0, chapter 4. The
// declarations are those of that chapter, as GCC has no omp-tools.h.
namespace hockney::profile {
namespace {

using Interface = void (*)();
using Lookup = Interface (*)(const char*);

union Data {
  std::uint64_t value;
  void* pointer;
};

struct StartResult {
  int (*initialize)(Lookup, int, Data*);
  void (*finalize)(Data*);
  Data tool_data;
};

enum OmptEvent { parallel_begin = 3, parallel_end = 4, implicit_task = 7, sync_region_wait = 16 };
enum OmptScope { scope_begin = 1, scope_end = 2 };
constexpr int initial_task = 1;          // ompt_task_initial
constexpr int last_kind_of_barrier = 4;  // ompt_sync_region_barrier_implementation
constexpr int first_later_barrier = 8;   // ompt_sync_region_barrier_implicit_workshare
constexpr int last_later_barrier = 10;   // ompt_sync_region_barrier_teams

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): callbacks have no other place
/// Written by the thread that starts the runtime.
std::atomic<ParallelTool> state{ParallelTool::none};
thread_local ParallelThread own __attribute__((tls_model("initial-exec")));
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

void on_parallel_begin(Data*, const void*, Data* region, unsigned, int, const void* place) {
  region->pointer = nullptr;
  Recorder* const recorder = Process::recorder();
  if (recorder != nullptr) {
    region->pointer = recorder->parallel.begins(place == nullptr ? &state : place, Ticks::now());
  }
}

void on_parallel_end(Data* region, Data*, int, const void*) {
  if (region->pointer == nullptr) return;
  auto& execution = *static_cast<ParallelExecution*>(region->pointer);
  execution.owner->ends(execution, Ticks::now());
}

void on_implicit_task(int endpoint, Data* region, Data*, unsigned, unsigned, int flags) {
  if ((flags & initial_task) != 0) return;
  if (endpoint == scope_end) return own.ends();
  auto* const execution =
      region == nullptr ? nullptr : static_cast<ParallelExecution*>(region->pointer);
  own.begins(execution, Ticks::now());
}

bool is_barrier(int kind) {
  return (kind >= 1 && kind <= last_kind_of_barrier) ||
         (kind >= first_later_barrier && kind <= last_later_barrier);
}

void on_wait(int kind, int endpoint, Data*, Data*, const void*) {
  if (!is_barrier(kind)) return;
  endpoint == scope_begin ? own.barrier_begins(Ticks::now()) : own.barrier_ends(Ticks::now());
}

int begin(Lookup lookup, int, Data*) {
  using SetCallback = int (*)(int, Interface);
  const auto set = reinterpret_cast<SetCallback>(lookup("ompt_set_callback"));
  if (set == nullptr) return 0;
  constexpr int always = 5;  // ompt_set_always
  const bool has_all =
      set(parallel_begin, reinterpret_cast<Interface>(on_parallel_begin)) >= always &&
      set(parallel_end, reinterpret_cast<Interface>(on_parallel_end)) >= always &&
      set(implicit_task, reinterpret_cast<Interface>(on_implicit_task)) >= always &&
      set(sync_region_wait, reinterpret_cast<Interface>(on_wait)) >= always;
  state = has_all ? ParallelTool::recording : ParallelTool::not_possible;
  return has_all ? 1 : 0;
}

void end(Data*) {}

std::string_view variable(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? std::string_view() : std::string_view(text);
}

/// Whether a file is a tool. The runtime opens it in the same way.
bool is_tool(const std::string& file) {
  void* const library = ::dlopen(file.c_str(), RTLD_LAZY);
  if (library == nullptr) return false;
  const bool has_start = ::dlsym(library, "ompt_start_tool") != nullptr;
  ::dlclose(library);
  return has_start;
}

/// Another tool, which the user wants, has the interface alone.
bool has_other_tool() {
  for (std::string_view rest = variable("OMP_TOOL_LIBRARIES"); !rest.empty();) {
    const std::string_view file = rest.substr(0, rest.find(':'));
    if (!file.empty() && is_tool(std::string(file))) return true;
    rest.remove_prefix(std::min(file.size() + 1, rest.size()));
  }
  return false;
}

/// Why a runtime that is there, with several threads, has not called this tool.
ParallelTool without_call() {
  // Clang's and Intel's runtime have GCC's functions, too.
  if (::dlsym(RTLD_DEFAULT, "__kmpc_fork_call") == nullptr) return ParallelTool::no_interface;
  const std::string_view tool = variable("OMP_TOOL");
  const bool is_disabled = ::strncasecmp(tool.data(), "disabled", tool.size()) == 0;
  return !tool.empty() && is_disabled ? ParallelTool::disabled : ParallelTool::not_called;
}

}  // namespace

ParallelTool parallel_tool() {
  if (state != ParallelTool::none) return state;
  if (::dlsym(RTLD_DEFAULT, "GOMP_parallel") == nullptr) return ParallelTool::none;
  const auto most_threads =
      reinterpret_cast<int (*)()>(::dlsym(RTLD_DEFAULT, "omp_get_max_threads"));
  const bool has_threads = most_threads != nullptr && most_threads() > 1;  // may call the tool
  if (state != ParallelTool::none) return state;
  const ParallelTool why = without_call();
  // A program on one core may ask for threads later: only a user's own choice is certain.
  return has_threads || why == ParallelTool::disabled ? why : ParallelTool::none;
}

}  // namespace hockney::profile

extern "C" __attribute__((visibility("default"))) hockney::profile::StartResult* ompt_start_tool(
    unsigned version, const char* runtime) {
  using namespace hockney::profile;
  using Start = StartResult* (*)(unsigned, const char*);
  const auto next = reinterpret_cast<Start>(::dlsym(RTLD_NEXT, "ompt_start_tool"));
  StartResult* const other = next == nullptr ? nullptr : next(version, runtime);
  if (other != nullptr || has_other_tool()) {
    state = ParallelTool::other_tool;
    return other;
  }
  static StartResult result{begin, end, {}};
  return &result;
}
