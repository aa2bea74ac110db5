#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tune/deciding.hpp"
#include "tune/evidence.hpp"
#include "tune/target.hpp"

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

}  // namespace hockney::tune
