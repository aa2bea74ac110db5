#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hockney {

/// The line by which a library refuses to run another algorithm than the one that was asked for of
/// this operation: "BCAST: algo #6 has fallback" (Intel MPI 2021.18.1), "User set collective
/// algorithm is not usable for the provided arguments" (MPICH 4.0.2 and 5.0.2). nullopt where there
/// is none.
std::optional<std::string> refusal_in(std::string_view text, std::string_view operation);

/// The last line that says something, cut to a sentence's length; a line about any operation that
/// fell back comes first.
std::string last_words(std::string_view text);

}  // namespace hockney
