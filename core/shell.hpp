#pragma once

#include <string>
#include <vector>

namespace hockney {

/// A word quoted for a shell, if needed.
std::string shell_word(const std::string& word);

/// The words of a command line, quoted where needed, with blanks between them.
std::string shell_words(const std::vector<std::string>& words);

/// Pointers for execve(2); the texts must outlive the list.
std::vector<char*> null_terminated(std::vector<std::string>& texts);

}  // namespace hockney
