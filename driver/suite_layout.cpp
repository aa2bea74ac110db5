#include "driver/suite_layout.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <iostream>
#include <sstream>

#include "core/error.hpp"
#include "core/suite_names.hpp"
#include "core/text.hpp"

namespace hockney::driver {
namespace {

[[noreturn]] void reject(report::SuiteLayout layout, const std::vector<std::string>& operations) {
  throw InputError({fmt::format("no table of {} for {}", word(layout), escaped(join(operations))),
                    "its layout is not known here", "leave out --table"});
}

}  // namespace

void add_layout_option(CommandLine& app, std::string& layout) {
  app.add_option("--table", layout,
                 "Print means as OMB or IMB print them, for scripts that read those; osu-full as "
                 "OMB's -f")
      .type_name("osu|osu-full|imb")
      .default_str("none")
      .excludes(app.option("--all"))
      .excludes(app.option("--quiet"))
      .excludes(app.option("--json"))
      .excludes(app.option("--csv"));
}

std::optional<report::SuiteLayout> layout_of(const std::string& name) {
  if (name.empty()) return std::nullopt;
  return parse_word<report::SuiteLayout>(name, fmt::format("unknown table '{}'", name),
                                         "no suite prints it");
}

void require_suite_table(report::SuiteLayout layout, const std::vector<std::string>& operations) {
  const auto has_table = [&](const std::string& operation) {
    return report::has_suite_table(layout, known_name(operation).operation);
  };
  if (!operations.empty() && std::ranges::none_of(operations, has_table)) {
    reject(layout, operations);
  }
}

void use_layout(campaign::Result& result, report::SuiteLayout layout,
                const std::vector<report::Row>& rows) {
  result.tables = [&rows, layout](std::ostream& out) {
    std::ostringstream tables;
    const std::vector<std::string> left_out = print_suite_tables(tables, rows, layout);
    if (tables.view().empty()) reject(layout, left_out);
    out << tables.view();
    if (left_out.empty()) return;
    std::cerr << fmt::format("no table of {} for {}\n", word(layout), escaped(join(left_out)));
  };
}

}  // namespace hockney::driver
