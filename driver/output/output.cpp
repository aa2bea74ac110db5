#include "driver/output/output.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

#include "core/atomic_file.hpp"
#include "core/cli/standard_output.hpp"
#include "core/error.hpp"
#include "core/json_values.hpp"
#include "core/provenance.hpp"
#include "core/text.hpp"
#include "driver/campaign/launch_command.hpp"

namespace hockney::campaign {
namespace {

/// Reads the environment variables of the character set in their order of precedence.
bool is_utf8_locale() {
  for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* const value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view locale = value;
    return locale.ends_with("UTF-8") || locale.ends_with("utf8");
  }
  return false;
}

[[noreturn]] void reject_page(const std::string& file) {
  throw InputError({fmt::format("no page for '{}'", file), "this result has no pictures",
                    "name a file that ends in .json or .csv"});
}

/// The document with the first screen as its key `summary`.
std::string document_text(const Result& result) {
  nlohmann::json document = result.document();
  if (document.is_object()) document["summary"] = to_json(result.summary());
  return json_text(document) + "\n";
}

}  // namespace

report::ScreenStyle style_of_terminal() {
  return {.blocks = isatty(STDOUT_FILENO) != 0 && is_utf8_locale(),
          .columns = output_columns().value_or(report::screen_columns)};
}

void add_output_options(CommandLine& app, OutputOptions& options, OutputOffer offer) {
  const CommandOption all =
      app.add_flag("--all", options.all, "Print all tables in place of the summary");
  const CommandOption quiet =
      app.add_flag("-q,--quiet", options.quiet, "Print one line, the verdict").excludes(all);
  const CommandOption json =
      app.add_flag("--json", options.json, "Print the JSON document").excludes(all).excludes(quiet);
  app.add_flag("--csv", options.csv, "Print the main table as CSV")
      .excludes(all)
      .excludes(quiet)
      .excludes(json);
  if (offer.file) {
    tried_first(app.add_option("-o,--output", options.file,
                               offer.page ? "Also write this file: a page with pictures (.html), "
                                            "CSV (.csv), or else the JSON document"
                                          : "Also write this file: CSV (.csv), or else the JSON "
                                            "document"))
        .type_name("FILE")
        .default_str("none");
  }
  options.offers_page = offer.page;
  options.command = [app](const std::vector<std::string>& others) {
    std::vector<std::string> left_out{"--all",  "--quiet",  "--json",   "--csv",
                                      "--page", "--output", "--scripts"};
    left_out.insert(left_out.end(), others.begin(), others.end());
    return escaped(
        to_shell({.arguments = hockney::without_secrets(app.given(left_out)), .environment = {}}));
  };
  if (offer.page) add_page_options(app, options.page);
}

void add_page_options(CommandLine& app, PageOutput& page) {
  app.add_option(page.option, page.file,
                 "Also write it, with pictures, as one HTML page to this file")
      .default_str("none");
  add_scripts_option(app, page.scripts);
}

void add_scripts_option(CommandLine& app, std::string& folder) {
  app.add_option("--scripts", folder,
                 "Folder of vega.min.js, vega-lite.min.js and vega-embed.min.js, which draw the "
                 "plots of the page")
      .default_str("those this hockney was built with");
}

report::PageScripts scripts_in(const std::string& folder) {
  if (!folder.empty()) return report::load_page_scripts(folder);
  return report::find_page_scripts({own_folder() + "/../share/hockney/page"});
}

report::PageScripts scripts_for(const PageOutput& page, const std::vector<std::string>& inputs) {
  if (!page.is_wanted()) {
    if (page.scripts.empty()) return {};
    throw InputError({"--scripts without " + page.option, "only a page has scripts",
                      fmt::format("name the page: {} page.html", page.option)});
  }
  if (!page.file.ends_with(".html") && is_replaceable(page.file)) {
    throw InputError({fmt::format("bad {} '{}'", page.option, page.file),
                      "what it is given is a page, which is HTML", "name it like page.html"});
  }
  check_writable(page.file);
  for (const std::string& input : inputs) {
    std::error_code none;  // set if one of the two files does not exist
    if (!std::filesystem::equivalent(page.file, input, none)) continue;
    throw InputError({fmt::format("cannot write a page to '{}'", page.file),
                      fmt::format("it is '{}', which is read", input), "name another file"});
  }
  return scripts_in(page.scripts);
}

void save_page(const std::string& file, const report::Page& page,
               const report::PageScripts& scripts) {
  OutputFile out(file);
  write_page(out.stream(), page, scripts);
  out.keep();
}

Output::Output(const OutputOptions& options, const std::vector<std::string>& inputs)
    : options_(options), page_(options.page) {
  const bool names_page = options.file.ends_with(".html");
  if (names_page && !options.offers_page) reject_page(options.file);
  if (!page_.is_wanted() && names_page) {
    page_.option = "--output";
    page_.file = options.file;
  }
  scripts_ = scripts_for(page_, inputs);
}

void Output::write_files(const Result& result) const {
  if (page_.is_wanted()) {
    if (!result.page) reject_page(page_.file);
    save_page(page_.file, result.page(), scripts_);
  }
  if (options_.file.empty() || options_.file == page_.file) return;
  std::ostringstream text;
  if (options_.file.ends_with(".csv")) {
    result.csv(text);
  } else {
    text << document_text(result);
  }
  write_atomically(options_.file, text.str());
}

void Output::show(const Result& result) const {
  write_files(result);
  if (options_.json) {
    std::cout << document_text(result);
  } else if (options_.csv) {
    result.csv(std::cout);
  } else if (options_.all) {
    result.tables(std::cout);
  } else {
    print_screen(std::cout, result.summary(),
                 options_.quiet ? report::ScreenSize::verdict : report::ScreenSize::first,
                 output_columns());
  }
}

}  // namespace hockney::campaign
