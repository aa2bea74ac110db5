#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <climits>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "application/commands/commands.hpp"
#include "application/commands/profile_run.hpp"
#include "application/screens/where/where_screen.hpp"
#include "application/where/command_line.hpp"
#include "application/where/mending.hpp"
#include "apps/subcommands.hpp"
#include "campaign/failure_cause.hpp"
#include "campaign/launch_command.hpp"
#include "campaign/preload.hpp"
#include "campaign/subprocess.hpp"
#include "core/atomic_file.hpp"
#include "core/cli/command_line.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "placement/machine.hpp"

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
  std::optional<Seconds> run;  ///< time for which the program itself runs
  bool prove = false;
  campaign::OutputOptions output;
};

/// Facts about the program that the probe replaces.
struct StoodFor {
  std::string mpi_library;  ///< path, or name for the dynamic linker; empty: not linked with MPI
  std::optional<campaign::MpiFamily> family;
  std::string openmp_runtime;   ///< empty: not linked with OpenMP
  bool starts_threads = false;  ///< with pthread_create or std::thread
};

/// Host and allowed CPUs of this program.
struct Self {
  std::string host;
  std::vector<int> cpus;  ///< ascending
};

Self self() {
  std::array<char, HOST_NAME_MAX + 1> name{};
  ::gethostname(name.data(), name.size() - 1);
  Self self{.host = name.data(), .cpus = {}};
  try {
    self.cpus = placement::usable_cpus(placement::read_live_topology());
  } catch (const RunError&) {
    self.cpus.clear();  // disables the check of bound launchers
  }
  return self;
}

campaign::LauncherKind launcher_of(const PlacedCommand& given) {
  return campaign::launcher_named(given.words.front(), campaign::probe_version)
      .value_or(campaign::LauncherKind::openmpi4);
}

/// Index of the program: the word that the user names, else the first program linked with MPI.
std::size_t place_of_program(const WhereCommand& command, const Words& words) {
  if (command.program) {
    const auto found = std::find(words.begin() + 1, words.end(), *command.program);
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
    throw InputError({fmt::format("no word '{}' in the command", *command.program),
                      "--program names the word in whose place the probe is started",
                      suggest(*command.program, words)});
  }
  for (const std::size_t place : campaign::places_of_programs(words)) {
    const auto file = campaign::find_executable(words[place], campaign::path_folders());
    if (place > 0 && file && campaign::mpi_family(campaign::read_elf_needs(*file))) return place;
  }
  throw InputError({"the command has no word that is known to be the program",
                    "none is a program linked with an MPI library",
                    "check its path, or name the word: --program ./app"});
}

PlacedCommand placed(const WhereCommand& command) {
  if (command.words.empty()) {
    throw InputError(
        {"no command", "what is run stands after --", "hockney where -- mpirun -n 4 ./app"});
  }
  PlacedCommand given = where::find_launcher_in(command.words, campaign::probe_version);
  with_path({given.words.front()});
  const bool has_several = std::ranges::count(given.words, ":") > 0;
  if (has_several) {
    throw InputError({"several programs in one command", "a probe replaces one program",
                      "give the part of each separately"});
  }
  unfold_shell(given, launcher_of(given));
  where::place_program(given, place_of_program(command, given.words), launcher_of(given));
  return given;
}

