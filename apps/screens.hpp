#pragma once

#include <functional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "core/cli/command_line.hpp"
#include "report/record_tables.hpp"
#include "report/screens/answers.hpp"
#include "report/screens/evaluation.hpp"

namespace hockney::apps {

/// How much a command prints.
struct ScreenChoice {
  bool all = false;    ///< its tables in place of the screen
  bool quiet = false;  ///< the verdict alone

  [[nodiscard]] report::ScreenSize size() const {
    return quiet ? report::ScreenSize::verdict : report::ScreenSize::first;
  }
};

/// --all and -q, --quiet.
void add_screen_options(CLI::App& app, ScreenChoice& choice);

/// What the terminal can show: its width, and blocks of Unicode where standard output is one and
/// the locale is UTF-8.
report::ScreenStyle style_of_terminal();

/// Prints the screen that `make` makes, or with --all what `print_tables` prints.
void show_screen(std::ostream& out, const ScreenChoice& choice,
                 const std::function<report::Screen()>& make,
                 const std::function<void(std::ostream&)>& print_tables);

/// The tables of records, behind their faults: by `axes`, where there are any, and the algorithms
/// that ran; of records without axes all that print_record_tables prints.
void print_all_tables(std::ostream& out, report::Evaluation& evaluation,
                      const std::vector<std::string>& axes, report::TableStyle style = {});

}  // namespace hockney::apps
