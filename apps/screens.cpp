#include "apps/screens.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "core/cli/cli11.hpp"
#include "core/cli/standard_output.hpp"
#include "report/algorithm_table.hpp"
#include "report/axis_table.hpp"
#include "report/fault_lines.hpp"

namespace hockney::apps {
namespace {

/// By the variables of the environment that choose the character set, in their order.
bool is_utf8_locale() {
  for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* const value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view locale = value;
    return locale.ends_with("UTF-8") || locale.ends_with("utf8");
  }
  return false;
}

}  // namespace

void add_screen_options(CLI::App& app, ScreenChoice& choice) {
  CLI::Option* const all = app.add_flag("--all", choice.all, "All tables in place of the answer");
  app.add_flag("-q,--quiet", choice.quiet, "Only the one line that says the most")->excludes(all);
}

report::ScreenStyle style_of_terminal() {
  return {.blocks = isatty(STDOUT_FILENO) != 0 && is_utf8_locale(),
          .columns = output_columns().value_or(report::screen_columns)};
}

void show_screen(std::ostream& out, const ScreenChoice& choice,
                 const std::function<report::Screen()>& make,
                 const std::function<void(std::ostream&)>& print_tables) {
  if (choice.all) {
    print_tables(out);
  } else {
    print_screen(out, make(), choice.size(), output_columns());
  }
}

void print_all_tables(std::ostream& out, report::Evaluation& evaluation,
                      const std::vector<std::string>& axes, report::TableStyle style) {
  const std::span<const Record> records = evaluation.records();
  style.level = evaluation.level();
  report::print_faults(out, evaluation.faults());
  for (const std::string& axis : axes) print_axis_table(out, report::by_axis(records, axis));
  report::print_algorithm_tables(out, records);
  if (axes.empty()) print_record_tables(out, evaluation.rows(), records, style);
}

}  // namespace hockney::apps
