#pragma once

#include <string>

#include "cli/cli11.hpp"

namespace hockney {

/// --json: the document instead of the table.
CLI::Option* add_json_flag(CLI::App& app, bool& json);

/// -o, --output FILE: the document too; "" when it is not given.
void add_document_output(CLI::App& app, std::string& file);

}  // namespace hockney
