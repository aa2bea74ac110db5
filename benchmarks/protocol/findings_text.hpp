#pragma once

#include <optional>
#include <string>

#include "benchmarks/protocol/pair_protocol.hpp"
#include "core/record.hpp"

namespace hockney {

/// What one rank found, as a text for all: a protocol and times of the pair's first rank only.
std::string to_text(const std::optional<Protocol>& protocol, const std::vector<MemoryUse>& memory,
                    const std::vector<TimedOverhead>& times);

/// Puts what was found into the record: the times as points with series.
void add_findings(const std::string& text, Record& record);

}  // namespace hockney
