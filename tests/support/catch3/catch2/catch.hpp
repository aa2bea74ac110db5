#pragma once

/// The header of Catch2 2 and its names, from Catch2 3.

#include <catch2/catch_all.hpp>
#include <string>

namespace Catch {

using Matchers::EndsWith;
using Matchers::Matches;
using Matchers::Message;
using Matchers::StartsWith;

inline auto Contains(const std::string& part) { return Matchers::ContainsSubstring(part); }

}  // namespace Catch

using Catch::Approx;
