#pragma once

#include <optional>
#include <string>

#include "core/cli/command_line.hpp"
#include "driver/output/output.hpp"
#include "report/rows.hpp"
#include "report/suite_tables.hpp"

namespace hockney::driver {

/// Adds --table, which prints results as another suite does, to a command with options of output.
void add_layout_option(CommandLine& app, std::string& layout);

/// nullopt for an empty name; InputError for an unknown one.
std::optional<report::SuiteLayout> layout_of(const std::string& name);

/// InputError unless the suite has a table of one of the operations.
void require_suite_table(report::SuiteLayout layout, const std::vector<std::string>& operations);

/// Makes the tables of a result those of the suite. Operations without a table are named on stderr;
/// InputError if none has one. `rows` must outlive the result.
void use_layout(campaign::Result& result, report::SuiteLayout layout,
                const std::vector<report::Row>& rows);

}  // namespace hockney::driver
