#include "campaign/app/page_output.hpp"

#include "campaign/executables.hpp"
#include "core/atomic_file.hpp"
#include "core/cli/cli11.hpp"
#include "core/error.hpp"

namespace hockney::campaign {

void add_scripts_option(CLI::App& app, std::string& folder) {
  app.add_option("--scripts", folder,
                 "Folder of vega.min.js, vega-lite.min.js and vega-embed.min.js, which draw the "
                 "plots of the page")
      ->default_str("those this hockney was built with");
}

report::PageScripts scripts_in(const std::string& folder) {
  if (!folder.empty()) return report::load_page_scripts(folder);
  return report::find_page_scripts({own_folder() + "/../share/hockney/page"});
}

void check_page(const std::string& option, const std::string& file, const std::string& scripts) {
  if (file.empty() && !scripts.empty()) {
    throw InputError({"--scripts without " + option, "only a page has scripts",
                      "name the page: " + option + " page.html"});
  }
  if (file.empty() || file.ends_with(".html") || !is_replaceable(file)) return;
  throw InputError({"bad " + option + " '" + file + "'",
                    "what it is given is a page, which is HTML", "name it like page.html"});
}

void save_page(const std::string& file, const report::Page& page,
               const report::PageScripts& scripts) {
  OutputFile out(file);
  write_page(out.stream(), page, scripts);
  out.keep();
}

}  // namespace hockney::campaign
