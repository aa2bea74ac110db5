#pragma once

#include <string>
#include <vector>

#include "campaign/dialect.hpp"

namespace hockney::where {

using Words = std::vector<std::string>;

/// The hosts that a launcher's options name, in a list or a file, and those of the allocation of
/// Slurm where the options name none: each once, without "localhost" and addresses, which are no
/// names. A file that cannot be read names none: the launcher will say so.
std::vector<std::string> hosts_asked_for(const Words& words, campaign::LauncherKind kind);

/// The words of a launcher, up to its program, without the options that say where ranks go on a
/// node and what they are bound to. What was left out goes to `left_out`.
Words without_placement(const Words& words, campaign::LauncherKind kind, Words& left_out);

}  // namespace hockney::where
