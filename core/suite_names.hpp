#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/record.hpp"

namespace hockney {

/// `stopped_because` of a record whose figures come from another suite.
inline constexpr std::string_view imported_reason = "imported";

/// Whether the record's figures come from another suite.
inline bool is_imported(const Record& record) { return record.stopped_because == imported_reason; }

/// An operation that is requested by its name in another suite.
struct KnownName {
  std::string operation;  ///< hockney's name, if it has the operation
  std::string remark;     ///< difference from the suite's measurement; empty: none
  std::map<std::string, std::string> parameters{};  ///< of the suite's name, as options of hockney
};

/// Translates names of OMB, IMB and MPI: osu_latency and latency, mbw_mr, PingPong, Reduce_scatter,
/// Ibcast_pure, MPI_Allreduce, osu_bcast_persistent. Other names become lower case with - for _. It
/// does not check that hockney has the operation.
KnownName known_name(std::string_view name);

/// The names that differ from hockney's in more than case: "latency", "mbw-mr".
std::vector<std::string> known_names();

}  // namespace hockney
