#include <array>
#include <filesystem>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "report/page/html.hpp"

namespace hockney::report {
namespace {

namespace fs = std::filesystem;

/// In the order in which they need each other.
constexpr std::array<const char*, 3> script_files{"vega.min.js", "vega-lite.min.js",
                                                  "vega-embed.min.js"};

constexpr std::size_t largest_script = std::size_t{4} << 20U;  // [B]

/// What would end the element that it is put into, or hide its end (HTML, 4.12.1.3).
bool is_embeddable(const std::string& script) {
  return script.find("</script") == std::string::npos && script.find("<!--") == std::string::npos;
}

}  // namespace

PageScripts load_page_scripts(const std::string& folder) {
  PageScripts scripts;
  for (const char* const name : script_files) {
    const std::string file = (fs::path(folder) / name).string();
    std::error_code unreachable;
    if (!fs::exists(file, unreachable)) {
      throw InputError({"no script '" + file + "'",
                        "plots need vega.min.js, vega-lite.min.js and vega-embed.min.js",
                        "docs/page.md says where they come from"});
    }
    std::string text = read_file(file, largest_script);
    if (!is_embeddable(text)) {
      throw InputError({"'" + file + "' cannot be put into a page",
                        "it has '</script' or '<!--' in it", "take the file of its npm package"});
    }
    scripts.texts.push_back(std::move(text));
  }
  return scripts;
}

PageScripts find_page_scripts(const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) {
    std::error_code unreachable;
    if (fs::exists(fs::path(folder) / script_files.front(), unreachable)) {
      return load_page_scripts(folder);
    }
  }
  return {.texts = {},
          .missing =
              "this hockney was built without the scripts that draw them; build the target "
              "page-scripts, or name their folder with --scripts (docs/page.md)"};
}

}  // namespace hockney::report
