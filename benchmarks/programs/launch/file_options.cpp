#include "benchmarks/programs/launch/axes.hpp"
#include "benchmarks/programs/launch/option_parser.hpp"
#include "core/cli/cli11.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"

namespace hockney::benchmarks::programs {
namespace {

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
  add_axes(app, Section::file_pointers, options);
  add_axes(app, Section::file_sharing, options);
  add_axes(app, Section::file_data, options);
  add_parsed_option(
      app, "--space", [&](const std::string& text) { files.space = parse_space(text); },
      "Most bytes of files at any time; more is refused")
      ->default_str("1G");
}

}  // namespace hockney::benchmarks::programs
