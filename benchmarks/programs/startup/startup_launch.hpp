#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <vector>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/programs/launch/options.hpp"
#include "benchmarks/programs/launch/program.hpp"
#include "core/cli/command_line.hpp"
#include "core/record.hpp"

namespace hockney::benchmarks::programs {

inline constexpr const char* startup_description =
    "Measure the start: MPI_Init, MPI_Finalize, first messages, communicators, memory of a rank";

// Names of measurements made once in a launch.
inline constexpr const char* init_name = "init";
inline constexpr const char* finalize_name = "finalize";
inline constexpr const char* first_contact_name = "first-contact";
inline constexpr const char* spawn_name = "comm-spawn";

/// What one launch of hockney-startup measures.
struct StartupOptions {
  LaunchOptions launch;
  std::optional<std::string> thread_level;  ///< requested of MPI_Init_thread; nullopt: MPI_Init
  int held_communicators = 0;               ///< number of communicators whose memory is read; 0:
                                            ///< none
  int spawned = 1;                          ///< processes that comm-spawn starts

  /// Whether it measures a name from above.
  [[nodiscard]] bool measures(const std::string& once) const;
};

/// MPI's level of threads for a name: "single", "funneled", "serialized", "multiple". InputError
/// that names the nearest if there is none.
int thread_level_of(const std::string& name);

/// Adds every option of the program, with its defaults, and its help. `list` is set if operations
/// are to be listed. Both must outlive the command line.
void add_startup_options(CommandLine& app, StartupOptions& options, bool& list);

/// Lists the measurements made once: name and description.
void list_once(std::ostream& out);

/// hockney-startup.
NamedProgram startup_program();

/// One launch of hockney-startup. Call it after MPI is initialised as in `start`, before any
/// communication. Returns the record on rank 0, saved where the options say, and nullopt on others.
/// It does not have the time of MPI_Finalize yet. Collective.
std::optional<Record> run_startup(MPI_Comm comm, const StartupOptions& options,
                                  const LibraryStart& start);

/// Adds the times of MPI_Finalize [s] of these ranks to the record, of `ranks` on rank 0's node.
void add_finalize(Record& record, const std::vector<double>& seconds, int ranks);

}  // namespace hockney::benchmarks::programs
