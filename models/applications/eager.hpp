#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "models/applications/message_matrix.hpp"

namespace hockney::applications {

/// How far messages go without a receive, as hockney-protocol found it.
enum class Reach { in_node, between_nodes };

constexpr auto words_of(std::type_identity<Reach>) {
  return std::to_array<std::string_view>({"in a node", "between nodes"});
}

/// The eager limits of all pairs of ranks of one reach; several where their hop classes, or
/// launches, differ.
struct EagerLimits {
  Reach reach = Reach::in_node;
  std::set<std::int64_t> limits_bytes;
  std::set<std::string> hops;

  [[nodiscard]] std::int64_t least_bytes() const { return *limits_bytes.begin(); }
  [[nodiscard]] std::int64_t most_bytes() const { return *limits_bytes.rbegin(); }
};

/// Of the complete launches of hockney-protocol among the records; none where none found a limit.
std::vector<EagerLimits> eager_limits(std::span<const Record> records);

/// Calls that would be eager if the limit were at most twice as high.
struct CallsAbove {
  std::string call;
  Volume volume;
};

/// The messages of a program against the limits of one reach. Rows of a profile tell the smallest
/// and the largest of some messages: those of a row that a limit parts, or that lie between two
/// limits, may be above.
struct LimitUse {
  EagerLimits limits;
  Volume messages;  ///< all of this reach
  Volume above;
  Volume perhaps_above;
  std::vector<CallsAbove> just_above;  ///< of sends to anybody, those of most bytes first
};

/// Of each reach that both the program uses and limits are known of.
std::vector<LimitUse> limit_uses(const profile::Profile& profile,
                                 std::span<const EagerLimits> limits);

}  // namespace hockney::applications
