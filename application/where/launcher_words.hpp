#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/dialect.hpp"

namespace hockney::where {

using Words = std::vector<std::string>;

/// Where a launcher's own options end and the words of what it starts begin; the number of words
/// where it starts nothing. The first word is the launcher.
std::size_t end_of_options(const Words& words, campaign::LauncherKind kind);

/// The hosts that a launcher's options name, in a list or a file, and those of the allocation of
/// Slurm where the options name none: each once, without "localhost" and addresses, which are no
/// names. A file that cannot be read names none: the launcher will say so.
std::vector<std::string> hosts_asked_for(const Words& words, campaign::LauncherKind kind);

/// The words of a launcher and its options without those that say where ranks go on a node and what
/// they are bound to. What was left out goes to `left_out`.
Words without_placement(const Words& words, campaign::LauncherKind kind, Words& left_out);

/// Whether an option of the words has one of these names, "cpu-set" for "--cpu-set".
bool has_option(const Words& words, const std::vector<std::string_view>& names);

}  // namespace hockney::where
