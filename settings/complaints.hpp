#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hockney {

/// What an MPI library printed about settings it did not take, one text for each complaint, at most
/// a few; its patterns stand in one table in complaints.cpp. Ranks that say the same count once.
std::vector<std::string> complaints_in(std::string_view log);

}  // namespace hockney
