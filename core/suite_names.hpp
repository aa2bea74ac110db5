#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/record.hpp"

namespace hockney {

/// Why a record ended whose figures another suite printed (`stopped_because`).
inline constexpr std::string_view imported_reason = "imported";

/// Whether another suite printed the record's figures.
inline bool is_imported(const Record& record) { return record.stopped_because == imported_reason; }

/// An operation that is asked for by a name of another suite.
struct KnownName {
  std::string operation;  ///< hockney's name, where it has the operation
  std::string remark;     ///< what else than by the suite is measured; empty: the same
  std::map<std::string, std::string> parameters{};  ///< of the suite's, that hockney has as options
};

/// What a name means that OMB, IMB or MPI have for an operation: osu_latency and latency, mbw_mr,
/// PingPong, Reduce_scatter, Ibcast_pure, MPI_Allreduce, osu_bcast_persistent. Of any other name:
/// the same in small letters, with - for _. Whether there is such an operation is not asked.
KnownName known_name(std::string_view name);

}  // namespace hockney
