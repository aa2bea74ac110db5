#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace hockney {

/// What may stand in the place of the last of these words, which follow the program's name:
/// options, subcommands, and values whose option or argument has the type "one|other", or
/// "one|other,..." for several joined by commas. Nothing where it is a file or a number. nullopt
/// where the words are those of another program, to which a subcommand leads.
std::optional<std::vector<std::string>> completions(const CLI::App& app,
                                                    std::span<const std::string> words);

}  // namespace hockney
