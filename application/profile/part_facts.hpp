#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_fields.hpp"
#include "core/record_fields.hpp"

namespace hockney::profile {

/// What a rank says of itself beside its rows: the text of a part.
struct Facts {
  Host host;
  std::vector<int> cpus;  ///< that it may run on
  std::vector<std::string> command_line;
  std::map<std::string, std::string> environment;
  std::string library;      ///< MPI_Get_library_version, first line
  std::string standard;     ///< MPI_Get_version
  std::string identity{};   ///< of the world (profile/run_files.hpp)
  std::string begun_utc{};  ///< end of MPI_Init on rank 0
};

constexpr auto fields_of(std::type_identity<Facts>) {
  return object_of(key("host", &Facts::host), key("cpus", &Facts::cpus),
                   key("command_line", &Facts::command_line, secretless<SecretlessWords>),
                   key("environment", &Facts::environment, secretless<SecretlessVariables>),
                   key("library", &Facts::library), key("standard", &Facts::standard),
                   key("identity", &Facts::identity, KeyUse::left_out_if_empty),
                   key("begun_utc", &Facts::begun_utc, KeyUse::left_out_if_empty));
}

/// The facts in a part of a rank; InputError where they are damaged.
Facts facts_of(std::string_view text, int rank);

}  // namespace hockney::profile
