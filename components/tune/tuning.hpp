#pragma once

#include <string>
#include <vector>

#include "components/tune/deciding.hpp"
#include "components/tune/evidence.hpp"
#include "components/tune/formats.hpp"
#include "components/tune/rules.hpp"

namespace hockney::tune {

/// Leaves out candidates that the target cannot express, with the reason. A default setting that it
/// cannot express becomes the library's decision.
void keep_expressible(Target target, Evidence& evidence);

/// The results and decisions of `hockney tune`.
struct Tuning {
  Target target = Target::openmpi;
  Evidence evidence;
  std::vector<std::string> verified;  ///< documents whose slower sizes were left to the default
  DecideOptions options;
  Decisions decisions;
  SelectionFile file;
  std::string oversubscribed{};  ///< launches whose ranks share CPUs; empty: none
};

/// Comments at the beginning of the file: its origin, the method and evidence of the choices, and
/// how to activate it.
std::vector<std::string> comments_of(const Tuning& tuning);

/// "Open MPI v4.1.4" from a library's description.
std::string library_title(const std::string& library);

/// "corrected by Holm for 24 tests, alpha 0.05": the joint guarantee for all choices.
std::string family_text(const Evidence& evidence);

}  // namespace hockney::tune
