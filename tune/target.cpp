#include "tune/target.hpp"

#include <algorithm>
#include <array>

#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney {
namespace {

struct TargetWord {
  Target target;
  std::string_view text;
};

constexpr std::array<TargetWord, 6> target_words{{{Target::openmpi, "openmpi"},
                                                  {Target::openmpi6, "openmpi6"},
                                                  {Target::intel, "intel"},
                                                  {Target::mpich, "mpich"},
                                                  {Target::mpich_json, "mpich-json"},
                                                  {Target::smpi, "smpi"}}};

/// How libraries begin to describe themselves.
struct LibraryWord {
  std::string_view beginning;
  Target target;
};

constexpr std::array<LibraryWord, 5> library_words{{{"Open MPI v6", Target::openmpi6},
                                                    {"Open MPI", Target::openmpi},
                                                    {"Intel(R) MPI", Target::intel},
                                                    {"MPICH", Target::mpich},
                                                    {"SMPI", Target::smpi}}};

/// Open MPI's two formats name the same algorithms, as MPICH's do.
Target vocabulary(Target target) {
  if (target == Target::openmpi6) return Target::openmpi;
  return target == Target::mpich_json ? Target::mpich : target;
}

}  // namespace

std::string_view word(Target target) {
  return target_words.at(static_cast<std::size_t>(target)).text;
}

Target parse_target(const std::string& text) {
  std::vector<std::string> valid;
  for (const TargetWord& known : target_words) {
    if (known.text == text) return known.target;
    valid.emplace_back(known.text);
  }
  throw InputError({"unknown target '" + text + "'", "hockney writes no selection files for it",
                    suggest(text, valid)});
}

Target target_of_library(const std::string& library) {
  const auto* const found = std::ranges::find_if(library_words, [&](const LibraryWord& known) {
    return library.starts_with(known.beginning);
  });
  if (found != library_words.end()) return found->target;
  throw InputError({"no selection file for the library '" + library + "'",
                    "hockney knows no format that it reads", "name a target with --for"});
}

bool speaks_of(Target target, const std::string& library) {
  return vocabulary(target) == vocabulary(target_of_library(library));
}

}  // namespace hockney
