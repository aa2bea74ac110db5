#include "driver/output/page_output.hpp"

#include <fmt/format.h>
#include <filesystem>

#include "core/atomic_file.hpp"
#include "core/cli/command_line.hpp"
#include "core/error.hpp"
#include "driver/campaign/launch_command.hpp"

namespace hockney::campaign {

void add_page_options(CommandLine& app, const std::string& names, const std::string& description,
                      PageOutput& page) {
  page.option = names.substr(0, names.find(','));
  app.add_option(names, page.file, description).default_str("none");
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

}  // namespace hockney::campaign
