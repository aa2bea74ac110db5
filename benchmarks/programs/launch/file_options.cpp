#include "benchmarks/harness/file_access.hpp"
#include "benchmarks/programs/launch/option_parser.hpp"
#include "core/cli/cli11.hpp"
#include "core/quantities.hpp"

namespace hockney::benchmarks::programs {
namespace {

template <class Enum>
Enum word_of(const std::string& option, const std::string& text) {
  if (const auto value = find_word<Enum>(text)) return *value;
  throw InputError({"bad value '" + text + "' for " + option, "there is no such choice",
                    suggest(text, valid_words<Enum>())});
}

template <class Enum>
void add_choices(CLI::App& app, const std::string& option, std::vector<Enum>& values,
                 const std::string& usual, const std::string& help) {
  add_list_option(
      app, option, values, valid_words<Enum>(),
      [option](const std::string& text) { return word_of<Enum>(option, text); }, help)
      ->default_str(usual);
}

std::int64_t parse_space(const std::string& text) {
  const std::int64_t space = parse_bytes(text).value;
  if (space > 0) return space;
  throw InputError({"bad value '" + text + "' for --space", "nothing can be written into no space",
                    "give more than 0 bytes"});
}

}  // namespace

void add_file_options(CLI::App& app, LaunchOptions& options) {
  FileChoices& files = options.files;
  app.add_option("--path", files.path,
                 "Folder for the files, which all ranks see; they are removed afterwards")
      ->type_name("DIR")
      ->default_str("none: it must be given");
  add_choices(app, "--pointer", files.pointers, "individual",
              "What says where a call begins: all, or some of individual (a pointer of each rank), "
              "explicit (an argument) and shared (one pointer of all ranks)");
  add_choices(app, "--files", files.sharings, "one",
              "one (a file of all ranks), per-rank (a file of each), or both joined by a comma");
  add_choices(app, "--layout", files.layouts, "blocks",
              "Data of a rank in the file of all: blocks (one rank after another), strided (pieces "
              "of all ranks in turn, by a file view), or both joined by a comma");
  add_choices(
      app, "--cache", files.caches, "kept",
      "all, or some of kept (the system's caches do what they do), synced (MPI_File_sync is "
      "timed with each call) and direct (O_DIRECT, where the library does it)");
  add_parsed_option(
      app, "--space", [&](const std::string& text) { files.space = parse_space(text); },
      "Most bytes of files at any time; more is refused")
      ->default_str("1G");
}

}  // namespace hockney::benchmarks::programs
