#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/launch_command.hpp"
#include "campaign/mpi_stack.hpp"

namespace hockney::where {

using Words = std::vector<std::string>;

/// Index of the first word after a launcher's own options; the number of words if none follows. The
/// first word is the launcher.
std::size_t end_of_options(const Words& words, campaign::LauncherKind kind);

/// Hosts named by a launcher's options, in a list or a file; without such options, those of the
/// Slurm allocation. Hosts are distinct. "localhost" and addresses are left out, as they are no
/// host names. A file that cannot be read is skipped: the launcher will report it.
std::vector<std::string> hosts_asked_for(const Words& words, campaign::LauncherKind kind);

/// A launcher and its options, without options that place ranks on a node or bind them. Appends the
/// removed words to `left_out`.
Words without_placement(const Words& words, campaign::LauncherKind kind, Words& left_out);

/// Whether the words contain an option with one of these names, "cpu-set" for "--cpu-set".
bool has_option(const Words& words, const std::vector<std::string_view>& names);

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

/// A command as typed, from its launcher on, and the words before it.
struct PlacedCommand {
  Words words;               ///< starts with the launcher
  std::size_t program = 0;   ///< index of the program; its arguments follow
  std::size_t launched = 0;  ///< index of the first word that is no option: a wrapper, or `program`
  std::vector<Wrapper> wrappers;         ///< between `launched` and `program`, in order
  Words before;                          ///< "time", "env", "X=1"; for a script "bash" and "-c"
  std::vector<Wrapper> wrappers_before;  ///< among `before`
  std::optional<ShellScript> script;     ///< the script that contains the launcher
};

/// Finds the launcher of a command: the first word that is one, after any other words (`time`, `env
/// X=1`, `X=1`, `nice`, `timeout 60`). Otherwise searches the script of a shell (`bash -c "mpirun
/// ..."`). Does not set the program's index. InputError if no launcher is found, or a script starts
/// several.
PlacedCommand find_launcher_in(const Words& typed, const campaign::VersionProbe& version_of);

/// Replaces a shell that starts ranks, as in `mpirun bash -c "taskset -c 0 ./app"`, by the words of
/// its script. Does so only if the script is one command whose words are exact.
void unfold_shell(PlacedCommand& command, campaign::LauncherKind kind);

/// Sets the index of the program, and finds the wrappers before it.
void place_program(PlacedCommand& command, std::size_t program, campaign::LauncherKind kind);

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
