#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tune/deciding.hpp"
#include "tune/selection_file.hpp"

namespace hockney::tune {

inline constexpr std::string_view selection_schema = "hockney.selection/1";

/// All that `hockney tune` found out and decided.
struct Tuning {
  Target target = Target::openmpi;
  Evidence evidence;
  std::vector<std::string> verified;  ///< documents by which sizes were left to the default
  DecideOptions options;
  Decisions decisions;
  SelectionFile file;
  std::string oversubscribed{};  ///< launches whose ranks share CPUs; empty: none
};

/// What to say at the beginning of the file: where it comes from, how choices were made and on what
/// evidence, how to put it into force.
std::vector<std::string> comments_of(const Tuning& tuning);

/// "Open MPI v4.1.4" of all that a library says of itself.
std::string library_title(const std::string& library);

/// "corrected by Holm for 24 tests, alpha 0.05": what is promised of all choices together.
std::string family_text(const Evidence& evidence);

/// The document of `hockney tune --json`.
nlohmann::json to_json(const Tuning& tuning);

}  // namespace hockney::tune
