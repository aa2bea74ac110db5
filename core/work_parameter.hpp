#pragma once

namespace hockney {

/// The parameter of a nonblocking operation's point that tells what goes on beside the call:
/// "none", "alone" (the same work without a call) or "during" (both).
inline constexpr const char* work_parameter = "work";

/// How often the operation is tested in work during it.
inline constexpr const char* tests_parameter = "tests";

}  // namespace hockney
