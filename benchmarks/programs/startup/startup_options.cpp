#include "benchmarks/programs/startup/startup_options.hpp"

#include <mpi.h>
#include <algorithm>
#include <array>
#include <ostream>
#include <string_view>

#include "benchmarks/programs/launch/option_parser.hpp"
#include "benchmarks/programs/launch/program.hpp"
#include "core/cli/cli11.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks::programs {
namespace {

struct Once {
  std::string_view name;
  std::string_view summary;
};

constexpr std::array<Once, 4> measured_once{
    {{init_name, "MPI_Init, or MPI_Init_thread, of the slowest rank; one sample a launch"},
     {first_contact_name,
      "a round trip of 8 B between rank 0 and one to which it has sent nothing yet, and a second "
      "one"},
     {spawn_name, "MPI_Comm_spawn of more processes by all ranks, of the slowest rank"},
     {finalize_name, "MPI_Finalize of the slowest rank of rank 0's node"}}};

constexpr int usual_held_communicators = 128;

Program program_of_startup() {
  Program program{
      .procedure = "startup",
      .description = startup_description,
      .operations =
          "init,first-contact,comm-dup,comm-split,comm-split-type,comm-create-group,"
          "cart-create,dist-graph-create-adjacent,finalize",
      .usual = "all of starting and communicators but -free, idup and spawn",
      .sizes = "0",
      .help = {
          .examples = {{"mpirun -n 2 hockney-startup", "init, communicators, memory, finalize"},
                       {"mpirun -n 2 hockney-startup --operations osu_init --thread-level multiple",
                        "MPI_Init_thread"},
                       {"mpirun -n 2 hockney-startup --operations comm-dup,comm-dup-free",
                        "making and freeing"}},
          .common = {"--thread-level", "--held-communicators", "--spawned", "--communicator"}}};
  for (const Once& once : measured_once) program.once.emplace_back(once.name);
  return program;
}

}  // namespace

bool StartupOptions::measures(const std::string& once) const {
  return std::ranges::find(launch.once, once) != launch.once.end();
}

const std::vector<std::string>& thread_level_names() {
  static const std::vector<std::string> names{"single", "funneled", "serialized", "multiple"};
  return names;
}

int thread_level_of(const std::string& name) {
  const std::array levels{MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED,
                          MPI_THREAD_MULTIPLE};
  const auto& names = thread_level_names();
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) {
    throw InputError({"bad value '" + name + "' for --thread-level",
                      "MPI has no such level of threads", suggest(name, names)});
  }
  return levels.at(static_cast<std::size_t>(found - names.begin()));
}

void list_once(std::ostream& out) {
  for (const Once& once : measured_once) {
    out << once.name << "\n    time of:   " << once.summary << '\n';
  }
}

void add_startup_options(CLI::App& app, StartupOptions& options, bool& list) {
  const Program program = program_of_startup();
  app.description(program.description);
  app.add_flag("--list", list, "List the operations and the bytes they count");
  add_launch_options(app, program, options.launch);
  add_under(app, "Starting", [&] {
    add_parsed_option(
        app, "--thread-level",
        [&](const std::string& text) {
          thread_level_of(text);
          options.thread_level = text;
        },
        "Level of threads that is asked of MPI_Init_thread", type_of_choice(thread_level_names()))
        ->default_str("none: MPI_Init is called");
    options.held_communicators = usual_held_communicators;
    add_count_option(app, "--held-communicators", options.held_communicators, 0,
                     "Communicators that are held at once, for what they take of a rank's memory; "
                     "0: none")
        ->default_str(std::to_string(usual_held_communicators));
    add_count_option(app, "--spawned", options.spawned, 1, "Processes that comm-spawn starts")
        ->default_str("1");
  });
  hockney::describe(app, with_operation_options(program.help));
}

}  // namespace hockney::benchmarks::programs
