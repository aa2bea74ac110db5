#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "core/cli/command_line.hpp"
#include "report/page/page.hpp"
#include "report/screen.hpp"

namespace hockney::campaign {

/// Capabilities of the terminal: its width, and Unicode blocks if standard output is a terminal and
/// the locale is UTF-8.
report::ScreenStyle style_of_terminal();

/// The result of a command in every form. A form is computed when it is requested.
struct Result {
  std::function<report::Screen()> summary;    ///< the default
  std::function<void(std::ostream&)> tables;  ///< --all
  std::function<nlohmann::json()> document;   ///< --json
  std::function<void(std::ostream&)> csv;     ///< --csv: the main table
  std::function<report::Page()> page{};       ///< --page; empty if the command has no page
};

/// An HTML page that a command writes on request.
struct PageOutput {
  std::string option = "--page";  ///< its name
  std::string file;               ///< empty if no page is requested
  std::string scripts;            ///< folder; empty for the built-in scripts

  [[nodiscard]] bool is_wanted() const { return !file.empty(); }
};

/// The options that select a form.
struct OutputOptions {
  bool all = false;
  bool quiet = false;
  bool json = false;
  bool csv = false;
  std::string file;          ///< of -o; its suffix selects the form
  bool offers_page = false;  ///< whether the command has --page
  /// The command line as given, without options of output, those of `others`, and secrets; escaped
  /// for a shell and a terminal.
  std::function<std::string(const std::vector<std::string>& others)> command;
  PageOutput page;
};

/// Options of a command besides --all, --quiet, --json and --csv.
struct OutputOffer {
  bool file = true;   ///< -o FILE; false if -o has another meaning
  bool page = false;  ///< --page FILE
};

/// Adds --all, -q, --json, --csv, -o and --page. The first four exclude each other.
void add_output_options(CommandLine& app, OutputOptions& options, OutputOffer offer = {});

/// Writes the forms of a result to files and to standard output.
class Output {
 public:
  /// Construct it before any work: InputError if the page cannot be written or would replace one of
  /// the `inputs`.
  explicit Output(const OutputOptions& options, const std::vector<std::string>& inputs = {});

  [[nodiscard]] bool wants_page() const { return page_.is_wanted(); }
  /// Writes the files, then prints one form to standard output.
  void show(const Result& result) const;
  /// Writes the files only.
  void write_files(const Result& result) const;

 private:
  const OutputOptions& options_;
  PageOutput page_;  ///< of --page, or of -o with a name that ends in .html
  report::PageScripts scripts_;
};

/// Adds --page and --scripts.
void add_page_options(CommandLine& app, PageOutput& page);

/// --scripts DIR: folder of the page's scripts; without it the built-in ones are used.
void add_scripts_option(CommandLine& app, std::string& folder);

/// The scripts in `folder`; the built-in ones if it is empty. InputError if a script is missing.
report::PageScripts scripts_in(const std::string& folder);

/// The scripts of the page if it is requested; call it before any work. InputError if the name does
/// not end in ".html" (devices are accepted), or the page would replace one of the `inputs`.
/// InputError also for scripts without a page. RunError if the file cannot be written.
report::PageScripts scripts_for(const PageOutput& page, const std::vector<std::string>& inputs);

/// Writes the page atomically; RunError if it cannot be written.
void save_page(const std::string& file, const report::Page& page,
               const report::PageScripts& scripts);

}  // namespace hockney::campaign
