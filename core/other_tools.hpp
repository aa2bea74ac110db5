#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hockney {

/// Where a word of another tool stands on a command line of hockney.
enum class WordPlace {
  command,         ///< after "hockney"
  run_option,      ///< of "hockney run"
  operation,       ///< after "hockney run"
  program_option,  ///< of "hockney profile" or "hockney where", before the program
};

struct OtherToolAdvice {
  std::string why;     ///< "hockney starts ranks itself"
  std::string advice;  ///< what to type
};

/// The advice for a word that OMB, IMB, mpiP or mpirun have and hockney has not, such as -np;
/// nullopt for other words.
std::optional<OtherToolAdvice> other_tool_advice(WordPlace place, std::string_view word);

}  // namespace hockney
