#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace hockney {

/// Every subcommand of hockney, those of other programs too.
inline constexpr std::array<std::string_view, 18> hockney_commands{
    "advise", "compare", "completion", "export",  "fit",     "guidelines",
    "health", "import",  "map",        "predict", "profile", "report",
    "run",    "scale",   "self-test",  "topo",    "tune",    "where"};

/// The word that starts hockney again, quoted for a shell: its path if the command line of this
/// process begins with one, else "hockney", which PATH has.
std::string called_name(const std::vector<std::string>& command_line);

/// The text with commands that begin with `name`: "next: hockney report x" becomes "next:
/// build/bin/hockney report x". Other uses of the word "hockney" stay.
std::string with_called_name(const std::string& text, const std::string& name);

/// The same with the name of this process.
std::string runnable(const std::string& text);

}  // namespace hockney
