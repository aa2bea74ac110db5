#pragma once

#include <optional>
#include <string>
#include <vector>

#include "application/analysis/happens_before.hpp"

namespace hockney::projection {

/// For each collective of a program the algorithm that carries it out; nullopt: it stays one.
using Carriers = std::vector<std::optional<std::string>>;

/// The program with the messages of schedules in place of collectives, so that ranks come to them
/// and leave them one by one. What is started in one call and completed in another happens where it
/// is completed. A call without data, as for the making of communicators, goes as a barrier does.
/// InputError for an algorithm that is unfit for the work.
applications::HappensBefore with_schedules(const applications::HappensBefore& program,
                                           const Carriers& carriers);

/// How many messages that adds.
std::int64_t scheduled_messages(const applications::HappensBefore& program,
                                const Carriers& carriers);

}  // namespace hockney::projection