StoodFor read_program(const std::string& word) {
  const auto file = campaign::find_executable(word, campaign::path_folders());
  if (!file || !campaign::is_elf(*file)) return {};
  const campaign::ElfNeeds needs = campaign::with_library_path(
      campaign::read_elf_needs(*file), campaign::search_folders().libraries);
  StoodFor program{campaign::mpi_library(needs), campaign::mpi_family(needs), {}};
  const std::string image = read_file(*file);
  program.starts_threads = image.find("pthread_create") != std::string::npos ||
                           image.find("_ZNSt6thread15_M_start_thread") != std::string::npos;
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

/// InputError if the launcher belongs to another MPI, as each rank would then run alone.
void check_family(const PlacedCommand& given, campaign::LauncherKind kind,
                  const StoodFor& program) {
  const auto family = campaign::family_of(kind);
  if (!family || !program.family || *family == *program.family) return;
  throw InputError(
      {fmt::format("launcher '{}' belongs to {}", given.words.front(), campaign::title(*family)),
       fmt::format("'{}' is linked with {} of {}", given.words[given.program], program.mpi_library,
                   campaign::title(*program.family)),
       "start it by its own launcher"});
}

/// Path of an internal program of hockney.
std::string own_program(const std::string& name) {
  const fs::path beside = fs::path(campaign::own_folder()).parent_path();
  for (const char* folder : {HOCKNEY_LIBEXEC_FOLDER, "libexec"}) {
    const fs::path file = beside / folder / name;
    if (fs::exists(file)) return file.string();
  }
  throw RunError({"there is no " + name,
                  "it is looked for in " + (beside / HOCKNEY_LIBEXEC_FOLDER).string(),
                  "install hockney anew"});
}

/// Starts probes and reads their parts.
class Prober {
 public:
  Prober(const WhereCommand& command, campaign::LauncherKind kind, StoodFor program)
      : command_(command), kind_(kind), program_(std::move(program)), self_(self()) {}

  [[nodiscard]] const Self& own() const { return self_; }
  /// Whether words before the launcher restricted its CPUs in the last probe.
  [[nodiscard]] bool bound_launcher() const { return bound_launcher_; }
  /// Restrictions of the job to some CPUs of its nodes, in the last probe.
  [[nodiscard]] const std::vector<std::string>& limits() const { return limits_; }

  /// RunError, with the last lines of its output, if the launcher failed.
  where::Probed probe(const PlacedCommand& given,
                      const std::map<std::string, std::string>& variables) {
    if (!fs::is_directory(command_.scratch)) {
      throw InputError({fmt::format("no folder '{}'", command_.scratch),
                        "ranks leave there where they are", "name one that all nodes see"});
    }
    const campaign::ScratchFolder folder(command_.scratch);
    const std::string parts = fs::absolute(folder.path()).string();
    const campaign::Command command{
        .arguments = with_path(where::runnable_words(given, words_of(given, parts))),
        .environment = variables};
    where::Whereabouts found = gathered(command, given, folder);
    bound_launcher_ = launcher_is_bound(given, found, self_.host, self_.cpus);
    limits_ = keep_job_cpus(found, {.launcher = !bound_launcher_, .list = !has_own_list(given)});
    std::vector<where::Fault> faults = where::find_faults(found);
    return {where::typed_words(given), std::move(found), std::move(faults)};
  }

 private:
  /// The launcher's words with a step before each wrapper, and the probe in place of the program;
  /// with --run a step that watches the program.
  [[nodiscard]] Words words_of(const PlacedCommand& given, const std::string& folder) const {
    const Words step{own_program("hockney-where-step"), "--before"};
    Words words(given.words.begin(), given.words.begin() + place(given.launched));
    for (const where::Wrapper& wrapper : given.wrappers) {
      campaign::append(words, step);
      words.insert(words.end(), given.words.begin() + place(wrapper.begin),
                   given.words.begin() + place(wrapper.end));
    }
    campaign::append(words, step);
    if (command_.run) {
      campaign::append(words,
                       {step.front(), "--watch", std::to_string(command_.run->value), folder});
      words.insert(words.end(), given.words.begin() + place(given.program), given.words.end());
    } else {
      campaign::append(words, {own_program("hockney-where-probe"), folder,
                               program_.openmp_runtime.empty() ? "0" : "1", program_.mpi_library});
    }
    return words;
  }

  static std::ptrdiff_t place(std::size_t index) { return static_cast<std::ptrdiff_t>(index); }

  /// With --run the launcher may fail, as its program is killed: then the parts decide.
  where::Whereabouts gathered(const campaign::Command& command, const PlacedCommand& given,
                              const campaign::ScratchFolder& folder) {
    const std::vector<std::string> hosts = where::hosts_asked_for(given.words, kind_);
    std::optional<RunError> failure;
    try {
      launch(command, folder.file("log"));
    } catch (const RunError& error) {
      if (!command_.run) throw;
      failure = error;
    }
    try {
      return where::collect_parts(folder.path(), hosts);
    } catch (const RunError&) {
      if (failure) throw RunError(*failure);
      throw;
    }
  }

  void launch(const campaign::Command& command, const std::string& log) {
    const campaign::ProcessOutcome outcome =
        campaign::run_process({.command = command,
                               .log_file = log,
                               .limit = command_.limit + command_.run.value_or(Seconds{})},
                              signals_);
    if (outcome.end == campaign::ProcessEnd::exited && outcome.exit_code == 0) return;
    if (outcome.end == campaign::ProcessEnd::interrupted) {
      throw RunError({"no result", "the probe was interrupted", "run it again"});
    }
    const std::string cause = campaign::failure_cause_in_file(log);
    const bool is_late = outcome.end == campaign::ProcessEnd::timed_out;
    throw RunError({is_late ? "the probe did not end within " + format_duration(command_.limit)
                            : "the launcher failed",
                    cause.empty() ? "it said nothing" : cause,
                    is_late ? "give it longer: --limit" : "does the command start its program?"});
  }

  /// --cpu-set sets the variable of the CPU list for ranks; the fix removes this option.
  static bool has_own_list(const PlacedCommand& given) {
    const Words options(given.words.begin(), given.words.begin() + place(given.launched));
    return where::has_option(options, {"cpu-set", "cpu-list"});
  }

  const WhereCommand& command_;
  campaign::LauncherKind kind_;
  StoodFor program_;
  Self self_;
  bool bound_launcher_ = false;
  std::vector<std::string> limits_;
  campaign::SignalWatch signals_;
};

/// Limits of the probe for this program.
std::vector<std::string> notes_of_threads(const where::Probed& probed, const StoodFor& program) {
  const where::RankPlace& first = probed.found.ranks.front();
  std::vector<std::string> notes;
  if (first.openmp_runtime.empty() && most_threads(probed.found) == 1) {
    notes.emplace_back(program.openmp_runtime.empty()
                           ? "one thread for each rank: the program is linked with no runtime of "
                             "OpenMP, and OMP_NUM_THREADS is not set"
                           : "one thread for each rank: hockney was built without OpenMP");
    if (program.starts_threads) {
      notes.emplace_back("the program starts its own threads: --run 10s starts it and reads them");
    }
  } else if (!program.openmp_runtime.empty() && program.openmp_runtime != first.openmp_runtime) {
    notes.push_back(fmt::format(
        "the program's threads are those of {}: OMP_ variables mean the same there, those with "
        "other names may not",
        program.openmp_runtime));
  }
  return notes;
}

std::vector<std::string> notes_of(const WhereCommand& command, const where::Probed& probed,
                                  const StoodFor& program, const Prober& prober) {
  std::vector<std::string> notes =
      command.run ? std::vector<std::string>() : notes_of_threads(probed, program);
  campaign::append(notes, prober.limits());
  for (const where::NodeCpus& node : probed.found.nodes) {
    const auto crowd = crowding_processes(probed.found, node);
    if (crowd.empty()) continue;
    notes.push_back(fmt::format("others use CPU time on {} and may go anywhere: {}", node.host,
                                where::process_text(crowd)));
  }
  return notes;
}

/// Determines the fix for the faults; with --prove, verifies it.
void add_mending(where::WhereView& view, const WhereCommand& command, PlacedCommand given,
                 Prober& prober) {
  if (view.probed.faults.empty()) return;
  where::Binders binders = find_binders(given, view.probed.found, view.probed.faults,
                                        prober.bound_launcher(), prober.own().cpus);
  const bool is_bound = !binders.wrappers.empty();
  const where::Whereabouts& found = is_bound ? binders.without : view.probed.found;
  view.mending = mending_of(found, where::find_faults(found), view.launcher);
  if (!view.mending.shortage) view.mending.without = std::move(binders.wrappers);
  view.causes = std::move(binders.texts);
  if (view.mending.is_empty()) return;
  const PlacedCommand mended = where::mended(given, view.mending, view.launcher, view.left_out);
  campaign::append(view.left_out, view.mending.without);
  view.mended = where::typed_words(mended);
  if (!command.prove) return;
  try {
    view.proof = prober.probe(mended, view.mending.variables);
  } catch (const RunError& error) {
    view.proof_failure = error.what();
  }
}

ExitCode run_where(const WhereCommand& command) {
  const PlacedCommand given = placed(command);
  const campaign::LauncherKind kind = launcher_of(given);
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
                        .notes = {},
                        .ran_program = command.run.has_value()};
  view.notes = notes_of(command, view.probed, program, prober);
  add_mending(view, command, given, prober);
  campaign::Output(command.output)
      .show({.summary = [&] { return screen_of(view); },
             .tables = [&](std::ostream& out) { print_where_tables(out, view); },
             .document = [&] { return to_json(view); },
             .csv = [&](std::ostream& out) { report::write_csv(out, view_of(view)); }});
  return view.probed.faults.empty() ? ExitCode::good : ExitCode::verdict_failed;
}

