#include "core/cli/subcommand.hpp"

#include <iostream>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "core/json_values.hpp"

namespace hockney {

void show_document(const nlohmann::json& document, const DocumentOptions& options,
                   const std::function<void(std::ostream&)>& print) {
  const std::string text = json_text(document) + "\n";
  if (!options.output.empty()) write_atomically(options.output, text);
  if (options.json) {
    std::cout << text;
  } else {
    print(std::cout);
  }
}

}  // namespace hockney
