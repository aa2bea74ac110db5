#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "apps/application/program_launches.hpp"
#include "apps/screens.hpp"
#include "apps/subcommands.hpp"
#include "campaign/executables.hpp"
#include "campaign/preload.hpp"
#include "campaign/subprocess.hpp"
#include "core/cli/subcommand.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "where/screens/where_screen.hpp"

namespace hockney::apps {
namespace {

namespace fs = std::filesystem;
using where::PlacedCommand;
using where::Words;

struct WhereCommand {
  Words words;  ///< the command and its arguments
  std::optional<std::string> program;
  std::string scratch = ".";
  Seconds limit{120};
  bool prove = false;
  ScreenChoice screen;
  DocumentOptions document;
};

/// What is known of the program that the probe stands for.
struct StoodFor {
  std::string mpi_library;  ///< a file, or a name for the dynamic linker; empty: it has none
  std::optional<campaign::MpiFamily> family;
  std::string openmp_runtime;  ///< empty: it is linked with none
};

campaign::LauncherKind launcher_of(const Words& words) {
  if (const auto kind = campaign::launcher_named(words.front(), campaign::probe_version)) {
    return *kind;
  }
  throw InputError({"'" + words.front() + "' is no launcher that hockney knows",
                    "ranks are where their launcher puts them",
                    "give it as it is run: hockney where -- mpirun -n 4 ./app"});
}

/// The place of the program: of the word the user names, else of the first that is linked with MPI.
std::size_t place_of_program(const WhereCommand& command, const Words& words) {
  if (command.program) {
    const auto found = std::find(words.begin() + 1, words.end(), *command.program);
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
    throw InputError({"no word '" + *command.program + "' in the command",
                      "--program names the word in whose place the probe is started",
                      suggest(*command.program, words)});
  }
  for (const std::size_t place : campaign::places_of_programs(words)) {
    const auto file = campaign::find_executable(words[place], campaign::path_folders());
    if (place > 0 && campaign::mpi_family(campaign::read_elf_needs(*file))) return place;
  }
  throw InputError({"cannot tell which word of the command is the program",
                    "none is a program linked with an MPI library",
                    "check its path, or name the word: --program ./app"});
}

PlacedCommand placed(const WhereCommand& command) {
  if (command.words.empty()) {
    throw InputError(
        {"no command", "what is run stands after --", "hockney where -- mpirun -n 4 ./app"});
  }
  PlacedCommand given{.words = with_path(command.words)};
  const bool has_several = std::ranges::count(given.words, ":") > 0;
  if (has_several) {
    throw InputError({"several programs in one command", "a probe stands for one program",
                      "give the part of each by itself"});
  }
  given.program = place_of_program(command, given.words);
  return given;
}

StoodFor read_program(const std::string& word) {
  const auto file = campaign::find_executable(word, campaign::path_folders());
  if (!file || !campaign::is_elf(*file)) return {};
  const campaign::ElfNeeds needs = campaign::with_library_path(
      campaign::read_elf_needs(*file), campaign::search_folders().libraries);
  StoodFor program{campaign::mpi_library(needs), campaign::mpi_family(needs), {}};
  for (const std::string& library : needs.libraries) {
    const bool is_openmp = library.starts_with("libgomp.") || library.starts_with("libomp.") ||
                           library.starts_with("libiomp5.");
    if (is_openmp) program.openmp_runtime = library;
  }
  for (const std::string& folder : needs.folders) {
    const fs::path there = fs::path(folder) / program.mpi_library;
    if (program.mpi_library.find('/') == std::string::npos && fs::is_regular_file(there)) {
      program.mpi_library = there.string();
    }
  }
  return program;
}

/// InputError for a launcher of another MPI, which would start ranks that are each alone.
void check_family(const PlacedCommand& given, campaign::LauncherKind kind,
                  const StoodFor& program) {
  const auto family = campaign::family_of(kind);
  if (!family || !program.family || *family == *program.family) return;
  throw InputError(
      {"launcher '" + given.words.front() + "' belongs to " + std::string(campaign::title(*family)),
       "'" + given.words[given.program] + "' is linked with " + program.mpi_library + " of " +
           std::string(campaign::title(*program.family)),
       "start it by its own launcher"});
}

std::string probe_file() {
  const fs::path beside = fs::path(campaign::own_folder()).parent_path();
  for (const char* folder : {HOCKNEY_LIBEXEC_FOLDER, "libexec"}) {
    const fs::path file = beside / folder / "hockney-where-probe";
    if (fs::exists(file)) return file.string();
  }
  throw RunError({"there is no hockney-where-probe",
                  "it is looked for in " + (beside / HOCKNEY_LIBEXEC_FOLDER).string(),
                  "install hockney anew"});
}

/// Starts probes and reads what they left.
class Prober {
 public:
  Prober(const WhereCommand& command, campaign::LauncherKind kind, StoodFor program)
      : command_(command), kind_(kind), program_(std::move(program)) {}

  /// RunError, with the last words of the launcher, where that failed.
  where::Probed probe(const PlacedCommand& given,
                      const std::map<std::string, std::string>& variables) {
    if (!fs::is_directory(command_.scratch)) {
      throw InputError({"no folder '" + command_.scratch + "'", "ranks leave there where they are",
                        "name one that all nodes see"});
    }
    const campaign::ScratchFolder folder(command_.scratch);
    const campaign::Command command{.arguments = words_of(given, folder.path()),
                                    .environment = variables};
    launch(command, folder.file("log"));
    where::Whereabouts found =
        where::collect_parts(folder.path(), where::hosts_asked_for(given.words, kind_));
    std::vector<where::Fault> faults = where::find_faults(found);
    return {given.words, std::move(found), std::move(faults)};
  }

