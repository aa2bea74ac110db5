#pragma once

#include <cstdint>
#include <string_view>

namespace hockney {

/// The algorithm behind a preset of I_MPI_ADJUST_<operation>, `variable`, as Intel's Developer
/// Reference (2019 to 2021) names it; empty where it does not. The library itself tells numbers
/// alone.
std::string_view intel_preset_name(std::string_view variable, std::int64_t preset);

}  // namespace hockney
