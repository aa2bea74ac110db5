#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "history/night.hpp"

namespace hockney {

/// What the complete launches of one campaign in one night say: all but the records that the night
/// was made of. InputError when a setting ran under two MPI libraries.
Night make_night(std::int64_t day, const std::string& campaign, std::vector<Record> records);

}  // namespace hockney
