#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/provenance.hpp"
#include "core/settings/control_variable.hpp"

namespace hockney {

/// What an MPI library printed about settings it did not take, one text for each complaint, at most
/// a few; its patterns stand in one table in prove.cpp. Ranks that say the same count once.
std::vector<std::string> complaints_in(std::string_view log);

/// Faults that an MPI library reports of itself, each once, as texts without control characters.
struct LibraryReport {
  std::vector<std::string> messages;
  bool lost_shared_memory =
      false;  ///< messages then take a slower way than the library's usual one

  friend bool operator==(const LibraryReport&, const LibraryReport&) = default;
};

/// What the library reports in the log of a launch. Lines of hockney's own programs do not count.
LibraryReport library_report(std::string_view log);

/// Of a record in which a setting that was asked for did not take effect.
inline constexpr std::string_view setting_ignored_flag = "setting-ignored";

/// What became of `asked`, the value of the environment's `variable`: proven when the control
/// variable it stands for has that value (numbers in any spelling, sizes with K, M or G, booleans
/// in words, values by name or number); ignored when it has another, or when there is none of that
/// name in a library that shows all it has; else unproven.
RequestedSetting prove(const std::string& variable, const std::string& requested,
                       const std::vector<ControlVariable>& variables);

/// The same for every variable of an environment that asks for a setting.
std::vector<RequestedSetting> prove_all(const std::map<std::string, std::string>& environment,
                                        const std::vector<ControlVariable>& variables);

/// "OMPI_MCA_x=8192: 4096 is in force", for messages.
std::string complaint_of(const RequestedSetting& setting);

}  // namespace hockney
