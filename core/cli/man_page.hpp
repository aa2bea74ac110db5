#pragma once

#include <ostream>

namespace CLI {
class App;
}  // namespace CLI

namespace hockney {

/// The manual page (man(7)) of a program as its command line describes it: every option, with those
/// of its subcommands. A driver that has one subcommand is shown as that.
void write_man_page(std::ostream& out, const CLI::App& program);

}  // namespace hockney
