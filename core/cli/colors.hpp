#pragma once

#include <string>
#include <string_view>

namespace hockney {

/// Whether what goes to this descriptor may have colours: to a terminal alone, and not where
/// NO_COLOR is set to anything (no-color.org) or TERM says that there are none.
bool may_color(int descriptor);

/// Whole lines with colours for terminals that have eight: the words of verdicts ("slower",
/// "violated", "regressed" red; "faster", "satisfied" green; "undecided" yellow), and the labels
/// "trust" and "next" bold. Commands stay as they are. Without its escape sequences it is the same
/// text.
std::string colored(std::string_view text);

}  // namespace hockney
