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

/// Why a target's files cannot say a choice for an operation; empty where they can.
std::string why_inexpressible(Target target, const std::string& operation, const Choice& choice);

/// Leaves out the candidates that the target cannot say, with the reason. A default setting that
/// it cannot say becomes the library's own decision.
void keep_expressible(Target target, Evidence& evidence);

/// A complete selection tree of MPICH, to start from.
struct BaseTree {
  std::string file;
  std::string text;
};

struct SelectionFile {
  std::string text;
  std::vector<Inexpressible> inexpressible;  ///< what was decided and the target cannot say
};

/// The decisions in a target's own form. InputError when `mpich-json` lacks its base.
SelectionFile selection_file(Target target, const Decisions& decisions,
                             const std::vector<std::string>& comments,
                             const std::optional<BaseTree>& base);

/// The variables of the environment that put such a file into force; none for `smpi`, whose
/// options belong to the launcher. `file` is the path by which the library will open it.
std::map<std::string, std::string> activation(Target target, const std::string& file,
                                              const std::string& text);

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
