#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/faults.hpp"
#include "health/detection/nightly_series.hpp"
#include "verdicts/fleet/host_pairs.hpp"

namespace hockney::health {

inline constexpr SeriesRole role_of(std::string_view text) {
  return find_word<SeriesRole>(text).value_or(SeriesRole::subject);
}

inline constexpr WorseWhen worse_of(std::string_view text) {
  return find_word<WorseWhen>(text).value_or(WorseWhen::larger);
}

/// A record that a night was made of.
struct NightRecord {
  std::string digest;  ///< of the file's content
  std::string file;    ///< where it was read, absolute

  friend bool operator==(const NightRecord&, const NightRecord&) = default;
};

/// What may change under a series without being measured: library, kernel, governor, settings.
struct Environment {
  std::string digest;                        ///< of the facts
  std::map<std::string, std::string> facts;  ///< "mpi.library" to "Open MPI v4.1.4"

  friend bool operator==(const Environment&, const Environment&) = default;
};

/// What a series is, without its nights.
struct SeriesKind {
  std::string name;  ///< core/series_name.hpp
  std::string unit;  ///< "seconds", "seconds_per_byte", "bytes_per_second", "bytes", "ratio"
  SeriesRole role = SeriesRole::subject;
  WorseWhen worse = WorseWhen::larger;

  friend bool operator==(const SeriesKind&, const SeriesKind&) = default;
};

/// One series in this night. The day of the value is that of the night.
struct NightFigure {
  SeriesKind series;
  NightlyValue value;
};

/// All that a night of one campaign leaves in the history.
struct Night {
  std::int64_t day = 0;
  std::string campaign;  ///< empty for launches by hand
  std::vector<NightRecord> records;
  std::vector<Environment> environments;
  std::vector<NightFigure> figures;
  std::vector<fleet::NightPair> pairs;
  std::vector<FaultFinding> faults;  ///< of its records, whose figures are left out
};

}  // namespace hockney::health
