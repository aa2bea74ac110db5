#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "components/application/where/launcher_options.hpp"
#include "driver/campaign/mpi_stack.hpp"

namespace hockney::where {

/// A word of a shell script and its position.
struct ShellWord {
  std::string text;  ///< without its quotes; unchanged if it is not exact
  std::size_t begin = 0;
  std::size_t end = 0;
  bool is_exact = true;  ///< false: the shell substitutes a part of it ($N, *, `date`)
};

/// The words of each simple command of a script up to its first redirection, in order (POSIX shell,
/// sections 2.2, 2.3 and 2.9.1). This suffices to find a launcher in the usual scripts of `bash
/// -c`. Words of loops and conditions count as commands.
std::vector<std::vector<ShellWord>> simple_commands(const std::string& script);

/// A program that starts another one, with its own options: "taskset -c 0", "./bind.sh".
struct Wrapper {
  std::size_t begin = 0;  ///< index among the words of its command
  std::size_t end = 0;
  bool binds = false;  ///< it changes the allowed CPUs of the program it starts

  friend bool operator==(const Wrapper&, const Wrapper&) = default;
};

/// The text around a launcher in the script of `bash -c SCRIPT`.
struct ShellScript {
  std::string head;                ///< before the launcher: "export A=1; "
  std::string tail;                ///< after the program's arguments: " > log; ./post"
  Words arguments;                 ///< words after the script
  std::set<std::string> verbatim;  ///< words that only the shell can expand, such as "$N"
};

/// One program of a launch. "mpirun -n 1 ./a : -n 2 taskset -c 1 ./b" has two.
struct PlacedProgram {
  std::size_t begin = 0;            ///< index of its first option
  std::size_t launched = 0;         ///< of the first word that is no option: a wrapper, or `place`
  std::size_t place = 0;            ///< of the program; its arguments follow
  std::size_t end = 0;              ///< behind its arguments
  std::vector<Wrapper> wrappers{};  ///< between `launched` and `place`, in order
};

/// A command as typed, from its launcher on, and the words before it.
struct PlacedCommand {
  Words words;  ///< starts with the launcher
  LauncherKind kind = LauncherKind::other;
  std::size_t options = 1;                 ///< index of the launcher's first option
  std::vector<PlacedProgram> programs{};   ///< in order
  Words before{};                          ///< "time", "env", "X=1"; for a script "bash" and "-c"
  std::vector<Wrapper> wrappers_before{};  ///< among `before`
  std::optional<ShellScript> script{};     ///< the script that contains the launcher
};

/// Finds the launcher of a command: the first word that is a known one, after any other words
/// (`time`, `env X=1`, `X=1`, `nice`, `timeout 60`). Otherwise searches the script of a shell
/// (`bash -c "mpirun ..."`). Otherwise takes the first program for a launcher if another program
/// follows, or if `has_program`: the user names the program. Otherwise searches a script that is
/// the command (`./job.sh`). Sets no programs. InputError if no launcher is found, or a script
/// starts several.
PlacedCommand find_launcher_in(const Words& typed, const campaign::VersionProbe& version_of,
                               bool has_program = false);

/// Replaces a shell that starts ranks, as in `mpirun bash -c "taskset -c 0 ./app"`, by the words of
/// its script. Does so only if the script is one command whose words are exact.
void unfold_shell(PlacedCommand& command);

/// Replaces Open MPI's `--app FILE` and Hydra's `-configfile FILE` by the lines of the file, with
/// ":" between them. Does nothing if the file cannot be read: the launcher will report it.
void unfold_file(PlacedCommand& command);

/// Indices of the words [begin, end).
struct WordRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The options and words of each program, which ":" separates.
std::vector<WordRange> parts_of(const PlacedCommand& command);

/// Writes "./app" for a program "app" that Open MPI's mpirun finds in the current folder: there it
/// looks after PATH.
void name_current_folder(PlacedCommand& command);

/// Index of the program: the first word linked with MPI, else the first program behind the
/// launcher's options and wrappers ("python3" of "-n 2 taskset -c 0 python3 x.py"). nullopt if no
/// word is a program.
std::optional<std::size_t> program_in(const PlacedCommand& command, const WordRange& part);

/// The word of a launch where its program should be, if that is no program; nullopt if all are.
std::optional<std::string> missing_program(const Words& typed,
                                           const campaign::VersionProbe& version_of);

/// Sets the programs, by one index for each part, and finds the wrappers before them.
void place_programs(PlacedCommand& command, const std::vector<std::size_t>& programs);

/// Whether the word is a shell or a script for one.
bool is_script_of_shell(const std::string& word);

/// A script that ranks run, up to the program in it.
struct RankScript {
  Words shell;          ///< "bash", "-c"
  std::string head;     ///< before the program: "export A=1; exec taskset -c 0 "
  std::string program;  ///< linked with MPI
  Words arguments;      ///< of the script, its name first
};

/// The script that a program is, or of `bash -c SCRIPT`; nullopt for other programs, and for a
/// script that names no program linked with MPI.
std::optional<RankScript> rank_script(const PlacedCommand& command, const PlacedProgram& program);

/// The whole command as typed, for a shell.
Words typed_words(const PlacedCommand& command);

/// Words to execute, with `words` in place of the launcher's command and without the rest of a
/// script. Leaves out a leading `time`: it changes nothing, and may be a keyword of the shell only.
Words runnable_words(const PlacedCommand& command, const Words& words);

/// The words of a wrapper as typed: "taskset -c 0".
std::string wrapper_text(const Words& words, const Wrapper& wrapper);

/// A command's words without the wrappers that bind. For numactl only options for CPUs are removed.
/// `program` is adjusted; it may be the number of words.
Words without_binders(const Words& words, const std::vector<Wrapper>& wrappers,
                      std::size_t& program);

/// Whether a wrapper binds by its name and options, for any program.
bool is_binder_by_name(const Words& words, const Wrapper& wrapper);

}  // namespace hockney::where