 private:
  [[nodiscard]] Words words_of(const PlacedCommand& given, const std::string& folder) const {
    Words words(given.words.begin(),
                given.words.begin() + static_cast<std::ptrdiff_t>(given.program));
    campaign::append(words, {probe_file(), folder, program_.openmp_runtime.empty() ? "0" : "1",
                             program_.mpi_library});
    return words;
  }

  void launch(const campaign::Command& command, const std::string& log) {
    const campaign::ProcessOutcome outcome = campaign::run_process(
        {.command = command, .log_file = log, .limit = command_.limit}, signals_);
    if (outcome.end == campaign::ProcessEnd::exited && outcome.exit_code == 0) return;
    if (outcome.end == campaign::ProcessEnd::interrupted) {
      throw RunError({"nothing is told", "the probe was interrupted", "run it again"});
    }
    constexpr std::size_t last_words = 4;
    const std::vector<std::string> said = campaign::last_lines(log, last_words);
    const bool is_late = outcome.end == campaign::ProcessEnd::timed_out;
    throw RunError({is_late ? "the probe did not end within " + format_duration(command_.limit)
                            : "the launcher failed",
                    said.empty() ? "it said nothing" : join(said, " / "),
                    is_late ? "give it longer: --limit" : "does the command start its program?"});
  }

  const WhereCommand& command_;
  campaign::LauncherKind kind_;
  StoodFor program_;
  campaign::SignalWatch signals_;
};

/// What the probe cannot see of this program.
std::vector<std::string> notes_of(const where::Probed& probed, const StoodFor& program) {
  const where::RankPlace& first = probed.found.ranks.front();
  std::vector<std::string> notes;
  if (first.openmp_runtime.empty() && most_threads(probed.found) == 1) {
    notes.emplace_back(program.openmp_runtime.empty()
                           ? "one thread for each rank: the program is linked with no runtime of "
                             "OpenMP, and OMP_NUM_THREADS is not set"
                           : "one thread for each rank: hockney was built without OpenMP");
  } else if (!program.openmp_runtime.empty() && program.openmp_runtime != first.openmp_runtime) {
    notes.push_back("the program's threads are those of " + program.openmp_runtime +
                    ": OMP_ variables mean the same there, those with other names may not");
  }
  return notes;
}

/// What would mend the faults, and with --prove whether it does.
void add_mending(where::WhereView& view, const WhereCommand& command, const PlacedCommand& given,
                 Prober& prober) {
  if (view.probed.faults.empty()) return;
  view.mending = mending_of(view.probed.found, view.probed.faults, view.launcher);
  if (view.mending.binding.empty() && view.mending.variables.empty()) return;
  const PlacedCommand mended = where::mended(given, view.mending, view.launcher, view.left_out);
  view.mended = mended.words;
  view.mended.front() = command.words.front();  // not its path, which is longer
  if (command.prove) view.proof = prober.probe(mended, view.mending.variables);
}

ExitCode run_where(const WhereCommand& command) {
  const PlacedCommand given = placed(command);
  const campaign::LauncherKind kind = launcher_of(given.words);
  const StoodFor program = read_program(given.words[given.program]);
  check_family(given, kind, program);
  Prober prober(command, kind, program);
  where::WhereView view{.launcher = kind,
                        .program = given.words[given.program],
                        .probed = prober.probe(given, {}),
                        .mending = {},
                        .mended = {},
                        .left_out = {},
                        .proof = {},
                        .notes = {}};
  view.notes = notes_of(view.probed, program);
  add_mending(view, command, given, prober);
  show_document(to_json(view), command.document, [&](std::ostream& out) {
    show_screen(
        out, command.screen, [&] { return screen_of(view); },
        [&](std::ostream& tables) { print_where_tables(tables, view); });
  });
  return view.probed.faults.empty() ? ExitCode::good : ExitCode::verdict_failed;
}

void add_where_options(CLI::App& app, WhereCommand& command) {
  app.add_option(command_words, command.words,
                 "The program with its launcher, as it is run without hockney")
      ->type_name("TEXT")
      ->default_str("none");
  app.add_flag("--prove", command.prove,
               "Start the probe again with what mends the faults, and look again");
  app.add_option("--program", command.program,
                 "The word of COMMAND in whose place the probe is started")
      ->type_name("TEXT")
      ->default_str("the first that is linked with MPI");
  app.add_option("--scratch", command.scratch,
                 "Folder that all nodes see, for what ranks leave; nothing stays there")
      ->type_name("FOLDER")
      ->capture_default_str();
  add_parsed_option(
      app, "--limit", [&](const std::string& text) { command.limit = parse_duration(text); },
      "How long a launch may take, waiting for an allocation included")
      ->default_str("120s");
  add_screen_options(app, command.screen);
  add_json_flag(app, command.document.json);
  add_document_output(app, command.document.output);
}

}  // namespace

void add_where(CLI::App& driver, Action& chosen) {
  add_command<WhereCommand>(
      driver, chosen, where_beside.name, where_beside.summary, add_where_options, run_where,
      {.examples = {
           {"hockney where -- mpirun -n 4 ./app", "is every rank on a core of its own?"},
           {"hockney where --prove -- mpirun -n 2 env OMP_NUM_THREADS=8 ./hybrid",
            "what mends it?"},
           {"hockney where --program python3 -- srun -n 8 python3 app.py", "of a script"}}});
}

}  // namespace hockney::apps
