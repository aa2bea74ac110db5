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

/// Where a launcher's own options end and the words of what it starts begin; the number of words
/// where it starts nothing. The first word is the launcher.
std::size_t end_of_options(const Words& words, campaign::LauncherKind kind);

/// The hosts that a launcher's options name, in a list or a file, and those of the allocation of
/// Slurm where the options name none: each once, without "localhost" and addresses, which are no
/// names. A file that cannot be read names none: the launcher will say so.
std::vector<std::string> hosts_asked_for(const Words& words, campaign::LauncherKind kind);

/// The words of a launcher and its options without those that say where ranks go on a node and what
/// they are bound to. What was left out goes to `left_out`.
Words without_placement(const Words& words, campaign::LauncherKind kind, Words& left_out);

/// Whether an option of the words has one of these names, "cpu-set" for "--cpu-set".
bool has_option(const Words& words, const std::vector<std::string_view>& names);

/// A word of a shell's script and where it stands there.
struct ShellWord {
  std::string text;  ///< without its quotes; as it is written where it is not exact
  std::size_t begin = 0;
  std::size_t end = 0;
  bool is_exact = true;  ///< false: the shell puts something in its place ($N, *, `date`)
};

/// The words of each simple command of a script up to its first redirection, in order (POSIX shell,
/// sections 2.2, 2.3 and 2.9.1). Enough to find a launcher in what people give to `bash -c`; words
/// of loops and conditions are taken for commands.
std::vector<std::vector<ShellWord>> simple_commands(const std::string& script);

/// A program that starts another one, and its own options: "taskset -c 0", "./bind.sh".
struct Wrapper {
  std::size_t begin = 0;  ///< among the words of its command
  std::size_t end = 0;
  bool binds = false;  ///< it changes the CPUs that what it starts may use

  friend bool operator==(const Wrapper&, const Wrapper&) = default;
};

/// What stands around a launcher in the script of `bash -c SCRIPT`.
struct ShellScript {
  std::string head;                ///< before the launcher: "export A=1; "
  std::string tail;                ///< after the program's arguments: " > log; ./post"
  Words arguments;                 ///< words after the script
  std::set<std::string> verbatim;  ///< words with what only the shell knows, such as "$N"
};

/// A command as people type it, from its launcher on, and what they typed before.
struct PlacedCommand {
  Words words;               ///< the launcher first
  std::size_t program = 0;   ///< where the program stands, its arguments behind it
  std::size_t launched = 0;  ///< where what the launcher starts begins: wrappers, or the program
  std::vector<Wrapper> wrappers;         ///< between `launched` and `program`, in order
  Words before;                          ///< "time", "env", "X=1"; of a script "bash" and "-c"
  std::vector<Wrapper> wrappers_before;  ///< among `before`
  std::optional<ShellScript> script;     ///< the launcher stands in it
};

/// Finds the launcher of a command: the first word that is one, with any words before it (`time`,
/// `env X=1`, `X=1`, `nice`, `timeout 60`), or one in the script of a shell (`bash -c "mpirun
/// ..."`). The program is not placed yet. InputError when there is none or a script starts several.
PlacedCommand find_launcher_in(const Words& typed, const campaign::VersionProbe& version_of);

/// Puts a script that ranks are started by, such as in `mpirun bash -c "taskset -c 0 ./app"`, in
/// the place of its shell, where it is one command whose words say what they are.
void unfold_shell(PlacedCommand& command, campaign::LauncherKind kind);

/// Says where the program stands, and finds the wrappers before it.
void place_program(PlacedCommand& command, std::size_t program, campaign::LauncherKind kind);

/// The whole command again, for a shell.
Words typed_words(const PlacedCommand& command);

/// The words to run with `words` in place of the launcher's and without what follows it in a
/// script. A `time` in front is left out: it changes nothing, and shells have it without a program.
Words runnable_words(const PlacedCommand& command, const Words& words);

/// The words of a wrapper, as typed: "taskset -c 0".
std::string wrapper_text(const Words& words, const Wrapper& wrapper);

/// A command's words without the wrappers that bind. Of numactl other options stay; they do nothing
/// to CPUs. `program` is moved along; it may be the number of words.
Words without_binders(const Words& words, const std::vector<Wrapper>& wrappers,
                      std::size_t& program);

/// Whether a wrapper is one of those that bind by the options it was given, whatever it starts.
bool is_binder_by_name(const Words& words, const Wrapper& wrapper);

}  // namespace hockney::where