void add_where_options(CommandLine& app, WhereCommand& command) {
  app.add_option(command_words, command.words,
                 "The program with its launcher, as it is run without hockney")
      .type_name("TEXT")
      .default_str("none");
  app.add_flag("--prove", command.prove, "Start the probe again with the fix and check it");
  app.add_option("--program", command.program,
                 "The word of COMMAND in whose place the probe is started")
      .type_name("TEXT")
      .default_str("the first that is linked with MPI");
  app.add_option("--scratch", command.scratch,
                 "Folder that all nodes see, for what ranks leave; nothing stays there")
      .type_name("FOLDER")
      .capture_default_str();
  add_parsed_option(
      app, "--limit", [&](const std::string& text) { command.limit = parse_duration(text); },
      "How long a launch may take, waiting for an allocation included")
      .default_str("120s");
  add_parsed_option(
      app, "--run", [&](const std::string& text) { command.run = parse_duration(text); },
      "Start the program itself for at most so long and read its own threads")
      .default_str("none: a probe in its place");
  add_output_options(app, command.output);
}

}  // namespace

void add_where(CommandLine& driver, Action& chosen) {
  add_command<WhereCommand>(
      driver, chosen, where_beside.name, where_beside.summary, add_where_options, run_where,
      {.examples = {
           {"hockney where -- mpirun -n 4 ./app", "is every rank on a core of its own?"},
           {"hockney where --prove -- mpirun -n 2 env OMP_NUM_THREADS=8 ./hybrid",
            "and the fix, verified"},
           {"hockney where --program python3 -- srun -n 8 python3 app.py", "of a script"}}});
}

}  // namespace hockney::apps
