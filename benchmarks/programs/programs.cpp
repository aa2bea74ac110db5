#include "benchmarks/programs/programs.hpp"

#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/file_access.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/rank_work.hpp"
#include "benchmarks/programs/algorithms/verification.hpp"
#include "benchmarks/programs/kernels/kernel_program.hpp"
#include "benchmarks/programs/launch/options.hpp"
#include "benchmarks/programs/launch/program.hpp"
#include "benchmarks/programs/protocol/protocol_launch.hpp"
#include "benchmarks/programs/startup/startup_launch.hpp"
#include "core/atomic_file.hpp"
#include "core/cli/command_line.hpp"
#include "core/error.hpp"
#include "core/json_values.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/library_tables.hpp"

// hockney-io: files by MPI. They are removed however the program ends. hockney-settings: the MPI
// library's control variables with effective and permitted values, as a table or as a
// hockney.settings/1 document.
namespace hockney::benchmarks::programs {
namespace {

/// A program that differs from similar ones only in its defaults.
NamedProgram measuring(Program program) {
  std::string name = program.procedure;
  std::string description = program.description;
  return {.name = std::move(name),
          .description = std::move(description),
          .run = [program = std::move(program)](int argc, char** argv) {
            return run_program(program, argc, argv);
          }};
}

/// Records interruptions of cores in the record of rank 0. Collective.
void add_noise(const LaunchOptions& options, std::optional<Record>& record) {
  const bool is_recorded = std::ranges::any_of(options.operations, [](const std::string& name) {
    return find_operation(name).descriptor.records_noise;
  });
  if (!is_recorded || is_simulated()) return;
  std::vector<CoreNoise> noise =
      record_noise(MPI_COMM_WORLD, options.recording.value_or(usual_recording).value);
  if (record) record->noise = std::move(noise);
}

Program pingpong() {
  return {
      .procedure = "pingpong",
      .description = "Measure latency and bandwidth between ranks by hop distance",
      .operations = "pingpong",
      .help = {
          .examples =
              {{"mpirun -n 2 hockney-pingpong", "latency and bandwidth at sizes up to 4M"},
               {"mpirun -n 2 hockney-pingpong --operations bandwidth --sizes 64K:4M --window 16",
                "windows"},
               {"mpirun -n 4 hockney-pingpong --pairs all --sizes 8 --budget 10s -o record.json",
                "every pair"}},
          .common = {"--window", "--pairs", "--hops"}}};
}

Program collectives() {
  return {.procedure = "collectives",
          .description = "Measure collective operations over all ranks",
          .operations = "bcast,reduce,allreduce,barrier",
          .help = {.examples = {{"mpirun -n 4 hockney-collectives",
                                 "broadcast, reduce, allreduce and barrier"},
                                {"mpirun -n 4 hockney-collectives --operations alltoallv --counts "
                                 "zipf --sizes 8:64K",
                                 "irregular"},
                                {"mpirun -n 2 hockney-collectives --operations iallreduce --work "
                                 "during --sizes 64K",
                                 "overlap"}},
                   .common = {"--datatype", "--counts", "--root", "--communicator", "--work"}}};
}

Program one_sided() {
  return {.procedure = "rma",
          .description = "Measure one-sided operations on windows, and their path",
          .operations = "put,get",
          .sizes = "8:4M",
          .proves_paths = true,
          .help = {.examples = {{"mpirun -n 2 hockney-rma",
                                 "put and get, complete at origin and target"},
                                {"mpirun -n 2 hockney-rma --window-kind all --synchronisation "
                                 "fence,lock",
                                 "kinds of both"},
                                {"mpirun -n 2 hockney-rma --operations put --work all",
                                 "does it wait for a target that computes?"}},
                   .common = {"--window-kind", "--synchronisation", "--completion", "--work"}}};
}

Program threads() {
  return {
      .procedure = "threads",
      .description =
          "Measure messages and collectives of several threads of each rank at the same time",
      .operations = "threaded-pingpong,threaded-message-rate",
      .sizes = "8:1M",
      .is_threaded = true,
      .help = {
          .examples = {{"mpirun -n 2 hockney-threads --threads 1,2,4", "latency and message rate"},
                       {"mpirun -n 4 hockney-threads --same-cores --sizes 8,64K",
                        "are threads slower than ranks?"},
                       {"mpirun -n 2 hockney-threads --operations threaded-allreduce --sizes "
                        "8",
                        "collectives of threads"}},
          .common = {"--threads", "--communicators", "--same-cores", "--window"}}};
}

Program paths() {
  return {
      .procedure = "paths",
      .description =
          "Measure messages inside a node: the path of each size, and the floor without MPI",
      .operations = "pingpong,floor-cacheline,floor-memcpy,floor-process-vm",
      .sizes = "1:4M",
      .proves_paths = true,
      .help = {
          .examples = {{"mpirun -n 2 hockney-paths", "which way messages go, beside the floors"},
                       {"mpirun -n 2 hockney-paths --sizes 64K:4M --budget 10s", "large messages"},
                       {"mpirun -n 2 hockney-paths --expect-path cma --expect-from 128K",
                        "exit code 1 if another way"}},
          .common = {"--expect-path", "--expect-from", "--hops"}}};
}

Program noise() {
  return {
      .procedure = "noise",
      .description = "Measure noise: interruptions of cores, shared cores, memory pages",
      .operations = "fixed-work,neighbour-work,page-touch",
      .sizes = "32K,1M,16M",
      .measures_noise = true,
      .add = add_noise,
      .help = {.examples = {{"mpirun -n 2 hockney-noise", "all three causes"},
                            {"mpirun -n 2 hockney-noise --operations fixed-work --recording 10s",
                             "what interrupts cores"},
                            {"mpirun -n 2 hockney-noise --operations neighbour-work --sizes 0,1M",
                             "beside busy neighbours"}},
               .common = {"--recording", "--neighbours", "--pages", "--communicator"}}};
}

Program guidelines_program() {
  return {
      .procedure = "guidelines",
      .description = "Measure both sides of performance guidelines, for 'hockney guidelines'",
      .operations = "all",
      .sizes = "1,8,1K,32K,256K,1M",
      .holds_to_guidelines = true,
      .help = {.examples = {{"mpirun -n 4 hockney-guidelines -o guidelines.json",
                             "one launch; campaigns need several"},
                            {"mpirun -n 2 hockney-guidelines --operations bcast --sizes 8,1K",
                             "the guidelines of one call"},
                            {"mpirun -n 2 hockney-guidelines --itself --operations bcast --sizes 8",
                             "a call against itself"}},
               .common = {"--guidelines", "--itself"}}};
}

Program self_test() {
  return {
      .procedure = "self-test",
      .description =
          "Measure the same operations under two names and with planted delays, for 'hockney "
          "self-test'",
      .operations = "pingpong,bcast,allreduce",
      .sizes = "8:512K",
      .slow_downs = "5,10,20",
      .clock_checks = 25,
      .help = {
          .examples = {{"mpirun -n 2 hockney-self-test",
                        "one launch of what hockney self-test runs"},
                       {"mpirun -n 2 hockney-self-test --operations pingpong --sizes 8 --budget 5s",
                        "a short one"},
                       {"mpirun -n 2 hockney-self-test --slow-downs 2,10 --sizes 8",
                        "other slow-downs"}},
          .common = {"--slow-downs", "--clock-checks"}}};
}

/// nullptr if no program has the name.
const NamedProgram* find(std::span<const NamedProgram> programs, const std::string& name) {
  const auto found = std::ranges::find(programs, name, &NamedProgram::name);
  return found == programs.end() ? nullptr : &*found;
}

Message no_program(std::span<const NamedProgram> programs, const std::string& called,
                   const std::string& word) {
  const std::string help = called + " --help";
  if (word.empty()) {
    return {"no program is named", fmt::format("{} has {} of them", called, programs.size()),
            fmt::format("name one, such as {} {}; see {}", called, programs.front().name, help)};
  }
  return {fmt::format("unknown program '{}'", word), called + " has none of this name",
          suggest(word, strings_of(programs, &NamedProgram::name), help)};
}

/// Prints the help, which lists the programs, or refuses any other command line.
int run_without_program(std::span<const NamedProgram> programs, int argc, char** argv) {
  const std::string called = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "";
  CommandLine app("The MPI programs of hockney; each has a link with its name");
  hockney::describe(app,
                    {.examples = {{"mpirun -n 2 hockney-mpi pingpong --sizes 8",
                                   "as mpirun -n 2 hockney-pingpong --sizes 8"},
                                  {"hockney-mpi collectives --list", "the operations of a program"},
                                  {"hockney-mpi pingpong --help", "its options"}}});
  for (const NamedProgram& program : programs) {
    app.add_subcommand(program.name, program.description, "Programs");
  }
  const bool has_word = argc > 1 && argv[1][0] != '-' && !is_asked_to_complete();
  const auto refuse = [&]() -> bool {
    throw InputError(no_program(programs, called, has_word ? argv[1] : ""));
  };
  return run_mpi_program(app, {.prepare = refuse, .run = [] { return ExitCode::bad_input; }},
                         has_word ? 1 : argc, argv);
}

}  // namespace

std::vector<NamedProgram> programs() {
  return {
      measuring(pingpong()),  measuring(collectives()),
      measuring(one_sided()), measuring(threads()),
      io_program(),           startup_program(),
      measuring(paths()),     protocol_program(),
      measuring(noise()),     halo_program(),
      cannon_program(),       measuring(guidelines_program()),
      measuring(self_test()), algorithms_program(),
      settings_program(),
  };
}

int run_chosen(std::span<const NamedProgram> programs, int argc, char** argv) {
  constexpr std::string_view prefix = "hockney-";
  const std::string called = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "";
  if (called.starts_with(prefix)) {
    if (const auto* program = find(programs, called.substr(prefix.size()))) {
      return program->run(argc, argv);
    }
  }
  const bool is_unfinished = is_asked_to_complete() && argc == 2;
  const auto* program = argc > 1 && !is_unfinished ? find(programs, argv[1]) : nullptr;
  if (program == nullptr) return run_without_program(programs, argc, argv);
  std::string name = fmt::format("{} {}", called, program->name);  // for the line of usage
  argv[1] = name.data();
  return program->run(argc - 1, argv + 1);
}

namespace {

std::int64_t space_of(const LaunchOptions& options) {
  return options.files.space.value_or(usual_file_space);
}

/// Largest space that a point needs [B].
std::int64_t needed_space(const LaunchOptions& options, int ranks) {
  std::int64_t most = 0;
  for (const std::string& name : options.operations) {
    const Descriptor& descriptor = find_operation(name).descriptor;
    if (!descriptor.files || !descriptor.sized) continue;
    for (const Bytes bytes : options.sizes) {
      Point point{.bytes = bytes, .ranks = ranks};
      point.parameters.set(file_space_parameter, space_of(options));
      most = std::max(most, file_shape_of(point).total());
    }
  }
  return most;
}

/// Why some rank cannot use a file that rank 0 makes there; empty if all can. Collective.
std::string folder_obstacle(MPI_Comm comm, const std::string& path) {
  const std::string name =
      fmt::format("{}/{}", path, broadcast_text(comm, own_file_prefix() + "seen"));
  std::string reason;
  if (rank_in(comm) == 0) {
    const FileDescriptor file(::open(name.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    if (!file.is_open()) reason = std::strerror(errno);
  }
  reason = broadcast_text(comm, reason);
  if (!reason.empty()) return reason;
  const bool is_there = ::access(name.c_str(), R_OK | W_OK) == 0;
  const auto seen = gather_texts(comm, is_there ? "seen" : "");
  if (rank_in(comm) == 0) ::unlink(name.c_str());
  return std::ranges::find(seen, "") == seen.end() ? "" : "not all ranks see the files there";
}

/// InputError, before MPI_Init, if no folder is named or it is not writable.
void check_folder(const LaunchOptions& options) {
  const std::string& path = options.files.path;
  if (path.empty()) {
    throw InputError({"no folder for the files", "they can be large, and measure what they are on",
                      "name one with --path DIR"});
  }
  std::error_code none;
  if (!std::filesystem::is_directory(path, none)) {
    throw InputError({fmt::format("bad folder '{}' for --path", path), "there is no such folder",
                      "make it, or name another one"});
  }
  if (::access(path.c_str(), W_OK | X_OK) == 0) return;
  throw InputError({fmt::format("bad folder '{}' for --path", path), std::strerror(errno),
                    "name one that can be written to"});
}

/// Completes the options for files, the same on every rank: rank 0 finds the file system, and
/// whether O_DIRECT is possible. InputError if a rank does not have the folder of the others, for
/// sizes that need more than --space, and if less than that is free. Collective.
void agree_on_files(MPI_Comm comm, LaunchOptions& options) {
  FileChoices& files = options.files;
  const int ranks = size_of(comm);
  if (is_simulated()) return;
  for (const Bytes bytes : options.sizes) {
    if (ranks * bytes.value <= space_of(options)) continue;
    throw InputError(
        {fmt::format("--sizes up to {} with {} ranks", format_bytes(bytes), ranks),
         fmt::format("one call of all takes {}, more than --space {}",
                     format_bytes({ranks * bytes.value}), format_bytes({space_of(options)})),
         "use smaller sizes or more --space"});
  }
  if (const std::string reason = folder_obstacle(comm, files.path); !reason.empty()) {
    throw InputError({fmt::format("bad folder '{}' for --path", files.path), reason,
                      "name one that every rank can write to"});
  }
  files.file_system = broadcast_text(comm, file_system_of(files.path));
  const auto free =
      sent_number<std::int64_t>(broadcast_text(comm, std::to_string(free_space(files.path))));
  if (needed_space(options, ranks) > free) {
    throw InputError({fmt::format("files of up to {} in '{}'",
                                  format_bytes({needed_space(options, ranks)}), files.path),
                      fmt::format("only {} are free there", format_bytes({free})),
                      "use a smaller --space, smaller sizes or another folder"});
  }
  if (!options.choices.has(file_cache_parameter, FileCache::direct)) return;
  for (const std::string& reason : gather_texts(comm, direct_obstacle(files.path))) {
    if (files.direct_obstacle.empty()) files.direct_obstacle = reason;
  }
}

constexpr const char* io_description =
    "Measure writing, reading and opening of files by MPI, independently and collectively";

int run_io(int argc, char** argv) {
  FileJanitor janitor;
  return run_program(
      {.procedure = "io",
       .description = io_description,
       .operations = "file-write,file-read,file-write-all,file-read-all,file-open-close",
       .usual = "all but the nonblocking ones",
       .sizes = "4K:4M:1",
       .measures_files = true,
       .check =
           [&](const LaunchOptions& options) {
             check_folder(options);
             janitor.watch(options.files.path, own_file_prefix());
           },
       .agree = [](LaunchOptions& options) { agree_on_files(MPI_COMM_WORLD, options); },
       .help = {.examples = {{"mpirun -n 2 hockney-io --path .", "write and read, each and all"},
                             {"mpirun -n 2 hockney-io --path . --operations C_Write_Shared --cache "
                              "synced",
                              "IMB's names"},
                             {"mpirun -n 2 hockney-io --path . --files one,per-rank --layout all "
                              "--sizes 64K",
                              "layouts"}},
                .common = {"--path", "--pointer", "--files", "--layout", "--cache", "--space"}}},
      argc, argv);
}

}  // namespace

NamedProgram io_program() { return {"io", io_description, run_io}; }

namespace {

struct SettingsOptions {
  std::vector<std::string> parts;
  std::string output;
  bool json = false;
};

bool is_asked_for(const ControlVariable& variable, const std::string& part) {
  const auto holds = [&](const std::string& name) { return name.find(part) != std::string::npos; };
  return holds(environment_name(variable)) || std::ranges::any_of(variable.aliases, holds);
}

/// The variables whose names contain one of the parts; all without parts. InputError for a part
/// that no name contains.
std::vector<ControlVariable> chosen(const std::vector<ControlVariable>& all,
                                    const std::vector<std::string>& parts) {
  if (parts.empty()) return all;
  for (const std::string& part : parts) {
    if (std::ranges::any_of(all, [&](const auto& each) { return is_asked_for(each, part); })) {
      continue;
    }
    const auto names = strings_of(all, &ControlVariable::name);
    throw InputError({fmt::format("no setting '{}'", part),
                      mpi_library() + " shows none of that name",
                      suggest(part, names, "hockney-settings")});
  }
  std::vector<ControlVariable> kept;
  std::ranges::copy_if(all, std::back_inserter(kept), [&](const ControlVariable& variable) {
    return std::ranges::any_of(parts,
                               [&](const auto& part) { return is_asked_for(variable, part); });
  });
  return kept;
}

ExitCode show(const SettingsOptions& options) {
  const auto variables = chosen(control_variables(), options.parts);
  const std::string document = json_text(to_json(variables)) + "\n";
  if (!options.output.empty()) write_atomically(options.output, document);
  if (options.json) {
    std::cout << document;
  } else if (options.output.empty()) {
    report::print_settings_table(std::cout, variables);
  }
  return ExitCode::good;
}

void add_options(CommandLine& app, SettingsOptions& options) {
  app.add_option("names", options.parts, "Parts of names, such as allreduce; without one, all")
      .default_str("all");
  app.add_option("-o,--output", options.output, "File for the JSON document").default_str("none");
  app.add_flag("--json", options.json, "Print the JSON document instead of the table");
  hockney::describe(
      app,
      {.examples = {{"mpirun -n 1 hockney-settings", "everything that can be set"},
                    {"mpirun -n 1 hockney-settings bcast eager", "what has this in its name"},
                    {"mpirun -n 1 hockney-settings --json -o settings.json", "the document"}}});
}

constexpr const char* settings_description =
    "List the settings of the MPI library: effective and possible values";

int run_settings(int argc, char** argv) {
  CommandLine app(settings_description);
  SettingsOptions options;
  add_options(app, options);
  const auto show_once = [&] {
    return rank_in(MPI_COMM_WORLD) == 0 ? show(options) : ExitCode::good;
  };
  return run_mpi_program(app, {.prepare = [] { return false; }, .run = show_once}, argc, argv);
}

}  // namespace

NamedProgram settings_program() { return {"settings", settings_description, run_settings}; }

}  // namespace hockney::benchmarks::programs
