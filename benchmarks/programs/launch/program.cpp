#include "benchmarks/programs/launch/program.hpp"

#include <mpi.h>
#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/communicators.hpp"
#include "benchmarks/harness/crash_notice.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/transport_watch.hpp"
#include "benchmarks/programs/launch/each_node.hpp"
#include "benchmarks/programs/launch/launch.hpp"
#include "benchmarks/programs/launch/measuring.hpp"
#include "benchmarks/programs/launch/option_parser.hpp"
#include "core/cli/command_line.hpp"
#include "core/cli/standard_output.hpp"
#include "core/environment.hpp"
#include "core/error.hpp"
#include "core/json_values.hpp"
#include "core/record.hpp"
#include "core/record_file.hpp"
#include "report/launch_summary.hpp"
#include "report/record_tables.hpp"

namespace hockney::benchmarks::programs {
namespace {

std::string_view owner_of(const std::string& library) {
  return library.starts_with(open_mpi_ranks) ? open_mpi_ranks : mpich_ranks;
}

std::string usual_launcher(const std::string& library, std::string_view started_by) {
  if (started_by == slurm_ranks) {
    const bool takes_pmix = library.starts_with(open_mpi_ranks);
    return takes_pmix ? "srun --mpi=pmix, or mpirun" : "srun --mpi=pmi2, or mpiexec";
  }
  if (library.starts_with(open_mpi_ranks))
    return "mpirun.openmpi, or the mpirun in its own bin folder";
  if (library.starts_with("Intel")) return "the mpirun in its own bin folder, or mpiexec.hydra";
  return "mpirun.mpich or mpiexec.hydra, or the mpiexec in its own bin folder";
}

/// Mutes stdout and stderr on ranks that do not print. Call it after std::cout has its buffer,
/// since std::ios::rdbuf() clears the state of a stream.
void silence_others(bool prints_errors) {
  if (prints_errors) return;
  std::cout.setstate(std::ios::failbit);
  std::cerr.setstate(std::ios::failbit);
}

/// A launcher of another MPI library starts N jobs of one rank. Returns the message if that
/// happened: `ranks`, the size of MPI_COMM_WORLD, is 1, but a launcher's variables have a larger
/// number. The variables of the library's own launcher come first; `library` is its version text.
/// Variables of an allocation (SLURM_NTASKS) do not count: one rank in the shell of salloc is
/// allowed.
std::optional<Message> foreign_launcher(int ranks, const std::string& library) {
  const bool is_simulated = library.find("SMPI") != std::string::npos;
  if (ranks != 1 || is_simulated) return std::nullopt;
  const auto is_set = [](const LauncherVariables& launcher) {
    return number_in_variable(launcher.size).has_value();
  };
  auto found = std::ranges::find_if(launcher_variables, [&](const LauncherVariables& launcher) {
    return launcher.owner == owner_of(library) && is_set(launcher);
  });
  if (found == launcher_variables.end()) found = std::ranges::find_if(launcher_variables, is_set);
  const int started =
      found == launcher_variables.end() ? 1 : number_in_variable(found->size).value_or(1);
  if (started <= 1) return std::nullopt;
  return Message{
      fmt::format("started as {0} jobs of one rank, not one of {0}", started),
      fmt::format("the launcher is that of {}{}, and the program is linked with {}",
                  found->owner == owner_of(library) ? "another " : "", found->owner,
                  library.substr(0, library.find(','))),
      fmt::format("use {}; hockney run finds it", usual_launcher(library, found->owner))};
}

void list_guidelines(std::ostream& out) {
  out << "\nguidelines\n";
  for (const Guideline& guideline : guidelines()) out << guideline.name << '\n';
}

/// The convention of counted bytes, for each measured collective.
std::map<std::string, std::string> conventions(const LaunchOptions& options) {
  std::map<std::string, std::string> bytes_of;
  for (const std::string& name : options.operations) {
    const Descriptor& descriptor = find_operation(name).descriptor;
    if (descriptor.single && descriptor.sized) bytes_of[name] = std::string(descriptor.sizes);
  }
  return bytes_of;
}

void print_all_tables(std::ostream& out, const Record& record, const LaunchOptions& options) {
  const auto bytes_of = conventions(options);
  for (const auto& [name, bytes] : bytes_of) {
    out << "# " << name << ": bytes are those of " << bytes << '\n';
  }
  if (!bytes_of.empty()) out << '\n';
  report::print_record_tables(out, {&record, 1},
                              {.tails = options.tails, .in_bytes = options.in_bytes});
}

/// Returns 1, with one line, if messages took an unexpected path.
ExitCode judge_paths(const Record& record, const LaunchOptions& options) {
  const auto difference = path_difference(record, options.expected_path);
  if (!difference) return ExitCode::good;
  std::cerr << to_line(*difference) << '\n';
  return ExitCode::verdict_failed;
}

/// InputError if a program needs threads and they are not possible.
void require_threads(const Program& program) {
  const auto reason = program.is_threaded ? thread_level_obstacle() : std::nullopt;
  if (!reason) return;
  throw InputError(
      {fmt::format("hockney-{} cannot be run with {}", program.procedure, mpi_library()), *reason,
       "use a library that is built with MPI_THREAD_MULTIPLE"});
}

[[noreturn]] void end_job(const std::string& line, ExitCode code) {
  std::cout.flush();
  std::cerr << "rank " << rank_in(MPI_COMM_WORLD) << ": " << line << std::endl;
  MPI_Abort(MPI_COMM_WORLD, static_cast<int>(code));
  ::_exit(static_cast<int>(code));
}

/// Stores the record of the first node in `record`. Nodes that have not come end the job, after all
/// else is written.
ExitCode launch_each_node(const Program& program, const LaunchOptions& options,
                          std::optional<Record>& record) {
  std::optional<EachNode> nodes = run_each_node(program.procedure, options);
  if (!nodes) return ExitCode::good;
  record = std::move(nodes->first);
  print_launch(*record, options);
  std::cerr << each_node_text(nodes->others) << '\n';
  if (nodes->is_stuck) end_job("some nodes did not end", ExitCode::run_failed);
  return judge_launch(*record);
}

/// Stores the record of rank 0 in `record`.
ExitCode launch(const Program& program, const LaunchOptions& requested,
                std::optional<Record>& record) {
  require_threads(program);
  LaunchOptions options = requested;
  if (program.agree) program.agree(options);
  if (options.each_node) return launch_each_node(program, options, record);
  record = run_launch(MPI_COMM_WORLD, program.procedure, options);
  if (program.add) program.add(options, record);
  if (program.add && record && !options.output.empty()) save_or_rescue(*record, options.output);
  if (!record) return ExitCode::good;
  print_launch(*record, options);
  const ExitCode paths = judge_paths(*record, options);
  const ExitCode launched = judge_launch(*record);
  return launched == ExitCode::good ? paths : launched;
}

#ifdef SMPI_H  // ranks of the simulator are threads of one process
constexpr StdoutOwner stdout_owner = StdoutOwner::several;
#else
constexpr StdoutOwner stdout_owner = StdoutOwner::program;
#endif

/// The runtime calls this for an uncaught exception, such as one of a single rank, before it
/// destroys any object: destructors of windows and files wait for all ranks.
[[noreturn, maybe_unused]] void end_where_thrown() {
  std::string line = "an exception of no known kind";
  try {
    if (const auto thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::exception& error) {
    line = to_line(words_for(error));
  } catch (...) {
  }
  end_job(line, ExitCode::run_failed);
}

/// Input errors are the same on all ranks: rank 0 prints, and all end normally. One of some ranks
/// ends the job. Other exceptions are not caught here (end_where_thrown).
ExitCode guarded_run(const MpiProgram& program) {
#ifndef SMPI_H  // whose ranks end inside functions of the simulator
  std::set_terminate(end_where_thrown);
#endif
  try {
    return program.run();
  } catch (const InputError& error) {
    if (!all_come(MPI_COMM_WORLD)) end_job(error.what(), error.code());
    if (rank_in(MPI_COMM_WORLD) == 0) std::cerr << error.what() << '\n';
    return error.code();
#ifdef SMPI_H
  } catch (const std::exception& error) {
    end_job(to_line(words_for(error)), ExitCode::run_failed);
#endif
  }
}

/// The exit code if only the command line is handled, as for --help; nullopt if the program is to
/// run.
std::optional<ExitCode> answer_command_line(CommandLine& app, const MpiProgram& program, int argc,
                                            char** argv) {
  app.set_name(std::filesystem::path(argv[0]).filename().string());
  app.set_version(build_info().version);
  // Options that follow those of a config override them.
  app.let_last_value_win();
  if (const auto finished = parse_command_line(app, argc, argv)) return finished;
  bool is_answered = false;
  const ExitCode checked = guarded([&] {
    is_answered = program.prepare();
    return ExitCode::good;
  });
  return checked != ExitCode::good || is_answered ? std::optional(checked) : std::nullopt;
}

/// A launcher of another MPI library starts N jobs of one rank. Only one of them prints the error.
ExitCode run_within_mpi(const MpiProgram& program, int argc, char** argv, bool prints_errors) {
  std::optional<TimeLimit> limit;
  if (const auto time = program.limit()) {
    limit.emplace(*time, prints_errors ? ErrorPrinter::yes : ErrorPrinter::no,
                  TimeLimit::usual_grace, program.has_leave_out);
  }
  LibraryStart unnoted{.thread_level = program.thread_level};
  MpiEnvironment mpi(argc, argv, program.start == nullptr ? unnoted : *program.start);
  if (const auto foreign = foreign_launcher(size_of(MPI_COMM_WORLD), mpi_library())) {
    std::cerr << to_line(*foreign) << '\n';
    return prints_errors ? ExitCode::bad_input : ExitCode::good;
  }
  std::cout.clear();
  std::cerr.clear();
  std::optional<CrashNotice> notice(std::in_place, rank_in(MPI_COMM_WORLD), program.has_leave_out);
  const ExitCode code = guarded_run(program);
  notice.reset();
  if (!program.after) return code;
  const double seconds = mpi.finalize();
  return guarded([&] { return program.after(code, seconds); });
}

/// The result of keep(), or one line on its failure.
std::string kept_words(const MpiProgram& program) {
  std::string words;
  guarded([&] {
    words = program.keep();
    return ExitCode::good;
  });
  return words;
}

/// The program whose options and sizes an operation needs.
std::string_view program_of(const Descriptor& operation) {
  if (is_for_guidelines(operation.name)) return "guidelines";
  if (operation.threaded) return "threads";
  if (works_alone(operation)) return "noise";
  if (operation.files) return "io";
  if (operation.one_sided) return "rma";
  return operation.shape == GroupShape::pair ? "pingpong" : "collectives";
}

std::string_view ranks_of(GroupShape shape) {
  if (shape == GroupShape::pair) return "two";
  return shape == GroupShape::pairs ? "pairs" : "all";
}

/// {"operations": [{"operation", "program", "ranks": "two" | "pairs" | "all", "time_of",
/// "bytes_of", "bandwidth_of"}]}. The program is the one whose options and sizes the operation
/// needs.
void list_operations_as_json(std::ostream& out) {
  nlohmann::json operations = nlohmann::json::array();
  for (const CatalogueEntry& entry : catalogue()) {
    const Descriptor& operation = entry.descriptor;
    operations.push_back({{"operation", operation.name},
                          {"program", fmt::format("hockney-{}", program_of(operation))},
                          {"ranks", ranks_of(operation.shape)},
                          {"time_of", operation.summary},
                          {"bytes_of", operation.sizes},
                          {"bandwidth_of", operation.counts}});
  }
  out << json_text(nlohmann::json{{"operations", std::move(operations)}}) << '\n';
}

ExitCode judge_data(const Record& record) {
  std::vector<hockney::Point> wrong;
  for (const Series& series : record.series) {
    const bool is_flagged = std::ranges::find(series.flags, corrupt_flag) != series.flags.end();
    if (is_flagged) wrong.push_back(series.point);
  }
  for (const PlannedPoint& planned : record.points) {
    if (planned.reason == wrong_data_reason) wrong.push_back(planned.point);
  }
  for (const hockney::Point& point : wrong) {
    std::cerr << to_line({fmt::format("wrong data received by {} at {} bytes", curve_name(point),
                                      point.bytes.value),
                          "the receive buffer does not hold what was sent",
                          "suspect the MPI library, the network or the memory"})
              << '\n';
  }
  return wrong.empty() ? ExitCode::good : ExitCode::run_failed;
}

/// Prints one line if the launch ended early.
ExitCode judge_end(const Record& record) {
  const std::string& reason = record.stopped_because;
  if (reason == time_limit_reason) {
    std::cerr << to_line({TimeLimit::words(), "some points have fewer blocks than requested",
                          "measure less, or give more time with --limit"})
              << '\n';
  } else if (reason == jumping_clocks_reason) {
    std::cerr << to_line({"the launch ended early", "clocks of ranks jump again and again",
                          "check the clock source of the hosts"})
              << '\n';
  } else {
    return ExitCode::good;
  }
  return ExitCode::run_failed;
}

}  // namespace

void restrict_catalogue(const Program& program) {
  keep_in_catalogue([&](const Descriptor& operation) {
    return (!operation.threaded || program.is_threaded) &&
           (!works_alone(operation) || program.measures_noise) &&
           (!is_for_guidelines(operation.name) || program.holds_to_guidelines);
  });
}

void list_operations(std::ostream& out) {
  for (const CatalogueEntry& entry : catalogue()) {
    out << entry.descriptor.name << "\n    time of:   " << entry.descriptor.summary
        << "\n    bytes of:  " << entry.descriptor.sizes
        << "\n    bandwidth: " << entry.descriptor.counts << '\n';
  }
}

void print_launch(const Record& record, const LaunchOptions& options) {
  constexpr std::size_t usual_columns = 80;  // launchers do not pass the terminal to ranks
  if (options.json) {
    std::cout << json_text(to_json(record)) << '\n';
  } else if (options.all || options.tails) {
    print_all_tables(std::cout, record, options);
  } else {
    report::print_launch_summary(std::cout, record,
                                 {.table = {.in_bytes = options.in_bytes},
                                  .columns = output_columns().value_or(usual_columns),
                                  .bytes_of = conventions(options)});
  }
}

CommandHelp with_operation_options(CommandHelp help) {
  help.common.insert(help.common.end(), {"--list", "--operations", "--sizes", "--budget",
                                         "--epochs", "--bind", "--output", "--all", "--json"});
  return help;
}

ExitCode judge_launch(const Record& record) {
  const ExitCode data = judge_data(record);
  const ExitCode end = judge_end(record);
  return data == ExitCode::good ? end : data;
}

int run_program(const Program& program, int argc, char** argv) {
  CommandLine app(program.description);
  bool list = false;
  app.add_flag("--list", list,
               "List the operations and the bytes they count; with --json, as JSON");
  LaunchOptions options;
  add_launch_options(app, program, options);
  GuidelineChoice choice;
  if (program.holds_to_guidelines) {
    add_under(app, "Guidelines", [&] { add_guideline_options(app, choice); });
  }
  hockney::describe(app, with_operation_options(program.help));
  const auto prepare = [&] {
    check_launch_options(options);
    if (program.holds_to_guidelines) choose_guidelines(choice, options);
    if (program.check && !list) program.check(options);
    if (options.same_cores) hold_threads_to_ranks(options);
    if (list && options.json) {
      list_operations_as_json(std::cout);
    } else if (list) {
      list_operations(std::cout);
      if (program.holds_to_guidelines) list_guidelines(std::cout);
    }
    return list;
  };
  std::optional<Record> record;
  const std::optional<int> thread_level =
      program.is_threaded ? std::optional(MPI_THREAD_MULTIPLE) : std::nullopt;
  return run_mpi_program(app,
                         {.prepare = prepare,
                          .run = [&] { return launch(program, options, record); },
                          .keep = [&] { return place_of(record, options.output); },
                          .watches_transport = program.proves_paths,
                          .has_leave_out = true,
                          .thread_level = thread_level,
                          .limit = [&] { return time_limit(options); }},
                         argc, argv);
}

int run_mpi_program(CommandLine& app, const MpiProgram& program, int argc, char** argv) {
  const bool prints_errors = is_first_rank();
  StandardOutput output(stdout_owner);
  silence_others(prints_errors);
  const auto answered = answer_command_line(app, program, argc, argv);
  // A launcher may kill the job at the first rank that fails, so muted ranks return 0.
  if (answered) return prints_errors ? output.finish(*answered) : 0;
  if (program.watches_transport) preload_transport_watch();
  const ExitCode code = run_within_mpi(program, argc, argv, prints_errors);
  return output.finish(code, output.failure() ? kept_words(program) : "");
}

}  // namespace hockney::benchmarks::programs
