#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "components/application/profile/profile.hpp"
#include "core/json_functions.hpp"
#include "core/json_node.hpp"
#include "core/provenance.hpp"

// The document hockney.profile/1. Its keys: components/application/profile/profile_fields.hpp.

namespace hockney::profile {

/// Facts about a rank besides its rows: the text of a part.
struct Facts {
  Host host;
  std::vector<int> cpus;  ///< allowed CPUs
  std::vector<std::string> command_line;
  std::map<std::string, std::string> environment;
  std::string library;      ///< MPI_Get_library_version, first line
  std::string standard;     ///< MPI_Get_version
  std::string identity{};   ///< of the world (components/application/profile/event_log.hpp)
  std::string begun_utc{};  ///< end of MPI_Init on rank 0
};

/// The text of a rank's part; facts_of reads it.
std::string facts_text(const Facts& facts);

/// Reads the facts of a rank's part. InputError if they are damaged.
Facts facts_of(std::string_view text, int rank);

/// The text of a profile's file.
std::string profile_text(const Profile& profile);

void to_json(nlohmann::json& json, const Profile& profile);
void to_json(nlohmann::json& json, const Rank& rank);

// Functions that read are in profile_reader.cpp, since the preloaded library has no parser.

/// InputError if a key is missing, or a value beyond its limits.
void read_into(const JsonNode& node, Profile& profile);
void read_into(const JsonNode& node, Rank& rank);

/// Reads a profile in JSON or CBOR. InputError if it is no profile.
Profile load_profile(const std::string& file);

}  // namespace hockney::profile

template <>
inline constexpr bool hockney::has_json_functions<hockney::profile::Profile> = true;
template <>
inline constexpr bool hockney::has_json_functions<hockney::profile::Rank> = true;
