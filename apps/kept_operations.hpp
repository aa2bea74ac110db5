#pragma once

#include <string>
#include <vector>

#include "core/record.hpp"

namespace hockney {

/// Keeps the operations in `list`, joined by commas; InputError for one that no record holds.
void keep_operations(const std::vector<std::vector<Record>*>& sides, const std::string& list);

}  // namespace hockney
