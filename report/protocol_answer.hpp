#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"

namespace hockney {

/// What launches of hockney-protocol found, in sentences: up to which size the ranks of a pair send
/// without a receive and what the library says of it, how many messages a receiver takes that does
/// not ask for them, and what memory that costs. Of more than three settings and pairs a
/// table of the limits; no lines of other records.
std::vector<std::string> protocol_answer(std::span<const Record> records);

}  // namespace hockney
