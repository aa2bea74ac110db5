#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "selection/deciding.hpp"
#include "selection/size_key.hpp"
#include "selection/target.hpp"

namespace hockney {

/// A complete selection tree of MPICH, to start from.
struct BaseTree {
  std::string file;
  std::string text;
};

struct SelectionFile {
  std::string text;
  std::vector<Unsaid> unsaid;  ///< what was decided and the target cannot say
};

/// The decisions in a target's own form. InputError when `mpich-json` lacks its base.
SelectionFile selection_file(Target target, const Decisions& decisions,
                             const std::vector<std::string>& comments,
                             const std::optional<BaseTree>& base);

/// The variables of the environment that put such a file into force; none for `smpi`, whose
/// options belong to the launcher. `file` is the path by which the library will open it.
std::map<std::string, std::string> activation(Target target, const std::string& file,
                                              const std::string& text);

}  // namespace hockney
