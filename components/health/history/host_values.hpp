#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "components/health/history/database.hpp"
#include "components/health/history/reading.hpp"

namespace hockney::health {

/// Whether a series is a figure that one host measured for itself. The ratios of a node's pairs
/// (node_ratio) are not.
bool is_of_host(std::string_view series);

/// The name of a host's series without the host.
std::string without_host(std::string_view series);

/// One figure of all hosts over some nights.
struct HostFigure {
  SeriesKind kind;            ///< name without the host
  std::vector<float> values;  ///< hosts x nights; NaN: none
  double half_digit = 0;      ///< the largest half of a last printed digit over its value [ratio]
};

/// What hosts measured for themselves on some nights.
struct HostNights {
  std::vector<std::int64_t> days;  ///< ascending
  std::vector<std::string> hosts;  ///< sorted
  std::vector<HostFigure> figures;
  std::vector<Environment> environments;
  /// hosts x nights: index of the environment of the host's figures; -1: none.
  std::vector<std::int32_t> environment_of;

  /// Index of a value in the tables of hosts and nights.
  [[nodiscard]] std::size_t at(std::size_t host, std::size_t night) const {
    return host * days.size() + night;
  }
};

/// Reads these days, ascending, in one scan each. Empty without such series.
HostNights read_hosts(const HistoryDatabase& database, std::vector<std::int64_t> days);

/// What a rename changed.
struct Renamed {
  std::size_t series = 0;
  std::size_t pairs = 0;  ///< rows
};

/// Gives the series and pairs of a host another host's name. InputError if the history does not
/// have the host, or if it has values of both on one day. One transaction.
Renamed rename_host(const HistoryDatabase& database, const std::string& host,
                    const std::string& name);

}  // namespace hockney::health
