#pragma once

#include <ostream>
#include <span>

#include "core/record.hpp"

namespace hockney {

/// Eager limits, floods and memory of launches of hockney-protocol; nothing for other records.
void print_protocol_tables(std::ostream& out, std::span<const Record> records);

}  // namespace hockney
