#include "components/tune/formats.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>

#include "components/tune/open_mpi_algorithms.hpp"
#include "components/tune/open_mpi_rules.hpp"
#include "components/tune/other_library_rules.hpp"
#include "core/error.hpp"
#include "core/json_node.hpp"
#include "core/text.hpp"

namespace hockney::tune {
namespace {

/// Sentences of files, screens and notes.
namespace words {

constexpr std::string_view no_rules = "coll/tuned takes no rules for it";
constexpr std::string_view no_number = "its number is not known";
constexpr std::string_view no_preset = "it is no preset's number";
constexpr std::string_view parameters = "the tree would have to hold its parameters, too";
constexpr std::string_view no_word = "a name in it is no word of a file";
constexpr std::string_view unset = "no rule can set {}";
constexpr std::string_view sizes_differ =
    "sizes do not count there, and those measured on {} ranks differ";

constexpr std::string_view use_in_open_mpi =
    "to use it: OMPI_MCA_coll_tuned_use_dynamic_rules=1 "
    "OMPI_MCA_coll_tuned_dynamic_rules_filename=<this file>";
constexpr std::string_view use_in_mpich =
    "to use it: MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=<this file> "
    "MPIR_CVAR_DEVICE_COLLECTIVES=none";
constexpr std::string_view use_in_shell = "to use it: source this file in a shell";
constexpr std::string_view open_mpi_6 = "Open MPI v6";
constexpr std::string_view no_complaint = "Intel MPI complained of nothing";

}  // namespace words

using Variables = std::map<std::string, std::string>;

std::string_view why_not_open_mpi(const std::string& operation, const Choice& choice) {
  if (!open_mpi_collective(operation)) return words::no_rules;
  if (!open_mpi_number(operation, choice)) return words::no_number;
  return {};
}

std::string_view why_no_preset(const std::string& /*operation*/, const Choice& choice) {
  return choice.number ? "" : words::no_preset;
}

/// MPICH 5.0.2 crashes in MPI_Init on an algorithm without its radix, type of tree, ...
std::string_view why_not_in_tree(const std::string& /*operation*/, const Choice& choice) {
  constexpr std::array<std::string_view, 5> parts{"tree", "k_", "recexch", "multiplying", "ccl"};
  const bool has_parameters = std::ranges::any_of(parts, [&](std::string_view part) {
    return choice.algorithm.find(part) != std::string::npos;
  });
  return has_parameters ? words::parameters : "";
}

SelectionFile intel_file(const FileSource& from) {
  return from.with(shell_file(intel_adjust(from.keyed.rules), from.comments));
}

SelectionFile mpich_file(const FileSource& from) {
  MpichVariables found = mpich_variables(from.decisions);
  return {shell_file(found.environment, from.comments), std::move(found.inexpressible)};
}

SelectionFile mpich_json_file(const FileSource& from) {
  if (from.base) return from.with(mpich_json(from.base->text, from.base->file, from.keyed.rules));
  throw InputError({"--for mpich-json without --base",
                    "MPICH ends in MPI_Init when its tree lacks a collective",
                    "give maint/tuning/coll/mpir/generic.json of your MPICH's sources"});
}

Variables open_mpi_variables(const std::string& /*text*/, const std::string& file) {
  return {{"OMPI_MCA_coll_tuned_use_dynamic_rules", "1"},
          {"OMPI_MCA_coll_tuned_dynamic_rules_filename", file}};
}

Variables mpich_json_variables(const std::string& /*text*/, const std::string& file) {
  return {{"MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE", file},
          {"MPIR_CVAR_DEVICE_COLLECTIVES", "none"}};
}

std::string sourced(const std::string& file) { return ". " + file; }

using Text = const std::string&;
using From = const FileSource&;

constexpr std::array<Format, 4> formats{
    {{.target = Target::openmpi,
      .library = Library::open_mpi,
      .described = "Open MPI",
      .keys = &SizeKeys::open_mpi,
      .why_not = why_not_open_mpi,
      .write =
          [](From from) { return from.with(open_mpi_rules_file(from.keyed.rules, from.comments)); },
      .check = [](Text text, Text file,
                  Text library) { read_open_mpi_rules(text, file, open_mpi_release(library)); },
      .activation = open_mpi_variables,
      .use = words::use_in_open_mpi,
      .evident = Evident::by_traffic},
     {.target = Target::intel,
      .library = Library::intel,
      .described = "Intel(R) MPI",
      .keys = &SizeKeys::intel,
      .why_not = why_no_preset,
      .write = intel_file,
      .check = [](Text text, Text file, Text) { read_intel_adjust(read_shell_file(text, file)); },
      .activation = read_shell_file,
      .use = words::use_in_shell,
      .command = sourced,
      .evidence = words::no_complaint},
     {.target = Target::mpich,
      .library = Library::mpich,
      .described = "MPICH",
      .takes_variables = true,
      .write = mpich_file,
      .check = [](Text text, Text file, Text) { read_shell_file(text, file); },
      .activation = read_shell_file,
      .use = words::use_in_shell,
      .command = sourced},
     {.target = Target::mpich_json,
      .library = Library::mpich,
      .keys = &SizeKeys::mpich,
      .why_not = why_not_in_tree,
      .write = mpich_json_file,
      .check = [](Text text, Text file, Text) { parse_json(text, file); },
      .activation = mpich_json_variables,
      .use = words::use_in_mpich,
      .evident = Evident::by_summary}}};

/// Whether the names have only characters that stay one word for shells, libraries and readers.
bool has_words_alone(const std::string& operation, const Choice& choice) {
  std::string names = operation + choice.algorithm;
  for (const auto& [variable, value] : choice.variables) names += variable + value;
  return std::ranges::all_of(names, [](unsigned char letter) {
    return std::isalnum(letter) != 0 ||
           std::string_view("_-.:,+@/ ").find(static_cast<char>(letter)) != std::string_view::npos;
  });
}

/// The one choice of all measured sizes; nullopt if they differ. Sizes outside the measured range,
/// which are the library's, are ignored.
std::optional<Choice> only_choice(const RanksRule& rule) {
  std::optional<Choice> only;
  for (const SizeRule& size : rule.sizes) {
    if (size.choice.is_default() && !size.measured) continue;
    if (only && *only != size.choice) return std::nullopt;
    only = size.choice;
  }
  return only ? only : Choice();
}

}  // namespace

const Format& format_of(Target target) {
  return *std::ranges::find(formats, target, &Format::target);
}

Target parse_target(const std::string& text) {
  return parse_word<Target>(text, fmt::format("unknown target '{}'", text),
                            "hockney writes no selection files for it");
}

Target target_of_library(const std::string& library) {
  if (library.starts_with(words::open_mpi_6)) {
    throw InputError({fmt::format("no selection file for the library '{}'", library),
                      "Open MPI 6 misreads classic files with several numbers of ranks",
                      "name --for openmpi if one was measured"});
  }
  const Format* found = nullptr;
  std::size_t longest = 0;
  for (const Format& format : formats) {
    if (!library.starts_with(format.described) || format.described.size() <= longest) continue;
    found = &format;
    longest = format.described.size();
  }
  if (found != nullptr) return found->target;
  throw InputError({fmt::format("no selection file for the library '{}'", library),
                    "hockney knows no format that it reads", "name a target with --for"});
}

bool prints_of(Target target, const std::string& library) {
  return format_of(target).library == format_of(target_of_library(library)).library;
}

SizeKey size_key(Target target, const std::string& operation) {
  const Format& format = format_of(target);
  const Collective* const collective = find_collective(operation);
  const bool has_keys = format.keys != nullptr && collective != nullptr;
  return has_keys ? collective->keys.*format.keys : SizeKey::none;
}

std::int64_t key_of(SizeKey key, int ranks, std::int64_t bytes) {
  if (key == SizeKey::none) return 0;
  return key == SizeKey::times_ranks ? bytes * ranks : bytes;
}

KeyedRules keyed(Target target, const Rules& rules) {
  KeyedRules result;
  for (OperationRules operation : rules) {
    const SizeKey key = size_key(target, operation.operation);
    for (RanksRule& rule : operation.ranks) {
      if (key == SizeKey::none) {
        const auto only = only_choice(rule);
        if (!only) {
          result.inexpressible.push_back(
              {operation.operation, fmt::format(words::sizes_differ, rule.measured)});
        }
        rule.sizes = {{.from = 0, .choice = only.value_or(Choice())}};
      }
      for (SizeRule& size : rule.sizes) size.from = key_of(key, rule.measured, size.from);
    }
    result.rules.push_back(std::move(operation));
  }
  result.rules = merged(std::move(result.rules));
  return result;
}

std::string why_inexpressible(Target target, const std::string& operation, const Choice& choice) {
  const Format& format = format_of(target);
  if (choice.is_default()) return {};
  if (!has_words_alone(operation, choice)) return std::string(words::no_word);
  if (!choice.variables.empty() && !format.takes_variables) {
    return fmt::format(words::unset, choice.variables.begin()->first);
  }
  if (format.why_not == nullptr) return {};
  return std::string(format.why_not(operation, choice));
}

SelectionFile selection_file(Target target, const Decisions& decisions,
                             const std::vector<std::string>& comments,
                             const std::optional<BaseTree>& base) {
  return format_of(target).write({decisions, keyed(target, decisions.rules), comments, base});
}

}  // namespace hockney::tune
