#include <chrono>
#include <iostream>
#include <memory>
#include <optional>

#include "benchmarks/programs/launch/launch.hpp"
#include "benchmarks/programs/launch/option_parser.hpp"
#include "benchmarks/programs/launch/program.hpp"
#include "benchmarks/programs/startup/startup_launch.hpp"
#include "benchmarks/programs/startup/startup_probes.hpp"
#include "core/cli/command_line.hpp"
#include "core/record_file.hpp"

// hockney-startup: the cost of initialising and finalising MPI, of the first message to a rank, and
// of making communicators. The time of MPI_Finalize is known only after it has returned; the record
// is also saved before.
namespace hockney::benchmarks::programs {
namespace {

class StartupProgram {
 public:
  int run(int argc, char** argv) {
    CommandLine app;
    add_startup_options(app, options_, list_);
    return run_mpi_program(
        app,
        {.prepare = [this] { return prepare(); },
         .run = [this] { return launch(); },
         .keep = [this] { return place_of(record_, options_.launch.output); },
         .has_leave_out = true,
         .limit = [this] { return time_limit(options_.launch); },
         .start = &start_,
         .after = [this](ExitCode code, double seconds) { return finish(code, seconds); }},
        argc, argv);
  }

 private:
  bool prepare() {
    check_launch_options(options_.launch);
    if (options_.thread_level) start_.thread_level = thread_level_of(*options_.thread_level);
    if (list_) list_once(std::cout);
    if (list_) list_operations(std::cout);
    return list_;
  }

  ExitCode launch() {
    record_ = run_startup(MPI_COMM_WORLD, options_, start_);
    if (options_.measures(finalize_name) && !is_simulated()) {
      board_ = std::make_unique<FinalizeBoard>(MPI_COMM_WORLD);
    }
    return ExitCode::good;
  }

  /// Does not use MPI, which is finalised.
  ExitCode finish(ExitCode code, double seconds) {
    using namespace std::chrono_literals;
    constexpr auto patience = 10s;
    if (board_) board_->publish(seconds);
    if (!record_) return code;
    if (board_) {
      add_finalize(*record_, board_->collect(patience), board_->ranks());
      if (!options_.launch.output.empty()) save_or_rescue(*record_, options_.launch.output);
    }
    print_launch(*record_, options_.launch);
    return code == ExitCode::good ? judge_launch(*record_) : code;
  }

  StartupOptions options_;
  bool list_ = false;
  LibraryStart start_;
  std::optional<Record> record_;  ///< on rank 0
  std::unique_ptr<FinalizeBoard> board_;
};

}  // namespace

NamedProgram startup_program() {
  return {"startup", startup_description, [](int argc, char** argv) {
            return is_spawned(argc, argv) ? run_spawned(argc, argv)
                                          : StartupProgram().run(argc, argv);
          }};
}

}  // namespace hockney::benchmarks::programs
