#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace hockney::where {

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

}  // namespace hockney::where
