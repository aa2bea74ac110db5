#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "components/application/commands/commands.hpp"
#include "components/application/commands/program_launches.hpp"
#include "components/application/page/profile_page.hpp"
#include "components/application/screens/where/where_screen.hpp"
#include "components/application/where/command_line.hpp"
#include "components/application/where/launcher_options.hpp"
#include "components/application/where/placement_fix.hpp"
#include "core/atomic_file.hpp"
#include "core/cli/command_line.hpp"
#include "core/environment.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/shell.hpp"
#include "core/text.hpp"
#include "driver/campaign/failure_cause.hpp"
#include "driver/campaign/launch_command.hpp"
#include "driver/campaign/preload.hpp"
#include "driver/campaign/scratch_folder.hpp"
#include "driver/campaign/subprocess.hpp"
#include "driver/subcommands.hpp"
#include "placement/machine.hpp"

namespace hockney::driver {
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

/// Facts about a program that the probe replaces.
struct ReplacedProgram {
  std::string word;         ///< as typed
  std::string mpi_library;  ///< path, or name for the dynamic linker; empty: not linked with MPI
  std::optional<campaign::MpiFamily> family;
  std::string openmp_runtime;               ///< empty: not linked with OpenMP
  bool starts_threads = false;              ///< with pthread_create or std::thread
  std::optional<where::RankScript> script;  ///< that starts the program
  bool is_unseen = false;                   ///< a script in which no program is found
};

/// Host and allowed CPUs of this program.
struct Self {
  std::string host;
  std::vector<int> cpus;  ///< ascending
};

Self self() {
  Self self{.host = own_host(), .cpus = {}};
  try {
    self.cpus = placement::usable_cpus(placement::read_live_topology());
  } catch (const RunError&) {
    self.cpus.clear();  // disables the check of bound launchers
  }
  return self;
}

/// Error for a part in which no word is a program.
InputError without_program(const PlacedCommand& given, const where::WordRange& part) {
  const std::size_t place = where::end_of_options(given.words, part.begin, part.end, given.kind);
  if (place == part.end) {
    return InputError({"the command has no program", "nothing is behind the launcher's options",
                       "hockney where -- mpirun -n 4 ./app"});
  }
  const std::string& word = given.words[place];
  const bool is_here = word.find('/') == std::string::npos && fs::is_regular_file(word);
  return InputError({fmt::format("no program '{}'", escaped(word)),
                     is_here ? "it is in this folder, not in PATH" : "there is no program file",
                     is_here ? fmt::format("did you mean './{}'?", escaped(word))
                             : "check its path, or name the word: --program ./app"});
}

/// Places of the programs, one for each part: the word that the user names, else see program_in().
std::vector<std::size_t> places_of_programs(const WhereCommand& command,
                                            const PlacedCommand& given) {
  std::vector<std::size_t> places;
  std::optional<where::WordRange> missing;
  bool is_named = !command.program;
  for (const where::WordRange& part : parts_of(given)) {
    const auto end = given.words.begin() + static_cast<std::ptrdiff_t>(part.end);
    const auto named =
        command.program ? std::find(given.words.begin() + static_cast<std::ptrdiff_t>(part.begin),
                                    end, *command.program)
                        : end;
    is_named = is_named || named != end;
    const auto found = named == end
                           ? program_in(given, part)
                           : std::optional(static_cast<std::size_t>(named - given.words.begin()));
    if (found) places.push_back(*found);
    if (!found && !missing) missing = part;
  }
  if (!is_named) {
    throw InputError({fmt::format("no word '{}' in the command", *command.program),
                      "--program names the word in whose place the probe is started",
                      suggest(*command.program, given.words)});
  }
  if (missing) throw without_program(given, *missing);
  return places;
}

PlacedCommand placed(const WhereCommand& command) {
  if (command.words.empty()) {
    throw InputError(
        {"no command", "what is run stands after --", "hockney where -- mpirun -n 4 ./app"});
  }
  PlacedCommand given =
      where::find_launcher_in(command.words, campaign::probe_version, command.program.has_value());
  with_path({given.words.front()});
  unfold_shell(given);
  unfold_file(given);
  name_current_folder(given);
  where::place_programs(given, places_of_programs(command, given));
  return given;
}

ReplacedProgram read_program(const std::string& word) {
  const auto file = campaign::find_executable(word, campaign::path_folders());
  if (!file || !campaign::is_elf(*file)) return {.word = word};
  const campaign::ElfNeeds needs = campaign::with_library_path(
      campaign::read_elf_needs(*file), campaign::search_folders().libraries);
  ReplacedProgram program{.word = word,
                          .mpi_library = campaign::mpi_library(needs),
                          .family = campaign::mpi_family(needs)};
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
void check_family(const PlacedCommand& given, const ReplacedProgram& program) {
  const auto family = where::family_of(given.kind);
  if (!family || !program.family || *family == *program.family) return;
  throw InputError(
      {fmt::format("launcher '{}' belongs to {}", given.words.front(), campaign::title(*family)),
       fmt::format("'{}' is linked with {} of {}", program.word, program.mpi_library,
                   campaign::title(*program.family)),
       "start it by its own launcher"});
}

/// The programs of a command. A program without MPI enters the library of another one, since ranks
/// enter it together.
std::vector<ReplacedProgram> programs_of(const PlacedCommand& given) {
  std::vector<ReplacedProgram> programs;
  std::string library;
  for (const where::PlacedProgram& placed : given.programs) {
    const std::string& word = given.words[placed.place];
    auto script = where::rank_script(given, placed);
    ReplacedProgram program = read_program(script ? script->program : word);
    program.word = word;
    program.is_unseen = !script && where::is_script_of_shell(word);
    program.script = std::move(script);
    check_family(given, program);
    if (library.empty()) library = program.mpi_library;
    programs.push_back(std::move(program));
  }
  for (ReplacedProgram& program : programs) {
    if (program.mpi_library.empty()) program.mpi_library = library;
  }
  return programs;
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
  Prober(const WhereCommand& command, std::vector<ReplacedProgram> programs)
      : command_(command), programs_(std::move(programs)), self_(self()) {}

  [[nodiscard]] const Self& own() const { return self_; }
  /// Whether words before the launcher restricted its CPUs in the last probe.
  [[nodiscard]] bool bound_launcher() const { return bound_launcher_; }
  /// Restrictions of the job to some CPUs of its nodes, in the last probe.
  [[nodiscard]] const std::vector<std::string>& limits() const { return limits_; }

  /// RunError, with the last lines of its output, if the launcher failed.
  where::Probed probe(const PlacedCommand& given) {
    if (!fs::is_directory(command_.scratch)) {
      throw InputError({fmt::format("no folder '{}'", command_.scratch),
                        "ranks leave there where they are", "name one that all nodes see"});
    }
    const campaign::ScratchFolder folder(command_.scratch);
    const std::string parts = fs::absolute(folder.path()).string();
    const campaign::Command command{
        .arguments = with_path(where::runnable_words(given, words_of(given, parts))),
        .environment = {}};
    where::RankBindings found = gathered(command, given, folder);
    bound_launcher_ = launcher_is_bound(given, found, self_.host, self_.cpus);
    limits_ = keep_job_cpus(found, {.launcher = !bound_launcher_, .list = !has_own_list(given)});
    std::vector<where::Fault> faults = where::find_faults(found);
    return {where::typed_words(given), std::move(found), std::move(faults)};
  }

 private:
  /// The launcher's words with a step before each wrapper, and the probe in place of each program;
  /// with --run a step that watches the program.
  [[nodiscard]] Words words_of(const PlacedCommand& given, const std::string& folder) const {
    Words words(given.words.begin(), given.words.begin() + place(given.options));
    for (std::size_t i = 0; i < given.programs.size(); ++i) {
      if (i > 0) words.emplace_back(":");
      add_program(words, given, i, folder);
    }
    return words;
  }

  void add_program(Words& words, const PlacedCommand& given, std::size_t number,
                   const std::string& folder) const {
    const where::PlacedProgram& program = given.programs[number];
    const Words step{own_program("hockney-where-step"), "--before"};
    const auto add = [&](std::size_t begin, std::size_t end) {
      words.insert(words.end(), given.words.begin() + place(begin),
                   given.words.begin() + place(end));
    };
    add(program.begin, program.launched);
    for (const where::Wrapper& wrapper : program.wrappers) {
      campaign::append(words, step);
      add(wrapper.begin, wrapper.end);
    }
    campaign::append(words, step);
    if (command_.run) {
      campaign::append(words, {step.front(), "--watch", std::to_string(command_.run->value), folder,
                               std::to_string(number)});
      add(program.place, program.end);
      return;
    }
    const ReplacedProgram& replaced = programs_[number];
    const Words probe{own_program("hockney-where-probe"), folder,
                      replaced.openmp_runtime.empty() ? "0" : "1", replaced.mpi_library,
                      std::to_string(number)};
    if (!replaced.script) {
      campaign::append(words, probe);
      return;
    }
    campaign::append(words, replaced.script->shell);
    words.push_back(replaced.script->head + join(strings_of(probe, shell_word), " "));
    campaign::append(words, replaced.script->arguments);
  }

  static std::ptrdiff_t place(std::size_t index) { return static_cast<std::ptrdiff_t>(index); }

  /// With --run the launcher may fail, as its program is killed: then the parts decide.
  where::RankBindings gathered(const campaign::Command& command, const PlacedCommand& given,
                               const campaign::ScratchFolder& folder) {
    const std::vector<std::string> hosts = where::requested_hosts(options_of(given), given.kind);
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
    if (outcome.succeeded()) return;
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
    return where::has_option(options_of(given), {"cpu-set", "cpu-list"});
  }

  /// The launcher's options, for all programs.
  static Words options_of(const PlacedCommand& given) {
    Words options;
    for (const where::PlacedProgram& program : given.programs) {
      options.insert(options.end(), given.words.begin() + place(program.begin),
                     given.words.begin() + place(program.launched));
    }
    return options;
  }

  const WhereCommand& command_;
  std::vector<ReplacedProgram> programs_;  ///< in the order of the command
  Self self_;
  bool bound_launcher_ = false;
  std::vector<std::string> limits_;
  campaign::SignalWatch signals_;
};

/// Limits of the probe for one program, by its first rank.
void add_notes_of_threads(const where::RankPlace& first, const ReplacedProgram& program,
                          std::vector<std::string>& notes) {
  if (program.is_unseen) {
    notes.push_back(fmt::format(
        "'{}' is a script without a program that hockney finds, and the probe is in its place: "
        "--run 10s starts it and reads what it binds",
        program.word));
  } else if (first.openmp_runtime.empty() && first.threads.size() == 1) {
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
}

/// Of several programs, each note once, with the program in front.
std::vector<std::string> notes_of_threads(const where::Probed& probed,
                                          const std::vector<ReplacedProgram>& programs) {
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const auto first =
        std::ranges::find(probed.found.ranks, static_cast<int>(i), &where::RankPlace::program);
    if (first == probed.found.ranks.end()) continue;
    std::vector<std::string> own;
    add_notes_of_threads(*first, programs[i], own);
    for (const std::string& note : own) {
      const std::string text =
          programs.size() == 1 ? note : fmt::format("{}: {}", programs[i].word, note);
      if (std::ranges::count(notes, text) == 0) notes.push_back(text);
    }
  }
  return notes;
}

std::vector<std::string> notes_of(const WhereCommand& command, const where::Probed& probed,
                                  const std::vector<ReplacedProgram>& programs,
                                  const Prober& prober) {
  std::vector<std::string> notes =
      command.run ? std::vector<std::string>() : notes_of_threads(probed, programs);
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
void add_fix(where::WhereView& view, const WhereCommand& command, PlacedCommand given,
             Prober& prober) {
  if (view.probed.faults.empty()) return;
  where::Binders binders = find_binders(given, view.probed.found, view.probed.faults,
                                        prober.bound_launcher(), prober.own().cpus);
  const bool is_bound = !binders.wrappers.empty();
  const where::RankBindings& found = is_bound ? binders.without : view.probed.found;
  view.fix = fix_of(found, where::find_faults(found), view.launcher);
  if (!view.fix.shortage) view.fix.without = std::move(binders.wrappers);
  // What binds ranks again would undo the fix.
  if (!is_bound && !view.fix.is_empty()) view.fix.without = binding_wrappers(given);
  view.causes = std::move(binders.texts);
  if (view.fix.is_empty()) return;
  const PlacedCommand corrected = where::corrected(given, view.fix, view.left_out);
  campaign::append(view.left_out, view.fix.without);
  view.corrected = where::typed_words(corrected);
  if (!command.prove) return;
  try {
    view.proof = prober.probe(corrected);
  } catch (const RunError& error) {
    view.proof_failure = error.what();
  }
}

ExitCode run_where(const WhereCommand& command) {
  const campaign::Output output(command.output);
  const PlacedCommand given = placed(command);
  const std::vector<ReplacedProgram> programs = programs_of(given);
  Prober prober(command, programs);
  where::WhereView view{.launcher = given.kind,
                        .programs = strings_of(programs, &ReplacedProgram::word),
                        .probed = prober.probe(given),
                        .fix = {},
                        .corrected = {},
                        .left_out = {},
                        .proof = {},
                        .notes = {},
                        .ran_program = command.run.has_value()};
  const auto unseen = std::ranges::find(programs, true, &ReplacedProgram::is_unseen);
  if (unseen != programs.end() && !command.run) view.unseen = unseen->word;
  view.notes = notes_of(command, view.probed, programs, prober);
  if (given.kind == where::LauncherKind::other && !view.probed.faults.empty()) {
    view.notes.push_back(fmt::format("hockney knows no options of '{}' that place ranks",
                                     where::base_name(given.words.front())));
  }
  add_fix(view, command, given, prober);
  output.show({.summary = [&] { return screen_of(view); },
               .tables = [&](std::ostream& out) { print_where_tables(out, view); },
               .document = [&] { return to_json(view); },
               .csv = [&](std::ostream& out) { report::write_csv(out, view_of(view)); },
               .page = [&] { return report::page_of(view, command.output.command({})); }});
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
      .default_str("the first linked with MPI, else that behind the launcher's options");
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
  add_output_options(app, command.output, {.page = true});
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

}  // namespace hockney::driver
