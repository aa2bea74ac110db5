#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tune/deciding.hpp"
#include "tune/evidence.hpp"
#include "tune/rules.hpp"

namespace hockney::tune {

/// Why a target's files cannot express a choice for an operation; empty if they can.
std::string why_inexpressible(Target target, const std::string& operation, const Choice& choice);

/// Leaves out candidates that the target cannot express, with the reason. A default setting that it
/// cannot express becomes the library's decision.
void keep_expressible(Target target, Evidence& evidence);

/// A complete selection tree of MPICH as the base.
struct BaseTree {
  std::string file;
  std::string text;
};

struct SelectionFile {
  std::string text;
  std::vector<Inexpressible> inexpressible;  ///< decisions that the target cannot express
};

/// The decisions in the target's format. InputError if `mpich-json` lacks its base.
SelectionFile selection_file(Target target, const Decisions& decisions,
                             const std::vector<std::string>& comments,
                             const std::optional<BaseTree>& base);

/// The environment variables that activate such a file; none for `smpi`, which uses launcher
/// options. `file` is the path for the library.
std::map<std::string, std::string> activation(Target target, const std::string& file,
                                              const std::string& text);

inline constexpr std::string_view selection_schema = "hockney.selection/1";

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

/// The document of `hockney tune --json`.
nlohmann::json to_json(const Tuning& tuning);

}  // namespace hockney::tune
