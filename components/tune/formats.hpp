#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "components/tune/deciding.hpp"
#include "components/tune/rules.hpp"
#include "core/collectives.hpp"

namespace hockney::tune {

/// What shows that the library decides by a file.
enum class Evident {
  by_variables,  ///< reported by the library with their values
  by_traffic,    ///< of a probe
  by_summary     ///< in which MPICH names the file
};

struct KeyedRules {
  Rules rules;
  std::vector<Inexpressible> inexpressible;
};

/// A complete selection tree of MPICH as the base.
struct BaseTree {
  std::string file;
  std::string text;
};

struct SelectionFile {
  std::string text;
  std::vector<Inexpressible> inexpressible;  ///< decisions that the target cannot express
};

/// What a selection file is written from.
struct FileSource {
  const Decisions& decisions;
  KeyedRules keyed;                          ///< their rules by the format's size keys
  const std::vector<std::string>& comments;  ///< of its beginning
  const std::optional<BaseTree>& base;

  /// The file with all that `keyed` could not express.
  [[nodiscard]] SelectionFile with(std::string text) const {
    return {std::move(text), keyed.inexpressible};
  }
};

/// A format of selection files.
struct Format {
  Target target;
  Library library;                    ///< whose names of algorithms it has
  std::string_view described{};       ///< beginning of descriptions of libraries with this default
  SizeKey SizeKeys::*keys = nullptr;  ///< nullptr: sizes do not count
  bool takes_variables = false;       ///< whether it can set variables that a choice needs
  /// Why it cannot express a choice; empty if it can. nullptr: it can express all.
  std::string_view (*why_not)(const std::string& operation, const Choice& choice) = nullptr;
  /// InputError without a base that it needs.
  SelectionFile (*write)(const FileSource& source);
  /// InputError for a file that a library of this description would ignore or misread.
  void (*check)(const std::string& text, const std::string& file, const std::string& library);
  /// The environment variables that activate a file, `file` being its path for the library.
  std::map<std::string, std::string> (*activation)(const std::string& text,
                                                   const std::string& file);
  std::string_view use;  ///< how to use a file, for its comments
  /// How to use a file in a shell. nullptr: by exporting the variables.
  std::string (*command)(const std::string& file) = nullptr;
  Evident evident = Evident::by_variables;
  std::string_view evidence{};  ///< a sentence of the verification; may be empty
};

const Format& format_of(Target target);

/// InputError with the nearest word for an unknown one.
Target parse_target(const std::string& text);

/// The target of a library by its description; InputError for a library without selection rules,
/// and for Open MPI 6.
Target target_of_library(const std::string& library);

/// Whether campaigns with that library use the target's names of algorithms.
bool prints_of(Target target, const std::string& library);

/// The size key of an operation, by its name in hockney.
SizeKey size_key(Target target, const std::string& operation);

/// The key of a message.
std::int64_t key_of(SizeKey key, int ranks, std::int64_t bytes);

/// The rules by a target's keys, with the ranks of the measurements. If sizes do not count, all
/// measured sizes must have one choice, or the library decides.
KeyedRules keyed(Target target, const Rules& rules);

/// Why a target's files cannot express a choice for an operation; empty if they can.
std::string why_inexpressible(Target target, const std::string& operation, const Choice& choice);

/// The decisions in the target's format. InputError if `mpich-json` lacks its base.
SelectionFile selection_file(Target target, const Decisions& decisions,
                             const std::vector<std::string>& comments,
                             const std::optional<BaseTree>& base);

}  // namespace hockney::tune
