#pragma once

#include <span>
#include <string_view>

namespace hockney {

/// "hock", in the header of the file: tells a history from the databases of other programs.
inline constexpr int history_application = 0x686f636b;

/// What makes a history of version i of one of version i - 1, as SQL; version 0 is an empty file.
/// Only ever appended to: histories of sites hold what earlier ones made.
std::span<const std::string_view> history_migrations();

}  // namespace hockney
