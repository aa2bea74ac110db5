#include "cli/document_options.hpp"

namespace hockney {

CLI::Option* add_json_flag(CLI::App& app, bool& json) {
  return app.add_flag("--json", json, "Print the JSON document instead of the table");
}

void add_document_output(CLI::App& app, std::string& file) {
  app.add_option("-o,--output", file, "Also write the JSON document to this file")
      ->default_str("none");
}

}  // namespace hockney
