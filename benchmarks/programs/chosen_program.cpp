#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>

#include "benchmarks/programs/programs.hpp"
#include "core/cli/command_line.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

// The program that the name of the executable or its first argument names, and hockney-pingpong.
namespace hockney::benchmarks::programs {
namespace {

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
  const bool has_word = argc > 1 && argv[1][0] != '-' && !must_complete();
  const auto refuse = [&]() -> bool {
    throw InputError(no_program(programs, called, has_word ? argv[1] : ""));
  };
  return run_mpi_program(app, {.prepare = refuse, .run = [] { return ExitCode::bad_input; }},
                         has_word ? 1 : argc, argv);
}

}  // namespace

NamedProgram measuring(Program program) {
  std::string name = program.procedure;
  std::string description = program.description;
  return {.name = std::move(name),
          .description = std::move(description),
          .run = [program = std::move(program)](int argc, char** argv) {
            return run_program(program, argc, argv);
          }};
}

NamedProgram pingpong_program() {
  return measuring(
      {.procedure = "pingpong",
       .description = "Measure latency and bandwidth between ranks by hop distance",
       .operations = "pingpong",
       .help = {
           .examples =
               {{"mpirun -n 2 hockney-pingpong", "latency and bandwidth at sizes up to 4M"},
                {"mpirun -n 2 hockney-pingpong --operations bandwidth --sizes 64K:4M --window 16",
                 "windows"},
                {"mpirun -n 4 hockney-pingpong --pairs all --sizes 8 --budget 10s -o record.json",
                 "every pair"}},
           .common = {"--window", "--pairs", "--hops"}}});
}

int run_chosen(std::span<const NamedProgram> programs, int argc, char** argv) {
  constexpr std::string_view prefix = "hockney-";
  const std::string called = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "";
  if (called.starts_with(prefix)) {
    if (const auto* program = find(programs, called.substr(prefix.size()))) {
      return program->run(argc, argv);
    }
  }
  const bool is_unfinished = must_complete() && argc == 2;
  const auto* program = argc > 1 && !is_unfinished ? find(programs, argv[1]) : nullptr;
  if (program == nullptr) return run_without_program(programs, argc, argv);
  std::string name = fmt::format("{} {}", called, program->name);  // for the line of usage
  argv[1] = name.data();
  return program->run(argc - 1, argv + 1);
}

}  // namespace hockney::benchmarks::programs
